//! Why it woke with nobody speaking to it, and what it waits for, in words. Notes are the model's own, and still pass
//! through `escape`: they may repeat what people wrote.

use super::line::zone;
use super::names::DisplayNames;
use super::words::{ContextWords, fill, local};
use super::{PromptSources, TokenEstimator, escape, wake};
use crate::chat::IntentionId;
use crate::intent::{IntentTrigger, ScheduledIntent};
use crate::report::SelfTrigger;
use crate::timeline::TimelineMessage;

/// The share of the history's budget that a summary of what came before it may take.
const SUMMARY_SHARE: u32 = 4;

/// The reason for waking that is its own.
pub(super) fn reason(
    view: &PromptSources<'_>,
    words: &ContextWords,
    names: &mut DisplayNames,
    own: SelfTrigger,
    woke: Option<&TimelineMessage>,
) -> String {
    match own {
        SelfTrigger::Waited { id, cause } => waited(view, words, names, (id, cause), woke),
        SelfTrigger::Lull { minutes } => fill(words.lull, &[&minutes.to_string()]),
        SelfTrigger::Opening => words.opening.into(),
    }
}

/// Whether it woke to remind somebody.
pub(super) fn is_reminder(view: &PromptSources<'_>) -> bool {
    let Some(SelfTrigger::Waited { id, .. }) = view.wake.own else { return false };
    view.intentions.iter().any(|intention| intention.id == id && intention.reminder.is_some())
}

fn waited(
    view: &PromptSources<'_>,
    words: &ContextWords,
    names: &mut DisplayNames,
    (id, cause): (IntentionId, IntentTrigger),
    woke: Option<&TimelineMessage>,
) -> String {
    let intention = view.intentions.iter().find(|intention| intention.id == id);
    if let Some(intention @ ScheduledIntent { reminder: Some(_), note, .. }) = intention {
        return match whom(intention, names) {
            None => fill(words.remind_all, &[&quoted(note)]),
            Some(name) => fill(words.remind, &[&name, &quoted(note)]),
        };
    }
    let line = woke.map(|said| said.short.to_string()).unwrap_or_default();
    let came = match (cause, woke, intention) {
        (IntentTrigger::Person, Some(said), _) => fill(words.person_wrote, &[&wake::name(said, names), &line]),
        (IntentTrigger::Word, Some(_), Some(ScheduledIntent { word: Some(word), .. })) => {
            fill(words.word_fell, &[&quoted(word), &line])
        }
        (IntentTrigger::Silence, _, Some(ScheduledIntent { silence: Some(minutes), .. })) => {
            fill(words.silent_for, &[&minutes.to_string()])
        }
        (IntentTrigger::Time, ..) => words.it_is_time.into(),
        _ => words.it_came.into(),
    };
    let mut out = fill(words.waited, &[&came]);
    if let Some(intention) = intention.filter(|intention| !intention.note.trim().is_empty()) {
        out.push(' ');
        out.push_str(&fill(words.own_note, &[&quoted(&intention.note)]));
    }
    out
}

/// What it still waits for, one line each, so that it does not ask for the same again.
pub(super) fn waiting(view: &PromptSources<'_>, words: &ContextWords, names: &mut DisplayNames) -> String {
    let woken = match view.wake.own {
        Some(SelfTrigger::Waited { id, .. }) => Some(id),
        _ => None,
    };
    let mut out = String::new();
    for intention in view.intentions.iter().filter(|intention| Some(intention.id) != woken) {
        if let (Some(_), Some(at)) = (intention.reminder, intention.time) {
            let at = local(at, zone(view)).format("%Y-%m-%d %H:%M").to_string();
            let whom = whom(intention, names).unwrap_or_else(|| words.everybody.into());
            out.push_str(&fill(words.reminder, &[&whom, &at, &quoted(&intention.note)]));
            out.push('\n');
            continue;
        }
        let mut parts = Vec::new();
        parts.extend(whom(intention, names).map(|name| fill(words.until_person, &[&name])));
        parts.extend(intention.word.as_ref().map(|word| fill(words.until_word, &[&quoted(word)])));
        parts.extend(intention.silence.map(|minutes| fill(words.until_silent, &[&minutes.to_string()])));
        parts.extend(intention.time.map(|at| local(at, zone(view)).format("%H:%M").to_string()));
        out.push_str(&fill(words.waiting, &[&parts.join(words.or), &quoted(&intention.note)]));
        out.push('\n');
    }
    out
}

/// Whom it is about: who is waited for, or who is to be reminded.
fn whom(intention: &ScheduledIntent, names: &mut DisplayNames) -> Option<String> {
    let user = intention.person.or(intention.reminder.and_then(|reminder| reminder.whom))?;
    (!intention.name.trim().is_empty()).then(|| names.of_quoted(user, &intention.name))
}

/// What was said before the history begins: a model's words about people's. Also whether it was too long, as 0 or 1.
pub(super) fn summary(view: &PromptSources<'_>, estimator: &TokenEstimator) -> (String, usize) {
    let mut out = String::new();
    let Some(summary) = view.summary else { return (out, 0) };
    escape::block(&mut out, &summary.text, "| ");
    let (tokens, most) = (estimator.tokens(&out), view.policy.context.history_tokens / SUMMARY_SHARE);
    if tokens <= most {
        return (out, 0);
    }
    let end = out.len() as u64 * u64::from(most) / u64::from(tokens);
    out.truncate(out.floor_char_boundary(end as usize));
    out.push('…');
    (out, 1)
}

fn quoted(text: &str) -> String {
    let mut out = String::new();
    escape::line(&mut out, text, &|_| None);
    out
}
