//! A whole turn on one compact card: why it woke, what it did, what it took. Ids of people are never on it, and what
//! people or the model wrote only where text is shown.

use super::formats::{capitalize, format_milliseconds, format_thousands, truncate_line};
use super::{CardSeverity, EmbedAudience, LogEmbed, RenderContext, formats};
use kith_core::call::ToolResult;
use kith_core::persona::Language;
use kith_core::report::{CallReport, MessageDecision, TokenUsage, TurnOutcome, TurnReport};
use kith_core::willingness::describe_threshold;
use kith_language::embeds;

const TERMS: usize = 3;
/// The most characters of thoughts, of what a call was given or answered, of all calls, of a reason and of a note.
const THOUGHTS: usize = 600;
const CALL: usize = 120;
const CALLS: usize = 900;
const REASON: usize = 300;
const NOTE: usize = 160;
const NOTES: usize = 5;

/// The card of a turn. `decision`: what was thought of the message that woke it. `model`: empty where it is not known.
pub fn render_turn(
    report: &TurnReport,
    decision: Option<&MessageDecision>,
    model: &str,
    context: &RenderContext<'_>,
) -> LogEmbed {
    let language = context.language;
    let (severity, title) = render_title(report, context);
    let mut embed = LogEmbed {
        severity,
        title,
        linked_message: context.message_link(report.wake.message),
        ..LogEmbed::default()
    };
    // Why nothing was said, before why anything was to be.
    let end = describe_end(report, context);
    let told = end.into_iter().chain([describe_wake(report, language)]);
    embed.text = told.collect::<Vec<_>>().join("\n");
    let mut willingness = describe_threshold(
        report.wake.score,
        report.wake.threshold,
        report.wake.shift,
        language,
    );
    if let Some(decision) = decision {
        willingness += "\n";
        willingness += &formats::format_strongest_reasons(decision, TERMS, language);
    }
    if !report.wake.is_own() {
        embed.add_field(
            &embeds::willingness().in_language(language),
            willingness.trim_end(),
        );
    }
    embed
        .fields
        .extend(render_turn_fields(report, decision, context));
    let (turn, rounds) = (report.turn, report.rounds.len() as u64);
    let turn = embeds::turn_and_rounds(rounds, turn.to_string()).in_language(language);
    embed.footer = if model.is_empty() {
        turn
    } else {
        format!("{model} · {turn}")
    };
    embed
}

/// What a turn did and took, as fields.
pub fn render_turn_fields(
    report: &TurnReport,
    decision: Option<&MessageDecision>,
    context: &RenderContext<'_>,
) -> Vec<(String, String)> {
    let language = context.language;
    let mut embed = LogEmbed::default();
    embed.add_field(
        &embeds::thoughts().in_language(language),
        render_thoughts(report, context),
    );
    embed.add_field(
        &embeds::calls().in_language(language),
        render_calls(report, context),
    );
    embed.add_field(
        &embeds::tokens().in_language(language),
        render_tokens(report, language),
    );
    embed.add_field(
        &embeds::cost().in_language(language),
        report.cost.map(formats::format_money).unwrap_or_default(),
    );
    embed.add_field(
        &embeds::time().in_language(language),
        render_stages(report, decision, language),
    );
    embed.add_field(
        &embeds::notes().in_language(language),
        render_notes(report, context),
    );
    embed.fields
}

fn render_title(report: &TurnReport, context: &RenderContext<'_>) -> (CardSeverity, String) {
    let (language, place) = (context.language, context.place());
    match report.outcome {
        TurnOutcome::Acted => (
            CardSeverity::Spoke,
            embeds::spoke(place).in_language(language),
        ),
        TurnOutcome::Silent(_) => (
            CardSeverity::Quiet,
            embeds::silent(place).in_language(language),
        ),
        TurnOutcome::Failed(_) => (
            CardSeverity::Failed,
            embeds::failed(place).in_language(language),
        ),
    }
}

fn describe_wake(report: &TurnReport, language: Language) -> String {
    let by = formats::describe_wake(report.wake.address, report.wake.own, language);
    match report.wake.addressed.len() {
        0 | 1 => embeds::woken(by).in_language(language),
        all => embeds::woken_by_several(by, all).in_language(language),
    }
}

/// Why it kept silent or failed, if that may be told. A reason is the model's own words; why a server failed is the host's business.
pub fn describe_end(report: &TurnReport, context: &RenderContext<'_>) -> Option<String> {
    let language = context.language;
    let failure = report
        .rounds
        .last()
        .and_then(|round| round.failure.as_ref());
    let reason = match (&report.outcome, failure) {
        (TurnOutcome::Acted, _) => return None,
        (TurnOutcome::Failed(_), Some(failure)) if failure.budget => {
            embeds::budget_spent().in_language(language)
        }
        (TurnOutcome::Failed(_), Some(failure)) if context.readers == EmbedAudience::Operator => {
            match context.can_show_text() {
                true => failure.message.clone(),
                false => remove_quote(&failure.message),
            }
        }
        (TurnOutcome::Failed(_), Some(_)) => embeds::model_failed().in_language(language),
        (TurnOutcome::Silent(reason) | TurnOutcome::Failed(reason), _)
            if context.can_show_text() =>
        {
            capitalize(reason)
        }
        (TurnOutcome::Failed(_), None) => embeds::nothing_came().in_language(language),
        (TurnOutcome::Silent(_), _) => return None,
    };
    Some(truncate_line(&reason, REASON))
}

/// Without what stands between the first and the last quotation mark: a server may quote what it was sent.
fn remove_quote(message: &str) -> String {
    match (message.find('"'), message.rfind('"')) {
        (Some(first), Some(last)) if first < last => {
            format!("{}…{}", &message[..first], &message[last + 1..])
        }
        _ => message.to_owned(),
    }
}

fn render_thoughts(report: &TurnReport, context: &RenderContext<'_>) -> String {
    if !context.can_show_text() {
        return String::new();
    }
    let thoughts = report
        .rounds
        .iter()
        .map(|round| round.thoughts.trim())
        .filter(|thoughts| !thoughts.is_empty());
    truncate_line(&thoughts.collect::<Vec<_>>().join(" · "), THOUGHTS)
}

fn render_calls(report: &TurnReport, context: &RenderContext<'_>) -> String {
    let all: Vec<&CallReport> = report
        .rounds
        .iter()
        .flat_map(|round| &round.calls)
        .collect();
    let mut lines = Vec::new();
    let mut length = 0;
    for call in &all {
        let line = render_call(call, context);
        length += line.chars().count();
        if length > CALLS {
            break;
        }
        lines.push(line);
    }
    if let more @ 1.. = all.len() - lines.len() {
        lines.push(embeds::more_calls(more).in_language(context.language));
    }
    lines.join("\n")
}

/// `✓ send_message`, and what it was given and answered where text is shown. A name nobody knows is the model's own.
fn render_call(done: &CallReport, context: &RenderContext<'_>) -> String {
    let language = context.language;
    let sign = match &done.result {
        Some(result) if result.is_error => "✗",
        Some(result) if result.is_pending => "⏳",
        Some(_) => "✓",
        None => "–",
    };
    let name = match done.kind {
        Some(_) => done.call.name.as_str(),
        None if context.can_show_text() => done.call.name.as_str(),
        None => &embeds::unknown_tool().in_language(language),
    };
    let mut line = format!("{sign} {}", truncate_line(name, CALL));
    if done.result.as_ref().is_some_and(ToolResult::is_denied) {
        line += &embeds::call_denied().in_language(language);
    }
    if let Some(hindrance) = done.hindrance {
        line += &format!(" ({})", hindrance.describe(language));
    }
    if !context.can_show_text() {
        return line;
    }
    if let Some(text) = done
        .result
        .as_ref()
        .and_then(|result| result.display_text())
    {
        return format!("{line}: {}", truncate_line(text, 2 * CALL));
    }
    let given: Vec<String> = done.call.params.values().map(format_value).collect();
    if !given.is_empty() {
        line += &format!(": {}", truncate_line(&given.join(" · "), CALL));
    }
    if let Some(result) = done
        .result
        .as_ref()
        .filter(|result| !result.text().trim().is_empty())
    {
        line += &format!(" → {}", truncate_line(&result.text(), CALL));
    }
    line
}

fn format_value(value: &serde_json::Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

/// Tokens in, of these from the cache, and out; ≈ where the provider did not count them. Empty if nothing was asked.
fn render_tokens(report: &TurnReport, language: Language) -> String {
    let used: Vec<TokenUsage> = report
        .rounds
        .iter()
        .filter_map(|round| round.usage)
        .collect();
    if used.is_empty() {
        return String::new();
    }
    let sum = |of: fn(&TokenUsage) -> u32| {
        format_thousands(used.iter().map(|usage| u64::from(of(usage))).sum())
    };
    let (prompt, cached, out) = (sum(|u| u.prompt), sum(|u| u.cached), sum(|u| u.completion));
    let about = if used.iter().any(|usage| usage.estimated) {
        "≈ "
    } else {
        ""
    };
    embeds::tokens_used(about, cached, out, prompt).in_language(language)
}

/// The times from the message to the turn, the model's first word, the end of its last answer, and the last delivery.
fn render_stages(
    report: &TurnReport,
    decision: Option<&MessageDecision>,
    language: Language,
) -> String {
    let waited = decision.map(|decision| report.started - decision.at);
    let first = report
        .rounds
        .iter()
        .find_map(|round| Some(round.asked_at + round.first_delta_ms? - report.started));
    let answered = report
        .rounds
        .iter()
        .rev()
        .find_map(|round| Some(round.asked_at + round.ended_ms? - report.started));
    let stages = [
        (embeds::waited().in_language(language), waited),
        (embeds::first_token().in_language(language), first),
        (embeds::answered().in_language(language), answered),
        (
            embeds::delivered().in_language(language),
            Some(report.ended - report.started),
        ),
    ];
    let told = stages
        .into_iter()
        .filter_map(|(name, time)| Some(format!("{name} {}", format_milliseconds(time?))));
    told.collect::<Vec<_>>().join(" · ")
}

/// Notes may quote a held-back line, so without text only their number is told.
fn render_notes(report: &TurnReport, context: &RenderContext<'_>) -> String {
    let repairs: u64 = report
        .rounds
        .iter()
        .map(|round| round.repairs.len() as u64)
        .sum();
    let mut lines = Vec::new();
    match report.notes.len() {
        0 => {}
        _ if context.can_show_text() => lines.extend(
            report
                .notes
                .iter()
                .take(NOTES)
                .map(|note| truncate_line(note, NOTE)),
        ),
        count => lines.push(embeds::note_count(count).in_language(context.language)),
    }
    if repairs > 0 {
        lines.push(embeds::repair_count(repairs).in_language(context.language));
    }
    lines.join("\n")
}
