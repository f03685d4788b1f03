//! What nearly every scenario needs.

pub use super::discord_test::{DiscordTest, Prompts, on, remembering, say, settings};
pub use super::fake_discord::*;
pub use super::kith_process::{KithProcess, build_kith_command, model, moody_model, whole_server};
pub use super::people::{PromptLog, button, said};
