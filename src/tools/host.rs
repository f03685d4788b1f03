//! What only a platform knows or can do, as tools ask for it. The daemon implements it for live platforms; replay and
//! tests have their own.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use super::permission::Hand;
use crate::core::chat::{Author, ChannelId};

/// What only a platform knows or can do. Whatever is not known or not possible there has an answer all the same.
pub trait Host: Send + Sync {
    /// The channels whose text everybody who can view `channel` can view now, itself among them: only what stands
    /// there may be shown in it. A direct message stands alone.
    fn readable_in(&self, channel: ChannelId) -> Vec<ChannelId> {
        vec![channel]
    }

    /// The server a channel belongs to; none for a direct message.
    fn server(&self, channel: ChannelId) -> Option<Server> {
        let _ = channel;
        None
    }

    /// The names of the emoji that can be used in a channel besides those of Unicode.
    fn emoji(&self, channel: ChannelId) -> Vec<Arc<str>> {
        let _ = channel;
        Vec::new()
    }

    /// What somebody may do where a channel is; nothing where nobody knows.
    fn hand<'a>(&'a self, channel: ChannelId, person: &'a Author) -> BoxFuture<'a, Hand> {
        let _ = (channel, person);
        std::future::ready(Hand::default()).boxed()
    }
}

/// A server, as everybody in one of its channels sees it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Server {
    /// Its name.
    pub name: Arc<str>,
    /// The names of the channels that everybody there can view.
    pub channels: Vec<Arc<str>>,
}
