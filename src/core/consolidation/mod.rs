//! What happened in a channel, made into memories: where talks end, which of their lines tell most, and what of a model's
//! account of them is believed. A function of what was said and nothing else, so that work that was broken off and begun
//! again ends in the same memory. Pure; `memory/consolidation.rs` reads the lines and keeps what is made of them.

mod extract;
mod rarity;
mod source_check;
mod talk_end;
mod transcript;

pub use extract::{LEAST_TELLABLE_LINES, extract_episode};
pub use rarity::WordRarity;
pub use source_check::{GroupNote, TalkEpisode};
pub use talk_end::{LONGEST_TALK, TALK_PAUSE, TalkMessage, count_tellable_lines, find_talk_end};
pub use transcript::TalkTranscript;
