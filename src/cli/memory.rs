//! `kith memory`: what is remembered of people, of what happened, and in core memory; to look at, search, mend and forget,
//! for the host, while kith is not running.

use std::process::ExitCode;

use clap::{Args, Subcommand, value_parser};
use kith_language::{Language, LocalizedMessage, cli};
use serde_json::{Value, json};

use super::memory_view::MemoryView;
use super::person::open_database;
use super::{ConfigArgs, print_line};
use kith_core::chat::{MemoryId, UserId};
use kith_core::memory_entry::{FoundMemory, MEMORY_CHARACTERS, MemoryOrigin};
use kith_store::{MemoryEdit, MemorySearch, Store};
use kith_system::clock;

/// Entries that are listed where no number is given.
const LISTED: usize = 50;

/// Arguments of `kith memory`.
#[derive(Args, Debug)]
pub struct MemoryArgs {
    #[command(subcommand)]
    action: MemoryAction,
    #[command(flatten)]
    config: ConfigArgs,
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Subcommand, Debug)]
enum MemoryAction {
    List {
        #[command(flatten)]
        filter: MemoryFilter,
    },
    Show {
        id: u64,
    },
    Search {
        words: String,
        #[command(flatten)]
        filter: MemoryFilter,
    },
    Edit {
        id: u64,
        text: String,
    },
    Forget {
        id: u64,
    },
    Undo {
        id: u64,
    },
}

#[derive(Args, Debug)]
struct MemoryFilter {
    #[arg(long, value_name = "ID", value_parser = value_parser!(u64).range(1..=i64::MAX as u64))]
    person: Option<u64>,
    #[arg(long, value_name = "COUNT", default_value_t = LISTED)]
    limit: usize,
}

pub fn run(args: &MemoryArgs, language: Language) -> ExitCode {
    let answered = open_database(&args.config, "/kith memory me")
        .and_then(|store| Ok(answer(&store, &args.action, language)?));
    match answered {
        Ok((value, lines)) => {
            if args.json {
                print_line(format_args!("{value:#}"));
            } else {
                lines.iter().for_each(print_line);
            }
            ExitCode::SUCCESS
        }
        Err(failure) => failure.report(language),
    }
}

/// The answer as JSON and as lines.
type MemoryAnswer = Result<(Value, Vec<String>), LocalizedMessage>;

fn answer(store: &Store, action: &MemoryAction, language: Language) -> MemoryAnswer {
    let view = MemoryView::load(store, language)?;
    match action {
        MemoryAction::List { filter } => list(store, &view, filter, ""),
        MemoryAction::Search { words, filter } => list(store, &view, filter, words),
        MemoryAction::Show { id } => show(store, &view, MemoryId(*id)),
        MemoryAction::Edit { id, text } => edit(store, &view, MemoryId(*id), text),
        MemoryAction::Forget { id } => forget(store, &view, MemoryId(*id)),
        MemoryAction::Undo { id } => undo(store, &view, MemoryId(*id)),
    }
}

fn list(store: &Store, view: &MemoryView, filter: &MemoryFilter, words: &str) -> MemoryAnswer {
    let search = MemorySearch {
        channels: view.channels(),
        people: filter.person.map(UserId).into_iter().collect(),
        words: words.to_owned(),
        limit: filter.limit,
        ..MemorySearch::default()
    };
    let found = store.rank_memories(search).wait();
    let found = found.map_err(|error| error.to_message())?;
    let mut lines = Vec::new();
    for memory in &found {
        lines.push(view.describe_entry(&memory.entry));
        lines.extend(view.describe_score(memory));
    }
    let export = |memory| export_found_memory(view, memory);
    let mut value = json!({ "memories": found.iter().map(export).collect::<Vec<_>>() });
    if lines.is_empty() {
        lines.push(view.say(cli::nothing_remembered()));
    }
    if filter.person.is_none() && words.is_empty() {
        let blocks = store.all_core_memory().wait();
        let blocks = blocks.map_err(|error| error.to_message())?;
        for (scope, block) in &blocks {
            lines.push(view.say(cli::core_memory(&block.label, scope.to_string())));
            lines.extend(block.text.lines().map(|line| format!("    {line}")));
        }
        let blocks = blocks.iter().map(|(scope, block)| {
            json!({ "scope": scope, "block": block.label, "lines": block.text.lines().collect::<Vec<_>>() })
        });
        value["core_memory"] = blocks.collect();
    }
    Ok((value, lines))
}

fn export_found_memory(view: &MemoryView, memory: &FoundMemory) -> Value {
    let mut value = view.export_entry(&memory.entry);
    if !memory.words.is_empty() {
        (value["score"], value["words"]) = (json!(memory.score), json!(memory.words));
    }
    value
}

fn show(store: &Store, view: &MemoryView, id: MemoryId) -> MemoryAnswer {
    let entry = store.memory(id).wait();
    let entry = entry.map_err(|error| error.to_message())?;
    let entry = entry.ok_or_else(|| describe_missing(id))?;
    let before = store.superseded_memories(id).wait();
    let before = before.map_err(|error| error.to_message())?;
    let mut lines = vec![view.describe_entry(&entry)];
    lines.extend(view.describe_sources(store, &entry)?);
    lines.extend(
        entry
            .superseded_by
            .map(|by| view.say_below(cli::memory_superseded(by.to_string()))),
    );
    lines.extend(
        before
            .iter()
            .map(|old| view.say_below(cli::memory_in_place_of(view.describe_entry(old)))),
    );
    let mut value = view.export_entry(&entry);
    value["in_the_place_of"] = before.iter().map(|old| view.export_entry(old)).collect();
    Ok((value, lines))
}

fn edit(store: &Store, view: &MemoryView, id: MemoryId, text: &str) -> MemoryAnswer {
    let edit = MemoryEdit::from_text(text, MemoryOrigin::Host, None);
    let edit = edit.ok_or_else(|| cli::memory_edit_length(MEMORY_CHARACTERS))?;
    let edited = store.edit_memory(id, edit, clock::now()).wait();
    let new = edited
        .map_err(|error| error.to_message())?
        .ok_or_else(|| describe_missing(id))?;
    let (value, mut lines) = show(store, view, new)?;
    let changed = cli::memory_changed(id.to_string(), new.to_string());
    lines.insert(0, view.say(changed));
    Ok((value, lines))
}

fn forget(store: &Store, view: &MemoryView, id: MemoryId) -> MemoryAnswer {
    let deleted = store.delete_memory(id).wait();
    if !deleted.map_err(|error| error.to_message())? {
        return Err(describe_missing(id));
    }
    // The write-ahead log holds it until then.
    store.scrub().wait().map_err(|error| error.to_message())?;
    let line = view.say(cli::memory_forgotten(id.to_string()));
    Ok((json!({ "forgotten": id }), vec![line]))
}

fn undo(store: &Store, view: &MemoryView, id: MemoryId) -> MemoryAnswer {
    let restored = store.undo_memory_edit(id).wait();
    let restored = restored.map_err(|error| error.to_message())?;
    if restored.is_empty() {
        return Err(cli::memory_without_past(id.to_string()));
    }
    let mut lines = vec![view.say(cli::memory_taken_back(id.to_string()))];
    let mut values = Vec::new();
    for old in restored {
        let (value, shown) = show(store, view, old)?;
        values.push(value);
        lines.extend(shown);
    }
    Ok((json!({ "restored": values }), lines))
}

fn describe_missing(id: MemoryId) -> LocalizedMessage {
    cli::unknown_memory(id.to_string())
}
