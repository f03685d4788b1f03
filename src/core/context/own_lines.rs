//! Why it woke with nobody speaking to it, and what it waits for, in words. Notes are the model's own, and still pass
//! through `escape`: they may repeat what people wrote.

use super::line::find_timezone;
use super::names::DisplayNames;
use super::words::{ContextWords, fill_pattern, to_local_time};
use super::{PromptSources, TokenEstimator, escape};
use crate::chat::IntentionId;
use crate::intent::{IntentTrigger, ScheduledIntent};
use crate::report::SelfTrigger;
use crate::timeline::TimelineMessage;

/// The share of the history's budget that a summary of what came before it may take.
const SUMMARY_SHARE: u32 = 4;

/// The reason for waking that is its own.
pub(super) fn describe_own_reason(
    view: &PromptSources<'_>,
    words: &ContextWords,
    names: &mut DisplayNames,
    own: SelfTrigger,
    waking_message: Option<&TimelineMessage>,
) -> String {
    match own {
        SelfTrigger::Waited { id, cause } => {
            describe_wait_reason(view, words, names, (id, cause), waking_message)
        }
        SelfTrigger::Lull { minutes } => fill_pattern(words.lull, &[&minutes.to_string()]),
        SelfTrigger::Opening => words.opening.into(),
    }
}

/// Whether it woke to remind somebody.
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
    words: &ContextWords,
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
            None => fill_pattern(words.remind_all, &[&escape_text(note)]),
            Some(name) => fill_pattern(words.remind, &[&name, &escape_text(note)]),
        };
    }
    let line = waking_message
        .map(|said| said.short_id.to_string())
        .unwrap_or_default();
    let cause_text = match (cause, waking_message, intention) {
        (IntentTrigger::Person, Some(said), _) => {
            let author = &said.message.author;
            let name = names.resolve_quoted_name(author.id, &author.name);
            fill_pattern(words.person_wrote, &[&name, &line])
        }
        (
            IntentTrigger::Word,
            Some(_),
            Some(ScheduledIntent {
                word: Some(word), ..
            }),
        ) => fill_pattern(words.word_fell, &[&escape_text(word), &line]),
        (
            IntentTrigger::Silence,
            _,
            Some(ScheduledIntent {
                silence: Some(minutes),
                ..
            }),
        ) => fill_pattern(words.silent_for, &[&minutes.to_string()]),
        (IntentTrigger::Time, ..) => words.it_is_time.into(),
        _ => words.wait_fulfilled.into(),
    };
    let mut out = fill_pattern(words.waited, &[&cause_text]);
    if let Some(intention) = intention.filter(|intention| !intention.note.trim().is_empty()) {
        out.push(' ');
        out.push_str(&fill_pattern(
            words.own_note,
            &[&escape_text(&intention.note)],
        ));
    }
    out
}

/// What it still waits for, one line each, so that it does not ask for the same again.
pub(super) fn render_pending_intentions(
    view: &PromptSources<'_>,
    words: &ContextWords,
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
            let name = find_person_name(intention, names).unwrap_or_else(|| words.everybody.into());
            out.push_str(&fill_pattern(
                words.reminder,
                &[&name, &at, &escape_text(&intention.note)],
            ));
            out.push('\n');
            continue;
        }
        let mut parts = Vec::new();
        parts.extend(
            find_person_name(intention, names)
                .map(|name| fill_pattern(words.until_person, &[&name])),
        );
        parts.extend(
            intention
                .word
                .as_ref()
                .map(|word| fill_pattern(words.until_word, &[&escape_text(word)])),
        );
        parts.extend(
            intention
                .silence
                .map(|minutes| fill_pattern(words.until_silent, &[&minutes.to_string()])),
        );
        parts.extend(intention.time.map(|at| {
            to_local_time(at, find_timezone(view))
                .format("%H:%M")
                .to_string()
        }));
        out.push_str(&fill_pattern(
            words.waiting,
            &[&parts.join(words.or), &escape_text(&intention.note)],
        ));
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

/// What was said before the history begins: a model's words about people's. Also whether it was too long, as 0 or 1.
pub(super) fn render_summary(
    view: &PromptSources<'_>,
    estimator: &TokenEstimator,
) -> (String, usize) {
    let mut out = String::new();
    let Some(summary) = view.summary else {
        return (out, 0);
    };
    escape::escape_block(&mut out, &summary.text, "| ");
    let (tokens, most) = (
        estimator.estimate_tokens(&out),
        view.policy.context.history_tokens / SUMMARY_SHARE,
    );
    if tokens <= most {
        return (out, 0);
    }
    let end = out.len() as u64 * u64::from(most) / u64::from(tokens);
    out.truncate(out.floor_char_boundary(end as usize));
    out.push('…');
    (out, 1)
}

fn escape_text(text: &str) -> String {
    let mut out = String::new();
    escape::escape_line(&mut out, text, &|_| None);
    out
}
