//! The way from a tool to who opens sessions: the daemon, which alone knows what is open.

use std::fmt;
use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use super::host::not_possible;
use crate::core::bilingual::Bilingual;
use crate::core::chat::{ChannelId, SessionId};
use crate::core::session::Wish;

/// A session that was opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opened {
    /// Its id.
    pub id: SessionId,
    /// What it is called.
    pub label: String,
    /// Its channel.
    pub channel: ChannelId,
}

/// What comes of a wish: an error is a sentence for the model.
pub type Opening = BoxFuture<'static, Result<Opened, Bilingual>>;

/// Opens sessions; by default nobody does.
#[derive(Clone, Default)]
pub struct Sessions(Option<Arc<dyn Fn(Wish) -> Opening + Send + Sync>>);

impl Sessions {
    /// Wishes go to `opener`.
    pub fn to(opener: impl Fn(Wish) -> Opening + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(opener)))
    }

    /// Opens one.
    pub fn open(&self, wish: Wish) -> Opening {
        match &self.0 {
            Some(opener) => opener(wish),
            None => std::future::ready(Err(not_possible())).boxed(),
        }
    }
}

impl fmt::Debug for Sessions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Sessions(open)" } else { "Sessions(closed)" })
    }
}
