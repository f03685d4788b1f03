//! Small cards about what is not a turn: refusals, budget stops, errors, reconnects.

use super::formats::{capitalize, format_thousands};
use super::{CardSeverity, EmbedAudience, LogEmbed, RenderContext, formats};
use kith_core::chat::MessageId;
use kith_core::event::BudgetState;
use kith_core::persona::Language;
use kith_core::report::MessageDecision;
use kith_core::session::Session;
use kith_core::willingness::explain_decision;
use kith_language::embeds;

/// Something the readers should know, as one sentence.
pub fn render_notice(severity: CardSeverity, text: impl Into<String>) -> LogEmbed {
    LogEmbed {
        severity,
        text: text.into(),
        ..LogEmbed::default()
    }
}

/// A message it was not allowed to answer, or would have liked to.
pub fn render_refusal(decision: &MessageDecision, context: &RenderContext<'_>) -> LogEmbed {
    let language = context.language;
    let place = context.place();
    LogEmbed {
        severity: CardSeverity::Warning,
        title: embeds::not_answered(place).in_language(language),
        text: capitalize(&explain_decision(decision, language)),
        linked_message: context.message_link(Some(decision.message)),
        ..LogEmbed::default()
    }
}

pub fn render_session(session: &Session, context: &RenderContext<'_>) -> LogEmbed {
    let (language, id, place) = (context.language, session.id, context.place());
    let mut embed = LogEmbed {
        severity: CardSeverity::Spoke,
        title: embeds::session_opened(id.to_string(), place).in_language(language),
        ..LogEmbed::default()
    };
    if context.can_show_text() {
        embed.text.clone_from(&session.label);
    }
    embed.add_field(
        &embeds::session_profile().in_language(language),
        session.config.profile.clone().unwrap_or_default(),
    );
    embed.add_field(
        &embeds::session_begins_with().in_language(language),
        session.config.start.to_string(),
    );
    embed
}

pub fn render_slow_call(tool: &str, seconds: u32, context: &RenderContext<'_>) -> LogEmbed {
    LogEmbed {
        severity: CardSeverity::Warning,
        title: embeds::slow_call(context.place(), seconds, tool).in_language(context.language),
        ..LogEmbed::default()
    }
}

/// A moderator keeps a picture, or keeps it no more. Its name is not told: that is its author's, and goes with them.
pub fn render_sticker(message: MessageId, is_kept: bool, context: &RenderContext<'_>) -> LogEmbed {
    let (language, place) = (context.language, context.place());
    let title = match is_kept {
        true => embeds::picture_is_sticker(place).in_language(language),
        false => embeds::picture_no_sticker(place).in_language(language),
    };
    LogEmbed {
        title,
        linked_message: context.message_link(Some(message)),
        ..LogEmbed::default()
    }
}

/// The budget passed a limit, in tokens `(spent, cap)` of the day. Only the host is told how many.
pub fn render_budget(
    state: BudgetState,
    (spent, cap): (u64, u64),
    readers: EmbedAudience,
    language: Language,
) -> LogEmbed {
    let (severity, text) = match state {
        BudgetState::Open => (
            CardSeverity::Quiet,
            embeds::budget_open().in_language(language),
        ),
        BudgetState::Soft => (
            CardSeverity::Warning,
            embeds::budget_nearly_spent().in_language(language),
        ),
        BudgetState::Hard => (
            CardSeverity::Warning,
            embeds::budget_spent_today().in_language(language),
        ),
    };
    let mut embed = render_notice(severity, text);
    if readers == EmbedAudience::Operator {
        let (spent, cap) = (format_thousands(spent), format_thousands(cap));
        embed.footer = embeds::tokens_of_cap(cap, spent).in_language(language);
    } else {
        let share = if cap == 0 {
            1.0
        } else {
            (spent as f64 / cap as f64) as f32
        };
        embed.footer = formats::format_percent(share, language);
    }
    embed
}
