//! The fake Discord, held against serenity's models, Discord's own description, and the rules it enforces.

mod asks;
mod client;
use kith_testkit::fake_discord;
mod faults;
mod gateway;
mod models;
mod rest;
