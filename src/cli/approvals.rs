//! `kith approvals`: what waits for a person's approval in a running room, and the approving and denying of it.

use std::net::SocketAddr;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use kith_language::{Language, LocalizedMessage, cli};
use serde_json::{Value, json};

use super::failure::CommandFailure;
use super::running_room::RunningRoom;
use super::{ConfigArgs, print_lines};
use crate::settings;

/// Arguments of `kith approvals`.
#[derive(Args, Debug)]
pub struct ApprovalsArgs {
    #[command(subcommand)]
    action: Option<ApprovalsAction>,
    #[command(flatten)]
    config: ConfigArgs,
    #[arg(
        long = "listen",
        id = "room_address",
        value_name = "ADDRESS:PORT",
        global = true
    )]
    listen: Option<SocketAddr>,
}

#[derive(Subcommand, Debug)]
enum ApprovalsAction {
    Approve { id: u64 },
    Deny { id: u64 },
}

pub fn run(args: &ApprovalsArgs, language: Language) -> ExitCode {
    match answer(args) {
        Ok(lines) => {
            print_lines(lines, language);
            ExitCode::SUCCESS
        }
        Err(failure) => failure.report(language),
    }
}

fn answer(args: &ApprovalsArgs) -> Result<Vec<LocalizedMessage>, CommandFailure> {
    let settings = settings::load(&args.config.options())?;
    let room = RunningRoom::find(&settings, args.listen)?;
    let answered = match args.action {
        None => list_waiting(&room),
        Some(ApprovalsAction::Approve { id }) => decide(&room, id, true),
        Some(ApprovalsAction::Deny { id }) => decide(&room, id, false),
    };
    Ok(answered?)
}

fn list_waiting(room: &RunningRoom) -> Result<Vec<LocalizedMessage>, LocalizedMessage> {
    let state = room.ask(&json!({"ask": "state"}))?;
    let mut lines = Vec::new();
    for channel in state["channels"].as_array().into_iter().flatten() {
        let waiting = room.ask(&json!({"ask": "pending", "channel": channel["id"]}))?;
        let waiting = waiting["pending"].as_array().cloned().unwrap_or_default();
        lines.extend(waiting.iter().map(|call| describe_call(call, channel)));
    }
    if lines.is_empty() {
        lines.push(cli::nothing_waits());
    }
    Ok(lines)
}

/// One line: its number, where, the tool and what it is called with, and who asked for it.
fn describe_call(call: &Value, channel: &Value) -> LocalizedMessage {
    let word = |value: &Value| {
        value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned)
    };
    let causes = call["causes"].as_array().into_iter().flatten();
    let causes: Vec<String> = causes.map(|person| word(&person["name"])).collect();
    cli::waiting_call(
        format!("{} {}", word(&call["tool"]), call["params"]),
        word(&channel["name"]),
        word(&call["id"]),
        causes.join(", "),
    )
}

/// In a room everybody may decide; it is told of as the first of its people, who opened it.
fn decide(
    room: &RunningRoom,
    id: u64,
    approves: bool,
) -> Result<Vec<LocalizedMessage>, LocalizedMessage> {
    let state = room.ask(&json!({"ask": "state"}))?;
    let person = &state["people"][0]["id"];
    room.ask(
        &json!({"ask": "decide", "id": id.to_string(), "approve": approves, "person": person}),
    )?;
    Ok(vec![match approves {
        true => cli::approved(id.to_string()),
        false => cli::denied(id.to_string()),
    }])
}
