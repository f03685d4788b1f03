//! Deeds about members: read from a call, with whoever they are about found in the history by the number of a line, so
//! that no name can stand for another. Whether it may be done is decided outside, and nothing is done twice.

use super::executor::RoundExecutor;
use super::params::read_text_param;
use super::turn_context::TurnContext;
use super::turn_wait::PendingStep;
use crate::call::{ToolCall, ToolKind};
use crate::chat::AuthorKind;
use crate::effect::Effect;
use crate::moderation::{LONGEST_TIME_OUT, ModerationAction, ModerationKind, REASON_CHARACTERS};
use crate::timeline::{Timeline, TimelineMessage};
use kith_language::{LocalizedMessage, refusals};

impl RoundExecutor<'_> {
    /// Asks for the deed, or tells the model what is wrong with its call.
    pub(super) fn plan_moderation(&mut self, kind: ModerationKind, call: ToolCall) {
        let action = match parse_action(kind, &call, self.context) {
            Ok(action) => Box::new(action),
            Err(refusal) => return self.refuse_call(call, Some(ToolKind::Visible), refusal),
        };
        let report = self.record_visible_call(call);
        self.record.counts.count_visible(kind.name());
        let call = self.record.counts.number_call();
        self.round.wait = Some(PendingStep::Moderation { call, report });
        let causes = self.record.obligations.find_causes(self.context.timeline);
        self.effects.push(Effect::Moderate {
            turn: self.record.identity.id,
            call,
            action,
            causes: causes.into_iter().map(|author| author.id).collect(),
        });
    }
}

fn parse_action(
    kind: ModerationKind,
    call: &ToolCall,
    context: &TurnContext<'_>,
) -> Result<ModerationAction, LocalizedMessage> {
    let guild = context.channel.guild.ok_or_else(refusals::no_members)?;
    let said = find_line(call, context.timeline).ok_or_else(refusals::no_line)?;
    let author = &said.message.author;
    match author.kind {
        AuthorKind::Companion => return Err(refusals::own_line()),
        AuthorKind::Webhook if kind.is_about_member() => return Err(refusals::webhook_line()),
        _ => {}
    }
    let reason: String = read_text_param(call, "reason")
        .trim()
        .chars()
        .take(REASON_CHARACTERS)
        .collect();
    if reason.is_empty() {
        return Err(refusals::no_reason());
    }
    Ok(ModerationAction {
        deed: kind,
        guild,
        channel: context.channel.id,
        user: author.id,
        name: author.name.to_string(),
        message: said.message.id,
        minutes: if kind == ModerationKind::TimeoutMember {
            Some(parse_minutes(call)?)
        } else {
            None
        },
        reason,
    })
}

fn find_line<'a>(call: &ToolCall, timeline: &'a Timeline) -> Option<&'a TimelineMessage> {
    let number = read_text_param(call, "line");
    timeline.find_by_short_id(number.trim().trim_start_matches('#').parse().ok()?)
}

fn parse_minutes(call: &ToolCall) -> Result<u32, LocalizedMessage> {
    let minutes = read_text_param(call, "minutes")
        .trim()
        .parse()
        .ok()
        .filter(|minutes| (1..=LONGEST_TIME_OUT).contains(minutes));
    minutes.ok_or_else(|| refusals::number_range(LONGEST_TIME_OUT, "minutes"))
}
