//! Tools, their parameters and the memory behind them, through the public face: what the model is told, what is
//! accepted, what it reads when a call goes wrong.

mod custom;
mod found;
mod memory;
mod optional;
mod permission;
mod registry;
mod schema;
mod skills;
