//! A card that asks for a decision, and says afterwards who decided what; and one that says what was not done at all. The
//! first names whom it is about and who asked for it, for who decides must know; the second names nobody.

use super::formats::{capitalize, format_duration, truncate_line};
use super::{CardSeverity, LogEmbed, RenderContext};
use kith_core::approval::{ApprovalRequest, ApprovalState, ApprovalSubject};
use kith_core::moderation::{DenialReason, ModerationAction, REASON_CHARACTERS};
use kith_core::persona::Language;
use kith_core::proposed_call::ProposedCall;
use kith_language::approvals;

/// The most characters of who asked, and of what a tool answered.
const BESIDES: usize = 300;

/// The card of a proposal in its state. The reason and a call's parameters are shown: nobody decides without.
pub fn render_proposal(proposal: &ApprovalRequest, context: &RenderContext<'_>) -> LogEmbed {
    let language = context.language;
    let (what, message) = match &proposal.wanted {
        ApprovalSubject::Deed(action) => (proposal.wanted.describe(language), Some(action.message)),
        ApprovalSubject::Call(proposed) => {
            let name = &proposed.call.name;
            let line = proposed.line().map(|(message, _)| message);
            (approvals::call(name).in_language(language), line)
        }
    };
    let what = capitalize(&what);
    let is_waiting = proposal.state == ApprovalState::Waiting;
    let mut embed = LogEmbed {
        severity: choose_severity(proposal.state),
        linked_message: context.message_link(message),
        ..LogEmbed::default()
    };
    embed.title = if is_waiting {
        what + &approvals::question_mark().in_language(language)
    } else {
        what
    };
    embed.text = describe_status(proposal, language);
    embed.add_field(
        &approvals::where_asked().in_language(language),
        context.place(),
    );
    match &proposal.wanted {
        ApprovalSubject::Deed(action) => embed.add_field(
            &approvals::why_asked().in_language(language),
            truncate_line(&action.reason, REASON_CHARACTERS),
        ),
        ApprovalSubject::Call(proposed) => {
            add_call_fields(&mut embed, proposed, &proposal.tool_answer, language)
        }
    }
    let turn = proposal.source_call.0;
    embed.footer = approvals::turn(turn.to_string()).in_language(language);
    embed
}

/// What was answered stands before what it was given: that is what may be cut once it is decided.
fn add_call_fields(
    embed: &mut LogEmbed,
    proposed: &ProposedCall,
    answered: &str,
    language: Language,
) {
    let by: Vec<&str> = proposed.causes.iter().map(|author| &*author.name).collect();
    embed.add_field(
        &approvals::asked_for_by().in_language(language),
        truncate_line(&by.join(", "), BESIDES),
    );
    embed.add_field(
        &approvals::outcome().in_language(language),
        truncate_line(answered, BESIDES),
    );
    if let Some((_, author)) = proposed.line() {
        embed.add_field(
            &approvals::whose_line().in_language(language),
            &*author.name,
        );
    }
    embed.add_field(&approvals::what().in_language(language), &*proposed.preview);
    for (name, value) in &proposed.call.params {
        let plain = value
            .as_str()
            .filter(|text| !text.trim().is_empty())
            .map(str::to_owned);
        embed.add_field(name, plain.unwrap_or_else(|| value.to_string()));
    }
}

fn choose_severity(state: ApprovalState) -> CardSeverity {
    match state {
        ApprovalState::Waiting | ApprovalState::Approved | ApprovalState::Running => {
            CardSeverity::Warning
        }
        ApprovalState::Done => CardSeverity::Spoke,
        ApprovalState::Denied | ApprovalState::Expired => CardSeverity::Quiet,
        ApprovalState::Failed(_) => CardSeverity::Failed,
    }
}

fn describe_status(proposal: &ApprovalRequest, language: Language) -> String {
    let somebody = || approvals::a_moderator().in_language(language);
    let by = proposal
        .decided_by
        .as_ref()
        .map_or_else(somebody, |(_, name)| name.clone());
    match proposal.state {
        ApprovalState::Waiting => {
            let long = format_duration(proposal.expires - proposal.made, language);
            let who = match proposal.wanted {
                ApprovalSubject::Deed(_) => approvals::who_could_by_hand(),
                ApprovalSubject::Call(_) => approvals::a_moderator(),
            };
            approvals::asked(long, who).in_language(language)
        }
        ApprovalState::Approved | ApprovalState::Running => {
            approvals::approved_being_done(by).in_language(language)
        }
        ApprovalState::Done => approvals::approved_done(by).in_language(language),
        ApprovalState::Denied => approvals::denied(by).in_language(language),
        ApprovalState::Expired => approvals::expired().in_language(language),
        ApprovalState::Failed(obstacle) => {
            let why = obstacle.describe(language);
            approvals::approved_not_done(by, why).in_language(language)
        }
    }
}

pub fn render_denial(
    action: &ModerationAction,
    obstacle: DenialReason,
    context: &RenderContext<'_>,
) -> LogEmbed {
    let (place, action_name) = (context.place(), action.deed.name());
    LogEmbed {
        severity: CardSeverity::Warning,
        title: approvals::action_not_done(action_name, place).in_language(context.language),
        text: capitalize(&obstacle.describe(context.language)),
        linked_message: context.message_link(Some(action.message)),
        ..LogEmbed::default()
    }
}
