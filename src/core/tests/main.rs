//! What the core does, as sentences.

mod address;
mod evenings;
mod intent;
mod links;
mod lore;
mod message_guard;
mod message_shape;
mod non_speech;
mod protocol;
mod quote_traces;
mod sim;
mod style;
mod turn;
mod willingness;
