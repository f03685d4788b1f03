//! Where a person left traces: what they wrote, what they reacted to, who mentioned them. Reads only, in stretches, so
//! that neither appends nor other reads wait long.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::error::StoreError;
use crate::former_authors;
use crate::from_row::from_row;
use crate::handle::{Store, walk_messages};
use crate::leavers::leaving_people::quote_id;
use crate::leavers::target::ForgetTarget;
use crate::values::params;
use kith_core::chat::{
    AuthorKind, Channel, ChannelId, ChannelKind, GuildId, MessageId, Millis, UserId,
};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AuthoredMessage {
    pub arrival: i64,
    pub channel: ChannelId,
    pub id: MessageId,
    pub at: Millis,
    pub text: String,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct UnrememberedMessage {
    pub author: UserId,
    pub name: String,
    pub authored: AuthoredMessage,
}

from_row! { AuthoredMessage { arrival, channel, id, at, text } }
from_row! { UnrememberedMessage { author, name, authored } }

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct PersonRecords {
    /// What they wrote where they are to be forgotten, as it arrived.
    pub messages: Vec<AuthoredMessage>,
    /// What they reacted to there, with what and when.
    pub reactions: Vec<(ChannelId, MessageId, String, Millis)>,
    pub mentions: Vec<(ChannelId, MessageId, Millis)>,
    pub names: BTreeSet<String>,
    pub first: Option<Millis>,
    /// The channels in which any of it may have been seen: those it stands in, and all of their guilds.
    pub reach: BTreeSet<ChannelId>,
    pub former_channels: BTreeSet<ChannelId>,
    /// Their direct messages: nobody else is there.
    pub direct_channels: BTreeSet<ChannelId>,
    pub has_other_messages: bool,
    /// The last arrival number looked at.
    pub end: i64,
}

impl PersonRecords {
    /// Leaves out what they wrote and did after `at`, unless it had arrived by then: a clock may be wrong.
    pub fn leave_out_later(&mut self, arrival: i64, at: Millis) {
        let count = self.messages.len();
        self.messages
            .retain(|wrote| wrote.arrival <= arrival || wrote.at <= at);
        self.has_other_messages |= self.messages.len() < count;
        self.reactions.retain(|(.., reacted)| *reacted <= at);
    }

    pub fn add_known(&mut self, known: Self) {
        let Self {
            messages,
            reactions,
            mentions,
            names,
            first,
            reach,
            former_channels,
            direct_channels,
            has_other_messages,
            end: _,
        } = known;
        let here: BTreeSet<(ChannelId, MessageId)> = self
            .messages
            .iter()
            .map(|wrote| (wrote.channel, wrote.id))
            .collect();
        let gone = messages
            .into_iter()
            .filter(|wrote| !here.contains(&(wrote.channel, wrote.id)));
        self.messages.extend(gone);
        self.reactions.extend(reactions);
        self.mentions.extend(mentions);
        self.names.extend(names);
        self.first = self.first.into_iter().chain(first).min();
        self.reach.extend(reach);
        self.former_channels.extend(former_channels);
        self.direct_channels.extend(direct_channels);
        self.has_other_messages |= has_other_messages;
    }
}

pub fn find_traces(
    store: &Store,
    target: &ForgetTarget,
    from: i64,
) -> Result<PersonRecords, StoreError> {
    let mut traces = PersonRecords::default();
    let user = target.user;
    let mention = quote_id(user);
    let (rows, end) = walk_messages(store, from, move |conn, from, to| {
        let find = "SELECT author = ?3 AND author_kind <> ?5, author_name, arrival, channel, id, at, text FROM messages
             WHERE arrival > ?1 AND arrival <= ?2 AND ((author = ?3 AND author_kind <> ?5) OR instr(mentions, ?4) > 0)";
        conn.read_all::<(bool, String, AuthoredMessage)>(
            find,
            params![from, to, user, mention, AuthorKind::Companion],
        )
    })?;
    traces.end = end;
    let mut places: BTreeMap<ChannelId, Millis> = BTreeMap::new();
    let former = store
        .read(move |conn| former_authors::find_by_person(conn, user))
        .wait()?;
    let mut note_place = |channel: ChannelId, at: Millis| {
        places
            .entry(channel)
            .and_modify(|first| *first = at.min(*first))
            .or_insert(at);
    };
    for (is_own, name, message) in rows {
        if !target.covers(message.channel) {
            traces.has_other_messages |= is_own;
            continue;
        }
        note_place(message.channel, message.at);
        if is_own {
            traces.names.insert(name);
            traces.messages.push(message);
        } else {
            traces
                .mentions
                .push((message.channel, message.id, message.at));
        }
    }
    for author in former {
        if target.covers(author.channel) {
            note_place(author.channel, author.first);
            traces.names.insert(author.name);
            traces.former_channels.insert(author.channel);
        }
    }
    for (name, channel, message, emoji, at) in find_reactions(store, user)? {
        if target.covers(channel) {
            note_place(channel, at);
            traces.names.insert(name);
            traces.reactions.push((channel, message, emoji, at));
        }
    }
    traces.names.extend(find_known_name(store, user)?);
    traces.first = places.values().copied().min();
    set_reach(
        &mut traces,
        places.into_keys().collect(),
        &store.channels().wait()?,
    );
    Ok(traces)
}

/// Says how far traces in these channels reach.
pub(super) fn set_reach(
    traces: &mut PersonRecords,
    places: BTreeSet<ChannelId>,
    channels: &[Channel],
) {
    let here = channels
        .iter()
        .filter(|channel| places.contains(&channel.id));
    let guilds: BTreeSet<GuildId> = here.clone().filter_map(|channel| channel.guild).collect();
    let mut wrote: BTreeSet<ChannelId> =
        traces.messages.iter().map(|wrote| wrote.channel).collect();
    wrote.extend(&traces.former_channels);
    let direct =
        here.filter(|channel| channel.kind == ChannelKind::Direct && wrote.contains(&channel.id));
    traces.direct_channels = direct.map(|channel| channel.id).collect();
    let shared = channels
        .iter()
        .filter(|channel| channel.guild.is_some_and(|guild| guilds.contains(&guild)));
    traces.reach = places
        .into_iter()
        .chain(shared.map(|channel| channel.id))
        .collect();
}

type Reaction = (String, ChannelId, MessageId, String, Millis);

fn find_reactions(store: &Store, user: UserId) -> Result<Vec<Reaction>, StoreError> {
    let find = store.read(move |conn| {
        let find = "SELECT user_name, channel, message, emoji, at FROM reactions WHERE user = ?1";
        conn.read_all(find, params![user])
    });
    find.wait()
}

fn find_known_name(store: &Store, user: UserId) -> Result<Option<String>, StoreError> {
    let find = store
        .read(move |conn| conn.read_first("SELECT name FROM people WHERE id = ?1", params![user]));
    find.wait()
}
