//! Replays, and what is learnt from recorded chats.

mod chats;
mod learn;
mod prompts;
mod replay;
