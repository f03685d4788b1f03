//! Scores and learning through their public faces: on chats made up here, and, where the public logs are, held against
//! the reference implementation and its gold points.

mod chats;
mod converting;
mod friends;
mod invented_corpus;
mod learning;
mod scoring;
