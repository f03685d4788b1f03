//! What the core does, as sentences.

mod address;
mod answer_split;
mod echo;
mod evenings;
mod group_expressions;
mod honesty;
mod intent;
mod links;
mod lore;
mod message_guard;
mod message_shape;
mod message_split;
mod non_speech;
mod protocol;
mod quiet_request;
mod quote_traces;
mod sim;
mod style;
mod times;
mod turn;
mod willingness;
