//! The end of the prompt in words: what time it is, why the companion woke, which conversation it joins.

use chrono_tz::Tz;
use kith_language::{Language, prompt};

use super::display_names::DisplayNames;
use super::line::find_timezone;
use super::prompt_words::{format_full_time, to_local_time};
use super::spoken_line::render_spoken_text;
use super::{PromptSources, earlier_line, escape, intents};
use crate::chat::{MessageId, Millis, UserId};
use crate::report::DirectAddress;
use crate::timeline::TimelineMessage;

/// The most lines named as the conversation that is being joined.
const CONVERSATION_LINES: usize = 8;

/// Time and reason for waking. Messages before `first_shown` are quoted, and for a small model what a question is about.
pub(super) fn render_time_and_reason(
    view: &PromptSources<'_>,
    language: Language,
    names: &mut DisplayNames,
    first_shown: Option<MessageId>,
) -> String {
    let wake = view.wake;
    let zone = find_timezone(view);
    let mut out = String::new();
    // A small model would talk of it whatever was said; the time stands in the history's marks as well.
    if !view.policy.context.is_small() {
        let now = to_local_time(view.now, zone);
        let mut time = format_full_time(now).in_language(language);
        if zone == Tz::UTC {
            // Nobody lives by this clock: the model has to know which one it is.
            time.push_str(" UTC");
        }
        out.push_str(&prompt::time_now(time).in_language(language));
        if let Some(activity) = find_current_activity(view, zone) {
            out.push_str(&prompt::sentence_separator().in_language(language));
            out.push_str(&prompt::doing_now(activity).in_language(language));
        }
        let rapport = view.rapport.describe_rapport(language);
        if !rapport.is_empty() {
            out.push('\n');
            out.push_str(&rapport);
        }
        out.push('\n');
    }

    let waking_message = wake.message.and_then(|id| view.timeline.find(id));
    let also: Vec<&TimelineMessage> = wake
        .addressed
        .iter()
        .filter(|id| Some(**id) != wake.message)
        .filter_map(|id| view.timeline.find(*id))
        .collect();
    for said in waking_message
        .iter()
        .chain(&also)
        .filter(|said| first_shown.is_some_and(|first| said.message.id < first))
    {
        out.push_str(&prompt::earlier(quote_message(said, names)).in_language(language));
        out.push('\n');
    }
    let earlier = waking_message
        .zip(first_shown)
        .and_then(|(asked, first)| earlier_line::find_earlier_line(view, asked, first));
    if let Some(said) = earlier {
        out.push_str(&prompt::earlier(quote_message(said, names)).in_language(language));
        out.push('\n');
    }
    out.push_str(&describe_reason(view, language, names, waking_message));
    if !also.is_empty() {
        let list: Vec<String> = also
            .iter()
            .map(|said| {
                prompt::also_line(said.short_id, resolve_author_name(said, names))
                    .in_language(language)
            })
            .collect();
        out.push_str(&prompt::sentence_separator().in_language(language));
        let separator = prompt::item_separator().in_language(language);
        out.push_str(&prompt::also(list.join(&separator)).in_language(language));
    }
    out
}

fn describe_reason(
    view: &PromptSources<'_>,
    language: Language,
    names: &mut DisplayNames,
    waking_message: Option<&TimelineMessage>,
) -> String {
    let own = view
        .wake
        .own
        .map(|own| intents::describe_own_reason(view, language, names, own, waking_message));
    if let (None, Some(own)) = (view.wake.address, &own) {
        let not_obliged = if intents::is_reminder(view) {
            String::new()
        } else {
            prompt::not_obliged().in_language(language)
        };
        return format!("{own}{not_obliged}");
    }
    let Some(said) = waking_message else {
        let nobody = match view.wake.address {
            None => prompt::unasked_plainly(),
            Some(_) => prompt::deleted_address(),
        };
        return nobody.in_language(language);
    };
    let (line, who) = (said.short_id, resolve_author_name(said, names));
    let text = if view.policy.context.is_small() {
        render_spoken_text(said, view, names)
    } else {
        String::new()
    };
    let reason = match view.wake.address {
        Some(_) if !text.is_empty() => prompt::says_to_you(line, who, text),
        None if !text.is_empty() => prompt::says(line, who, text),
        None => prompt::unasked(line, who),
        Some(DirectAddress::Direct) => prompt::direct(line, who),
        Some(DirectAddress::Mention) => prompt::mention(line, who),
        Some(DirectAddress::Reply) => prompt::reply(line, who),
        Some(DirectAddress::Name) => prompt::call_by_name(line, who),
        Some(DirectAddress::Alone) => prompt::alone(line, who),
    };
    let mut out = reason.in_language(language);
    if let Some(aside) = describe_line_for_other(view, language, names) {
        out.push_str(&prompt::sentence_separator().in_language(language));
        out.push_str(&aside);
    }
    if let Some(own) = own {
        out.push('\n');
        out.push_str(&own);
    }
    out
}

/// That the newest line is not for the companion, lest it answers that instead of what caught its attention.
fn describe_line_for_other(
    view: &PromptSources<'_>,
    language: Language,
    names: &mut DisplayNames,
) -> Option<String> {
    let aside = view.line_for_other?;
    let newest = view.timeline.find(aside.line)?;
    let author = resolve_author_name(newest, names);
    let addressee = find_member_name(view, names, aside.addressee)?;
    let told = prompt::line_for_other(newest.short_id, author, addressee);
    Some(told.in_language(language))
}

fn find_member_name(
    view: &PromptSources<'_>,
    names: &mut DisplayNames,
    member: UserId,
) -> Option<String> {
    let mut lines = view.timeline.messages().rev();
    let line = lines.find(|said| said.message.author.id == member)?;
    Some(resolve_author_name(line, names))
}

/// Who spoke to it, by the name they stand under; only a small model is told.
pub(super) fn find_speaker_name(view: &PromptSources<'_>, names: &mut DisplayNames) -> String {
    let waking_message = view
        .wake
        .message
        .filter(|_| view.wake.address.is_some() && view.policy.context.is_small());
    waking_message
        .and_then(|id| view.timeline.find(id))
        .map_or_else(String::new, |said| resolve_author_name(said, names))
}

/// The name a line stands under, whether or not it is shown.
fn resolve_author_name(said: &TimelineMessage, names: &mut DisplayNames) -> String {
    names.resolve_quoted_name(said.message.author.id, &said.message.author.name)
}

fn quote_message(said: &TimelineMessage, names: &mut DisplayNames) -> String {
    let mut line = format!("{} {}: ", said.short_id, resolve_author_name(said, names));
    escape::escape_line(&mut line, &said.message.text, &|id| {
        names.find_mentioned_name(id)
    });
    line
}

/// The short ids of the conversation that is being joined, oldest first; empty where it is a single line.
pub(super) fn render_conversation(view: &PromptSources<'_>, language: Language) -> String {
    let mut lines: Vec<u16> = view
        .conversation
        .iter()
        .filter_map(|id| view.timeline.find(*id))
        .map(|said| said.short_id)
        .collect();
    if lines.is_empty() {
        let mut next = view.wake.message.and_then(|id| view.timeline.find(id));
        while let Some(said) = next.filter(|_| lines.len() < CONVERSATION_LINES) {
            lines.insert(0, said.short_id);
            next = said
                .message
                .reply_to
                .filter(|to| *to < said.message.id)
                .and_then(|to| view.timeline.find(to));
        }
    }
    if lines.len() < 2 {
        return String::new();
    }
    let newest = &lines[lines.len().saturating_sub(CONVERSATION_LINES)..];
    newest
        .iter()
        .map(u16::to_string)
        .collect::<Vec<_>>()
        .join(&prompt::item_separator().in_language(language))
}

fn find_current_activity<'a>(view: &PromptSources<'a>, zone: Tz) -> Option<&'a str> {
    let schedule = view.policy.persona.schedule.as_ref()?;
    let clock = to_local_time(view.now as Millis, zone)
        .format("%H:%M")
        .to_string();
    let part = schedule.day.iter().find(|part| {
        let (from, to) = (part.from.as_str(), part.to.as_str());
        if from < to {
            (from..to).contains(&clock.as_str())
        } else {
            clock.as_str() >= from || clock.as_str() < to
        }
    })?;
    Some(part.doing.as_str()).filter(|doing| !doing.is_empty())
}
