//! What a lane does with nobody speaking to the companion: it wakes for what was waited for, breaks a long lull, and
//! opens a part of the day. All of it by one deadline; where nothing is due, nothing runs.

use serde::{Deserialize, Serialize};

use super::unseen::Passes;
use super::{Lane, Outside, Wants};
use crate::core::chat::{AuthorKind, ChannelKind, DAY, HOUR, IntentionId, MINUTE, MessageId, Millis};
use crate::core::effect::Effect;
use crate::core::intent::{Came, Intention, Over};
use crate::core::policy::Mode;
use crate::core::report::{BeatOutcome, BeatReport, Own, Refusal, TurnOutcome, TurnReport, Wake};

/// So many lines of people in so short a time make a channel lively, where more than one of them wrote.
const LIVELY_LINES: usize = 12;
const LIVELY_WITHIN: Millis = HOUR;
/// So long ago at most it was lively, where a lull is broken.
const LIVELY_LATELY: Millis = 12 * HOUR;
/// A channel in which no person wrote for so long is not greeted.
const ALIVE: Millis = 3 * DAY;
/// An opening comes within so much time from the beginning of its part of the day, not on the stroke.
const OPENS_WITHIN: Millis = 10 * MINUTE;

/// How often it woke by itself. Numbers only; saved with the lane.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Initiative {
    /// The day the counts are of, in days since 1970, UTC, as budgets count them.
    day: Millis,
    /// Turns of that day that its intentions woke.
    wakes: u32,
    /// Turns of that day in which it could speak first.
    openings: u32,
    /// It spoke first, and no person has written since.
    unanswered: bool,
    /// The message after which a lull was looked at: each is looked at once.
    lull: Option<MessageId>,
}

impl Initiative {
    fn of_day(&mut self, now: Millis) -> &mut Self {
        if self.day != now.div_euclid(DAY) {
            (self.day, self.wakes, self.openings) = (now.div_euclid(DAY), 0, 0);
        }
        self
    }

    /// A person wrote.
    pub(super) fn answered(&mut self) {
        self.unanswered = false;
    }
}

/// What a lane waits for, besides what is saved.
#[derive(Debug, Default)]
pub(super) struct Pending {
    /// Without their notes.
    pub intentions: Vec<Intention>,
    /// What forbade to wake for one that is due, and when that is looked at again.
    held: Option<(Refusal, Passes)>,
    /// The one the running turn woke for, kept until the turn has done something or is over.
    woken: Option<IntentionId>,
    /// When it may speak first by its schedule.
    opening: Option<Millis>,
}

impl Lane {
    /// What is waited for, put back after a restart: before the stored tail is heard.
    pub fn put_intentions_back(&mut self, intentions: Vec<Intention>) {
        self.pending.intentions = intentions;
    }

    /// What is waited for, without the notes.
    pub fn intentions(&self) -> &[Intention] {
        &self.pending.intentions
    }

    /// What forbids to wake for what has come, if that is so.
    pub fn intentions_held(&self) -> Option<Refusal> {
        self.pending.held.map(|(refusal, _)| refusal)
    }

    /// The settings or the time changed: when it may speak first next.
    pub fn plan_opening(&mut self, now: Millis) {
        let may = self.may_open();
        let schedule = self.policy.persona.schedule.as_ref().filter(|_| may);
        self.pending.opening = schedule.and_then(|schedule| schedule.opens(now)).map(|at| at + self.delay(at));
    }

    /// Whether it may ever speak first here. Not in direct messages, and not in threads, which end by themselves.
    fn may_open(&self) -> bool {
        self.policy.initiative.openings_a_day > 0
            && self.policy.mode == Mode::On
            && self.channel.kind == ChannelKind::Group
    }

    /// The same for one channel and one moment, different for others.
    fn delay(&self, at: Millis) -> Millis {
        let mixed = (self.channel.id.0 ^ at.unsigned_abs()).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 33;
        Millis::try_from(mixed).unwrap_or(0) % OPENS_WITHIN
    }

    /// Takes over what the running turn means to come back to. What arrived since its prompt counts already.
    pub fn intend(&mut self, effects: &mut Vec<Effect>) {
        let Some(turn) = &mut self.turn else { return };
        for mut intention in turn.take_intended() {
            intention.note.clear();
            let messages = self.timeline.messages().map(|said| &said.message);
            for message in messages.filter(|message| message.author.kind != AuthorKind::Companion) {
                if intention.hear(message) {
                    break;
                }
            }
            self.keep_came(&intention, effects);
            self.pending.intentions.push(intention);
        }
    }

    /// Whether a message is what was waited for.
    pub(super) fn hear_for_intentions(&mut self, message: &crate::core::chat::Message, effects: &mut Vec<Effect>) {
        let mut intentions = std::mem::take(&mut self.pending.intentions);
        for intention in &mut intentions {
            if intention.hear(message) {
                self.keep_came(intention, effects);
            }
        }
        self.pending.intentions = intentions;
    }

    fn keep_came(&self, intention: &Intention, effects: &mut Vec<Effect>) {
        if let Some(came) = intention.came {
            effects.push(Effect::Came { channel: self.channel.id, id: intention.id, came });
        }
    }

    /// A message that had come was taken back.
    pub(super) fn withdraw(&mut self, id: MessageId) {
        for intention in &mut self.pending.intentions {
            intention.came = intention.came.filter(|came| came.message != Some(id));
        }
    }

    /// Takes intentions away: this one, or all.
    pub fn let_go(&mut self, which: Option<IntentionId>, over: Over, effects: &mut Vec<Effect>) {
        let channel = self.channel.id;
        self.pending.intentions.retain(|intention| {
            let stays = which.is_some_and(|id| id != intention.id);
            if !stays {
                effects.push(Effect::IntentionOver { channel, id: intention.id, over });
            }
            stays
        });
    }

    /// When something of its own is to be looked at. A burst is waited out: its beat looks at this as well.
    pub(super) fn own_due(&self) -> Option<Millis> {
        if self.burst.is_some() {
            return None;
        }
        let last = self.last_at();
        let next = || self.pending.intentions.iter().filter_map(|intention| Some(intention.next(last)?.at)).min();
        let intended = match self.pending.held {
            None => next(),
            Some((_, Passes::At(until))) => next().map(|at| at.max(until)),
            Some(_) => None,
        };
        let lapses = self.pending.intentions.iter().map(|intention| intention.expires + 1).min();
        let due = [intended, lapses, self.lull_due(), self.pending.opening].into_iter().flatten().min()?;
        Some(self.looking_back.map_or(due, |until| due.max(until)))
    }

    /// When the newest message was written.
    fn last_at(&self) -> Option<Millis> {
        self.timeline.messages().next_back().map(|said| said.message.at)
    }

    /// When a lively channel has been silent for long.
    fn lull_due(&self) -> Option<Millis> {
        let last = self.timeline.messages().next_back().filter(|_| self.may_open())?;
        if self.state.initiative.lull == Some(last.message.id) {
            return None;
        }
        let people = self.timeline.messages().map(|said| &said.message);
        let lately = people.filter(|message| message.author.kind == AuthorKind::Person);
        let lately: Vec<_> = lately.filter(|message| message.at > last.message.at - LIVELY_LATELY).collect();
        let lively = lately.windows(LIVELY_LINES).any(|lines| {
            let (first, end) = (lines[0], lines[LIVELY_LINES - 1]);
            end.at - first.at <= LIVELY_WITHIN && lines.iter().any(|line| line.author.id != first.author.id)
        });
        lively.then(|| last.message.at + Millis::from(self.policy.initiative.lull_minutes) * MINUTE)
    }

    /// Adds its own reasons to what messages came to: a turn that starts anyway hears what has come as well.
    pub(super) fn with_own(&mut self, wants: Wants, outside: Outside<'_>, effects: &mut Vec<Effect>) -> Wants {
        self.let_lapse(outside.now, effects);
        match wants {
            Wants::Turn(mut wake) => {
                wake.own = self.first_come(outside.now).map(|(id, came)| Own::Waited { id, cause: came.cause });
                Wants::Turn(wake)
            }
            Wants::Nothing => self.look_at_own(outside, effects),
        }
    }

    fn let_lapse(&mut self, now: Millis, effects: &mut Vec<Effect>) {
        let (channel, last, held) = (self.channel.id, self.last_at(), self.pending.held);
        self.pending.intentions.retain(|intention| {
            let stays = intention.expires >= now;
            if !stays {
                let kept = held.filter(|_| intention.next(last).is_some()).map(|(refusal, _)| Over::Kept(refusal));
                let over = kept.unwrap_or(Over::Expired);
                effects.push(Effect::IntentionOver { channel, id: intention.id, over });
            }
            stays
        });
        if self.pending.intentions.is_empty() {
            self.pending.held = None;
        }
    }

    /// The intention for which something has come, the earliest first.
    fn first_come(&self, now: Millis) -> Option<(IntentionId, Came)> {
        let last = self.last_at();
        let come = self.pending.intentions.iter().filter_map(|intention| Some((intention.id, intention.next(last)?)));
        come.filter(|(_, came)| came.at <= now).min_by_key(|(id, came)| (came.at, *id))
    }

    fn look_at_own(&mut self, outside: Outside<'_>, effects: &mut Vec<Effect>) -> Wants {
        let now = outside.now;
        if let Some((id, came)) = self.first_come(now) {
            let own = Own::Waited { id, cause: came.cause };
            let Some(refusal) = self.refusal_of_own(own, outside) else {
                return Wants::Turn(self.own_wake(own, came.message, now, effects));
            };
            let passes = self.own_passes(refusal, now);
            if self.pending.held != Some((refusal, passes)) {
                self.report_own(own, refusal, now, effects);
            }
            self.pending.held = Some((refusal, passes));
        } else {
            self.pending.held = None;
        }
        match self.opening_due(now) {
            None => Wants::Nothing,
            Some(own) => match self.refusal_of_own(own, outside) {
                None => Wants::Turn(self.own_wake(own, None, now, effects)),
                Some(refusal) => {
                    self.report_own(own, refusal, now, effects);
                    Wants::Nothing
                }
            },
        }
    }

    /// An opening whose moment has come; each is looked at once.
    fn opening_due(&mut self, now: Millis) -> Option<Own> {
        let mut due = None;
        if self.pending.opening.is_some_and(|at| at <= now) {
            self.plan_opening(now);
            let people = self.timeline.messages().rev().find(|said| said.message.author.kind == AuthorKind::Person);
            due = people.is_some_and(|said| now - said.message.at < ALIVE).then_some(Own::Opening);
        }
        if self.lull_due().is_some_and(|at| at <= now) {
            let last = self.timeline.messages().next_back().map(|said| &said.message);
            self.state.initiative.lull = last.map(|last| last.id);
            self.changed = true;
            let minutes = last.map_or(0, |last| (now - last.at) / MINUTE);
            due = due.or(Some(Own::Lull { minutes: u32::try_from(minutes).unwrap_or(0) }));
        }
        due
    }

    /// What forbids to wake for a reason of its own.
    fn refusal_of_own(&mut self, own: Own, outside: Outside<'_>) -> Option<Refusal> {
        let now = outside.now;
        if let Some(refusal) = self.refusal(false, outside) {
            return Some(refusal);
        }
        let limits = &self.policy.initiative;
        let fitting = limits.hours.hold(now, self.policy.persona.timezone());
        let (wakes, openings) = (limits.wakes_a_day, limits.openings_a_day);
        let today = self.state.initiative.of_day(now);
        match own {
            Own::Waited { .. } => (today.wakes >= wakes).then_some(Refusal::Quota),
            Own::Lull { .. } | Own::Opening if today.openings >= openings => Some(Refusal::Quota),
            Own::Lull { .. } | Own::Opening if today.unanswered => Some(Refusal::Unanswered),
            // Its schedule says itself when a part of the day begins.
            Own::Lull { .. } => (!fitting).then_some(Refusal::Quiet),
            Own::Opening => None,
        }
    }

    /// When what forbids to wake for an intention is over, as far as that is known.
    fn own_passes(&self, refusal: Refusal, now: Millis) -> Passes {
        match refusal {
            Refusal::Quota => Passes::At((now.div_euclid(DAY) + 1) * DAY),
            Refusal::Quiet => self.quiet_ends(now).map_or(Passes::Sometime, Passes::At),
            _ => match self.passes(refusal, now) {
                Passes::Never => Passes::Sometime,
                passes => passes,
            },
        }
    }

    /// What forbade to wake may be over.
    pub(super) fn reconsider_own(&mut self) {
        self.pending.held = None;
    }

    fn own_wake(&mut self, own: Own, message: Option<MessageId>, now: Millis, effects: &mut Vec<Effect>) -> Wake {
        let (bar, moved) = self.resting_bar();
        let message = message.and_then(|id| self.timeline.find(id)).map(|said| &said.message);
        let wake = Wake {
            message: message.map(|message| message.id),
            author: message.map(|message| message.author.id),
            address: None,
            addressed: Vec::new(),
            score: 0.0,
            bar,
            moved,
            own: Some(own),
        };
        effects.push(Effect::Beat(Box::new(self.own_beat(own, BeatOutcome::Own, now))));
        wake
    }

    fn report_own(&self, own: Own, refusal: Refusal, now: Millis, effects: &mut Vec<Effect>) {
        effects.push(Effect::Beat(Box::new(self.own_beat(own, BeatOutcome::Refused(refusal), now))));
    }

    fn own_beat(&self, own: Own, outcome: BeatOutcome, now: Millis) -> BeatReport {
        let (bar, moved) = self.resting_bar();
        let channel = self.channel.id;
        BeatReport { channel, at: now, message: None, score: 0.0, bar, moved, outcome, own: Some(own) }
    }

    /// A turn starts that wakes for a reason of its own: that counts at once, for the process may die in it.
    pub(super) fn begin_own(&mut self, wake: &Wake, now: Millis) {
        let Some(own) = wake.own else { return };
        let today = self.state.initiative.of_day(now);
        match own {
            Own::Waited { id, .. } => {
                today.wakes += u32::from(wake.address.is_none());
                self.pending.intentions.retain(|intention| intention.id != id);
                (self.pending.woken, self.pending.held) = (Some(id), None);
            }
            Own::Lull { .. } | Own::Opening => {
                today.openings += 1;
                today.unanswered = true;
            }
        }
        self.changed = true;
    }

    /// The running turn has done something or is over: what woke it does not wake it again, also not after a crash.
    pub fn settle_own(&mut self, over: bool, effects: &mut Vec<Effect>) {
        let acted = over || self.turn.as_ref().is_some_and(|turn| turn.has_acted());
        if let Some(id) = self.pending.woken.take_if(|_| acted) {
            effects.push(Effect::IntentionOver { channel: self.channel.id, id, over: Over::Woke });
        }
    }

    /// A turn is over: an opening in which it said nothing needs no answer.
    pub(super) fn opening_ended(&mut self, report: &TurnReport) {
        if matches!(report.wake.own, Some(Own::Lull { .. } | Own::Opening)) && report.outcome != TurnOutcome::Acted {
            self.state.initiative.unanswered = false;
        }
    }
}
