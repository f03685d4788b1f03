//! Tools, their parameters and the memory behind them, through the public face: what the model is told, what is
//! accepted, what it reads when a call goes wrong.

mod calculate;
mod custom;
#[expect(dead_code, reason = "each test binary uses its part")]
#[path = "../support/fake_model.rs"]
mod fake_model;
mod faults;
mod found;
mod hands;
mod mcp;
mod memory;
mod optional;
mod permission;
mod registry;
mod schema;
mod skills;
mod sql;
mod todo;
mod web;
