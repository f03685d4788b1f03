//! Why it woke with nobody speaking to it, and what it waits for, in words. Notes are the model's own, and still pass
//! through `escape`: they may repeat what people wrote.

use super::display_names::DisplayNames;
use super::line::find_timezone;
use super::prompt_words::to_local_time;
use super::{PromptSources, escape};
use crate::chat::IntentionId;
use crate::intent::{IntentTrigger, ScheduledIntent};
use crate::report::SelfTrigger;
use crate::timeline::TimelineMessage;
use kith_language::{Language, prompt};

pub(super) fn describe_own_reason(
    view: &PromptSources<'_>,
    language: Language,
    names: &mut DisplayNames,
    own: SelfTrigger,
    waking_message: Option<&TimelineMessage>,
) -> String {
    match own {
        SelfTrigger::Waited { id, cause } => {
            describe_wait_reason(view, language, names, (id, cause), waking_message)
        }
        SelfTrigger::Lull { minutes } => prompt::lull(minutes).in_language(language),
        SelfTrigger::Opening => prompt::opening().in_language(language),
    }
}

pub(super) fn is_reminder(view: &PromptSources<'_>) -> bool {
    let Some(SelfTrigger::Waited { id, .. }) = view.wake.own else {
        return false;
    };
    view.intentions
        .iter()
        .any(|intention| intention.id == id && intention.reminder.is_some())
}

fn describe_wait_reason(
    view: &PromptSources<'_>,
    language: Language,
    names: &mut DisplayNames,
    (id, cause): (IntentionId, IntentTrigger),
    waking_message: Option<&TimelineMessage>,
) -> String {
    let intention = view.intentions.iter().find(|intention| intention.id == id);
    if let Some(
        intention @ ScheduledIntent {
            reminder: Some(_),
            note,
            ..
        },
    ) = intention
    {
        return match find_person_name(intention, names) {
            None => prompt::remind_all(escape_text(note)).in_language(language),
            Some(name) => prompt::remind(name, escape_text(note)).in_language(language),
        };
    }
    let line = waking_message
        .map(|said| said.short_id.to_string())
        .unwrap_or_default();
    let cause_text = match (cause, waking_message, intention) {
        (IntentTrigger::Person, Some(said), _) => {
            let author = &said.message.author;
            let name = names.resolve_quoted_name(author.id, &author.name);
            prompt::person_wrote(line, name).in_language(language)
        }
        (
            IntentTrigger::Word,
            Some(_),
            Some(ScheduledIntent {
                word: Some(word), ..
            }),
        ) => prompt::word_fell(line, escape_text(word)).in_language(language),
        (IntentTrigger::Time, ..) => prompt::it_is_time().in_language(language),
        _ => prompt::wait_fulfilled().in_language(language),
    };
    let mut out = prompt::waited(cause_text).in_language(language);
    if let Some(intention) = intention.filter(|intention| !intention.note.trim().is_empty()) {
        out.push(' ');
        out.push_str(&prompt::own_note(escape_text(&intention.note)).in_language(language));
    }
    out
}

/// What it still waits for, one line each, so that it does not ask for the same again.
pub(super) fn render_pending_intentions(
    view: &PromptSources<'_>,
    language: Language,
    names: &mut DisplayNames,
) -> String {
    let woken = match view.wake.own {
        Some(SelfTrigger::Waited { id, .. }) => Some(id),
        _ => None,
    };
    let mut out = String::new();
    for intention in view
        .intentions
        .iter()
        .filter(|intention| Some(intention.id) != woken)
    {
        if let (Some(_), Some(at)) = (intention.reminder, intention.time) {
            let at = to_local_time(at, find_timezone(view))
                .format("%Y-%m-%d %H:%M")
                .to_string();
            let name = find_person_name(intention, names)
                .unwrap_or_else(|| prompt::everybody().in_language(language));
            out.push_str(
                &prompt::reminder(name, escape_text(&intention.note), at).in_language(language),
            );
            out.push('\n');
            continue;
        }
        let mut parts = Vec::new();
        parts.extend(
            find_person_name(intention, names)
                .map(|name| prompt::until_person(name).in_language(language)),
        );
        parts.extend(
            intention
                .word
                .as_ref()
                .map(|word| prompt::until_word(escape_text(word)).in_language(language)),
        );
        parts.extend(intention.time.map(|at| {
            to_local_time(at, find_timezone(view))
                .format("%Y-%m-%d %H:%M")
                .to_string()
        }));
        out.push_str(
            &prompt::waiting_for(
                escape_text(&intention.note),
                parts.join(&prompt::or_between().in_language(language)),
            )
            .in_language(language),
        );
        out.push('\n');
    }
    out
}

/// Whom it is about: who is waited for, or who is to be reminded.
fn find_person_name(intention: &ScheduledIntent, names: &mut DisplayNames) -> Option<String> {
    let user = intention
        .person
        .or(intention.reminder.and_then(|reminder| reminder.whom))?;
    (!intention.name.trim().is_empty()).then(|| names.resolve_quoted_name(user, &intention.name))
}

fn escape_text(text: &str) -> String {
    let mut out = String::new();
    escape::escape_line(&mut out, text, &|_| None);
    out
}
