//! Discord, against a fake one that speaks the real protocol.

mod commands;
mod convert;
mod gateway;
mod rest;
