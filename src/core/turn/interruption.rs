//! Somebody speaks while a turn runs. Between two messages of an answer the rest is dropped only where it is for nobody
//! else, and whoever may still have been owed an answer by it is answered by the next turn.

use super::machine::Turn;
use super::phase::TurnPhase;
use super::round::Round;
use super::turn_context::TurnContext;
use crate::chat::{Millis, SECOND, UserId};
use crate::effect::Effect;
use crate::timeline::Timeline;

/// The other half of a message comes this soon. A longer turn waits for a slow model, and would lose what it has written.
const OTHER_HALF_WITHIN: Millis = 20 * SECOND;

/// Somebody who speaks to the companion while a turn runs.
#[derive(Clone, Copy, Debug)]
pub struct Interruption {
    pub user: UserId,
    /// Whether the turn answers somebody who was put off before: nobody is put off twice.
    pub was_postponed: bool,
}

impl Turn {
    /// Somebody spoke to the companion while the turn runs (Law 1, Law 2): before anything visible was done the
    /// turn starts over with fresh context, once; later, what is not sent yet is dropped and the turn ends, unless it is
    /// for others. A call that must not be done twice is waited for either way: the round after it sees the new message.
    pub fn handle_interruption(
        &mut self,
        interruption: Interruption,
        context: &TurnContext<'_>,
        effects: &mut Vec<Effect>,
    ) {
        let TurnPhase::Running(round) = &self.phase else {
            return;
        };
        if self.has_acted() {
            if self.should_yield_to(interruption, round, context.timeline) {
                self.drop_rest(context, effects);
            }
        } else if self.record.retries.new_address.is_left() && !round.is_uninterruptible() {
            let kind = round.question.kind;
            self.record.retries.new_address.spend();
            let why = "started over because somebody spoke to it";
            self.start_over(why, kind, context.now, effects);
        }
    }

    /// Whether what is not said yet is dropped for who speaks now: it is for them alone.
    fn should_yield_to(
        &self,
        interruption: Interruption,
        round: &Round,
        timeline: &Timeline,
    ) -> bool {
        let to_say = || round.steps.iter().filter(|step| step.is_message());
        let targets = to_say().map(|step| step.find_reply_target(timeline));
        let obligations = &self.record.obligations;
        to_say().next().is_some()
            && !interruption.was_postponed
            && obligations.are_all_for(interruption.user, targets, timeline)
    }

    /// What is not said yet is dropped, and with it the rest of the answer.
    fn drop_rest(&mut self, context: &TurnContext<'_>, effects: &mut Vec<Effect>) {
        self.drive_round(context, effects, |executor| {
            executor.record.obligations.postpone_rest();
            executor.drop_unsent();
            executor.record.history.current_mut().cut = true;
            let note = "stopped between two messages because somebody spoke to it";
            executor.record.history.add_note(note);
            if !executor.round.is_uninterruptible() {
                executor.effects.push(Effect::CancelTurn {
                    turn: executor.record.identity.id,
                });
            }
            executor.round.drop_answer();
        });
    }

    /// Who is owed an answer wrote another line: it starts over until people see something; later the line waits.
    pub fn handle_followup_line(&mut self, context: &TurnContext<'_>, effects: &mut Vec<Effect>) {
        let Some(kind) = self.restartable_kind() else {
            return;
        };
        let is_late = context.now - self.record.identity.started > OTHER_HALF_WITHIN;
        if is_late || self.has_acted() || !self.record.retries.followup_line.is_left() {
            return;
        }
        self.record.retries.followup_line.spend();
        let why = "started over because who it answers wrote another line";
        self.start_over(why, kind, context.now, effects);
    }

    /// A member asked for quiet: what nobody or they themselves asked for ends. An answer to somebody else does not.
    pub fn handle_quiet_request(
        &mut self,
        by: UserId,
        context: &TurnContext<'_>,
        effects: &mut Vec<Effect>,
    ) {
        let obligations = &mut self.record.obligations;
        obligations.withdraw_person(by, context.timeline);
        if obligations.trigger().address.is_none() && !obligations.is_owed() {
            self.stop("somebody asked for quiet", effects);
        }
    }
}
