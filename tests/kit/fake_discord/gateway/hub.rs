//! Sessions and links: what is dispatched to whom, what is kept for a resume, and how a dispatch can go wrong on the
//! way. It opens no socket.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;
use tokio::sync::mpsc::UnboundedSender;

use super::intents;
use crate::fake_discord::Id;
use crate::fake_discord::{LinkChaos, LinkFault};

const BOMB: usize = 48 << 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConnectionPolicy {
    Open,
    /// Nobody listens: connections are refused.
    Refused,
    /// Connections are accepted and dropped at once.
    Slammed,
    /// The web socket is opened and closed at once, with this code or none.
    Closing(Option<u16>),
    /// Connections are accepted, and nothing is ever said.
    Silent,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Health {
    Well,
    /// Heartbeats are not acknowledged; events still come.
    NoAcks,
    /// Nothing comes any more and nothing is answered.
    Frozen,
}

/// What goes out over a link.
#[derive(Debug)]
pub enum Out {
    Frame(Arc<str>),
    /// Bytes that are no part of the compressed stream.
    Garbled,
    /// A compressed message that unpacks to so many bytes.
    Bomb(usize),
    Close(Option<u16>),
    /// The TCP connection ends without a word.
    Drop,
}

#[derive(Debug)]
pub struct Link {
    pub out: UnboundedSender<Out>,
    pub health: Health,
    pub session: Option<String>,
    /// Frames that are not written yet.
    pub queued: Arc<AtomicUsize>,
}

impl Link {
    pub fn send(&self, out: Out) {
        self.queued.fetch_add(1, Ordering::Relaxed);
        // A link whose task has ended is about to be forgotten.
        let _ = self.out.send(out);
    }
}

/// One session, connected or waiting to be resumed.
#[derive(Debug)]
pub struct Session {
    /// Later ones have higher numbers.
    pub number: u64,
    pub intents: u64,
    pub shard: (u64, u64),
    pub seq: u64,
    pub kept: VecDeque<(u64, Arc<str>)>,
    pub link: Option<u64>,
    /// It can not be resumed, whatever is kept.
    pub forgotten: bool,
}

#[derive(Clone, Debug)]
pub struct Dispatch {
    pub kind: &'static str,
    /// None: direct messages, which are on shard 0.
    pub guild: Option<Id>,
    /// The intent it needs; 0 for none.
    pub needs: u64,
    /// The text in it is only for those with the intent for message content.
    pub private: bool,
    pub body: Value,
}

/// The next dispatch of `kind` says `value` at `key`.
#[derive(Debug)]
struct DispatchFault {
    kind: String,
    key: String,
    value: Value,
}

#[derive(Debug)]
pub struct Hub {
    pub door: ConnectionPolicy,
    /// What HELLO asks for.
    pub heartbeat_ms: u64,
    pub sessions: BTreeMap<String, Session>,
    pub links: BTreeMap<u64, Link>,
    /// The most events that are kept for a resume.
    pub keep: usize,
    /// Close codes that the next identifies get.
    pub refuse_identify: VecDeque<u16>,
    /// The next so many resumes are hung up on.
    pub refuse_resumes: u32,
    /// Nothing is compressed, whatever is asked for.
    pub never_packs: bool,
    pub chaos: Option<LinkChaos>,
    duplicate: u32,
    reorder: u32,
    held: Vec<Dispatch>,
    spoils: Vec<DispatchFault>,
    count: u64,
}

impl Default for Hub {
    fn default() -> Self {
        Self {
            door: ConnectionPolicy::Open,
            heartbeat_ms: 41_250,
            sessions: BTreeMap::new(),
            links: BTreeMap::new(),
            keep: 10_000,
            refuse_identify: VecDeque::new(),
            refuse_resumes: 0,
            never_packs: false,
            chaos: None,
            duplicate: 0,
            reorder: 0,
            held: Vec::new(),
            spoils: Vec::new(),
            count: 0,
        }
    }
}

impl Hub {
    /// A number for a new link or session.
    pub fn number(&mut self) -> u64 {
        self.count += 1;
        self.count
    }

    /// The next dispatches are sent twice.
    pub fn duplicate_next(&mut self, count: u32) {
        self.duplicate += count;
    }

    /// The next dispatches are held back until there are so many, and come in reverse.
    pub fn reorder_next(&mut self, count: u32) {
        self.reorder += count;
    }

    /// The next dispatch of this kind says something else at a JSON pointer.
    pub fn spoil_next(&mut self, kind: &str, pointer: &str, value: Value) {
        self.spoils.push(DispatchFault {
            kind: kind.into(),
            key: pointer.into(),
            value,
        });
    }

    pub fn dispatch(&mut self, mut dispatch: Dispatch) {
        if let Some(place) = self
            .spoils
            .iter()
            .position(|spoil| spoil.kind == dispatch.kind)
        {
            let spoil = self.spoils.remove(place);
            if let Some(value) = dispatch.body.pointer_mut(&spoil.key) {
                *value = spoil.value;
            }
        }
        let fault = self.chaos.as_mut().and_then(LinkChaos::draw);
        if fault == Some(LinkFault::Reorder) && self.reorder == 0 {
            self.reorder_next(2);
        }
        if self.reorder > 0 {
            self.reorder -= 1;
            self.held.push(dispatch);
            if self.reorder == 0 {
                let held = std::mem::take(&mut self.held);
                held.iter().rev().for_each(|dispatch| self.tell(dispatch));
            }
            return;
        }
        self.tell(&dispatch);
        if self.duplicate > 0 || fault == Some(LinkFault::Duplicate) {
            self.duplicate = self.duplicate.saturating_sub(1);
            self.tell(&dispatch);
        }
        if let Some(fault) = fault {
            self.break_links(fault);
        }
    }

    /// Sends what is still held back to be reordered.
    pub fn release(&mut self) {
        self.reorder = 0;
        let held = std::mem::take(&mut self.held);
        held.iter().rev().for_each(|dispatch| self.tell(dispatch));
    }

    fn tell(&mut self, dispatch: &Dispatch) {
        let mut whole: Option<String> = None;
        let mut redacted: Option<String> = None;
        for session in self.sessions.values_mut() {
            let bits = session.intents;
            if dispatch.needs != 0 && bits & dispatch.needs == 0
                || !is_for(session.shard, dispatch.guild)
            {
                continue;
            }
            let body = if dispatch.private && bits & intents::MESSAGE_CONTENT == 0 {
                redacted.get_or_insert_with(|| {
                    intents::without_content(dispatch.body.clone()).to_string()
                })
            } else {
                whole.get_or_insert_with(|| dispatch.body.to_string())
            };
            session.push(&self.links, self.keep, dispatch.kind, body);
        }
    }

    pub fn tell_one(&mut self, session: &str, kind: &str, body: &Value) {
        if let Some(session) = self.sessions.get_mut(session) {
            session.push(&self.links, self.keep, kind, &body.to_string());
        }
    }

    pub fn tell_written(&mut self, kind: &str, guild: Option<Id>, body: &str) {
        for session in self
            .sessions
            .values_mut()
            .filter(|session| is_for(session.shard, guild))
        {
            session.push(&self.links, self.keep, kind, body);
        }
    }

    pub fn break_links(&mut self, fault: LinkFault) {
        match fault {
            LinkFault::Drop => self.send_all(|| Out::Drop),
            LinkFault::Close(code) => self.send_all(|| Out::Close(code)),
            LinkFault::Reconnect => self.send_all(|| Out::Frame(r#"{"op":7,"d":null}"#.into())),
            LinkFault::Invalidate { resumable } => {
                if !resumable {
                    self.sessions.clear();
                    self.links.values_mut().for_each(|link| link.session = None);
                }
                self.send_all(|| Out::Frame(format!(r#"{{"op":9,"d":{resumable}}}"#).into()));
            }
            LinkFault::Freeze => self
                .links
                .values_mut()
                .for_each(|link| link.health = Health::Frozen),
            LinkFault::NoAcks => self
                .links
                .values_mut()
                .for_each(|link| link.health = Health::NoAcks),
            LinkFault::Garble => self.send_all(|| Out::Garbled),
            LinkFault::Bomb => self.send_all(|| Out::Bomb(BOMB)),
            LinkFault::Duplicate | LinkFault::Reorder => {}
        }
    }

    /// Ends the session of one shard, which cannot be resumed.
    pub fn lose_session(&mut self, shard: u64) {
        let of_shard = self
            .sessions
            .iter()
            .filter(|(_, session)| session.shard.0 == shard);
        let lost: Vec<String> = of_shard.map(|(id, _)| id.clone()).collect();
        for link in self
            .links
            .values_mut()
            .filter(|link| link.session.as_ref().is_some_and(|id| lost.contains(id)))
        {
            link.session = None;
            link.send(Out::Frame(r#"{"op":9,"d":false}"#.into()));
        }
        self.sessions.retain(|id, _| !lost.contains(id));
    }

    fn send_all(&self, out: impl Fn() -> Out) {
        self.links
            .values()
            .filter(|link| link.health != Health::Frozen)
            .for_each(|link| link.send(out()));
    }

    /// Frames that no link has written yet.
    pub fn queued(&self) -> usize {
        self.links
            .values()
            .map(|link| link.queued.load(Ordering::Relaxed))
            .sum()
    }
}

impl Session {
    fn push(&mut self, links: &BTreeMap<u64, Link>, keep: usize, kind: &str, body: &str) {
        self.seq += 1;
        let frame: Arc<str> =
            format!(r#"{{"t":"{kind}","s":{},"op":0,"d":{body}}}"#, self.seq).into();
        if self.kept.len() >= keep {
            self.kept.pop_front();
        }
        self.kept.push_back((self.seq, frame.clone()));
        let link = self.link.and_then(|link| links.get(&link));
        if let Some(link) = link.filter(|link| link.health != Health::Frozen) {
            link.send(Out::Frame(frame));
        }
    }
}

/// Whether a shard hears of a guild; direct messages are on shard 0.
pub fn is_for(shard: (u64, u64), guild: Option<Id>) -> bool {
    guild.map_or(0, |guild| (guild >> 22) % shard.1.max(1)) == shard.0
}
