//! The way from a tool to who opens sessions: the daemon, which alone knows what is open.

use kith_language::LocalizedMessage;
use std::fmt;
use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use super::tool_host::unsupported_error;
use kith_core::chat::{ChannelId, SessionId};
use kith_core::session::SessionRequest;

/// A session that was opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenedSession {
    pub id: SessionId,
    /// What it is called.
    pub label: String,
    pub channel: ChannelId,
}

/// What comes of a wish: an error is a sentence for the model.
pub type SessionOpening = BoxFuture<'static, Result<OpenedSession, LocalizedMessage>>;

/// Opens sessions; by default nobody does.
#[derive(Clone, Default)]
pub struct SessionOpener(Option<Arc<dyn Fn(SessionRequest) -> SessionOpening + Send + Sync>>);

impl SessionOpener {
    /// Wishes go to `opener`.
    pub fn from_opener(
        opener: impl Fn(SessionRequest) -> SessionOpening + Send + Sync + 'static,
    ) -> Self {
        Self(Some(Arc::new(opener)))
    }

    /// Opens one.
    pub fn open(&self, request: SessionRequest) -> SessionOpening {
        match &self.0 {
            Some(opener) => opener(request),
            None => std::future::ready(Err(unsupported_error())).boxed(),
        }
    }
}

impl fmt::Debug for SessionOpener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() {
            "Sessions(open)"
        } else {
            "Sessions(closed)"
        })
    }
}
