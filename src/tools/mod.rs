//! Everything the model may ask for: the registry of tools, what a running tool is given, and the built-in ones. Never
//! reads the clock, never talks to a platform or a database itself: what it needs is handed to it.

mod builtin;
mod context;
mod registry;
mod tool;

pub use builtin::moderation;
pub use context::{Host, Server, ToolContext};
pub use registry::{DEFAULT_TOOLS, Registry};
pub use tool::Tool;
