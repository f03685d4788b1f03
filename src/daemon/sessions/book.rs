//! The sessions there are, as the loop knows them: without their words, which stay in the store.

use std::collections::{BTreeMap, BTreeSet};

use kith_core::chat::{ChannelId, GuildId, MINUTE, Millis, SessionId};
use kith_core::session::Session;
use kith_store::{Store, StoreError};

/// Where none could be made it is not tried again for so long.
const TRY_AGAIN: Millis = 10 * MINUTE;

/// The sessions there are, without their words.
#[derive(Default)]
pub(in crate::daemon) struct SessionBook {
    all: BTreeMap<SessionId, Session>,
    /// Of which no summary could be made lately, and when it was tried.
    summary_attempts: BTreeMap<SessionId, Millis>,
}

impl SessionBook {
    pub async fn load(store: &Store) -> Result<Self, StoreError> {
        let mut sessions = Self::default();
        store
            .sessions()
            .await?
            .into_iter()
            .for_each(|session| sessions.insert(session));
        Ok(sessions)
    }

    pub fn find_by_channel(&self, channel: ChannelId) -> Option<&Session> {
        self.all
            .values()
            .find(|session| session.channel == Some(channel))
    }

    pub fn find_channel(&self, id: SessionId) -> Option<ChannelId> {
        self.all.get(&id)?.channel
    }

    /// All of a guild, oldest first.
    pub fn of(&self, guild: GuildId) -> impl Iterator<Item = &Session> {
        self.all
            .values()
            .filter(move |session| session.guild == guild)
    }

    pub fn contains(&self, id: SessionId) -> bool {
        self.all.contains_key(&id)
    }

    pub fn insert(&mut self, mut session: Session) {
        (session.opening, session.summary) = (None, None);
        session.label.clear();
        session.config.prompt.clear();
        self.all.insert(session.id, session);
    }

    pub fn remove(&mut self, id: SessionId) -> Option<Session> {
        let taken = self.all.remove(&id)?;
        for below in self
            .all
            .values_mut()
            .filter(|below| below.parent == Some(id))
        {
            below.parent = taken.parent;
        }
        self.summary_attempts.remove(&id);
        Some(taken)
    }

    /// How deep a session that is opened from `parent` is; one that is opened from none is the first.
    pub fn compute_depth(&self, parent: Option<SessionId>) -> u32 {
        let above = std::iter::successors(parent, |id| self.all.get(id)?.parent);
        1 + above.take(self.all.len()).count() as u32
    }

    /// Those whose channel is not there yet: a stop left them half opened.
    pub fn take_half_open(&mut self) -> Vec<SessionId> {
        let half = self.all.values();
        let half: Vec<SessionId> = half
            .filter(|session| session.channel.is_none())
            .map(|session| session.id)
            .collect();
        half.iter().for_each(|id| drop(self.remove(*id)));
        half
    }

    pub fn take_of_channels(&mut self, channels: &BTreeSet<ChannelId>) -> Vec<Session> {
        let is_gone = |session: &&Session| {
            session
                .channel
                .is_some_and(|channel| channels.contains(&channel))
        };
        let gone: Vec<SessionId> = self
            .all
            .values()
            .filter(is_gone)
            .map(|session| session.id)
            .collect();
        gone.into_iter().filter_map(|id| self.remove(id)).collect()
    }

    /// Whether a summary of what a session begins with may be tried: where none could be made lately it may not.
    pub fn may_summarize(&self, id: SessionId, now: Millis) -> bool {
        let tried = self.summary_attempts.get(&id);
        tried.is_none_or(|at| now - at >= TRY_AGAIN)
    }

    pub fn record_summary_attempt(&mut self, id: SessionId, now: Millis) {
        self.summary_attempts.insert(id, now);
    }

    /// It was made, or may be tried again at once.
    pub fn clear_summary_attempt(&mut self, id: SessionId) {
        self.summary_attempts.remove(&id);
    }
}
