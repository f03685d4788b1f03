//! What a channel does with nobody speaking to the companion: it wakes for what was waited for, and when it may speak first
//! (`proactive_opening.rs`). All of it by one deadline, within its quotas; where nothing is due, nothing runs.

use super::channel_state::ChannelState;
use super::demands::{ChannelDemands, DecisionContext};
use super::pending_message::RefusalExpiry;
use crate::chat::{DAY, MessageId, Millis};
use crate::effect::Effect;
use crate::intent::{IntentEnd, ScheduledIntent};
use crate::report::{DecisionOutcome, DecisionReport, Refusal, SelfTrigger, TurnTrigger};

impl ChannelState {
    /// When something of its own is to be looked at. A burst is waited out: its decision looks at this as well.
    pub(super) fn self_trigger_due(&self) -> Option<Millis> {
        if self.burst.is_some() {
            return None;
        }
        let due = |intention: &ScheduledIntent| {
            let at = intention.find_next_trigger()?.at;
            match self.pending.find_held_refusal(intention) {
                None => Some(at),
                Some((_, RefusalExpiry::At(until))) => Some(at.max(until)),
                Some(_) => None,
            }
        };
        let intended = self.pending.intentions.iter().filter_map(due).min();
        let lapses = self
            .pending
            .intentions
            .iter()
            .map(|intention| intention.expires + 1)
            .min();
        let opening = self.pending.opening.map(|opening| opening.at);
        let due = [intended, lapses, self.lull_due(), opening]
            .into_iter()
            .flatten()
            .min()?;
        Some(self.postponed_until.map_or(due, |until| due.max(until)))
    }

    /// Adds its own reasons to what messages came to: a turn that starts anyway hears what has come as well.
    pub(super) fn add_self_triggers(
        &mut self,
        demands: ChannelDemands,
        context: DecisionContext<'_>,
        effects: &mut Vec<Effect>,
    ) -> ChannelDemands {
        self.expire_intentions(context.now, effects);
        match demands {
            ChannelDemands::Turn(mut wake) => {
                let come = self.find_fired_intention(context.now, |_| true);
                wake.own = come.map(|(id, came)| SelfTrigger::Waited {
                    id,
                    cause: came.cause,
                });
                ChannelDemands::Turn(wake)
            }
            ChannelDemands::Nothing => self.look_at_self_triggers(context, effects),
        }
    }

    fn look_at_self_triggers(
        &mut self,
        context: DecisionContext<'_>,
        effects: &mut Vec<Effect>,
    ) -> ChannelDemands {
        let now = context.now;
        for owed in [true, false] {
            let held = usize::from(owed);
            let Some((id, came)) =
                self.find_fired_intention(now, |intention| intention.is_owed() == owed)
            else {
                self.pending.held[held] = None;
                continue;
            };
            let own = SelfTrigger::Waited {
                id,
                cause: came.cause,
            };
            let Some(refusal) = self.find_trigger_refusal(own, context) else {
                return ChannelDemands::Turn(self.build_turn_trigger(
                    own,
                    came.message,
                    now,
                    effects,
                ));
            };
            let expiry = self.find_trigger_expiry(refusal, now);
            if self.pending.held[held] != Some((refusal, expiry)) {
                self.report_trigger_refusal(own, refusal, now, effects);
            }
            self.pending.held[held] = Some((refusal, expiry));
        }
        match self.take_due_opening(context) {
            None => ChannelDemands::Nothing,
            Some(own) => match self.find_trigger_refusal(own, context) {
                None => ChannelDemands::Turn(self.build_turn_trigger(own, None, now, effects)),
                Some(refusal) => {
                    self.report_trigger_refusal(own, refusal, now, effects);
                    ChannelDemands::Nothing
                }
            },
        }
    }

    /// What forbids to wake for a reason of its own. What it owes somebody is treated as what that person said.
    fn find_trigger_refusal(
        &mut self,
        own: SelfTrigger,
        context: DecisionContext<'_>,
    ) -> Option<Refusal> {
        let now = context.now;
        let is_owed = self.is_owed(own);
        if let Some(refusal) = self.find_channel_refusal(is_owed, context) {
            return Some(refusal);
        }
        let limits = &self.policy.initiative;
        let fitting = limits.hours.is_active(now, self.policy.persona.timezone());
        let (wakes, openings) = (limits.wakes_a_day, limits.openings_a_day);
        let today = self.state.initiative.roll_over_day(now);
        match own {
            SelfTrigger::Waited { .. } => {
                (!is_owed && today.wakes >= wakes).then_some(Refusal::Quota)
            }
            SelfTrigger::Lull { .. } | SelfTrigger::Opening if today.openings >= openings => {
                Some(Refusal::Quota)
            }
            SelfTrigger::Lull { .. } | SelfTrigger::Opening if today.unanswered => {
                Some(Refusal::Unanswered)
            }
            // Its schedule says itself when a part of the day begins.
            SelfTrigger::Lull { .. } => (!fitting).then_some(Refusal::Quiet),
            SelfTrigger::Opening => None,
        }
    }

    fn is_owed(&self, own: SelfTrigger) -> bool {
        let SelfTrigger::Waited { id, .. } = own else {
            return false;
        };
        self.pending
            .intentions
            .iter()
            .any(|intention| intention.id == id && intention.is_owed())
    }

    fn find_trigger_expiry(&self, refusal: Refusal, now: Millis) -> RefusalExpiry {
        match refusal {
            Refusal::Quota => RefusalExpiry::At((now.div_euclid(DAY) + 1) * DAY),
            Refusal::Quiet => self
                .quiet_end(now)
                .map_or(RefusalExpiry::OnEvent, RefusalExpiry::At),
            _ => match self.find_refusal_expiry(refusal, now) {
                RefusalExpiry::Never => RefusalExpiry::OnEvent,
                passes => passes,
            },
        }
    }

    pub(super) fn clear_held_refusals(&mut self) {
        self.pending.held = [None; 2];
    }

    fn build_turn_trigger(
        &mut self,
        own: SelfTrigger,
        message: Option<MessageId>,
        now: Millis,
        effects: &mut Vec<Effect>,
    ) -> TurnTrigger {
        let (threshold, shift) = self.compute_threshold(None, false);
        let message = message
            .and_then(|id| self.timeline.find(id))
            .map(|said| &said.message);
        let wake = TurnTrigger {
            message: message.map(|message| message.id),
            author: message.map(|message| message.author.id),
            address: None,
            addressed: Vec::new(),
            score: 0.0,
            threshold,
            shift,
            goes_on: false,
            is_doubtful: false,
            own: Some(own),
        };
        effects.push(Effect::ReportDecision(Box::new(self.build_trigger_report(
            own,
            DecisionOutcome::Own,
            now,
        ))));
        wake
    }

    fn report_trigger_refusal(
        &self,
        own: SelfTrigger,
        refusal: Refusal,
        now: Millis,
        effects: &mut Vec<Effect>,
    ) {
        effects.push(Effect::ReportDecision(Box::new(self.build_trigger_report(
            own,
            DecisionOutcome::Refused(refusal),
            now,
        ))));
    }

    fn build_trigger_report(
        &self,
        own: SelfTrigger,
        outcome: DecisionOutcome,
        now: Millis,
    ) -> DecisionReport {
        let (threshold, shift) = self.compute_threshold(None, false);
        let channel = self.channel.id;
        DecisionReport {
            channel,
            at: now,
            message: None,
            score: 0.0,
            threshold,
            shift,
            outcome,
            own: Some(own),
        }
    }

    /// A turn starts that wakes for a reason of its own: that counts at once, for the process may die in it.
    pub(super) fn begin_self_trigger(&mut self, wake: &TurnTrigger, now: Millis) {
        let Some(own) = wake.own else { return };
        match own {
            SelfTrigger::Waited { id, .. } => {
                let counts = wake.address.is_none() && !self.is_owed(own);
                self.state.initiative.roll_over_day(now).wakes += u32::from(counts);
                self.pending
                    .intentions
                    .retain(|intention| intention.id != id);
                (self.pending.woken, self.pending.held) = (Some(id), [None; 2]);
            }
            SelfTrigger::Lull { .. } | SelfTrigger::Opening => {
                self.state.initiative.record_opening(now);
            }
        }
        self.changed = true;
    }

    /// The running turn has done something or is over: what woke it does not wake it again, also not after a crash.
    pub fn settle_self_trigger(&mut self, over: bool, effects: &mut Vec<Effect>) {
        let acted = over || self.turn.as_ref().is_some_and(|turn| turn.has_acted());
        if let Some(id) = self.pending.woken.take_if(|_| acted) {
            effects.push(Effect::EndIntent {
                channel: self.channel.id,
                id,
                end: IntentEnd::Woke,
            });
        }
    }
}
