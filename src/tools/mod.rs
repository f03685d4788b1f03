//! Everything the model may ask for: the registry of tools, what a running tool is given, and the built-in ones. Never
//! reads the clock, never talks to a platform or a database itself: what it needs is handed to it.

mod builtin;
mod context;
pub mod custom;
mod host;
mod news;
mod permission;
mod registry;
pub mod shown;
pub mod skills;
mod tool;

pub use builtin::moderation;
pub use context::ToolContext;
pub use host::{Host, Server};
pub use news::{Item, News, Secrets, redacted};
pub use permission::{Hand, Permission, Uses, Who};
pub use registry::{DEFAULT_TOOLS, FIND_TOOLS, GIVEN, READ_SKILL_RESOURCE, Registry, Taken};
pub use tool::{Face, Origin, Tool};
