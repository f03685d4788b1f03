//! What tools have the loop do, because it changes what the loop keeps: posting in the place of words, reminders, summing
//! up. Each is answered when it is done, or when it is on record and nobody knows.

use tokio::sync::oneshot;

use super::loop_message::{LoopCommand, LoopCommandResult};
use super::state::Daemon;
use kith_core::channel::ChannelState;
use kith_core::chat::{ChannelId, IntentionId};
use kith_core::event::Event;
use kith_core::intent::{
    MOST_REMINDERS, MOST_REMINDERS_OF_ONE, REMINDER_KEPT, Reminder, ScheduledIntent,
};
use kith_core::outgoing::{MessageEnclosure, OutgoingAction, VisibleAction};
use kith_language::daemon;
use kith_system::clock;
use kith_tools::{Authorization, HostCommand, ReminderRequest};

impl Daemon {
    pub(super) fn handle_loop_command(
        &mut self,
        channel: ChannelId,
        loop_command: LoopCommand,
        answer: oneshot::Sender<LoopCommandResult>,
    ) {
        let result = match loop_command {
            LoopCommand::PostOpening(text) => {
                return self.post_thread_opening(channel, text, answer);
            }
            LoopCommand::Host(authorization, HostCommand::Post(what)) => {
                return self.post_enclosure(channel, authorization, what, answer);
            }
            LoopCommand::Host(authorization, HostCommand::Compact) => {
                return self.compact_channel(channel, authorization, answer);
            }
            LoopCommand::Host(authorization, HostCommand::Remind(reminder)) => {
                self.add_reminder(channel, authorization, reminder)
            }
        };
        // Who asked may have been cut off.
        let _ = answer.send(result);
    }

    /// Goes the way of everything that is said: kept, sent with a nonce, settled.
    fn post_enclosure(
        &mut self,
        channel: ChannelId,
        authorization: Authorization,
        what: MessageEnclosure,
        answer: oneshot::Sender<LoopCommandResult>,
    ) {
        let channel_state = self.core.channel_state(channel);
        // A channel in which nothing was said since the start has no state yet; what was approved is done there all the same.
        let policy = channel_state
            .map(|channel_state| channel_state.policy().clone())
            .or_else(|| Some(self.resolve_policy(&self.find_channel(channel)?).into()));
        let seen = policy.filter(|policy| policy.may_send).and_then(|policy| {
            let cursor = match authorization {
                Authorization::Turn(_) => find_seen_cursor(channel_state?, authorization)?,
                Authorization::Person(..) => 0,
            };
            Some((cursor, policy.persona.language))
        });
        let Some((cursor, language)) = seen else {
            let _ = answer.send(Err(daemon::turn_over_or_closed()));
            return;
        };
        let (text, with) = match self.platform.abilities().enclosures {
            true => (what.describe(language), Some(what)),
            false => (what.to_plain_text(language), None),
        };
        let (turn, nonce) = match authorization {
            Authorization::Turn(turn) => (
                turn,
                format!("{turn}.e{}", self.deliveries.next_enclosure()),
            ),
            // It runs once, and the turn's own count may have begun anew since.
            Authorization::Person(turn, proposal) => (turn, format!("{turn}.a{proposal}")),
        };
        let action = VisibleAction::Send {
            text,
            reply_to: None,
            with,
        };
        let (at, answers) = (clock::now(), Vec::new());
        self.deliver_action(
            OutgoingAction {
                nonce,
                turn: Some(turn),
                part: 0,
                channel,
                action,
                cursor,
                at,
                answers,
            },
            Some(answer),
        );
    }

    /// The thread's own id is in the nonce: however often it is opened, its first words are said once.
    pub(super) fn post_thread_opening(
        &mut self,
        thread: ChannelId,
        text: String,
        answer: oneshot::Sender<LoopCommandResult>,
    ) {
        let action = VisibleAction::Send {
            text,
            reply_to: None,
            with: None,
        };
        let nonce = format!("o{thread}");
        let (at, answers) = (clock::now(), Vec::new());
        let outgoing = OutgoingAction {
            nonce,
            turn: None,
            part: 0,
            channel: thread,
            action,
            cursor: 0,
            at,
            answers,
        };
        self.deliver_action(outgoing, Some(answer));
    }

    fn add_reminder(
        &mut self,
        channel: ChannelId,
        authorization: Authorization,
        what: ReminderRequest,
    ) -> LoopCommandResult {
        let channel_state = self
            .core
            .channel_state(channel)
            .ok_or_else(daemon::nothing_kept_here)?;
        let after = find_seen_cursor(channel_state, authorization).ok_or_else(daemon::turn_over)?;
        let asked_by = what.asked_by;
        let (whom, name) = what
            .recipient
            .map(|(id, name)| (Some(id), name.to_string()))
            .unwrap_or_default();
        let reminders = || {
            channel_state
                .intentions()
                .iter()
                .filter(|known| known.reminder.is_some())
        };
        let reminder = Some(Reminder { whom, asked_by });
        if reminders().any(|known| known.time == Some(what.at) && known.reminder == reminder) {
            return Ok(());
        }
        if reminders().count() >= MOST_REMINDERS {
            return Err(daemon::reminders_full(MOST_REMINDERS));
        }
        let of_one = |known: &&ScheduledIntent| {
            known
                .reminder
                .is_some_and(|other| other.asked_by == asked_by)
        };
        if reminders().filter(of_one).count() >= MOST_REMINDERS_OF_ONE {
            return Err(daemon::reminders_of_one_full(MOST_REMINDERS_OF_ONE));
        }
        let (now, newest) = (
            clock::now(),
            channel_state
                .intentions()
                .iter()
                .map(|known| known.id.0)
                .max()
                .unwrap_or(0),
        );
        let intention = ScheduledIntent {
            id: IntentionId(u64::try_from(now).unwrap_or(0).max(newest + 1)),
            made: now,
            after,
            expires: what.at + REMINDER_KEPT,
            name,
            time: Some(what.at),
            note: what.text,
            reminder,
            ..ScheduledIntent::default()
        };
        self.handle_event(Event::IntentScheduled {
            channel,
            intention: Box::new(intention),
        });
        Ok(())
    }
}

/// What had been seen by who has something done; none where a turn asks that is over. What a person approved answers
/// nothing that was said.
pub(super) fn find_seen_cursor(
    channel_state: &ChannelState,
    authorization: Authorization,
) -> Option<u64> {
    match authorization {
        Authorization::Turn(turn) => channel_state
            .turn
            .as_ref()
            .filter(|running| running.id() == turn)
            .map(|running| running.cursor()),
        Authorization::Person(..) => Some(0),
    }
}
