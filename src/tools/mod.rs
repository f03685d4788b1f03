//! Everything the model may ask for: the registry of tools, what a running tool is given, and the built-in ones. Never
//! reads the clock, never talks to a platform or a database itself: what it needs is handed to it.

mod aside;
mod builtin;
mod context;
pub mod custom;
mod faults;
mod host;
mod lines;
mod news;
mod permission;
mod registry;
mod sessions;
pub mod shown;
pub mod skills;
mod tool;
mod web;

pub use aside::Aside;
pub use builtin::moderation;
pub use context::ToolContext;
pub use host::{Done, Host, Leave, Profile, Remind, Server, Thread};
pub use lines::{Line, Lines};
pub use news::{Item, News, Secrets};
pub use permission::{APPROVAL_MINUTES, Hand, Permission, Uses, Who};
pub use registry::{DEFAULT_TOOLS, FIND_TOOLS, GIVEN, READ_SKILL_RESOURCE, Registry, TASK, Taken};
pub use sessions::{Opened, Opening, Sessions};
pub use tool::{Face, Origin, Tool};
pub use web::{Names, Place, SearchKind, SearchSettings, WEB_SEARCH, Web, WebSettings};

/// The action that opens sessions.
pub const CREATE_SESSION: &str = "create_session";
