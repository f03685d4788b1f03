//! `kith forget`: erases a person, after asking once.

use std::io::{BufRead, IsTerminal, Write};
use std::process::ExitCode;

use clap::Args;
use kith_language::{Language, LocalizedMessage, cli};

use super::failure::CommandFailure;
use super::person::{PersonArgs, PersonPart, PersonQuery, list_people, wait_with_progress};
use super::{print_line, to_exit_code};
use kith_core::chat::UserId;
use kith_store::ForgetResult;
use kith_system::clock;

/// The exit code for arguments that are wrong.
const WRONG_ARGUMENTS: i32 = 2;

/// Arguments of `kith forget`.
#[derive(Args, Debug)]
pub struct ForgetArgs {
    #[command(flatten)]
    person: PersonArgs,
    #[arg(long)]
    yes: bool,
}

pub fn forget(args: &ForgetArgs, language: Language) -> ExitCode {
    if !args.yes && !std::io::stdin().is_terminal() {
        CommandFailure::from(cli::nobody_to_ask()).report(language);
        return to_exit_code(WRONG_ARGUMENTS);
    }
    let erased = args
        .person
        .open("/kith forget me")
        .and_then(|query| erase_person(query, args.yes, language));
    match erased {
        Ok(Some(said)) => {
            print_line(said.in_language(language));
            ExitCode::SUCCESS
        }
        Ok(None) => {
            print_line(cli::nothing_erased().in_language(language));
            ExitCode::FAILURE
        }
        Err(failure) => failure.report(language),
    }
}

/// Answers with what went; none if it is not wanted after all.
fn erase_person(
    query: PersonQuery,
    yes: bool,
    language: Language,
) -> Result<Option<LocalizedMessage>, CommandFailure> {
    let PersonQuery { user, parts } = query;
    let shown = describe_person(&parts, user)?;
    if !yes && !confirm_erasure(&shown, language) {
        return Ok(None);
    }
    let mut all = ForgetResult::default();
    for PersonPart { store, channels } in parts {
        let erasure = store.forget_person(user, channels, clock::now());
        let forgotten = wait_with_progress(erasure, &cli::erasing(), language)?;
        all.messages.extend(forgotten.messages);
        all.turns.extend(forgotten.turns);
    }
    Ok(Some(describe_result(&shown, &all)))
}

/// The person with the name last seen.
fn describe_person(parts: &[PersonPart], user: UserId) -> Result<String, LocalizedMessage> {
    let people = list_people(parts.iter().map(|part| &part.store))?;
    Ok(match people.get(&user) {
        Some(name) => format!("{name} ({user})"),
        None => user.to_string(),
    })
}

fn confirm_erasure(shown: &str, language: Language) -> bool {
    eprint!("{} ", cli::confirm_erasure(shown).in_language(language));
    let mut answer = String::new();
    let read = std::io::stderr()
        .flush()
        .and_then(|()| std::io::stdin().lock().read_line(&mut answer));
    read.is_ok() && matches!(answer.trim(), "y" | "Y" | "yes")
}

fn describe_result(shown: &str, forgotten: &ForgetResult) -> LocalizedMessage {
    let messages: usize = forgotten
        .messages
        .iter()
        .map(|(_, messages)| messages.len())
        .sum();
    cli::erased(
        cli::channel_count(forgotten.messages.len()),
        cli::message_count(messages),
        shown,
        cli::turn_count(forgotten.turns.len()),
    )
}
