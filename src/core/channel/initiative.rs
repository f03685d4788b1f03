//! What a channel does with nobody speaking to the companion: it wakes for what was waited for, and when it may speak first
//! (`opening.rs`). All of it by one deadline, within its quotas; where nothing is due, nothing runs.

use serde::{Deserialize, Serialize};

use super::opening::ScheduledOpening;
use super::pending::RefusalExpiry;
use super::{ChannelDemands, ChannelState, DecisionContext};
use crate::chat::{AuthorKind, DAY, IntentionId, MINUTE, MessageId, Millis};
use crate::effect::Effect;
use crate::intent::{FiredIntent, IntentEnd, ScheduledIntent};
use crate::report::{DecisionOutcome, DecisionReport, Refusal, SelfTrigger, TurnTrigger};

/// No turn lasts so long: what a person wrote later came after what it said first.
const TURN_LASTS: Millis = 10 * MINUTE;
/// So much after it lapses an intention may still be looked at for what came in time.
const LATE: Millis = MINUTE;

/// How often it woke by itself. Numbers only; saved with the channel's state.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InitiativeCounts {
    /// The day the counts are of, in days since 1970, UTC, as budgets count them.
    day: Millis,
    /// Turns of that day that its intentions woke.
    wakes: u32,
    /// Turns of that day in which it could speak first.
    openings: u32,
    /// It spoke first, and no person has written since.
    unanswered: bool,
    /// When it began to.
    #[serde(default)]
    began: Millis,
    /// The message it spoke first with, as soon as that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    first_words: Option<MessageId>,
    /// The newest message of a person since: an answer can come in before what it answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    heard: Option<MessageId>,
    /// The message after which a lull was looked at: each is looked at once.
    pub(super) lull: Option<MessageId>,
    /// The beginning of the part of the day whose opening was looked at last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) opened: Option<Millis>,
}

impl InitiativeCounts {
    fn roll_over_day(&mut self, now: Millis) -> &mut Self {
        if self.day != now.div_euclid(DAY) {
            (self.day, self.wakes, self.openings) = (now.div_euclid(DAY), 0, 0);
        }
        self
    }

    fn record_opening(&mut self, now: Millis) {
        self.roll_over_day(now).openings += 1;
        (self.unanswered, self.began, self.first_words, self.heard) = (true, now, None, None);
    }

    /// It said something, at `at`: if it has just spoken first, then with that.
    pub(super) fn record_own_message(&mut self, id: MessageId, at: Millis) {
        if self.unanswered && at >= self.began {
            self.first_words.get_or_insert(id);
            self.update_unanswered();
        }
    }

    /// A person wrote. What is older than what it said first is no answer, however late it comes in.
    pub(super) fn record_person_message(&mut self, id: MessageId, at: Millis) {
        if self.unanswered {
            self.heard = self.heard.max(Some(id));
            self.update_unanswered();
            self.unanswered &= self.first_words.is_some() || at <= self.began + TURN_LASTS;
        }
    }

    fn update_unanswered(&mut self) {
        self.unanswered &= self.first_words.is_none() || self.heard < self.first_words;
    }

    /// It left unsaid what it could have said first.
    pub(super) fn clear_unanswered(&mut self) {
        self.unanswered = false;
    }
}

/// What a channel waits for, besides what is saved.
#[derive(Debug, Default)]
pub(super) struct PendingIntents {
    /// Without their notes.
    pub intentions: Vec<ScheduledIntent>,
    /// What forbade to wake for one that is due, and when that is looked at again: of what it set itself, and of what it
    /// owes somebody.
    held: [Option<(Refusal, RefusalExpiry)>; 2],
    /// The one the running turn woke for, kept until the turn has done something or is over.
    woken: Option<IntentionId>,
    /// When it may speak first by its schedule.
    pub opening: Option<ScheduledOpening>,
}

impl PendingIntents {
    fn find_held_refusal(&self, intention: &ScheduledIntent) -> Option<(Refusal, RefusalExpiry)> {
        self.held[usize::from(intention.is_owed())]
    }
}

impl ChannelState {
    /// What is waited for, put back after a restart: before the stored tail is heard.
    pub fn put_intentions_back(&mut self, intentions: Vec<ScheduledIntent>) {
        self.pending.intentions = intentions;
    }

    /// What is waited for, without the notes.
    pub fn intentions(&self) -> &[ScheduledIntent] {
        &self.pending.intentions
    }

    /// What forbids to wake for what has come, if that is so.
    pub fn intention_refusal(&self) -> Option<Refusal> {
        self.pending
            .held
            .iter()
            .flatten()
            .next()
            .map(|(refusal, _)| *refusal)
    }

    /// Takes over what it is to come back to.
    pub fn add_intention(&mut self, mut intention: ScheduledIntent, effects: &mut Vec<Effect>) {
        effects.push(Effect::SaveIntent {
            channel: self.channel.id,
            intention: Box::new(intention.clone()),
        });
        intention.note.clear();
        self.pending.intentions.push(intention);
    }

    /// Takes over what the running turn means to come back to. What arrived since its prompt counts already.
    pub fn adopt_turn_intentions(&mut self, effects: &mut Vec<Effect>) {
        let Some(turn) = &mut self.turn else { return };
        for mut intention in turn.take_new_intentions() {
            intention.note.clear();
            let messages = self.timeline.messages().map(|said| &said.message);
            for message in messages.filter(|message| message.author.kind != AuthorKind::Companion) {
                if intention.match_message(message) {
                    break;
                }
            }
            self.save_fired_intention(&intention, effects);
            self.pending.intentions.push(intention);
        }
    }

    /// Whether a message is what was waited for.
    pub(super) fn match_intentions(
        &mut self,
        message: &crate::chat::Message,
        effects: &mut Vec<Effect>,
    ) {
        let mut intentions = std::mem::take(&mut self.pending.intentions);
        for intention in &mut intentions {
            if intention.match_message(message) {
                self.save_fired_intention(intention, effects);
            }
        }
        self.pending.intentions = intentions;
    }

    fn save_fired_intention(&self, intention: &ScheduledIntent, effects: &mut Vec<Effect>) {
        if let Some(came) = intention.came {
            effects.push(Effect::SaveFiredIntent {
                channel: self.channel.id,
                id: intention.id,
                fired: came,
            });
        }
    }

    /// A message that had come was taken back.
    pub(super) fn withdraw_message(&mut self, id: MessageId) {
        for intention in &mut self.pending.intentions {
            intention.came = intention.came.filter(|came| came.message != Some(id));
        }
    }

    /// Takes intentions away: this one, or all.
    pub fn drop_intentions(
        &mut self,
        which: Option<IntentionId>,
        over: IntentEnd,
        effects: &mut Vec<Effect>,
    ) {
        let channel = self.channel.id;
        self.pending.intentions.retain(|intention| {
            let stays = which.is_some_and(|id| id != intention.id);
            if !stays {
                effects.push(Effect::EndIntent {
                    channel,
                    id: intention.id,
                    end: over,
                });
            }
            stays
        });
    }

    /// When something of its own is to be looked at. A burst is waited out: its beat looks at this as well.
    pub(super) fn self_trigger_due(&self) -> Option<Millis> {
        if self.burst.is_some() {
            return None;
        }
        let last = self.liveliness.silence_start();
        let due = |intention: &ScheduledIntent| {
            let at = intention.find_next_trigger(last)?.at;
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

    fn expire_intentions(&mut self, now: Millis, effects: &mut Vec<Effect>) {
        let (channel, last, all_held) = (
            self.channel.id,
            self.liveliness.silence_start(),
            self.pending.held,
        );
        self.pending.intentions.retain(|intention| {
            let held = all_held[usize::from(intention.is_owed())];
            // A clock is never looked at on the stroke: what came in time still wakes it.
            let came = || {
                intention
                    .find_next_trigger(last)
                    .is_some_and(|came| came.at <= now)
                    && held.is_none()
            };
            let stays = intention.expires >= now || intention.expires + LATE >= now && came();
            if !stays {
                let kept = held
                    .filter(|_| intention.find_next_trigger(last).is_some())
                    .map(|(refusal, _)| IntentEnd::Kept(refusal));
                let over = kept.unwrap_or(IntentEnd::Expired);
                effects.push(Effect::EndIntent {
                    channel,
                    id: intention.id,
                    end: over,
                });
            }
            stays
        });
        if self.pending.intentions.is_empty() {
            self.pending.held = [None; 2];
        }
    }

    /// The intention for which something has come, of those that fit, the earliest first.
    fn find_fired_intention(
        &self,
        now: Millis,
        fits: impl Fn(&ScheduledIntent) -> bool,
    ) -> Option<(IntentionId, FiredIntent)> {
        let last = self.liveliness.silence_start();
        let fitting = self
            .pending
            .intentions
            .iter()
            .filter(|intention| fits(intention));
        let come = fitting
            .filter_map(|intention| Some((intention.id, intention.find_next_trigger(last)?)));
        come.filter(|(_, came)| came.at <= now)
            .min_by_key(|(id, came)| (came.at, *id))
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

    /// When what forbids to wake for an intention is over, as far as that is known.
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

    /// What forbade to wake may be over.
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
        let (threshold, moved) = self.compute_resting_threshold();
        let message = message
            .and_then(|id| self.timeline.find(id))
            .map(|said| &said.message);
        let wake = TurnTrigger {
            message: message.map(|message| message.id),
            author: message.map(|message| message.author.id),
            address: None,
            addressed: Vec::new(),
            score: 0.0,
            bar: threshold,
            moved,
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
        let (threshold, moved) = self.compute_resting_threshold();
        let channel = self.channel.id;
        DecisionReport {
            channel,
            at: now,
            message: None,
            score: 0.0,
            bar: threshold,
            moved,
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
