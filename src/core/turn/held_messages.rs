//! Messages that are kept back, and silence that is chosen.

use super::executor::RoundExecutor;
use super::hold_reason::HoldReason;
use super::params::read_text_param;
use crate::call::{ToolCall, ToolKind, ToolResult};
use crate::context::WorkingItem;
use crate::effect::Effect;
use crate::truncate::truncate_line;

/// The most characters of a message or reason that is quoted.
const QUOTED: usize = 80;

impl RoundExecutor<'_> {
    /// Keeps a message back: the model sees why, and is asked once more where somebody is owed an answer.
    pub(super) fn hold_back_message(&mut self, call: ToolCall, held: HoldReason) {
        self.report_held_back(held);
        let param = match held {
            HoldReason::SilenceWhenAddressed => "reason",
            _ => "text",
        };
        let text = read_text_param(&call, param);
        let quoted = truncate_line(text.trim(), QUOTED);
        self.add_note(format!("held back \"{quoted}\": {}", held.reason()));
        let result = ToolResult::error(held.to_message().in_language(self.record.language()));
        self.record.history.record_call(
            call.clone(),
            ToolKind::Visible,
            Some(result.clone()),
            self.context.now,
        );
        if held != HoldReason::SaidInTurn {
            self.round.hold_reason = Some(held);
            self.remember(WorkingItem::Called { call, result });
        }
    }

    pub(super) fn report_held_back(&mut self, held: HoldReason) {
        self.effects.push(Effect::ReportHeldBack {
            channel: self.record.identity.channel,
            why: held.reason(),
        });
    }

    /// It says that nothing is said: nobody is owed more.
    pub(super) fn choose_silence(&mut self, reason: &str) {
        self.record.obligations.settle();
        self.round.silence_reason = Some(describe_silence(reason));
    }
}

pub(super) fn describe_silence(reason: &str) -> String {
    let reason = truncate_line(reason.trim(), QUOTED);
    if reason.is_empty() {
        return "no reason given".into();
    }
    reason
}
