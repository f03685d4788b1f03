//! `/kith memory`: what is remembered of the caller, page by page, and the correction or deletion of each of it. Shown is
//! only what everybody may see who sees the place it is asked in, so that the answer gives away no other channel.

use chrono::DateTime;
use kith_core::chat::{ChannelKind, MemoryId, UserId};
use kith_core::memory_entry::{MEMORY_CHARACTERS, MemoryEntry, MemoryKind, MemoryOrigin};
use kith_language::{LocalizedMessage, commands};
use kith_store::{MemoryEdit, MemorySearch};

use super::rights::{CommandContext, CommandOutcome, CommandRefusal, answer_with_text};

/// Entries on a page: even the longest fit into one message.
const ON_PAGE: usize = 5;
/// More of one person is not looked through.
const MOST_OF_PERSON: usize = 2_000;

#[derive(Clone, Debug, PartialEq)]
pub enum OwnMemoryRequest {
    /// What is remembered of the caller; a page of it, from 1.
    Show(usize),
    Delete(MemoryId),
    Correct(MemoryId, String),
}

pub(super) async fn answer(
    context: &CommandContext<'_>,
    request: OwnMemoryRequest,
) -> CommandOutcome {
    match request {
        OwnMemoryRequest::Show(page) => show_page(context, page).await,
        OwnMemoryRequest::Delete(id) => delete_entry(context, id).await,
        OwnMemoryRequest::Correct(id, text) => correct_entry(context, id, &text).await,
    }
}

async fn show_page(context: &CommandContext<'_>, page: usize) -> CommandOutcome {
    let search = MemorySearch {
        channels: context.facts.readable_channels.clone(),
        people: vec![context.caller.user],
        limit: MOST_OF_PERSON,
        ..MemorySearch::default()
    };
    let entries = context.command_service.store.find_memories(search).await?;
    if entries.is_empty() {
        return answer_with_text(context.say(commands::memory_nothing()), Vec::new());
    }
    let pages = entries.len().div_ceil(ON_PAGE);
    let page = page.clamp(1, pages);
    let mut lines = vec![context.say(commands::memory_page(
        entries.len(),
        page.to_string(),
        pages.to_string(),
    ))];
    let shown = entries.iter().skip((page - 1) * ON_PAGE).take(ON_PAGE);
    lines.extend(shown.map(|entry| describe_entry(context, entry)));
    lines.push(context.say(commands::memory_hint()));
    answer_with_text(lines.join("\n"), Vec::new())
}

/// Its number, kind, date, whose word it is and where it is from; below that its text.
fn describe_entry(context: &CommandContext<'_>, entry: &MemoryEntry) -> String {
    let content = &entry.content;
    let day = DateTime::from_timestamp_millis(content.at)
        .map_or_else(String::new, |time| time.format("%Y-%m-%d").to_string());
    let whose = match content.said_by {
        Some(user) if user == context.caller.user => context.say(commands::memory_said_by_you()),
        Some(user) => context.say(commands::memory_said_by(format!("<@{user}>"))),
        None => context.say(commands::memory_said_by_nobody()),
    };
    let place = format!("<#{}>", content.channel);
    let sources = context.say(commands::memory_sources(content.sources.len(), place));
    let kind = context.say(describe_kind(content.kind));
    let text = content.text.replace(['\n', '`'], " ");
    format!(
        "`{}` **{kind}** · {day} · {whose} · {sources}\n> {text}",
        entry.id
    )
}

fn describe_kind(kind: MemoryKind) -> LocalizedMessage {
    match kind {
        MemoryKind::Name => commands::memory_kind_name(),
        MemoryKind::About => commands::memory_kind_about(),
        MemoryKind::Relation => commands::memory_kind_relation(),
        MemoryKind::Manner => commands::memory_kind_manner(),
        MemoryKind::Promise => commands::memory_kind_promise(),
        MemoryKind::Episode => commands::memory_kind_episode(),
    }
}

impl CommandContext<'_> {
    /// An entry that can be seen from here; whether there is another of that number is nobody's business.
    async fn find_entry(&self, id: MemoryId) -> Result<MemoryEntry, CommandRefusal> {
        let entry = self.command_service.store.memory(id).await?;
        let is_here = |entry: &MemoryEntry| {
            self.facts
                .readable_channels
                .contains(&entry.content.channel)
        };
        match entry.filter(is_here) {
            Some(entry) => Ok(entry),
            None => self.refuse(commands::memory_unknown(id.to_string())),
        }
    }
}

/// Whether somebody is in an entry: it is about them, or they took part.
fn is_involved(entry: &MemoryEntry, user: UserId) -> bool {
    entry.content.person == Some(user) || entry.content.people.contains(&user)
}

/// Whether somebody who sees an entry may have it forgotten: who is in it, and who moderates the place.
pub fn can_delete_memory(entry: &MemoryEntry, user: UserId, is_moderator: bool) -> bool {
    is_moderator || is_involved(entry, user)
}

/// Whether somebody who sees an entry may say it otherwise: whom it is about, or who took part in what happened.
pub fn can_correct_memory(entry: &MemoryEntry, user: UserId) -> bool {
    is_involved(entry, user) && entry.content.person.is_none_or(|person| person == user)
}

/// Who is in it may have it forgotten, and so may who steers the place; a direct message is only seen from itself.
async fn delete_entry(context: &CommandContext<'_>, id: MemoryId) -> CommandOutcome {
    let entry = context.find_entry(id).await?;
    let is_moderated = context.can_steer() && context.facts.channel.kind != ChannelKind::Direct;
    if !can_delete_memory(&entry, context.caller.user, is_moderated) {
        return context.refuse(commands::memory_unknown(id.to_string()));
    }
    context.command_service.store.delete_memory(id).await?;
    answer_with_text(
        context.say(commands::memory_deleted(id.to_string())),
        Vec::new(),
    )
}

/// Facts about oneself, and what one took part in: nobody says what others are like.
async fn correct_entry(context: &CommandContext<'_>, id: MemoryId, text: &str) -> CommandOutcome {
    let entry = context.find_entry(id).await?;
    if !is_involved(&entry, context.caller.user) {
        return context.refuse(commands::memory_unknown(id.to_string()));
    }
    if !can_correct_memory(&entry, context.caller.user) {
        return context.refuse(commands::memory_of_another(id.to_string()));
    }
    let edit = MemoryEdit::from_text(text, MemoryOrigin::Person, Some(context.caller.user));
    let Some(edit) = edit else {
        return context.refuse(commands::memory_write_text(MEMORY_CHARACTERS));
    };
    let memory = &context.command_service.memory;
    match memory.correct(id, edit, context.facts.now).await? {
        Some(new) => answer_with_text(
            context.say(commands::memory_corrected(new.to_string())),
            Vec::new(),
        ),
        None => context.refuse(commands::memory_not_kept(id.to_string())),
    }
}
