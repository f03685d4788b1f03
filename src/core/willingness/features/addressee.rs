//! Whom a message is meant for: the companion, somebody else by name, mention or reply, or nobody.

use super::named_people::NamedPeople;
use super::person::PersonFeatures;
use super::{AddressMatcher, ChannelFeatures};
use crate::address::{NameUse, find_called_person};
use crate::chat::{Message, Millis, UserId};
use crate::links::LinkGuess;
use crate::message_shape::{CueSet, MessageShape};
use crate::report::DirectAddress;
use crate::word::hash_word;

pub(super) struct AddressFacts {
    pub mention: bool,
    pub reply: bool,
    pub called: NameUse,
    pub call: Option<DirectAddress>,
}

/// A message with all that was found out about it.
#[derive(Clone, Copy)]
pub(super) struct MessageFacts<'a> {
    pub message: &'a Message,
    /// When it was written, in room time.
    pub at: Millis,
    /// How much the talk is the companion's own, 0 … 1.
    pub hold: f32,
    pub words: &'a MessageShape,
    pub cues: CueSet,
    pub address: &'a AddressFacts,
    pub named: &'a [UserId],
    /// Somebody else whose name stands anywhere in it.
    pub mentioned: Option<UserId>,
    pub guess: &'a LinkGuess,
}

impl MessageFacts<'_> {
    pub fn is_for_other(&self) -> bool {
        self.address.call.is_none() && !self.named.is_empty()
    }
}

impl ChannelFeatures {
    pub(super) fn find_address(&self, message: &Message, matcher: &AddressMatcher) -> AddressFacts {
        let mention = message.mentions.contains(&matcher.me);
        let reply = message.reply_to.is_some_and(|id| self.own.contains(&id));
        let called = matcher.names.find_name_use_among(&message.text, |name| {
            let name = hash_word(name);
            self.people
                .iter()
                .any(|person| person.name == name && person.id != matcher.me)
        });
        let told = matcher.is_described_in(&message.text);
        let called = if told {
            called.max(NameUse::Named)
        } else {
            called
        };
        let call = if reply {
            Some(DirectAddress::Reply)
        } else if mention {
            Some(DirectAddress::Mention)
        } else if called == NameUse::Vocative {
            Some(DirectAddress::Name)
        } else if matcher.direct {
            Some(DirectAddress::Direct)
        } else {
            matcher.alone.then_some(DirectAddress::Alone)
        };
        AddressFacts {
            mention,
            reply,
            called,
            call,
        }
    }

    pub(super) fn find_named_people(
        &self,
        message: &Message,
        matcher: &AddressMatcher,
        address: &AddressFacts,
    ) -> NamedPeople {
        let me = address.call.map(|_| matcher.me);
        let reply = message
            .reply_to
            .and_then(|id| self.links.lines().iter().find(|line| line.id == id));
        let others = message
            .mentions
            .iter()
            .copied()
            .chain(reply.map(|line| line.author));
        let others = others.chain(self.find_called_person(&message.text));
        me.into_iter()
            .chain(others.filter(|id| Some(*id) != me && *id != message.author.id))
            .collect()
    }

    /// The members a message is openly meant for by mention, reply or name; none where it is for the companion.
    pub fn find_other_addressees(
        &self,
        message: &Message,
        matcher: &AddressMatcher,
    ) -> Vec<UserId> {
        let address = self.find_address(message, matcher);
        if address.call.is_some() {
            return Vec::new();
        }
        let named = self.find_named_people(message, matcher, &address);
        named.get().to_vec()
    }

    /// Somebody whose name the message opens or ends with as a call.
    pub(super) fn find_called_person(&self, text: &str) -> Option<UserId> {
        find_called_person(text, |name| {
            let name = hash_word(name);
            self.people
                .iter()
                .find(|person| person.name == name)
                .map(|person| person.id)
        })
    }

    /// Somebody else who is known here and whose name stands anywhere in a message.
    pub(super) fn find_mentioned_person(
        &self,
        words: &MessageShape,
        message: &Message,
    ) -> Option<UserId> {
        let all = words.all();
        let mut others = self
            .people
            .iter()
            .filter(|person| person.id != message.author.id && person.spelt[0] != 0);
        let is_named =
            |person: &&PersonFeatures| (0..all.len()).any(|at| person.is_spelt_at(all, at));
        others.find(is_named).map(|person| person.id)
    }
}
