//! What happened, written down before anything acts on it. Every new event takes an arrival number.

use std::collections::HashSet;
use std::sync::Arc;

use crate::db::Database;
use crate::deleted_quotes::RewordedLine;
use crate::erase::MessageErasure;
use crate::leavers::{late_writes, tombstones};
use crate::postgres::NewMessage;
use crate::row_writes::row;
use crate::search::pending;
use crate::sql::SqlResult;
use crate::values::{JsonColumn, params};
use crate::{deleted_quotes, erase, sessions, text_index};
use kith_core::chat::{AuthorKind, Channel, ChannelId, Message, MessageId};
use kith_core::event::ChatEvent;
use kith_core::quotes::{ERASED, ErasedMessage};

/// The most messages that a server is asked about together.
const MOST_TOGETHER: usize = 1_000;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AppendOutcome {
    /// Its arrival number; for a message that was there already, the one it got then.
    pub arrival: u64,
    /// Whether anything changed. Where not, it was known already, was deleted before, or is about an unknown
    /// message or somebody else's: do not act on it.
    pub new: bool,
    /// What a line of the companion's says in the store, where it told of somebody who is just being forgotten or of a
    /// message that was just deleted. It mentions nobody then.
    pub says: Option<Arc<str>>,
    /// Lines of the companion's that quoted what a deleted or edited message said, with what they say now.
    pub reworded: Vec<RewordedLine>,
    pub erased: Vec<ErasedMessage>,
}

impl AppendOutcome {
    /// Of what was stored or deleted before.
    fn known(arrival: u64) -> Self {
        Self {
            arrival,
            ..Self::default()
        }
    }
}

fn find_oversized_id(event: &ChatEvent) -> Option<u64> {
    let mut ids = Vec::new();
    match event {
        ChatEvent::Message(message)
        | ChatEvent::Earlier(message)
        | ChatEvent::Posted { message, .. } => {
            ids.extend([message.id.0, message.channel.0, message.author.id.0]);
            ids.extend(message.reply_to.map(|id| id.0));
        }
        ChatEvent::Edit { channel, id, .. } => ids.extend([channel.0, id.0]),
        ChatEvent::Delete {
            channel, ids: gone, ..
        } => ids.extend(gone.iter().map(|id| id.0).chain([channel.0])),
        ChatEvent::Reaction {
            channel,
            message,
            author: by,
            ..
        } => ids.extend([channel.0, message.0, by.id.0]),
        ChatEvent::Channel(Channel {
            id, guild, parent, ..
        }) => {
            ids.push(id.0);
            ids.extend(
                guild
                    .map(|id| id.0)
                    .into_iter()
                    .chain(parent.map(|id| id.0)),
            );
        }
    }
    ids.into_iter().find(|id| i64::try_from(*id).is_err())
}

/// Stores events in order inside the current transaction.
pub(crate) fn store_events(
    db: &mut Database,
    events: &[ChatEvent],
) -> SqlResult<Vec<AppendOutcome>> {
    let mut outcomes = Vec::with_capacity(events.len());
    while let Some(rest) = events.get(outcomes.len()..)
        && let Some(first) = rest.first()
    {
        let run = find_plain_run(db, rest);
        if run.is_empty() {
            outcomes.push(store_event(db, first)?);
        } else {
            store_run(db, &run, &mut outcomes)?;
        }
    }
    Ok(outcomes)
}

/// The messages that events begin with of which nothing has to be known but whether they are. A server is asked about them
/// together; of a file everything is at hand, so there are none.
fn find_plain_run<'e>(db: &Database, events: &'e [ChatEvent]) -> Vec<&'e Message> {
    if db.conn.as_sqlite().is_some() {
        return Vec::new();
    }
    let mut seen = HashSet::new();
    let plain = events.iter().take(MOST_TOGETHER).map_while(|event| {
        let ChatEvent::Message(message) = event else {
            return None;
        };
        let is_plain = message.author.kind != AuthorKind::Companion
            && message.at > db.forgotten_until
            && find_oversized_id(event).is_none()
            && seen.insert((message.channel, message.id));
        is_plain.then_some(message)
    });
    plain.collect()
}

/// Stores the messages of a run; each gets its outcome.
fn store_run(
    db: &mut Database,
    run: &[&Message],
    outcomes: &mut Vec<AppendOutcome>,
) -> SqlResult<()> {
    let known = db.conn.find_known(run)?;
    let mut new = Vec::with_capacity(run.len());
    for (&message, known) in run.iter().zip(known) {
        outcomes.push(match known {
            Some(arrival) => AppendOutcome::known(arrival as u64),
            None => {
                let arrival = db.advance_arrival();
                let mentions = &*message.mentions;
                new.push(NewMessage {
                    arrival: arrival as i64,
                    message,
                    mentions: (!mentions.is_empty()).then_some(JsonColumn(mentions)),
                    words: text_index::format_words(&db.conn, &message.text),
                });
                AppendOutcome {
                    new: true,
                    ..AppendOutcome::known(arrival)
                }
            }
        });
    }
    if new.is_empty() {
        return Ok(());
    }
    db.conn.add_messages(&new)
}

pub(super) fn store_event(db: &mut Database, event: &ChatEvent) -> SqlResult<AppendOutcome> {
    if let Some(id) = find_oversized_id(event) {
        tracing::warn!(
            id,
            "an event is not stored: the largest id that can be kept is {}",
            i64::MAX
        );
        return Ok(AppendOutcome::known(db.arrival));
    }
    let erasure = match event {
        ChatEvent::Message(message) | ChatEvent::Earlier(message) => {
            return store_message(db, message, None);
        }
        ChatEvent::Posted { message, nonce } => {
            return store_message(db, message, Some(&format!("post:{nonce}")));
        }
        ChatEvent::Edit {
            channel,
            id,
            author,
            text,
            at,
        } => erase::edit_message(db, *channel, *id, *author, text, *at)?,
        ChatEvent::Delete { channel, ids, at } => {
            let arrival = db.arrival + 1;
            let mut all = MessageErasure::default();
            for id in ids {
                all.append(erase::delete_message(db, *channel, *id, arrival, *at)?);
            }
            all
        }
        ChatEvent::Reaction { .. } => MessageErasure {
            changed: store_reaction(db, event)?,
            ..MessageErasure::default()
        },
        ChatEvent::Channel(channel) => MessageErasure {
            changed: store_channel(db, channel)?,
            ..MessageErasure::default()
        },
    };
    let arrival = if erasure.changed {
        db.advance_arrival()
    } else {
        db.arrival
    };
    Ok(AppendOutcome {
        arrival,
        new: erasure.changed,
        says: None,
        reworded: erasure.reworded,
        erased: erasure.erased,
    })
}

/// Whether the reactions to a message changed by this event.
fn store_reaction(db: &mut Database, event: &ChatEvent) -> SqlResult<bool> {
    let ChatEvent::Reaction {
        channel,
        message,
        author,
        emoji,
        added,
        at,
    } = event
    else {
        return Ok(false);
    };
    if !added {
        let reaction = row! { channel, message, user: author.id, emoji };
        return db.conn.delete_rows("reactions", reaction);
    }
    let find = "SELECT 1 FROM messages WHERE channel = ?1 AND id = ?2";
    let arrival = db.arrival as i64 + 1;
    Ok(db.conn.has_row(find, params![channel, message])?
        && !tombstones::is_forgotten(db, *channel, author, *at)?
        && db.conn.add_row("reactions", row! {
            channel, message, user: author.id, emoji, arrival, at, user_name: author.name, user_kind: author.kind,
        })?)
}

/// Stores a message; an own line also keeps the nonce it was sent with, which no second message can have.
pub(super) fn store_message(
    db: &mut Database,
    message: &Message,
    nonce: Option<&str>,
) -> SqlResult<AppendOutcome> {
    let (id, channel, author) = (message.id, message.channel, &message.author);
    if has_tombstone(db, channel, id)? || tombstones::is_forgotten(db, channel, author, message.at)?
    {
        return find_known_arrival(db, channel, id, nonce).map(AppendOutcome::known);
    }
    let stored_text = redact_own_line(db, message, nonce)?;
    let text = stored_text.as_ref().unwrap_or(&message.text);
    let mentions = Some(&message.mentions).filter(|list| stored_text.is_none() && !list.is_empty());
    let mentions = mentions.map(JsonColumn);
    let arrival = db.arrival as i64 + 1;
    // One plain row: a statement that could fail half-way (`INSERT … SELECT`) would open a savepoint, and each
    // savepoint makes the full-text index write out what it gathered: 2.6 times the processor time, measured.
    let row = row! {
        arrival, channel, id, at: message.at, author: author.id, author_name: author.name, author_kind: author.kind,
        reply_to: message.reply_to, mentions, nonce, text,
    };
    if !db.conn.add_row("messages", row)? {
        return Ok(AppendOutcome {
            says: stored_text,
            ..AppendOutcome::known(find_known_arrival(db, channel, id, nonce)?)
        });
    }
    text_index::add_text(&db.conn, arrival, channel, text)?;
    pending::mark_late_message(&db.conn, channel, id, arrival)?;
    let person = "INSERT INTO people (id, name, kind) VALUES (?1, ?2, ?3)
         ON CONFLICT (id) DO UPDATE SET name = ?2, kind = ?3 WHERE people.name <> ?2 OR people.kind <> ?3";
    db.conn
        .execute(person, params![author.id, author.name, author.kind])?;
    Ok(AppendOutcome {
        new: true,
        says: stored_text,
        ..AppendOutcome::known(db.advance_arrival())
    })
}

/// A line of the companion's without what it tells of people and messages that are gone; none if it tells nothing of it.
fn redact_own_line(
    db: &Database,
    message: &Message,
    nonce: Option<&str>,
) -> SqlResult<Option<Arc<str>>> {
    if message.author.kind != AuthorKind::Companion {
        return Ok(None);
    }
    let (channel, at) = (message.channel, message.at);
    if nonce.is_none() && deleted_quotes::may_be_withdrawn(db, channel, at) {
        return Ok(Some(ERASED.into()));
    }
    let untold = late_writes::redact_line(db, channel, at, &message.text)?;
    let now = untold.as_deref().unwrap_or(&message.text);
    let unquoted = deleted_quotes::redact_late_line(db, channel, now)?;
    Ok(unquoted.or(untold).map(Arc::from))
}

fn has_tombstone(db: &Database, channel: ChannelId, id: MessageId) -> SqlResult<bool> {
    db.conn.has_row(
        "SELECT 1 FROM tombstones WHERE channel = ?1 AND id = ?2",
        params![channel, id],
    )
}

/// The arrival number of what stands in the way of a message.
fn find_known_arrival(
    db: &Database,
    channel: ChannelId,
    id: MessageId,
    nonce: Option<&str>,
) -> SqlResult<u64> {
    let find = "SELECT arrival FROM messages WHERE nonce = ?3
         UNION ALL SELECT arrival FROM messages WHERE channel = ?1 AND id = ?2
         UNION ALL SELECT arrival FROM tombstones WHERE channel = ?1 AND id = ?2 LIMIT 1";
    let arrival: Option<i64> = db.conn.read_first(find, params![channel, id, nonce])?;
    Ok(arrival.map_or(db.arrival, |arrival| arrival as u64))
}

fn store_channel(db: &Database, channel: &Channel) -> SqlResult<bool> {
    let it = channel;
    let (name, topic): (&str, &str) = match sessions::is_nameless(db, it.id)? {
        true => ("", ""),
        false => (&it.name, &it.topic),
    };
    let upsert = "INSERT INTO channels (id, guild, name, topic, kind, parent) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
         ON CONFLICT (id) DO UPDATE SET guild = ?2, name = ?3, topic = ?4, kind = ?5, parent = ?6
         WHERE channels.guild IS DISTINCT FROM ?2 OR channels.name <> ?3 OR channels.topic <> ?4 OR channels.kind <> ?5
             OR channels.parent IS DISTINCT FROM ?6";
    let values = params![it.id, it.guild, name, topic, it.kind, it.parent];
    Ok(db.conn.execute(upsert, values)? > 0)
}

#[cfg(test)]
mod tests {
    use crate::Store;
    use crate::postgres::PostgresAddress;
    use kith_core::chat::{Author, GuildId, UserId};

    use super::*;

    fn said(id: u64) -> ChatEvent {
        ChatEvent::Message(Message {
            id: MessageId(id),
            channel: ChannelId(1 + id % 3),
            arrival: 0,
            at: 1,
            author: Author {
                id: UserId(id % 7),
                name: "Anna".into(),
                kind: AuthorKind::Person,
            },
            text: "so it goes".into(),
            reply_to: None,
            mentions: Vec::new(),
        })
    }

    /// How many answers of the server were waited for so far.
    fn count_trips(store: &Store) -> u32 {
        let count = store.write(|db| db.conn.count_trips());
        count.wait().expect("counted")
    }

    #[test]
    fn messages_that_are_stored_together_wait_for_a_server_four_times_however_many_they_are() {
        let Some(address) = PostgresAddress::of_new_schema() else {
            return;
        };
        let store = Store::open_server(&address).expect("opened");
        // Statements are prepared once.
        store.append(vec![said(1)]).wait().expect("stored");
        for ids in [2..3, 3..515] {
            let before = count_trips(&store);
            let events: Vec<ChatEvent> = ids.map(said).collect();
            store.append(events).wait().expect("stored");
            // Counting itself ends one transaction, and begins another.
            assert_eq!(count_trips(&store) - before - 2, 4);
        }
    }

    #[test]
    fn rows_that_are_written_together_wait_for_a_server_as_often_as_one() {
        let Some(address) = PostgresAddress::of_new_schema() else {
            return;
        };
        let store = Store::open_server(&address).expect("opened");
        store
            .append((1..100).map(said).collect())
            .wait()
            .expect("stored");
        let decision = |id: u64| {
            serde_json::from_value(serde_json::json!({
                "channel": ChannelId(1), "message": id, "author": 1, "at": 0, "score": 0.5, "threshold": 0.6,
                "address": null, "refusal": null, "speak": false, "energy": 1.0, "terms": [], "bias": 0.0,
            }))
            .expect("a decision")
        };
        let state = |id| (ChannelId(id), "{}".to_owned());
        let seen = |id| (ChannelId(id), MessageId(id));
        let seen_in_guild = |id| (GuildId(id), MessageId(id));
        let write = |ids: std::ops::Range<u64>| {
            let before = count_trips(&store);
            let writes = [
                store.save_decisions(ids.clone().map(decision).collect()),
                store.save_channel_states(ids.clone().map(state).collect(), 1),
                store.record_seen(ids.clone().map(seen).collect()),
                store.record_seen_in_guilds(ids.map(seen_in_guild).collect()),
            ];
            for write in writes {
                write.wait().expect("written");
            }
            count_trips(&store) - before
        };
        // Statements are prepared once.
        write(1..2);
        // How many of the four share a transaction is chance, so this is at most what each takes in one of its own.
        assert!(write(3..99) <= 4 * 3 + 2);
    }
}
