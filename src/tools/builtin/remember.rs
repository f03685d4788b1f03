//! `update_person`, `remember`: the companion writes down what it learns of people, and what happened. Each entry names the
//! messages it was taken from, so that it goes with them.

use chrono::NaiveDate;
use chrono_tz::Tz;
use kith_language::{LocalizedMessage, memory, tool_descriptions};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::{NumberedLine, Tool, ToolContext};
use kith_core::calendar::find_midnight;
use kith_core::call::{ToolKind, ToolResult};
use kith_core::chat::{Author, AuthorKind, MessageId, Millis, UserId};
use kith_core::memory_entry::{
    MEMORY_CHARACTERS, MemoryContent, MemoryDraft, MemoryEntry, MemoryKind, MemoryOrigin,
    MemoryOutcome, MemoryRefusal,
};
use kith_store::MemoryBatch;

/// A fact may be taken from one of so many of the newest lines, where no line is named.
const LINES_FOR_FACT: usize = 12;
/// Something that happened is taken from so many of the newest lines, where no line is named.
const LINES_FOR_EPISODE: usize = 6;
const MOST_SOURCES: usize = 40;
/// How sure it is of what somebody says of themselves, and of what another says of them.
const SURE_OF_OWN_WORD: f64 = 0.8;
const SURE_OF_HEARSAY: f64 = 0.5;

/// The kinds of memory that are about one person.
#[derive(Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum FactKind {
    #[default]
    About,
    Name,
    Relation,
    Manner,
    Promise,
}

impl From<FactKind> for MemoryKind {
    fn from(kind: FactKind) -> Self {
        match kind {
            FactKind::About => Self::About,
            FactKind::Name => Self::Name,
            FactKind::Relation => Self::Relation,
            FactKind::Manner => Self::Manner,
            FactKind::Promise => Self::Promise,
        }
    }
}

#[derive(Deserialize, JsonSchema)]
struct UpdatePerson {
    name: String,
    text: String,
    #[serde(default)]
    kind: FactKind,
    old: Option<String>,
    due: Option<String>,
    line: Option<u16>,
}

#[derive(Deserialize, JsonSchema)]
struct Remember {
    text: String,
    line: Option<u16>,
}

pub(super) fn update_person_tool() -> Tool {
    Tool::new(
        "update_person",
        ToolKind::Quiet,
        tool_descriptions::update_person(),
        run_update_person,
    )
    .primary("text")
}

pub(super) fn remember_tool() -> Tool {
    Tool::new(
        "remember",
        ToolKind::Quiet,
        tool_descriptions::remember(),
        run_remember,
    )
    .primary("text")
}

async fn run_update_person(params: UpdatePerson, context: ToolContext) -> ToolResult {
    context.build_outcome(keep_fact(params, &context).await)
}

async fn run_remember(params: Remember, context: ToolContext) -> ToolResult {
    context.build_outcome(keep_episode(params, &context).await)
}

/// What came of it, for the model; an error is what it can mend.
async fn keep_fact(
    params: UpdatePerson,
    context: &ToolContext,
) -> Result<LocalizedMessage, LocalizedMessage> {
    let kind = MemoryKind::from(params.kind);
    let person = find_person(&params.name, context)?;
    let due = parse_due(params.due.as_deref(), context.timezone())?;
    let (source, author) = find_source(params.line, &params.text, context).await?;
    let old = params.old.as_deref();
    let superseded = context
        .memory
        .find_superseded(
            context.sources().channels,
            (person, kind),
            old,
            &params.text,
        )
        .await?;
    let content = MemoryContent {
        person: Some(person),
        said_by: Some(author),
        due,
        confidence: if author == person {
            SURE_OF_OWN_WORD
        } else {
            SURE_OF_HEARSAY
        },
        importance: if kind == MemoryKind::Promise {
            0.7
        } else {
            0.5
        },
        ..start_content(kind, params.text, vec![source], context)
    };
    keep(content, &superseded, context).await
}

async fn keep_episode(
    params: Remember,
    context: &ToolContext,
) -> Result<LocalizedMessage, LocalizedMessage> {
    let begin = params
        .line
        .map(|number| context.lines.get(number).map(|line| line.message))
        .transpose()?;
    let said: Vec<&NumberedLine> = others_lines(context)
        .filter(|line| begin.is_none_or(|begin| line.message >= begin))
        .collect();
    let most = if begin.is_some() {
        MOST_SOURCES
    } else {
        LINES_FOR_EPISODE
    };
    let said = &said[said.len().saturating_sub(most)..];
    if said.is_empty() {
        return Err(memory::no_line_to_remember());
    }
    let mut people: Vec<UserId> = said.iter().map(|line| line.author.id).collect();
    people.sort_unstable();
    people.dedup();
    let sources = said.iter().map(|line| line.message).collect();
    let content = MemoryContent {
        people,
        ..start_content(MemoryKind::Episode, params.text, sources, context)
    };
    keep(content, &[], context).await
}

/// The lines that somebody else wrote, oldest first.
fn others_lines(context: &ToolContext) -> impl Iterator<Item = &NumberedLine> {
    let lines = context.lines.iter();
    lines.filter(|line| line.author.kind != AuthorKind::Companion)
}

fn start_content(
    kind: MemoryKind,
    text: String,
    sources: Vec<MessageId>,
    context: &ToolContext,
) -> MemoryContent {
    MemoryContent {
        text: text.split_whitespace().collect::<Vec<_>>().join(" "),
        at: context.now,
        confidence: SURE_OF_OWN_WORD,
        sources,
        ..MemoryContent::new(kind, context.channel, MemoryOrigin::Companion)
    }
}

async fn keep(
    content: MemoryContent,
    superseded: &[MemoryEntry],
    context: &ToolContext,
) -> Result<LocalizedMessage, LocalizedMessage> {
    let batch = MemoryBatch {
        drafts: vec![MemoryDraft {
            content,
            supersedes: superseded.iter().map(|entry| entry.id).collect(),
        }],
        begun: context.read_at,
        consolidated: None,
    };
    let outcome = context.memory.remember(batch).await?.into_iter().next();
    match outcome {
        Some(MemoryOutcome::Refused(why)) => describe_refusal(why),
        _ => Ok(superseded.first().map_or_else(memory::remembered, |old| {
            memory::remembered_instead(&old.content.text)
        })),
    }
}

/// A refusal is no failure where there is nothing to be mended: a further round would only repeat it.
fn describe_refusal(why: MemoryRefusal) -> Result<LocalizedMessage, LocalizedMessage> {
    match why {
        MemoryRefusal::TooLong => Err(memory::memory_too_long(MEMORY_CHARACTERS)),
        MemoryRefusal::Malformed => Err(memory::not_remembered_malformed()),
        MemoryRefusal::NoSource | MemoryRefusal::SourceGone | MemoryRefusal::SourceEdited => {
            Ok(memory::not_remembered_source())
        }
        MemoryRefusal::Unwilling => Ok(memory::not_remembered_unwilling()),
        MemoryRefusal::Sensitive => Ok(memory::not_remembered_sensitive()),
    }
}

/// Whom a name means: somebody in view, else a member who can read along here.
fn find_person(name: &str, context: &ToolContext) -> Result<UserId, LocalizedMessage> {
    let name = name.trim().trim_start_matches('@');
    let in_view = context.lines.find_by_name(name).map(|line| &line.author);
    let found: Option<Author> = in_view
        .cloned()
        .or_else(|| context.host.find_person(context.channel, name));
    let found = found.filter(|person| person.kind != AuthorKind::Companion);
    let found = found.map(|person| person.id);
    found.ok_or_else(|| memory::nobody_to_remember(name))
}

/// The message a fact was taken from, and who wrote it.
async fn find_source(
    line: Option<u16>,
    text: &str,
    context: &ToolContext,
) -> Result<(MessageId, UserId), LocalizedMessage> {
    if let Some(number) = line {
        let line = context.lines.get(number)?;
        return match line.author.kind {
            AuthorKind::Companion => Err(memory::no_line_to_remember()),
            _ => Ok((line.message, line.author.id)),
        };
    }
    let lines: Vec<MessageId> = others_lines(context).map(|line| line.message).collect();
    let newest = lines[lines.len().saturating_sub(LINES_FOR_FACT)..].to_vec();
    let found = context
        .memory
        .find_likely_source(context.channel, newest, text)
        .await?;
    let found = found.map(|(message, said)| (message, said.author));
    found.ok_or_else(memory::no_line_to_remember)
}

fn parse_due(due: Option<&str>, zone: Tz) -> Result<Option<Millis>, LocalizedMessage> {
    let Some(due) = due.map(str::trim).filter(|due| !due.is_empty()) else {
        return Ok(None);
    };
    let day = NaiveDate::parse_from_str(due.get(..10).unwrap_or(due), "%Y-%m-%d");
    let at = day.ok().and_then(|day| find_midnight(day, zone));
    at.map(Some).ok_or_else(memory::due_no_date)
}
