//! Tools, their parameters and the memory behind them, through the public face: what the model is told, what is
//! accepted, what it reads when a call goes wrong.

mod calculate;
use kith_testkit::fake_model;
mod faults;
mod found;
mod hands;
mod mcp;
mod memory;
mod optional;
mod people;
mod permission;
mod profiles;
mod reading;
mod registry;
mod schema;
mod skills;
mod sql;
mod todo;
mod web;
