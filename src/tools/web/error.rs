//! Why something was not fetched, in sentences a model can act on. None holds a query or a header: there may be a key
//! in it.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use kith_language::{LocalizedMessage, web};
use reqwest::Url;

/// A host that nothing is fetched from because of where it is.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{host} {} {kind}, and only public ones are fetched from", if *.looked_up { "leads to" } else { "is" })]
pub(crate) struct HostRefusal {
    /// As the URL spells it.
    pub host: String,
    /// Whether it is a name. To which address it leads is not told: that is somebody's own network.
    pub looked_up: bool,
    /// A noun phrase.
    pub kind: &'static str,
}

#[derive(Clone, Debug)]
pub(crate) enum WebError {
    NoUrl(String),
    Scheme(String),
    /// Something before the host.
    UserInfo,
    Refused(HostRefusal),
    /// From one address to the next without end.
    Redirects(usize),
    /// To where what was sent along may not go.
    CrossServerRedirect(String),
    Unreachable {
        host: String,
        why: String,
    },
    /// Somebody is there and says nothing of use.
    Broken {
        host: String,
        why: String,
    },
    Slow(Duration),
    /// A body in a form it was not asked for in.
    Compressed(String),
    /// A picture, a film, a program.
    NotText(String),
}

impl WebError {
    pub(super) fn from_request_error(error: &reqwest::Error, url: &Url) -> Self {
        let mut root: &dyn Error = error;
        while let Some(below) = root.source() {
            root = below;
        }
        if let Some(refused) = root.downcast_ref::<HostRefusal>() {
            return Self::Refused(refused.clone());
        }
        let (host, why) = (
            url.host_str().unwrap_or_default().to_owned(),
            root.to_string(),
        );
        if error.is_connect() {
            Self::Unreachable { host, why }
        } else {
            Self::Broken { host, why }
        }
    }
}

impl From<HostRefusal> for WebError {
    fn from(refusal: HostRefusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<WebError> for LocalizedMessage {
    fn from(error: WebError) -> Self {
        match error {
            WebError::NoUrl(why) => web::no_url(why),
            WebError::Scheme(scheme) => web::wrong_scheme(scheme),
            WebError::UserInfo => web::user_name_in_address(),
            WebError::Refused(refusal) => {
                let why = refusal.to_string();
                web::host_refused(refusal.host, why)
            }
            WebError::Redirects(most) => web::too_many_redirects(most),
            WebError::CrossServerRedirect(host) => web::redirects_elsewhere(host),
            WebError::Unreachable { host, why } => web::unreachable(host, why),
            WebError::Broken { host, why } => web::broken_answer(host, why),
            WebError::Slow(longest) => web::too_slow(longest.as_secs_f32().to_string()),
            WebError::Compressed(encoding) => web::packed_answer(encoding),
            WebError::NotText(kind) => web::not_text(kind),
        }
    }
}

impl fmt::Display for WebError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        LocalizedMessage::from(self.clone()).fmt(f)
    }
}

impl Error for WebError {}
