//! Whom a turn answers: why it woke, who is still owed something, and who is put off.

use crate::chat::{Author, MessageId, UserId};
use crate::message_shape::MessageShape;
use crate::recall::extract_terms;
use crate::report::{SelfTrigger, TurnTrigger};
use crate::timeline::Timeline;

use super::turn_context::TurnContext;

#[derive(Debug)]
pub(super) struct Obligations {
    trigger: TurnTrigger,
    /// Direct addresses it was shown and has neither answered nor chosen to leave.
    unanswered: Vec<MessageId>,
    /// The messages that what it said replies to.
    replied_to: Vec<MessageId>,
    reacted_to: Vec<MessageId>,
    /// It said something without a reply mark, which may be for everybody.
    has_spoken_to_all: bool,
    /// Up to which arrival number everything is answered by what it said so far; none before it said anything.
    answered_cursor: Option<u64>,
    /// Direct addresses that the next turn answers: somebody spoke into this one, or its replies left them out.
    postponed: Vec<MessageId>,
    /// It woke to remind somebody.
    is_reminder: bool,
}

impl Obligations {
    pub(super) fn new(trigger: TurnTrigger, context: &TurnContext<'_>) -> Self {
        Self {
            unanswered: trigger.addressed.clone(),
            replied_to: Vec::new(),
            reacted_to: Vec::new(),
            has_spoken_to_all: false,
            answered_cursor: None,
            postponed: Vec::new(),
            is_reminder: is_reminder(&trigger, context),
            trigger,
        }
    }

    /// Why the turn woke, and all direct addresses it was shown.
    pub(super) fn trigger(&self) -> &TurnTrigger {
        &self.trigger
    }

    pub(super) fn unanswered(&self) -> &[MessageId] {
        &self.unanswered
    }

    pub(super) fn postponed(&self) -> &[MessageId] {
        &self.postponed
    }

    pub(super) fn answered_cursor(&self) -> Option<u64> {
        self.answered_cursor
    }

    /// Whether somebody who spoke to it is owed an answer.
    pub(super) fn is_owed(&self) -> bool {
        !self.unanswered.is_empty()
    }

    pub(super) fn is_reminder(&self) -> bool {
        self.is_reminder
    }

    pub(super) fn add_addressed(&mut self, addressed: Vec<MessageId>) {
        for id in addressed {
            if !self.trigger.addressed.contains(&id) {
                self.trigger.addressed.push(id);
                self.unanswered.push(id);
            }
        }
    }

    /// Nobody is owed more: something was said, or silence was chosen.
    pub(super) fn settle(&mut self) {
        self.unanswered.clear();
    }

    /// What was said first was not let out: who spoke to it still waits.
    pub(super) fn reopen(&mut self) {
        self.unanswered = self.trigger.addressed.clone();
        (self.replied_to, self.has_spoken_to_all) = (Vec::new(), false);
        self.answered_cursor = None;
    }

    pub(super) fn record_reply(&mut self, reply_to: Option<MessageId>) {
        self.replied_to.extend(reply_to);
        self.has_spoken_to_all |= reply_to.is_none();
    }

    pub(super) fn record_reaction(&mut self, message: MessageId) {
        self.reacted_to.push(message);
    }

    /// The rest will not be said: the next turn answers who is owed it. What was said of one message is its answer.
    pub(super) fn postpone_rest(&mut self) {
        let addressed = &self.trigger.addressed;
        let several = addressed.len() > 1;
        let open = addressed
            .iter()
            .filter(|id| several && !self.replied_to.contains(id));
        for id in self.unanswered.iter().chain(open) {
            if !self.postponed.contains(id) {
                self.postponed.push(*id);
            }
        }
    }

    /// The answer is over. A question that somebody else asked it, and that nothing of the answer is for, is answered by the
    /// next turn: of several, a small model often sees the first or the last only. What stands without a reply mark may be
    /// for everybody, but a small model marks none (`is_small`): it answers the message that its prompt ends with, and
    /// another's question only where a word of that is in it.
    pub(super) fn postpone_left_out(
        &mut self,
        sent: &[String],
        is_small: bool,
        timeline: &Timeline,
    ) {
        let woke = self.trigger.message;
        let prompted = woke.filter(|_| is_small && self.has_spoken_to_all);
        if self.has_spoken_to_all && prompted.is_none() {
            return;
        }
        let said = |id: &MessageId| timeline.find(*id).map(|said| &said.message);
        let author = |id: &MessageId| said(id).map(|message| message.author.id);
        let for_whom = self.replied_to.iter().chain(&prompted);
        let answered: Vec<UserId> = for_whom.filter_map(author).collect();
        if answered.is_empty() {
            return;
        }
        let known = prompted.as_ref().and_then(said);
        let is_taken_up = |question: &str| {
            let asked_anyway = known.map_or_else(Vec::new, |known| extract_terms(&known.text));
            let mut terms = extract_terms(question);
            terms.retain(|term| !asked_anyway.contains(term));
            self.has_spoken_to_all
                && sent
                    .iter()
                    .flat_map(|text| extract_terms(text))
                    .any(|term| terms.contains(&term))
        };
        let is_left_out = |id: &&MessageId| {
            said(id).is_some_and(|message| {
                !answered.contains(&message.author.id)
                    && !self.reacted_to.contains(id)
                    && !self.postponed.contains(id)
                    && !sent.iter().any(|text| text.contains(&*message.author.name))
                    && is_question(&message.text)
                    && !is_taken_up(&message.text)
            })
        };
        let addressed = self.trigger.addressed.iter();
        let left_out: Vec<MessageId> = addressed.filter(is_left_out).copied().collect();
        self.postponed.extend(left_out);
    }

    /// A message is gone: nobody is owed an answer to it.
    pub(super) fn remove_message(&mut self, id: MessageId, timeline: &Timeline) {
        self.unanswered.retain(|owed| *owed != id);
        self.trigger.addressed.retain(|addressed| *addressed != id);
        if self.trigger.message == Some(id) {
            self.trigger.message = self.trigger.addressed.last().copied();
            let said = self.trigger.message.and_then(|left| timeline.find(left));
            self.trigger.author = said.map(|said| said.message.author.id);
        }
    }

    /// A person takes back all that they said to it: they are owed no answer.
    pub(super) fn withdraw_person(&mut self, user: UserId, timeline: &Timeline) {
        let is_theirs = |id: &MessageId| {
            let said = timeline.find(*id);
            said.is_some_and(|said| said.message.author.id == user)
        };
        let addressed = self.trigger.addressed.iter().chain(&self.trigger.message);
        let theirs: Vec<MessageId> = addressed.copied().filter(is_theirs).collect();
        for id in theirs {
            self.remove_message(id, timeline);
        }
        self.postponed.retain(|id| !is_theirs(id));
        if self.trigger.message.is_none() {
            self.trigger.address = None;
        }
    }

    /// A person is forgotten, and `gone` were their messages.
    pub(super) fn forget_person(&mut self, user: UserId, gone: &[MessageId]) {
        if self.trigger.author == Some(user) {
            (self.trigger.author, self.trigger.message) = (None, None);
        }
        self.trigger.addressed.retain(|id| !gone.contains(id));
        self.unanswered.retain(|id| !gone.contains(id));
    }

    /// Whether a message woke it or is answered by it.
    pub(super) fn is_about(&self, id: MessageId) -> bool {
        self.trigger.message == Some(id) || self.trigger.addressed.contains(&id)
    }

    pub(super) fn find_unanswered_users(&self, timeline: &Timeline) -> Vec<UserId> {
        self.unanswered
            .iter()
            .filter_map(|id| Some(timeline.find(*id)?.message.author.id))
            .collect()
    }

    /// What those wrote who are owed an answer.
    pub(super) fn find_unanswered_lines<'a>(
        &'a self,
        timeline: &'a Timeline,
    ) -> impl Iterator<Item = &'a str> {
        self.unanswered
            .iter()
            .filter_map(|id| timeline.find(*id))
            .map(|said| &*said.message.text)
    }

    /// Everybody who spoke to it in this turn, all of whom must be allowed to cause what it does: of several the model
    /// cannot be trusted to know whom it obeys. Nobody where nobody spoke to it, whatever woke it, or where one of them
    /// is not known.
    pub(super) fn find_causes(&self, timeline: &Timeline) -> Vec<Author> {
        let author = |id| timeline.find(id).map(|said| said.message.author.clone());
        let woke = self
            .trigger
            .message
            .filter(|_| self.trigger.address.is_some());
        let spoke = self.trigger.addressed.iter().copied().chain(woke);
        let mut causes: Vec<Author> = spoke.map(author).collect::<Option<_>>().unwrap_or_default();
        causes.sort_unstable_by_key(|author| author.id);
        causes.dedup_by_key(|author| author.id);
        causes
    }

    /// Whether messages that reply to `targets` are for this person alone. Without a reply mark one may be for everybody
    /// who waits, else for everybody the turn answers.
    pub(super) fn are_all_for(
        &self,
        person: UserId,
        mut targets: impl Iterator<Item = Option<MessageId>>,
        timeline: &Timeline,
    ) -> bool {
        let is_theirs = |message: &MessageId| {
            let said = timeline.find(*message);
            said.is_none_or(|said| said.message.author.id == person)
        };
        let owed = if self.unanswered.is_empty() {
            &self.trigger.addressed
        } else {
            &self.unanswered
        };
        let is_all_theirs = owed.iter().chain(&self.trigger.message).all(is_theirs);
        targets.all(|target| target.map_or(is_all_theirs, |message| is_theirs(&message)))
    }

    /// Records up to which arrival number everything is answered once the message is out that goes out now, and answers
    /// with it; `cursor` is that of the newest message the model was shown. Where it answers one person and another who
    /// spoke later has theirs still to come (`to_come` is what that replies to), only up to there: if the process dies in
    /// between, the next one answers the other.
    pub(super) fn advance_answered_cursor(
        &mut self,
        cursor: u64,
        to_come: impl Iterator<Item = MessageId>,
        timeline: &Timeline,
    ) -> u64 {
        let answered = self.compute_answered_cursor(cursor, to_come, timeline);
        self.answered_cursor = Some(answered);
        answered
    }

    fn compute_answered_cursor(
        &self,
        cursor: u64,
        to_come: impl Iterator<Item = MessageId>,
        timeline: &Timeline,
    ) -> u64 {
        let arrival = |id: MessageId| {
            let is_addressed = self.trigger.addressed.contains(&id);
            timeline
                .find(id)
                .filter(|_| is_addressed)
                .map(|said| said.message.arrival)
        };
        let Some(answered) = self.replied_to.last().and_then(|id| arrival(*id)) else {
            return cursor;
        };
        to_come
            .filter_map(arrival)
            .filter(|later| *later > answered)
            .map(|later| later - 1)
            .min()
            .unwrap_or(cursor)
            .min(cursor)
    }
}

/// Whether a line asks something; its first word may be the name of who is asked.
fn is_question(text: &str) -> bool {
    let asks = |text: &str| MessageShape::from_text(text).question;
    let behind_name = text.split_once(char::is_whitespace);
    asks(text) || behind_name.is_some_and(|(_, rest)| asks(rest))
}

fn is_reminder(trigger: &TurnTrigger, context: &TurnContext<'_>) -> bool {
    let Some(SelfTrigger::Waited { id, .. }) = trigger.own else {
        return false;
    };
    context
        .intentions
        .iter()
        .any(|intention| intention.id == id && intention.reminder.is_some())
}
