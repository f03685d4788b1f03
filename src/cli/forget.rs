//! `kith forget`: erases a person, after asking once.

use std::io::{BufRead, IsTerminal, Write};
use std::process::ExitCode;

use clap::Args;

use super::person::{PersonArgs, PersonQuery, wait_with_progress};
use super::{print_line, print_problems, to_exit_code};
use kith_core::chat::UserId;
use kith_store::{ForgetResult, Store};
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

/// Erases the person and says what went.
pub fn forget(args: &ForgetArgs) -> ExitCode {
    if !args.yes && !std::io::stdin().is_terminal() {
        eprintln!("error: nobody can be asked here whether this is meant; add --yes if it is");
        return to_exit_code(WRONG_ARGUMENTS);
    }
    let query = match args.person.open("/kith forget me") {
        Ok(asked) => asked,
        Err(problems) => {
            print_problems(&problems);
            return ExitCode::FAILURE;
        }
    };
    match erase_person(query, args.yes) {
        Ok(Some(said)) => {
            print_line(said);
            ExitCode::SUCCESS
        }
        Ok(None) => {
            print_line("Nothing was erased.");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Answers with what went; none if it is not wanted after all.
fn erase_person(query: PersonQuery, yes: bool) -> Result<Option<String>, String> {
    let PersonQuery {
        store,
        user,
        channels,
    } = query;
    let shown = describe_person(&store, user)?;
    if !yes && !confirm_erasure(&shown) {
        return Ok(None);
    }
    let forgotten =
        wait_with_progress(store.forget_person(user, channels, clock::now()), "erasing")?;
    Ok(Some(describe_result(&shown, &forgotten)))
}

/// The person with the name last seen.
fn describe_person(store: &Store, user: UserId) -> Result<String, String> {
    let people = store.people().wait().map_err(|error| error.to_string())?;
    let known = people.iter().find(|person| person.id == user);
    Ok(known.map_or_else(
        || user.to_string(),
        |person| format!("{} ({user})", person.name),
    ))
}

fn confirm_erasure(shown: &str) -> bool {
    eprint!("Erase everything that is kept about {shown}? It cannot be undone. [y/N] ");
    let mut answer = String::new();
    let read = std::io::stderr()
        .flush()
        .and_then(|()| std::io::stdin().lock().read_line(&mut answer));
    read.is_ok() && matches!(answer.trim(), "y" | "Y" | "yes")
}

fn describe_result(shown: &str, forgotten: &ForgetResult) -> String {
    let messages: usize = forgotten
        .messages
        .iter()
        .map(|(_, messages)| messages.len())
        .sum();
    let (channels, turns) = (forgotten.messages.len(), forgotten.turns.len());
    let counted =
        |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    format!(
        "{shown} is forgotten: {} in {} erased, {} left with bare numbers.",
        counted(messages, "message"),
        counted(channels, "channel"),
        counted(turns, "turn")
    )
}
