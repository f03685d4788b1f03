//! One channel's state machine: hears messages, waits bursts out, decides at a beat, and holds the running turn.
//! It acts on its own channel only; places for turns are handed out by the core.

mod burst;
mod unseen;

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::chat::{AuthorKind, Channel, Message, MessageId, Millis, UserId};
use super::context::Window;
use super::effect::Effect;
use super::event::BudgetState;
use super::policy::{ADDRESS_FRESH, Mode, Policy};
use super::report::{BeatOutcome, BeatReport, Decision, Refusal, Wake};
use super::timeline::Timeline;
use super::turn::{Ended, Surroundings, Turn};
use burst::Burst;
use unseen::{Unseen, standing_refusal};

use super::willingness::{Listener, Score, Sense, Weights};

/// The most unseen messages a lane keeps apart; older ones are still in the timeline.
const UNSEEN_KEPT: usize = 128;
/// The most messages that are named as the conversation a turn joins.
const CONVERSATION_SHOWN: usize = 8;
/// At most one small reaction a person in this time.
const SMALL_REACTION_EVERY: Millis = ADDRESS_FRESH;

/// What of a lane outlives the process; texts and messages come back from the store.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LaneState {
    /// Up to this arrival number a turn or a beat has looked at everything.
    pub seen: u64,
    /// Up to this arrival number the sense has heard everything.
    pub heard: u64,
    /// The willingness's memory of the channel.
    pub sense: Sense,
}

impl LaneState {
    /// The state of a channel nothing is known of.
    pub fn new(weights: &Weights) -> Self {
        Self { seen: 0, heard: 0, sense: Sense::new(weights) }
    }
}

/// What a lane wants after an event.
#[derive(Clone, Debug, PartialEq)]
pub enum Wants {
    /// Nothing.
    Nothing,
    /// A place for a turn.
    Turn(Wake),
}

/// What is wanted from everything outside the lane while it handles something.
#[derive(Clone, Copy, Debug)]
pub struct Outside<'a> {
    /// Now.
    pub now: Millis,
    /// The weights of the willingness.
    pub weights: &'a Weights,
    /// What is left of the budget.
    pub budget: BudgetState,
}

/// One channel's state.
#[derive(Debug)]
pub struct Lane {
    /// The channel as people see it.
    pub channel: Channel,
    policy: Arc<Policy>,
    listener: Listener,
    timeline: Timeline,
    state: LaneState,
    /// Up to this arrival number the state that was put back had heard everything.
    heard_before: u64,
    /// What part of the timeline the prompt shows.
    pub window: Window,
    unseen: VecDeque<Unseen>,
    burst: Option<Burst>,
    /// The running turn.
    pub turn: Option<Turn>,
    latest: Option<Score>,
    unsent: Vec<String>,
    late: Vec<String>,
    small_reactions: HashMap<UserId, Millis>,
    changed: bool,
}

impl Lane {
    /// A lane with its saved or new state; the stored tail is heard again afterwards.
    pub fn new(channel: Channel, policy: Arc<Policy>, listener: Listener, state: LaneState) -> Self {
        Self {
            channel,
            policy,
            listener,
            timeline: Timeline::default(),
            heard_before: state.heard,
            state,
            window: Window::default(),
            unseen: VecDeque::new(),
            burst: None,
            turn: None,
            latest: None,
            unsent: Vec::new(),
            late: Vec::new(),
            small_reactions: HashMap::new(),
            changed: false,
        }
    }

    /// Takes over a new name, topic or settings.
    pub fn resettle(&mut self, channel: Channel, policy: Arc<Policy>, listener: Listener) {
        self.listener = listener;
        self.channel = channel;
        self.policy = policy;
    }

    /// A message came in; answers whether it is fresh direct address that obliges. One that is already known changes
    /// nothing.
    pub fn hear(&mut self, message: Message, outside: Outside<'_>, effects: &mut Vec<Effect>) -> bool {
        let arrival = message.arrival;
        if self.policy.mode == Mode::Off || self.timeline.say(message.clone()).is_none() {
            return false;
        }
        // Not the moving mark: an own line may come in after a message that was stored later.
        let heard_before = arrival <= self.heard_before;
        if heard_before && arrival <= self.state.seen {
            return false;
        }
        self.changed = true;
        self.state.heard = self.state.heard.max(arrival);
        if message.author.kind == AuthorKind::Companion {
            if !heard_before {
                self.state.sense.spoke(&message, outside.weights);
            }
            return false;
        }
        let score = if heard_before {
            // The saved sense holds it already; only what it is about is found out again.
            self.state.sense.clone().hear(&message, &self.listener, outside.weights)
        } else {
            self.state.sense.hear(&message, &self.listener, outside.weights)
        };
        let unseen = Unseen::new(&message, score, self.channel.kind);
        let decision = self.decide(&unseen, outside);
        let obliges = unseen.addressed() && decision.refusal.is_none();
        self.latest = Some(unseen.score.clone());
        if !heard_before {
            effects.push(Effect::Decided(Box::new(decision)));
        }
        if arrival <= self.state.seen {
            return false;
        }
        let author = unseen.author.id;
        self.unseen.push_back(unseen);
        if self.unseen.len() > UNSEEN_KEPT {
            let dropped = self.unseen.iter().position(|unseen| !unseen.obliges(outside.now)).unwrap_or(0);
            self.unseen.remove(dropped);
        }
        match &mut self.burst {
            Some(burst) => burst.goes_on(author, outside.now),
            None => self.burst = Some(Burst::new(author, outside.now)),
        }
        obliges
    }

    fn decide(&self, unseen: &Unseen, outside: Outside<'_>) -> Decision {
        let bar = self.state.sense.bar(self.policy.talkativeness);
        let score = &unseen.score;
        let refusal = unseen.refusal(outside.now).or_else(|| self.refusal(unseen.addressed(), outside));
        Decision {
            channel: self.channel.id,
            message: unseen.id,
            author: unseen.author.id,
            at: unseen.at,
            score: score.probability,
            bar,
            address: score.address,
            refusal,
            speak: refusal.is_none() && (score.address.is_some() || score.probability >= bar),
            energy: self.state.sense.energy(unseen.at),
            terms: score.terms(outside.weights),
            bias: outside.weights.bias,
        }
    }

    fn refusal(&self, addressed: bool, outside: Outside<'_>) -> Option<Refusal> {
        standing_refusal(&self.policy, addressed, outside.now, outside.budget)
    }

    /// When a beat is due, or the running turn wants to be looked at.
    pub fn deadline(&self) -> Option<Millis> {
        match &self.turn {
            Some(turn) => turn.deadline(),
            None => self.beat_due(),
        }
    }

    fn beat_due(&self) -> Option<Millis> {
        let burst = self.burst?;
        let addressed = self.unseen.iter().any(|unseen| unseen.obliges(burst.last()));
        Some(burst.ends(addressed, &self.policy.heartbeat))
    }

    /// Somebody is typing: a burst of theirs is waited for longer.
    pub fn typing(&mut self, user: UserId, now: Millis) {
        if let Some(burst) = &mut self.burst {
            burst.types(user, now);
        }
    }

    /// Looks at what is unseen, if a beat is due, and says whether a turn should start.
    pub fn beat(&mut self, outside: Outside<'_>, effects: &mut Vec<Effect>) -> Wants {
        if self.turn.is_some() || self.beat_due().is_none_or(|due| due > outside.now) {
            return Wants::Nothing;
        }
        self.burst = None;
        self.look(outside, effects)
    }

    /// Decides now, without waiting for a burst to end: for beats, and for a channel whose turn it is after waiting.
    pub fn look(&mut self, outside: Outside<'_>, effects: &mut Vec<Effect>) -> Wants {
        let bar = self.state.sense.bar(self.policy.talkativeness);
        self.react_to_refused(outside, effects);
        let now = outside.now;
        let addressed: Vec<&Unseen> = self.unseen.iter().filter(|unseen| unseen.obliges(now)).collect();
        // What may not be answered never stands in the way of what may.
        let answerable = || self.unseen.iter().filter(|unseen| unseen.refusal(now).is_none());
        let best = match addressed.last() {
            Some(unseen) => Some(self.rated(unseen, outside)),
            None => answerable().map(|unseen| self.rated(unseen, outside)).max_by(|a, b| a.1.total_cmp(&b.1)),
        };
        let any = || self.unseen.back().map(|unseen| self.rated(unseen, outside));
        let Some((best, score)) = best.or_else(any) else { return Wants::Nothing };
        let address = best.score.address.filter(|_| best.obliges(now));
        let refusal = best.refusal(now).or_else(|| self.refusal(address.is_some(), outside));
        let outcome = match refusal {
            Some(refusal) => BeatOutcome::Refused(refusal),
            None if address.is_some() => BeatOutcome::Addressed,
            None if score >= bar => BeatOutcome::Willing,
            None => BeatOutcome::BelowBar,
        };
        let wake = Wake {
            message: Some(best.id),
            author: Some(best.author.id),
            address,
            addressed: addressed.iter().map(|unseen| unseen.id).collect(),
            score,
            bar,
        };
        effects.push(Effect::Beat(Box::new(BeatReport {
            channel: self.channel.id,
            at: outside.now,
            message: Some(best.id),
            score,
            bar,
            outcome,
        })));
        match outcome {
            BeatOutcome::Addressed | BeatOutcome::Willing => Wants::Turn(wake),
            _ => {
                self.saw(u64::MAX);
                Wants::Nothing
            }
        }
    }

    /// A message and its score, decayed to now.
    fn rated<'a>(&self, unseen: &'a Unseen, outside: Outside<'_>) -> (&'a Unseen, f32) {
        (unseen, self.state.sense.at(&unseen.score, outside.now, outside.weights))
    }

    /// The small reaction of Law 1 on direct address it cannot answer now.
    fn react_to_refused(&mut self, outside: Outside<'_>, effects: &mut Vec<Effect>) {
        if !matches!(self.refusal(true, outside), Some(Refusal::Asleep | Refusal::Budget)) {
            return;
        }
        let obliging = self.unseen.iter().filter(|unseen| unseen.obliges(outside.now));
        let refused: Vec<(MessageId, UserId)> = obliging.map(|unseen| (unseen.id, unseen.author.id)).collect();
        for (message, author) in refused {
            let emoji = self.policy.small_reactions.asleep.clone();
            self.small_reaction(message, author, emoji, outside.now, effects);
        }
    }

    fn small_reaction(
        &mut self,
        message: MessageId,
        author: UserId,
        emoji: String,
        now: Millis,
        effects: &mut Vec<Effect>,
    ) {
        self.small_reactions.retain(|_, at| now - *at < SMALL_REACTION_EVERY);
        if emoji.is_empty() || self.small_reactions.contains_key(&author) {
            return;
        }
        self.small_reactions.insert(author, now);
        let (channel, cursor) = (self.channel.id, self.state.seen);
        effects.push(Effect::React { turn: None, channel, part: 0, message, emoji, cursor });
    }

    /// Everything up to this arrival number has been looked at.
    pub fn saw(&mut self, cursor: u64) {
        let cursor = cursor.min(self.timeline.cursor());
        self.shown(cursor);
        self.state.seen = self.state.seen.max(cursor);
        self.changed = true;
    }

    /// Everything up to this arrival number is in the prompt of the running turn. It counts as looked at when the turn
    /// ends: a turn that dies with the process leaves its direct addresses to be answered after the restart.
    pub fn shown(&mut self, cursor: u64) {
        self.unseen.retain(|unseen| unseen.arrival > cursor);
        if self.unseen.is_empty() {
            self.burst = None;
        }
    }

    /// The fresh direct addresses nobody has looked at yet.
    pub fn addressed(&self, now: Millis) -> Vec<MessageId> {
        self.unseen.iter().filter(|unseen| unseen.obliges(now)).map(|unseen| unseen.id).collect()
    }

    /// After a turn: what it was shown has been looked at, lines it was kept from saying go into the next prompt, a
    /// failure gets its small reactions, and what arrived meanwhile is looked at soon.
    pub fn turn_ended(&mut self, ended: Ended, now: Millis, effects: &mut Vec<Effect>) {
        let Ended { report, unsent, late, unanswered, cursor } = ended;
        self.saw(cursor);
        self.unsent = unsent;
        self.late.extend(late);
        let failure = report.rounds.last().and_then(|round| round.failure.as_ref());
        let reactions = &self.policy.small_reactions;
        let spent = failure.is_some_and(|failure| failure.budget);
        let emoji = if spent { reactions.asleep.clone() } else { reactions.failure.clone() };
        for message in unanswered {
            if let Some(author) = self.timeline.find(message).map(|said| said.message.author.id) {
                self.small_reaction(message, author, emoji.clone(), now, effects);
            }
        }
        if let Some(last) = self.unseen.back() {
            let speaker = last.author.id;
            self.burst.get_or_insert(Burst::new(speaker, now));
        }
        self.changed = true;
        effects.push(Effect::Finish(Box::new(report)));
    }

    /// Lines it was about to say when it was cut short, and late failures; shown once.
    pub fn take_left_over(&mut self) -> (Vec<String>, Vec<String>) {
        (std::mem::take(&mut self.unsent), std::mem::take(&mut self.late))
    }

    /// A message says something else now; that alone obliges to nothing.
    pub fn edited(&mut self, id: MessageId, text: Arc<str>) {
        if self.timeline.edit(id, text) {
            self.state.sense.forget(id);
            self.changed = true;
        }
    }

    /// A message was taken back: it obliges to nothing any more.
    pub fn deleted(&mut self, id: MessageId) {
        self.timeline.delete(id);
        self.state.sense.forget(id);
        self.changed = true;
        self.unseen.retain(|unseen| unseen.id != id);
    }

    /// Whether the state to save changed since this was asked the last time.
    pub fn take_changed(&mut self) -> bool {
        std::mem::take(&mut self.changed)
    }

    /// What of the lane outlives the process.
    pub fn state(&self) -> &LaneState {
        &self.state
    }

    /// What was said here.
    pub fn timeline(&self) -> &Timeline {
        &self.timeline
    }

    /// What was said here, to be changed by edits, reactions and gaps.
    pub fn timeline_mut(&mut self) -> &mut Timeline {
        &mut self.timeline
    }

    /// The newest messages of the conversation a message belongs to, oldest first; empty where it stands alone.
    pub fn conversation(&self, of: MessageId) -> Vec<MessageId> {
        let lines = self.state.sense.links().lines();
        let Some(number) = lines.iter().find(|line| line.id == of).map(|line| line.conversation) else {
            return Vec::new();
        };
        let mut ids: Vec<MessageId> = lines
            .iter()
            .rev()
            .filter(|line| line.conversation == number)
            .take(CONVERSATION_SHOWN)
            .map(|line| line.id)
            .collect();
        ids.reverse();
        if ids.len() < 2 { Vec::new() } else { ids }
    }

    /// The settings in force.
    pub fn policy(&self) -> &Arc<Policy> {
        &self.policy
    }

    /// The score of the newest message, the bar it is held against, and the energy, all as of `now`.
    pub fn mood(&self, now: Millis, weights: &Weights) -> Mood {
        let latest = self.latest.as_ref();
        Mood {
            score: latest.map(|score| self.state.sense.at(score, now, weights)),
            bar: self.state.sense.bar(self.policy.talkativeness),
            energy: self.state.sense.energy(now),
            next_beat: self.beat_due().filter(|_| self.turn.is_none()),
            unseen: self.unseen.len(),
            turn: self.turn.as_ref().map(Turn::id),
        }
    }

    /// Starts the turn a place was found for.
    pub fn start(&mut self, id: super::chat::TurnId, wake: Wake, now: Millis, effects: &mut Vec<Effect>) {
        let around = Surroundings { now, channel: &self.channel, timeline: &self.timeline };
        self.turn = Some(Turn::start(id, self.policy.clone(), wake, &around, effects));
    }
}

/// How the companion feels about a channel right now.
#[derive(Clone, Debug, Serialize)]
pub struct Mood {
    /// The willingness of the newest message, decayed to now, 0 … 1; none before the first.
    pub score: Option<f32>,
    /// What it has to reach unasked.
    pub bar: f32,
    /// Energy after earlier speech, 0 … 1.
    pub energy: f32,
    /// When the next beat looks.
    pub next_beat: Option<Millis>,
    /// How many messages no beat or turn has looked at.
    pub unseen: usize,
    /// The running turn.
    pub turn: Option<super::chat::TurnId>,
}
