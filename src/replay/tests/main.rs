//! Replays, and what is learnt from recorded chats.

mod prompts;
mod replay;
