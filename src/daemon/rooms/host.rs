//! What tools may know of the room and have done in it. All of it is the loop's to do, for the room is nowhere else.

use std::future::ready;
use std::sync::{PoisonError, RwLock};

use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use crate::core::chat::{Author, AuthorKind, Channel, ChannelId, ChannelKind, MessageId};
use crate::core::outgoing::Enclosed;
use crate::daemon::errands::{Errand, Errands};
use crate::tools::{Done, Hand, Host, Leave, Profile, Remind, Thread};

/// What tools may know of the room.
#[derive(Debug)]
pub struct RoomHost {
    known: RwLock<Known>,
    errands: Errands,
}

#[derive(Debug, Default)]
struct Known {
    /// The channels that everybody sees.
    shared: Vec<ChannelId>,
    people: Vec<Author>,
}

impl RoomHost {
    /// Knows nothing yet.
    pub fn new(errands: Errands) -> Self {
        Self { known: RwLock::default(), errands }
    }

    /// The channels and people there are now.
    pub fn set(&self, channels: &[Channel], people: &[Author]) {
        let shared = channels.iter().filter(|channel| channel.kind != ChannelKind::Direct);
        let known = Known { shared: shared.map(|channel| channel.id).collect(), people: people.to_vec() };
        *self.known.write().unwrap_or_else(PoisonError::into_inner) = known;
    }
}

impl Host for RoomHost {
    /// Everybody in the room sees all of its channels but direct messages.
    fn readable_in(&self, channel: ChannelId) -> Vec<ChannelId> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        if known.shared.contains(&channel) { known.shared.clone() } else { vec![channel] }
    }

    /// Whoever can open the page sits at the machine the companion runs on.
    fn hand<'a>(&'a self, _: ChannelId, _: &'a Author) -> BoxFuture<'a, Hand> {
        ready(Hand { is_host: true, ..Hand::default() }).boxed()
    }

    fn person(&self, _: ChannelId, name: &str) -> Option<Author> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known.people.iter().find(|person| person.name.to_lowercase() == name.to_lowercase()).cloned()
    }

    fn profile<'a>(&'a self, _: ChannelId, person: &'a Author) -> Done<'a, Profile> {
        let is_bot = person.kind != AuthorKind::Person;
        ready(Ok(Profile { name: person.name.to_string(), is_bot, ..Profile::default() })).boxed()
    }

    fn edit<'a>(&'a self, channel: ChannelId, message: MessageId, text: &'a str) -> Done<'a> {
        self.errands.run(channel, Errand::Edit(message, text.to_owned())).boxed()
    }

    fn take_back(&self, channel: ChannelId, message: MessageId) -> Done<'_> {
        self.errands.run(channel, Errand::TakeBack(message)).boxed()
    }

    fn open_thread(&self, channel: ChannelId, thread: Thread) -> Done<'_> {
        self.errands.run(channel, Errand::Thread(thread)).boxed()
    }

    fn post(&self, channel: ChannelId, leave: Leave, what: Enclosed) -> Done<'_> {
        self.errands.run(channel, Errand::Post(leave, what)).boxed()
    }

    fn remind(&self, channel: ChannelId, leave: Leave, what: Remind) -> Done<'_> {
        self.errands.run(channel, Errand::Remind(leave, what)).boxed()
    }

    fn compact(&self, channel: ChannelId, leave: Leave) -> Done<'_> {
        self.errands.run(channel, Errand::Compact(leave)).boxed()
    }
}
