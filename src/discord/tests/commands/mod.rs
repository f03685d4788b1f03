//! Commands, menus, buttons and log channels: what Discord is told, what the command service is asked, and what people
//! see. Against the fake Discord where all is as it should be, and against a recorder on loopback where it is not.

mod against_discord;
mod answering;
mod definitions;
mod requests;
use kith_testkit::fake_discord;
mod interaction;
mod log_channel;
mod recorder;
