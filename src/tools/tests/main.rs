//! Tools, their parameters and the memory behind them, through the public face: what the model is told, what is
//! accepted, what it reads when a call goes wrong.

mod calculate;
use kith_testkit::fake_model;
mod broken_outputs;
mod error_languages;
mod files;
mod mcp;
mod memory;
mod optional_tools;
mod people;
mod permission;
mod platform_tools;
mod profiles;
mod programs;
mod registry;
mod schema;
mod skills;
mod sql;
mod todo;
mod tool_search;
mod web;
