//! What was said in channels, as it arrived and as it is read back, how far each was heard, and what is about to be said:
//! that is on the disk before it is sent, and is said once.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use crate::append::{AppendOutcome, store_event, store_events, store_message};
use crate::connection_threads::JobKind;
use crate::db::Database;
use crate::deleted_quotes;
use crate::from_row::from_row;
use crate::handle::{Store, StoreReply};
use crate::journal::{JournalOutcome, drop_action, insert_action, mark_delivered, record_action};
use crate::leavers::leaving_people;
use crate::row_writes::RowStatement;
use crate::sql::{SqlConnection, SqlResult};
use crate::values::{ToColumn, params};
use kith_core::chat::{
    Author, AuthorKind, Channel, ChannelId, GuildId, Message, MessageId, Millis, TurnId,
};
use kith_core::event::ChatEvent;
use kith_core::outgoing::{OutgoingAction, VisibleAction};

#[derive(Clone, Debug, PartialEq)]
pub struct StoredMessage {
    pub message: Message,
    pub edited: bool,
    /// The reactions on it, oldest first.
    pub reactions: Vec<StoredReaction>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct StoredReaction {
    pub author: Author,
    pub emoji: Arc<str>,
    pub at: Millis,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct RestoredChannel {
    /// Its newest messages, by id, oldest first.
    pub tail: Vec<StoredMessage>,
    /// The channel's state as it was saved last.
    pub state: Option<String>,
    /// The largest cursor in its outbox and of the sessions asked for there: messages up to this arrival number must not be answered again.
    pub cursor: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Activity {
    pub scored: u64,
    pub turns: u64,
    /// Of these, turns that said or did something people see.
    pub spoke: u64,
    /// Beats at which it would have spoken, had the channel not been only observed: it was addressed, or the score
    /// reached the threshold. A burst counts once.
    pub would_have_spoken: u64,
}

impl Store {
    /// A channel's newest `limit` messages, its saved state and its outbox's cursor.
    pub fn restore(&self, channel: ChannelId, limit: usize) -> StoreReply<RestoredChannel> {
        self.read(move |conn| {
            let state = "SELECT state FROM channel_states WHERE channel = ?1";
            let cursor = "SELECT max(
                     (SELECT coalesce(max(cursor), 0) FROM outbox WHERE channel = ?1),
                     (SELECT coalesce(max(cursor), 0) FROM sessions WHERE source = ?1))";
            Ok(RestoredChannel {
                tail: read_history(conn, channel, None, limit)?,
                state: conn.read_first(state, params![channel])?,
                cursor: conn.read_one(cursor, params![channel])?,
            })
        })
    }

    /// The ids of a channel's newest `limit` messages, newest first.
    pub fn find_newest_ids(&self, channel: ChannelId, limit: usize) -> StoreReply<Vec<MessageId>> {
        self.read(move |conn| {
            let find = "SELECT id FROM messages WHERE channel = ?1 ORDER BY id DESC LIMIT ?2";
            conn.read_all(find, params![channel, limit as i64])
        })
    }

    /// The ids of a channel's first `limit` messages after one, oldest first.
    pub fn find_ids_after(
        &self,
        channel: ChannelId,
        after: MessageId,
        limit: usize,
    ) -> StoreReply<Vec<MessageId>> {
        self.read(move |conn| {
            let find =
                "SELECT id FROM messages WHERE channel = ?1 AND id > ?2 ORDER BY id LIMIT ?3";
            conn.read_all(find, params![channel, after, limit as i64])
        })
    }

    /// The `limit` newest messages with an id below `before`, oldest first.
    pub fn load_history(
        &self,
        channel: ChannelId,
        before: Option<MessageId>,
        limit: usize,
    ) -> StoreReply<Vec<StoredMessage>> {
        self.read(move |conn| read_history(conn, channel, before, limit))
    }

    pub fn find_message(
        &self,
        channel: ChannelId,
        id: MessageId,
    ) -> StoreReply<Option<StoredMessage>> {
        self.read(move |conn| {
            let after = MessageId(id.0.saturating_add(1));
            let newest = read_history(conn, channel, Some(after), 1)?.pop();
            Ok(newest.filter(|line| line.message.id == id))
        })
    }

    /// Every channel ever seen, by id.
    pub fn channels(&self) -> StoreReply<Vec<Channel>> {
        self.read(read_channels)
    }

    /// Everybody who ever wrote, with the name last seen, by id.
    pub fn people(&self) -> StoreReply<Vec<Author>> {
        self.read(|conn| conn.read_all("SELECT id, name, kind FROM people ORDER BY id", params![]))
    }

    /// Keeps the states of channels, each as text that only its channel reads. They must hold no text of a message: what is
    /// deleted is not looked for in them. Of people they hold nothing but ids, which are taken out when somebody is
    /// forgotten.
    pub fn save_channel_states(
        &self,
        states: BTreeMap<ChannelId, String>,
        at: Millis,
    ) -> StoreReply<()> {
        let kind = JobKind::Write {
            rows: states.len().max(1),
        };
        self.write_as(kind, move |db| {
            leaving_people::drop_old_names(&mut db.leaving_people, at);
            let people = &db.leaving_people;
            let states: Vec<ChannelStateRow> = states
                .iter()
                .map(|(channel, state)| ChannelStateRow {
                    channel: *channel,
                    state: leaving_people::redact_channel_state(people, *channel, at, state),
                    at,
                })
                .collect();
            let save = RowStatement::put("channel_states", &["channel", "state", "saved_at"]);
            db.conn.write_rows(
                &save,
                &states,
                [|row| &row.channel, |row| &row.state, |row| &row.at],
            )
        })
    }

    /// Notes the newest message heard of channels, also of one that was not stored. An older one changes nothing, so
    /// it may be told late and in any order; once a second is enough, for what is stored counts as heard anyway.
    pub fn record_seen(&self, newest: Vec<(ChannelId, MessageId)>) -> StoreReply<()> {
        let raise = RowStatement::raise("read_positions", &["channel", "message"]);
        self.put_newest(newest, raise)
    }

    /// Notes the newest id heard of guilds, in whatever channel; as [`Store::record_seen`].
    pub fn record_seen_in_guilds(&self, newest: Vec<(GuildId, MessageId)>) -> StoreReply<()> {
        let raise = RowStatement::raise("guild_read_positions", &["guild", "message"]);
        self.put_newest(newest, raise)
    }

    fn put_newest<Place: ToColumn + Ord + Send + 'static>(
        &self,
        mut newest: Vec<(Place, MessageId)>,
        put: RowStatement,
    ) -> StoreReply<()> {
        // Of each place the newest, which comes last: no row is written twice in one statement.
        newest.sort_unstable();
        let newest: BTreeMap<Place, MessageId> = newest.into_iter().collect();
        let newest: Vec<(Place, MessageId)> = newest.into_iter().collect();
        self.write(move |db| {
            db.conn
                .write_rows(&put, &newest, [|(place, _)| place, |(_, message)| message])
        })
    }

    /// The newest id heard of every guild, by guild.
    pub fn last_seen_in_guilds(&self) -> StoreReply<Vec<(GuildId, MessageId)>> {
        self.read(|conn| {
            let find = "SELECT guild, message FROM guild_read_positions ORDER BY guild";
            conn.read_all(find, params![])
        })
    }

    /// The newest message heard of every channel something was heard of, by channel. The companion's own lines do not
    /// count, for it may say them over REST while nothing can be heard. What a channel is heard to say before it was
    /// caught up with moves this on, too: ask before listening.
    pub fn last_seen(&self) -> StoreReply<Vec<(ChannelId, MessageId)>> {
        self.read(|conn| {
            // One look into the index for each channel, never a walk over the messages.
            let find = "SELECT id, newest FROM (
                     SELECT id, max(coalesce(message, 0), coalesce(stored, 0)) AS newest FROM (
                     SELECT id,
                         (SELECT m.id FROM messages m WHERE m.channel = known.id AND m.author_kind <> ?1
                          ORDER BY m.id DESC LIMIT 1) AS stored,
                         (SELECT message FROM read_positions WHERE read_positions.channel = known.id) AS message
                     FROM (SELECT id FROM channels UNION SELECT channel FROM read_positions) AS known
                 ) AS heard) AS newest_heard WHERE newest > 0 ORDER BY id";
            conn.read_all(find, params![AuthorKind::Companion])
        })
    }

    pub fn find_newest_message(&self, channel: ChannelId) -> StoreReply<Option<MessageId>> {
        self.read(move |conn| {
            conn.read_one(
                "SELECT max(id) FROM messages WHERE channel = ?1",
                params![channel],
            )
        })
    }

    pub fn find_newest_time(&self) -> StoreReply<Option<Millis>> {
        self.read(|conn| conn.read_one("SELECT max(at) FROM messages", params![]))
    }

    pub fn load_activity(&self, channel: ChannelId, at: Millis) -> StoreReply<Activity> {
        self.read(move |conn| {
            let statements = conn.statements();
            let count = |statement| conn.read_one(statement, params![channel, at]);
            let (scored, would_have_spoken) = count(statements.count_decisions)?;
            let (turns, spoke) = count(statements.count_turns)?;
            Ok(Activity {
                scored,
                turns,
                spoke,
                would_have_spoken,
            })
        })
    }

    /// The turn that said a line of the companion; none for other lines and for unknown ones.
    pub fn find_message_turn(
        &self,
        channel: ChannelId,
        message: MessageId,
    ) -> StoreReply<Option<TurnId>> {
        self.read(move |conn| {
            let find = "SELECT nonce, turn FROM messages LEFT JOIN decisions USING (arrival)
                 WHERE channel = ?1 AND id = ?2 AND author_kind = ?3";
            let values = params![channel, message, AuthorKind::Companion];
            let known: Option<(Option<String>, _)> = conn.read_first(find, values)?;
            let Some((nonce, turn)) = known else {
                return Ok(None);
            };
            // `turn.part`, or `turn.part.piece` of a line that was split.
            let named = nonce
                .as_deref()
                .and_then(|nonce| nonce.split_once('.')?.0.parse().ok())
                .map(TurnId);
            Ok(named.or(turn))
        })
    }

    /// The lines a turn said, in their order. Those that were deleted since are left out.
    pub fn find_turn_messages(&self, turn: TurnId) -> StoreReply<Vec<(ChannelId, MessageId)>> {
        self.read(move |conn| {
            // The character after `.` is `/`.
            let find = "SELECT channel, id FROM messages WHERE nonce >= ?1 AND nonce < ?2 AND author_kind = ?3 ORDER BY id";
            let range = params![format!("{turn}."), format!("{turn}/"), AuthorKind::Companion];
            conn.read_all(find, range)
        })
    }

    /// Stores events in order, all or none, and answers with one [`AppendOutcome`] each. Appends that queue up are
    /// committed together. An event with an id that no column can hold is left out and answered as not new, so that it
    /// takes no other with it.
    pub fn append(&self, events: Vec<ChatEvent>) -> StoreReply<Vec<AppendOutcome>> {
        self.write_as(
            JobKind::Write {
                rows: events.len().max(1),
            },
            move |db| store_events(db, &events),
        )
    }

    /// Writes an action down; answered when it is on the disk for good (synchronous = FULL), and only then sent. What
    /// would tell of somebody who is being forgotten right now, or quotes what was erased since it was made, counts as
    /// dropped.
    pub fn journal(&self, outgoing: OutgoingAction) -> StoreReply<JournalOutcome> {
        self.write_as(JobKind::Journal, move |db| {
            // It may have waited for the server, where no erasure found it.
            if let VisibleAction::Send { text, .. } = &outgoing.action
                && deleted_quotes::is_erased_since(db, outgoing.channel, text, outgoing.at)?
            {
                return insert_action(db, &outgoing, true);
            }
            record_action(db, &outgoing)
        })
    }

    /// Stores what became of a journaled action (the own message, or the own reaction) and marks the action as
    /// done, in one transaction. Every answer means that it is delivered: where nothing is new, the platform's echo
    /// was stored first and the arrival is that of this very message. The same nonce settled again answers with what it
    /// became the first time.
    pub fn settle(
        &self,
        nonce: impl Into<String>,
        delivered: ChatEvent,
    ) -> StoreReply<AppendOutcome> {
        let nonce = nonce.into();
        self.write(move |db| settle(db, &nonce, &delivered))
    }

    /// The newest messages in a channel of which it is known that they are what became of an action. One of the
    /// companion's own that only the platform told of is not among them: it may be what is still to be settled.
    pub fn find_settled_messages(
        &self,
        channel: ChannelId,
        limit: usize,
    ) -> StoreReply<Vec<MessageId>> {
        self.read(move |conn| {
            let find = "SELECT id FROM messages WHERE channel = ?1 AND author_kind = ?2 AND nonce IS NOT NULL
                 ORDER BY id DESC LIMIT ?3";
            conn.read_all(find, params![channel, AuthorKind::Companion, limit as i64])
        })
    }

    /// Whether an action is journaled and neither settled nor given up.
    pub fn is_pending(&self, nonce: impl Into<String>) -> StoreReply<bool> {
        let nonce = nonce.into();
        self.read(move |conn| {
            conn.has_row(
                "SELECT 1 FROM outbox WHERE nonce = ?1 AND state = 0",
                params![&nonce],
            )
        })
    }

    /// Whether any of these messages is still on record: not deleted, and nobody forgotten wrote it.
    pub fn is_any_kept(&self, channel: ChannelId, messages: Vec<MessageId>) -> StoreReply<bool> {
        self.read(move |conn| {
            let mut find =
                conn.prepare_cached("SELECT 1 FROM messages WHERE channel = ?1 AND id = ?2")?;
            messages.iter().try_fold(false, |kept, id| {
                Ok(kept || find.exists(params![channel, id])?)
            })
        })
    }

    /// Gives an action up: it was not sent and never will be.
    pub fn drop_outgoing(&self, nonce: impl Into<String>) -> StoreReply<()> {
        let nonce = nonce.into();
        self.write(move |db| drop_action(db, &nonce))
    }

    /// How many actions are journaled and neither settled nor dropped, and when the oldest of them was journaled.
    pub fn find_outbox_age(&self) -> StoreReply<(u64, Option<Millis>)> {
        self.read(|conn| {
            let age = "SELECT count(*), min(journaled_at) FROM outbox WHERE state = 0";
            conn.read_one(age, params![])
        })
    }

    /// What was journaled and neither settled nor dropped, oldest first: to be looked after at the start.
    pub fn pending_outbox(&self) -> StoreReply<Vec<OutgoingAction>> {
        self.read(|conn| {
            let find = "SELECT nonce, turn, part, channel, action, cursor, journaled_at, answers FROM outbox
                 WHERE state = 0 ORDER BY journaled_at, rowid";
            conn.read_all(find, params![])
        })
    }
}

from_row! { OutgoingAction { nonce, turn, part, channel, action: json, cursor, at, answers: list } }
from_row! { Message { id, channel, arrival, at, author, text, reply_to, mentions: list } }
from_row! { StoredMessage { message, edited, reactions: none } }
from_row! { StoredReaction { author, emoji, at } }

struct ChannelStateRow<'s> {
    channel: ChannelId,
    state: Cow<'s, str>,
    at: Millis,
}

pub(super) fn read_history(
    conn: &SqlConnection,
    channel: ChannelId,
    before: Option<MessageId>,
    limit: usize,
) -> SqlResult<Vec<StoredMessage>> {
    let find = "SELECT id, channel, arrival, at, author, author_name, author_kind, text, reply_to, mentions, edited IS NOT NULL
         FROM messages WHERE channel = ?1 AND id < ?2 ORDER BY id DESC LIMIT ?3";
    // No id that is kept is larger.
    let before = before
        .and_then(|id| i64::try_from(id.0).ok())
        .unwrap_or(i64::MAX);
    let mut lines: Vec<StoredMessage> = conn.read_all(find, params![channel, before, limit])?;
    lines.reverse();
    let (Some(first), Some(last)) = (lines.first(), lines.last()) else {
        return Ok(lines);
    };
    let (first, last) = (first.message.id, last.message.id);
    let find = "SELECT message, user, user_name, user_kind, emoji, at FROM reactions
         WHERE channel = ?1 AND message BETWEEN ?2 AND ?3 ORDER BY arrival";
    let reactions: Vec<(MessageId, StoredReaction)> =
        conn.read_all(find, params![channel, first, last])?;
    for (message, reaction) in reactions {
        if let Ok(index) = lines.binary_search_by_key(&message, |line| line.message.id) {
            lines[index].reactions.push(reaction);
        }
    }
    Ok(lines)
}

pub(super) fn read_channels(conn: &SqlConnection) -> SqlResult<Vec<Channel>> {
    let find = "SELECT id, guild, name, topic, kind, parent FROM channels ORDER BY id";
    conn.read_all(find, params![])
}

from_row! { Channel { id, guild, name, topic, kind, parent } }

fn settle(db: &mut Database, nonce: &str, delivered: &ChatEvent) -> SqlResult<AppendOutcome> {
    let (stored, message) = match delivered {
        ChatEvent::Message(message) => {
            let stored = store_message(db, message, Some(nonce))?;
            if !stored.new {
                // The platform's echo was faster than its answer.
                let mark = "UPDATE messages SET nonce = ?2 WHERE arrival = ?1 AND nonce IS NULL
                         AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.nonce = ?2)";
                db.conn
                    .execute(mark, params![stored.arrival as i64, nonce])?;
            }
            (stored, Some(message.id))
        }
        other => (store_event(db, other)?, None),
    };
    mark_delivered(db, nonce, message)?;
    Ok(stored)
}
