//! People in a channel: saying, editing, deleting, reacting, typing.

use std::sync::Arc;

use serde_json::Value;

use crate::fake_discord::Id;
use crate::fake_discord::world::Message;
use crate::fake_discord::{FakeDiscord, wire};

/// Frames that may wait in a link while [`FakeDiscord::flood`] goes on.
const MOST_WAITING: usize = 5_000;

impl FakeDiscord {
    /// Somebody says something. A mention is `<@id>`.
    pub fn says(&self, channel: Id, user: Id, text: &str) -> Id {
        self.post(channel, Message::by(user, text))
    }

    /// A composed message is said: [`Message::by`], `.reply_to(id)`, `.file(…)`, `.poll(…)` …
    pub fn post(&self, channel: Id, message: Message) -> Id {
        self.shared.change(|state| {
            let mut message = message;
            message.channel = channel;
            state.post(channel, message)
        })
    }

    pub fn edits(&self, channel: Id, message: Id, text: &str) {
        self.shared
            .change(|state| state.edit(channel, message, |message| message.text = text.into()));
    }

    /// A link in a message gets its preview: an update that is no edit.
    pub fn unfurls(&self, channel: Id, message: Id, embed: Value) {
        self.shared.change(|state| {
            let found = state.world.channel_mut(channel).messages.get_mut(&message);
            found.expect("a message").embeds.push(embed);
            state.tell_message("MESSAGE_UPDATE", channel, message);
        });
    }

    pub fn deletes(&self, channel: Id, messages: &[Id]) {
        self.shared.change(|state| state.delete(channel, messages));
    }

    /// Somebody reacts with a character or `name:id`.
    pub fn reacts(&self, user: Id, channel: Id, message: Id, emoji: &str) {
        self.shared
            .change(|state| state.react(user, channel, message, emoji));
    }

    /// Somebody takes a reaction away.
    pub fn unreacts(&self, user: Id, channel: Id, message: Id, emoji: &str) {
        self.shared
            .change(|state| state.unreact(user, channel, message, emoji));
    }

    /// A moderator takes all reactions off a message.
    pub fn clears_reactions(&self, channel: Id, message: Id) {
        self.shared
            .change(|state| state.clear_reactions(channel, message));
    }

    pub fn types(&self, channel: Id, user: Id) {
        self.shared.change(|state| state.typing(user, channel));
    }

    /// In these channels these users say the same by turns, so many times, as fast as the client takes it. The events
    /// are written once and patched, are not stored and not judged, and go to every session of the guild; `{n}` in the
    /// text is the number. Gives the ids.
    pub async fn flood(&self, places: &[(Id, Id)], text: &str, count: usize) -> Vec<Id> {
        let mark = "4242424242424242424";
        let frames: Vec<(Option<Id>, Arc<str>)> = {
            let state = self.shared.lock();
            let one = |(channel, user): &(Id, Id)| {
                let message = Message::by(*user, text).at(state.clock.now());
                let message = Message {
                    id: mark.parse().expect("a number"),
                    channel: *channel,
                    ..message
                };
                let body = wire::message_event(&state.world, &message).to_string();
                (state.world.channel(*channel).guild, body.into())
            };
            places.iter().map(one).collect()
        };
        let mut ids = Vec::with_capacity(count);
        for number in 0..count {
            let (guild, frame) = &frames[number % frames.len()];
            self.shared.change(|state| {
                let id = state.new_id();
                let body = frame.replacen(mark, &id.to_string(), 1).replacen(
                    "{n}",
                    &number.to_string(),
                    1,
                );
                state.hub.tell_written("MESSAGE_CREATE", *guild, &body);
                ids.push(id);
            });
            if number % 512 == 0 {
                while self.shared.lock().hub.queued() > MOST_WAITING {
                    tokio::time::sleep(std::time::Duration::from_millis(1)).await;
                }
            }
        }
        ids
    }
}
