//! What a channel waits for, reminders among it: taken over, matched with what is said, and let go. `initiative.rs` starts
//! a turn for what is due.

use super::channel_state::ChannelState;
use crate::chat::{AuthorKind, IntentionId, MINUTE, Message, MessageId, Millis};
use crate::effect::Effect;
use crate::intent::{FiredIntent, IntentEnd, ScheduledIntent};
use crate::report::Refusal;

/// So much after it lapses an intention may still be looked at for what came in time.
const LATE: Millis = MINUTE;

impl ChannelState {
    /// What is waited for, put back after a restart: before the stored tail is heard.
    pub fn put_intentions_back(&mut self, intentions: Vec<ScheduledIntent>) {
        self.pending.intentions = intentions;
    }

    /// What is waited for, without the notes.
    pub fn intentions(&self) -> &[ScheduledIntent] {
        &self.pending.intentions
    }

    pub fn intention_refusal(&self) -> Option<Refusal> {
        self.pending
            .held
            .iter()
            .flatten()
            .next()
            .map(|(refusal, _)| *refusal)
    }

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

    pub(super) fn match_intentions(&mut self, message: &Message, effects: &mut Vec<Effect>) {
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

    pub(super) fn expire_intentions(&mut self, now: Millis, effects: &mut Vec<Effect>) {
        let (channel, all_held) = (self.channel.id, self.pending.held);
        self.pending.intentions.retain(|intention| {
            let held = all_held[usize::from(intention.is_owed())];
            // A clock is never looked at on the stroke: what came in time still wakes it.
            let came = || {
                intention
                    .find_next_trigger()
                    .is_some_and(|came| came.at <= now)
                    && held.is_none()
            };
            let stays = intention.expires >= now || intention.expires + LATE >= now && came();
            if !stays {
                let kept = held
                    .filter(|_| intention.find_next_trigger().is_some())
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
    pub(super) fn find_fired_intention(
        &self,
        now: Millis,
        fits: impl Fn(&ScheduledIntent) -> bool,
    ) -> Option<(IntentionId, FiredIntent)> {
        let fitting = self
            .pending
            .intentions
            .iter()
            .filter(|intention| fits(intention));
        let come =
            fitting.filter_map(|intention| Some((intention.id, intention.find_next_trigger()?)));
        come.filter(|(_, came)| came.at <= now)
            .min_by_key(|(id, came)| (came.at, *id))
    }
}
