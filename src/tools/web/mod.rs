//! The web, for whatever a model can cause: one guarded way in, and the tools that read a page and search.

mod address;
mod charset;
mod client;
pub(crate) mod fetch;
mod names;
mod page;
mod place;
pub(crate) mod search;
mod settings;
pub(crate) mod trouble;

pub use client::WebClient;
pub use names::NameLookup;
pub use place::HostPattern;
pub use search::WEB_SEARCH;
pub use settings::{SearchKind, SearchSettings, WebSettings};

pub(crate) use client::{TextKind, WebRequest, WebResponse};
pub(crate) use fetch::{extract_readable_text, shorten_line};
