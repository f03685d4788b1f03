//! What the core does, as sentences.

mod address;
mod evenings;
mod intent;
mod links;
mod message_guard;
mod non_speech;
mod protocol;
mod sim;
mod sound;
mod turn;
mod willingness;
mod words;
