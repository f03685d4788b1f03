//! What a channel takes from a turn that ended: counts, small reactions, and lines for the next prompt.

use kith_language::failures;

use super::channel_state::ChannelState;
use super::demands::DecisionContext;
use crate::burst_window::BurstWindow;
use crate::chat::{AuthorKind, Millis, UserId};
use crate::context::ContextNote;
use crate::effect::Effect;
use crate::report::{DeliveryFailure, TurnTrigger};
use crate::turn::FinishedTurn;

impl ChannelState {
    /// After a turn: what it was shown has been looked at, lines it was kept from saying go into the next prompt, a
    /// failure gets its small reactions, and what arrived meanwhile is looked at soon.
    pub fn handle_turn_end(
        &mut self,
        ended: FinishedTurn,
        context: DecisionContext<'_>,
        effects: &mut Vec<Effect>,
    ) {
        let now = context.now;
        let FinishedTurn {
            report,
            unsent,
            next_prompt_notes: late,
            unanswered,
            postponed: put_off,
            cursor,
        } = ended;
        self.count_bots(&report.wake, now);
        self.settle_self_trigger(true, effects);
        self.record_opening_end(&report);
        self.report_shown_messages(cursor, &report, context, effects);
        if report.has_sent_message() {
            self.mark_seen(cursor);
        } else {
            self.mark_seen_except_waiting(cursor, now);
        }
        self.state.attempts.record_turn_end();
        self.defer_messages(&put_off);
        self.unsent = unsent;
        let failed = report.list_untold_failures();
        let names = failed.map(|done| done.call.name.clone());
        self.state.failed_tools.extend(names);
        self.late_notes
            .extend(late.into_iter().map(ContextNote::from));
        let failure = report
            .rounds
            .last()
            .and_then(|round| round.failure.as_ref());
        let reactions = &self.policy.small_reactions;
        let spent = failure.is_some_and(|failure| failure.budget);
        let emoji = if spent {
            reactions.asleep.clone()
        } else {
            reactions.failure.clone()
        };
        for message in unanswered {
            if let Some(author) = self
                .timeline
                .find(message)
                .map(|said| said.message.author.id)
            {
                self.send_small_reaction(message, author, emoji.clone(), now, effects);
            }
        }
        if let Some(last) = self.unseen.back() {
            let speaker = last.author.id;
            self.burst
                .get_or_insert(BurstWindow::new(speaker, now, false));
        }
        self.changed = true;
        effects.push(Effect::Finish(Box::new(report)));
    }

    /// A turn on a bot's message counts, whatever came of it: it cost a model call.
    fn count_bots(&mut self, wake: &TurnTrigger, now: Millis) {
        let mut bots: Vec<UserId> = Vec::new();
        for id in wake.message.iter().chain(&wake.addressed) {
            let author = self.timeline.find(*id).map(|said| &said.message.author);
            if let Some(bot) = author.filter(|author| author.kind == AuthorKind::Bot)
                && !bots.contains(&bot.id)
            {
                bots.push(bot.id);
            }
        }
        bots.into_iter()
            .for_each(|bot| self.state.bots.record_answer(bot, now));
    }

    /// Lines it was about to say when it was cut short, and late failures; shown once.
    pub fn take_leftovers(&mut self) -> (Vec<String>, Vec<ContextNote>) {
        self.changed |= !self.state.failed_tools.is_empty();
        self.state.failed_tools.clear();
        (
            std::mem::take(&mut self.unsent),
            std::mem::take(&mut self.late_notes),
        )
    }

    /// A message that counted as said was not. What it said may have been forgotten since.
    pub fn record_delivery_failure(&mut self, why: &DeliveryFailure) {
        let language = self.policy.persona.language;
        let why = why.describe(language);
        let told = failures::late_delivery_failure(why);
        self.late_notes.push(told.in_language(language).into());
    }

    /// Something it asked for was decided on.
    pub fn record_outcome(&mut self, what: ContextNote) {
        self.late_notes.push(what);
    }
}
