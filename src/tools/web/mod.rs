//! The web, for whatever a model can cause: one guarded way in, and the tools that read a page and search.

mod charset;
mod client;
pub(crate) mod error;
pub(crate) mod fetch;
mod host_pattern;
mod packing;
mod page;
mod private_address;
mod resolver;
pub(crate) mod search;
mod settings;

pub use client::WebClient;
pub use host_pattern::HostPattern;
pub use resolver::NameLookup;
pub use search::WEB_SEARCH;
pub use settings::{SearchKind, SearchSettings, WebSettings};

pub(crate) use client::{TextKind, WebRequest, WebResponse};
pub(crate) use fetch::{extract_readable_text, shorten_line};
