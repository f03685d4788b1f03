//! Small cards about what is not a turn: refusals, budget stops, errors, reconnects.

use super::words::{capitalize, format_thousands};
use super::{CardSeverity, EmbedAudience, LogEmbed, RenderContext, words};
use kith_core::chat::MessageId;
use kith_core::event::BudgetState;
use kith_core::persona::Language;
use kith_core::report::MessageDecision;
use kith_core::session::Session;
use kith_core::willingness::explain_decision;

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
        title: language.pick(
            format!("Not answered in {place}"),
            format!("没有回应：{place}"),
        ),
        text: capitalize(&explain_decision(decision, language)),
        linked_message: context.message_link(Some(decision.message)),
        ..LogEmbed::default()
    }
}

/// A session was opened.
pub fn render_session(session: &Session, context: &RenderContext<'_>) -> LogEmbed {
    let (language, id, place) = (context.language, session.id, context.place());
    let mut embed = LogEmbed {
        severity: CardSeverity::Spoke,
        title: language.pick(
            format!("Session {id} opened in {place}"),
            format!("{place} 开了会话 {id}"),
        ),
        ..LogEmbed::default()
    };
    if context.can_show_text() {
        embed.text.clone_from(&session.label);
    }
    embed.add_field(
        language.pick("Profile", "类型"),
        session.config.profile.clone().unwrap_or_default(),
    );
    embed.add_field(
        language.pick("Begins with", "开始时带上"),
        session.config.start.to_string(),
    );
    embed
}

/// A moderator keeps a picture of a message, or keeps it no more. What it is called is not told: those are its author's
/// words, and go with them.
pub fn render_sticker(message: MessageId, is_kept: bool, context: &RenderContext<'_>) -> LogEmbed {
    let (language, place) = (context.language, context.place());
    let title = match is_kept {
        true => language.pick(
            format!("A picture of {place} is a sticker now"),
            format!("{place} 的一张图片成了贴纸"),
        ),
        false => language.pick(
            format!("A picture of {place} is no sticker any more"),
            format!("{place} 的一张图片不再是贴纸"),
        ),
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
            language.pick("The budget is open again: I answer as usual.", "预算恢复了：照常回应。"),
        ),
        BudgetState::Soft => (
            CardSeverity::Warning,
            language.pick(
                "Most of today's budget is spent: until midnight UTC only those who speak to me are answered.",
                "今天的预算快用完了：UTC 零点之前只回应直接找我的人。",
            ),
        ),
        BudgetState::Hard => (
            CardSeverity::Warning,
            language.pick(
                "Today's budget is spent: nobody is answered until midnight UTC.",
                "今天的预算已用完：UTC 零点之前不再回应。",
            ),
        ),
    };
    let mut embed = render_notice(severity, text);
    if readers == EmbedAudience::Operator {
        let (spent, cap) = (format_thousands(spent), format_thousands(cap));
        embed.footer = language.pick(
            format!("{spent} of {cap} tokens"),
            format!("{spent} / {cap} 词元"),
        );
    } else {
        let share = if cap == 0 {
            1.0
        } else {
            (spent as f64 / cap as f64) as f32
        };
        embed.footer = words::format_percent(share, language);
    }
    embed
}
