//! What a test does to the gateway.

use serde_json::Value;

use crate::fake_discord::{ConnectionPolicy, FakeDiscord};
use crate::fake_discord::{LinkChaos, LinkFault};

impl FakeDiscord {
    /// `ws://127.0.0.1:port`.
    pub fn gateway_url(&self) -> String {
        self.shared.lock().gateway_url.clone()
    }

    pub fn break_links(&self, fault: LinkFault) {
        self.shared.change(|state| state.hub.break_links(fault));
    }

    /// The session of one shard is over and cannot be resumed.
    pub fn loses_session(&self, shard: u64) {
        self.shared.change(|state| state.hub.lose_session(shard));
    }

    pub fn door(&self, door: ConnectionPolicy) {
        self.shared.change(|state| state.hub.door = door);
        self.shared.door.notify_one();
    }

    /// How often HELLO asks for a heartbeat; from the next connection on.
    pub fn heartbeat_every(&self, milliseconds: u64) {
        self.shared
            .change(|state| state.hub.heartbeat_ms = milliseconds);
    }

    /// The next identify is answered with this close code.
    pub fn refuse_identify(&self, code: u16) {
        self.shared
            .change(|state| state.hub.refuse_identify.push_back(code));
    }

    /// The next so many resumes are hung up on, without a word.
    pub fn refuse_resumes(&self, count: u32) {
        self.shared.change(|state| state.hub.refuse_resumes = count);
    }

    /// From the next connection on nothing is compressed, whatever the client asks for.
    pub fn never_packs(&self) {
        self.shared.change(|state| state.hub.never_packs = true);
    }

    /// No session of now can be resumed any more; links that are up stay.
    pub fn forget_sessions(&self) {
        self.shared.change(|state| {
            state
                .hub
                .sessions
                .values_mut()
                .for_each(|session| session.forgotten = true)
        });
    }

    /// The most events kept for a resume; a client that is behind more must identify anew.
    pub fn keep_for_resume(&self, events: usize) {
        self.shared.change(|state| state.hub.keep = events);
    }

    /// The next dispatches come twice.
    pub fn duplicate_next(&self, count: u32) {
        self.shared.change(|state| state.hub.duplicate_next(count));
    }

    /// The next so many dispatches come in reverse, when there are so many.
    pub fn reorder_next(&self, count: u32) {
        self.shared.change(|state| state.hub.reorder_next(count));
    }

    /// The next dispatch of this kind (`MESSAGE_CREATE`) says something else at a JSON pointer (`/author/id`).
    pub fn spoil_next(&self, kind: &str, pointer: &str, value: Value) {
        self.shared
            .change(|state| state.hub.spoil_next(kind, pointer, value));
    }

    /// Sends a dispatch of any kind to every session of a guild, or to shard 0, as it is given.
    pub fn dispatch_raw(&self, kind: &str, guild: Option<u64>, body: &Value) {
        self.shared
            .change(|state| state.hub.tell_written(kind, guild, &body.to_string()));
    }

    /// From now on every dispatch may break something; none: no more, and what was held back comes.
    pub fn link_chaos(&self, chaos: Option<LinkChaos>) {
        self.shared.change(|state| {
            state.hub.chaos = chaos;
            if state.hub.chaos.is_none() {
                state.hub.release();
            }
        });
    }

    /// How many sessions there are, with a link or waiting for one: none once the client has said good-bye.
    pub fn sessions(&self) -> usize {
        self.shared.lock().hub.sessions.len()
    }

    /// How many sessions have a link that is up.
    pub fn connected(&self) -> usize {
        let state = self.shared.lock();
        let up = |link: &Option<u64>| link.is_some_and(|link| state.hub.links.contains_key(&link));
        state
            .hub
            .sessions
            .values()
            .filter(|session| up(&session.link))
            .count()
    }
}
