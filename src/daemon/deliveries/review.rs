//! Hooks look at every message of a turn before it is on record: what they refuse was never said, and what they change is
//! what is journaled. The turn waits for it as for a delivery.

use super::stored_action::DeliveryEvent;
use crate::daemon::loop_message::LoopMessage;
use crate::daemon::state::Daemon;
use kith_core::chat::TurnId;
use kith_core::event::{Event, TurnEvent};
use kith_core::outgoing::{OutgoingAction, VisibleAction};
use kith_core::report::{DeliveryFailure, FailureKind};
use kith_language::custom_tools;
use kith_tools::ToolContext;
use kith_tools::custom::ReviewedText;

impl Daemon {
    /// Delivers a message of a turn, or a reaction, once the hooks have seen what is said.
    pub(super) fn deliver_reviewed(&mut self, outgoing: OutgoingAction) {
        let (Some(turn), VisibleAction::Send { text, .. }) = (outgoing.turn, &outgoing.action)
        else {
            return self.deliver_action(outgoing, None);
        };
        let channel = self.find_channel(outgoing.channel);
        if channel.is_some_and(|here| !self.settings.resolve_hooks(&here).has_speech_hook()) {
            return self.deliver_action(outgoing, None);
        }
        let Some(context) = self.tool_context(outgoing.channel) else {
            let reviewed = ReviewedText {
                text: Err(custom_tools::hook_failed("a hook")),
                notes: Vec::new(),
            };
            return self.handle_reviewed_message(outgoing, turn, reviewed);
        };
        let (text, context) = (text.clone(), ToolContext { turn, ..context });
        let loop_sender = self.loop_sender.clone();
        let task = tokio::spawn(async move {
            let reviewed = context.hooks.review_speech(text, &context).await;
            let event = DeliveryEvent::Reviewed(Box::new((outgoing, turn, reviewed)));
            // The loop is only gone with the daemon.
            let _ = loop_sender.send(LoopMessage::Delivery(event)).await;
        });
        if let Some(running) = self.turns.get_mut(&turn) {
            running.tasks.push(task.abort_handle());
        }
    }

    pub(super) fn handle_reviewed_message(
        &mut self,
        mut outgoing: OutgoingAction,
        turn: TurnId,
        ReviewedText { text: said, notes }: ReviewedText,
    ) {
        for note in notes {
            self.add_turn_note(turn, note);
        }
        // Whoever stopped it meanwhile does not want it said.
        if self.core.find_turn_channel(turn).is_none() {
            return;
        }
        match said {
            Ok(said) => {
                if let VisibleAction::Send { text, .. } = &mut outgoing.action {
                    *text = said;
                }
                self.deliver_action(outgoing, None);
            }
            Err(why) => {
                let refusal = DeliveryFailure {
                    kind: FailureKind::Hook,
                    why: why.in_language(self.language_in(outgoing.channel)),
                };
                let (part, result) = (outgoing.part, Err(refusal));
                let event = TurnEvent::Delivered { part, result };
                self.handle_event(Event::Turn { turn, event });
            }
        }
    }
}
