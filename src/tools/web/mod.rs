//! The web, for whatever a model can cause: one guarded way in, and the tools that read a page and search.

mod address;
mod charset;
mod client;
pub(in crate::tools) mod fetch;
mod names;
mod page;
mod place;
pub(in crate::tools) mod search;
mod settings;
pub(in crate::tools) mod trouble;

pub use client::WebClient;
pub use names::NameLookup;
pub use place::HostPattern;
pub use search::WEB_SEARCH;
pub use settings::{SearchKind, SearchSettings, WebSettings};

pub(in crate::tools) use client::{TextKind, WebRequest, WebResponse};
pub(in crate::tools) use fetch::{readable, shortened};
