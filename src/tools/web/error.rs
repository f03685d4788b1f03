//! Why something was not fetched, in sentences a model can act on. None holds a query or a header: there may be a key
//! in it.

use kith_core::bilingual::Bilingual;
use std::error::Error;
use std::time::Duration;

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

/// Why something was not fetched.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum WebError {
    /// No address at all.
    #[error("that is no web address: {0}")]
    NoUrl(String),
    /// Neither http nor https.
    #[error("only http and https addresses are fetched, not {0}:")]
    Scheme(String),
    /// Something before the host.
    #[error("an address with a user name in it is not fetched; leave out what stands before the @")]
    UserInfo,
    /// Not public.
    #[error(transparent)]
    Refused(#[from] HostRefusal),
    /// From one address to the next without end.
    #[error("it redirects more than {0} times")]
    Redirects(usize),
    /// To where what was sent along may not go.
    #[error("it redirects to another server, {0}, and may not be followed there")]
    CrossServerRedirect(String),
    /// Nobody is there.
    #[error("{host} cannot be reached: {why}")]
    Unreachable {
        /// Who was asked.
        host: String,
        /// What the network says.
        why: String,
    },
    /// Somebody is there and says nothing of use.
    #[error("{host} gave no proper answer: {why}")]
    Broken {
        /// Who was asked.
        host: String,
        /// What is wrong with it.
        why: String,
    },
    /// All together took too long.
    #[error("it took longer than {} s and was given up", .0.as_secs_f32())]
    Slow(Duration),
    /// A body in a form it was not asked for in.
    #[error("the answer is packed as {0}, although it was asked for plain")]
    Compressed(String),
    /// A picture, a film, a program.
    #[error("it is {0}, and only text is read")]
    NotText(String),
}

impl WebError {
    /// What went wrong with a request to `url`.
    pub(super) fn from_request_error(error: &reqwest::Error, url: &Url) -> Self {
        let mut root: &dyn Error = error;
        while let Some(below) = root.source() {
            root = below;
        }
        if let Some(refused) = root.downcast_ref::<HostRefusal>() {
            return refused.clone().into();
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

/// The same for a model that is spoken to in Chinese, as far as it can act on it.
impl From<WebError> for Bilingual {
    fn from(trouble: WebError) -> Self {
        let chinese = match &trouble {
            WebError::NoUrl(_) => "这不是网址".to_owned(),
            WebError::Scheme(scheme) => format!("只能读 http 和 https 的网址，不能读 {scheme}:"),
            WebError::UserInfo => "网址里不能带用户名，请去掉 @ 和它前面的部分".to_owned(),
            WebError::Refused(HostRefusal { host, .. }) => {
                format!("{host} 不是公开的地址，只能读公开的")
            }
            WebError::Redirects(most) => format!("跳转超过 {most} 次"),
            WebError::CrossServerRedirect(host) => {
                format!("它跳转到另一台服务器 {host}，不能跟过去")
            }
            WebError::Unreachable { host, .. } => format!("连不上 {host}"),
            WebError::Broken { host, .. } => format!("{host} 没有正常回应"),
            WebError::Slow(longest) => format!("超过 {} 秒，已放弃", longest.as_secs_f32()),
            WebError::Compressed(encoding) => format!("返回的内容是 {encoding} 压缩的，读不了"),
            WebError::NotText(kind) => format!("它是 {kind}，只能读文字"),
        };
        Self::new(trouble.to_string(), chinese)
    }
}
