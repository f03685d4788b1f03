//! Sessions: on disk before their channel is opened, so that a crash between the two opens none twice. Words in a row
//! are a model's and may quote people: they go with what they quote. What a session begins with is not kept, only where
//! it was said; a summary of it is, until any of it is gone.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::connection_threads::JobKind;
use crate::db::Database;
use crate::erased_text::ErasedText;
use crate::from_row::from_row;
use crate::handle::{Store, StoreReply};
use crate::journal;
use crate::leavers::identifying_trace::IdentityMatcher;
use crate::leavers::target::ForgetTarget;
use crate::row_writes::row;
use crate::sql::{SqlConnection, SqlResult};
use crate::values::{JsonColumn, params};
use kith_core::chat::{ChannelId, MessageId, Millis, SessionId};
use kith_core::outgoing::OutgoingAction;
use kith_core::session::{PromptPiece, Session, SessionRewording, SessionSource};

const COLUMNS: &str = "id, guild, channel, source, parent_channel, parent, turn, cursor, made, label, opening, config, sources, summary";

impl Store {
    /// Keeps a session whose channel is about to be opened, and gives it its id; answered when it is on the disk for good.
    /// None where somebody is being forgotten who may stand in its words.
    pub fn put_session(&self, session: Session) -> StoreReply<Option<Session>> {
        self.write_as(JobKind::Journal, move |db| insert_session(db, &session))
    }

    /// A session's channel is there, and what is to be said in it first is journaled.
    pub fn open_session(
        &self,
        id: SessionId,
        channel: ChannelId,
        opening: Option<OutgoingAction>,
    ) -> StoreReply<()> {
        self.write_as(JobKind::Journal, move |db| {
            let open = "UPDATE sessions SET channel = ?2, opening = NULL WHERE id = ?1";
            db.conn.execute(open, params![id, channel])?;
            opening
                .iter()
                .try_for_each(|opening| journal::record_action(db, opening).map(drop))
        })
    }

    /// A person gives a session another label or note; answers with the session as it is then, if it is still there.
    pub fn reword_session(
        &self,
        id: SessionId,
        rewording: SessionRewording,
        now: Millis,
    ) -> StoreReply<Option<Session>> {
        self.write(move |db| reword(db, id, &rewording, now))
    }

    /// A session is over. Those that were opened from it are its parent's from now on.
    pub fn end_session(&self, id: SessionId) -> StoreReply<()> {
        self.write(move |db| record_end(db, id))
    }

    pub fn sessions(&self) -> StoreReply<Vec<Session>> {
        self.read(read_sessions)
    }

    pub fn find_session(&self, channel: ChannelId) -> StoreReply<Option<Session>> {
        self.read(move |conn| {
            let find = format!("SELECT {COLUMNS} FROM sessions WHERE channel = ?1");
            conn.read_first(&find, params![channel])
        })
    }

    /// Keeps the summary of what a session begins with, unless any of that was erased since `read`; answers whether it
    /// is kept.
    pub fn save_session_summary(
        &self,
        id: SessionId,
        summary: String,
        read_at: Millis,
    ) -> StoreReply<bool> {
        self.write(move |db| {
            let find = format!("SELECT {COLUMNS} FROM sessions WHERE id = ?1");
            let Some(session) = db.conn.read_first::<Session>(&find, params![id])? else {
                return Ok(false);
            };
            let outdated = session.sources.iter().any(|source| {
                db.recent_erasures.has_any_since(source.channel, read_at)
                    || db.may_hold_leaver(source.channel, read_at)
            });
            if outdated {
                return Ok(false);
            }
            db.conn
                .update_rows("sessions", row! { id }, row! { summary })?;
            Ok(true)
        })
    }
}

fn insert_session(db: &mut Database, session: &Session) -> SqlResult<Option<Session>> {
    if db.may_hold_leaver(session.from, session.made) {
        return Ok(None);
    }
    let mut session = session.clone();
    for gone in db
        .recent_erasures
        .find_in_channel(session.from)
        .collect::<Vec<_>>()
    {
        clean_session(&mut session, &mut |text| gone.is_repeated_in(text));
    }
    let it = &session;
    let new = row! {
        guild: it.guild, channel: it.channel, source: it.from, parent_channel: it.parent_channel, parent: it.parent,
        turn: it.turn, cursor: it.cursor as i64, made: it.made, label: it.label, opening: it.opening,
        config: JsonColumn(&it.config), sources: JsonColumn(&it.sources), summary: it.summary,
    };
    let id = db.conn.insert_numbered("sessions", new)?;
    Ok(Some(Session { id, ..session }))
}

fn record_end(db: &Database, id: SessionId) -> SqlResult<()> {
    let raise = "UPDATE sessions SET parent = (SELECT parent FROM sessions WHERE id = ?1) WHERE parent = ?1";
    db.conn.execute(raise, params![id])?;
    db.conn.delete_rows("sessions", row! { id }).map(drop)
}

fn read_sessions(conn: &SqlConnection) -> SqlResult<Vec<Session>> {
    let find = format!("SELECT {COLUMNS} FROM sessions ORDER BY id");
    conn.read_all(&find, params![])
}

from_row! { Session {
    id, guild, channel, from, parent_channel, parent, turn, cursor, made, label, opening, config: json, sources: json, summary
} }

/// Gives a session other words, without those that were erased a moment ago.
fn reword(
    db: &Database,
    id: SessionId,
    rewording: &SessionRewording,
    now: Millis,
) -> SqlResult<Option<Session>> {
    let find = format!("SELECT {COLUMNS} FROM sessions WHERE id = ?1");
    let Some(mut session) = db.conn.read_first::<Session>(&find, params![id])? else {
        return Ok(None);
    };
    if let Some(label) = &rewording.label {
        session.label.clone_from(label);
    }
    if let Some(note) = &rewording.note {
        session.config.replace_note(note);
    }
    session.config.worded = now;
    for gone in db.recent_erasures.find_in_channel(session.from) {
        clean_session(&mut session, &mut |text| gone.is_repeated_in(text));
    }
    update_words(db, &session)?;
    Ok(Some(session))
}

/// Takes every word of the model's out that `tells`; half of it would be worth nothing. Answers whether any went.
fn clean_session(session: &mut Session, tells: &mut impl FnMut(&str) -> bool) -> bool {
    let mut changed = false;
    let mut blank = |text: &mut String| {
        if !text.is_empty() && tells(text) {
            text.clear();
            changed = true;
        }
    };
    blank(&mut session.label);
    session.opening.iter_mut().for_each(&mut blank);
    session.summary.iter_mut().for_each(&mut blank);
    for piece in &mut session.config.prompt {
        match piece {
            PromptPiece::Host { vars, .. } => vars.values_mut().for_each(&mut blank),
            PromptPiece::Model(text) | PromptPiece::Person(text) => blank(text),
        }
    }
    session
        .config
        .prompt
        .retain(|piece| !matches!(piece, PromptPiece::Model(text) | PromptPiece::Person(text) if text.is_empty()));
    session.opening = session.opening.take().filter(|text| !text.is_empty());
    session.summary = session.summary.take().filter(|text| !text.is_empty());
    changed
}

fn update_words(db: &Database, session: &Session) -> SqlResult<()> {
    let it = session;
    let words = row! { label: it.label, opening: it.opening, config: JsonColumn(&it.config), summary: it.summary };
    db.conn.update_rows("sessions", row! { id: it.id }, words)?;
    if it.label.is_empty() {
        db.conn.update_rows(
            "channels",
            row! { id: it.channel },
            row! { name: "", topic: "" },
        )?;
    }
    Ok(())
}

/// Whether a channel was opened under a name that had to be forgotten: what its platform calls it is not kept again.
pub(super) fn is_nameless(db: &Database, channel: ChannelId) -> SqlResult<bool> {
    db.conn.has_row(
        "SELECT 1 FROM sessions WHERE channel = ?1 AND label = ''",
        params![channel],
    )
}

/// Summaries of what a message was part of go: they are made anew of what is left.
pub(super) fn forget_message(
    db: &Database,
    channel: ChannelId,
    message: MessageId,
) -> SqlResult<()> {
    forget_summaries(db, |source| source.contains(channel, message))
}

fn forget_summaries(db: &Database, is_of: impl Fn(&SessionSource) -> bool) -> SqlResult<()> {
    let find = "SELECT id, sources FROM sessions WHERE summary IS NOT NULL";
    let rows = db
        .conn
        .read_all::<(SessionId, JsonColumn<Vec<SessionSource>>)>(find, params![])?;
    let forget = "UPDATE sessions SET summary = NULL WHERE id = ?1";
    let mut meant = rows
        .into_iter()
        .filter(|(_, JsonColumn(sources))| sources.iter().any(&is_of));
    meant.try_for_each(|(id, _)| db.conn.execute(forget, params![id]).map(drop))
}

/// Takes an erased text out of what was written after it.
pub(super) fn remove_text(db: &Database, gone: &ErasedText, written: Millis) -> SqlResult<()> {
    for mut session in read_sessions(&db.conn)?
        .into_iter()
        .filter(|session| session.made.max(session.config.worded) >= written)
    {
        if clean_session(&mut session, &mut |text| gone.is_repeated_in(text)) {
            update_words(db, &session)?;
        }
    }
    Ok(())
}

/// Somebody is forgotten: what tells of them goes, and every summary of a channel they are forgotten in.
pub(super) fn forget_person(
    db: &Database,
    target: &ForgetTarget,
    reach: &BTreeSet<ChannelId>,
    trace: &IdentityMatcher,
) -> SqlResult<()> {
    forget_summaries(db, |source| {
        target.covers(source.channel) || reach.contains(&source.channel)
    })?;
    for mut session in read_sessions(&db.conn)? {
        if target.covers(session.from)
            && clean_session(&mut session, &mut |text| trace.redact(text).is_some())
        {
            update_words(db, &session)?;
        }
    }
    Ok(())
}

/// A channel is gone: its session is over, and nothing is known any more of what was said there.
pub(super) fn erase_channel(db: &Database, channel: ChannelId) -> SqlResult<()> {
    forget_summaries(db, |source| source.channel == channel)?;
    let over: Option<SessionId> = db.conn.read_first(
        "SELECT id FROM sessions WHERE channel = ?1",
        params![channel],
    )?;
    over.map_or(Ok(()), |id| record_end(db, id))
}

pub(super) fn find_for_person(
    conn: &SqlConnection,
    target: &ForgetTarget,
    trace: &IdentityMatcher,
) -> SqlResult<Vec<Value>> {
    let mut told = Vec::new();
    for mut session in read_sessions(conn)?
        .into_iter()
        .filter(|session| target.covers(session.from))
    {
        let id = session.id;
        clean_session(&mut session, &mut |text| {
            let tells = trace.redact(text).is_some();
            told.extend(tells.then(|| json!({ "session": id, "text": text })));
            tells
        });
    }
    Ok(told)
}
