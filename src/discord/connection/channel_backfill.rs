//! Fetches what was written in a channel while nobody listened, and converts it.

use tokio::time::sleep;

use super::{DiscordConnection, FIRST_WAIT, LONGEST_WAIT, lock_converter};
use crate::MessageSnapshot;
use crate::backfill::{self, MissedInChannel, MissedMessages};
use crate::rest::RestError;
use kith_core::back_off::BackOffSchedule;
use kith_core::chat::{ChannelId, MessageId};
use kith_system::clock;

#[derive(Debug, Default)]
pub struct ChannelBackfill {
    /// The messages, oldest first.
    pub messages: Vec<MessageSnapshot>,
    /// Known ones that were edited, perhaps since they were known, as they are now.
    pub edited: Vec<MessageSnapshot>,
    pub deleted: Vec<MessageId>,
    /// Whether older ones were missed, too, and will not come.
    pub gap: bool,
}

impl DiscordConnection {
    /// Fetches what was written in a channel after a message, and what became of the `known` ones. Repeats until Discord
    /// answers, because later messages must not be handled before these. Only where Discord refuses the request, or hides
    /// the history, what was missed becomes a gap.
    pub async fn fetch_missed_messages(
        &self,
        channel: ChannelId,
        after: MessageId,
        known: &[MessageId],
        pages: u32,
    ) -> ChannelBackfill {
        let queue = &self.0.backfill_queue;
        // What a former session tells comes within seconds. Where somebody waits, a request is sooner answered.
        let told = tokio::select! {
            told = self.find_missed_messages(channel, after, known) => told,
            () = queue.wait_until_preferred(channel) => None,
        };
        if let Some(missed) = told {
            return missed;
        }
        if self.is_something_missed(channel, known) {
            queue.prefer(channel);
        }
        let mut schedule = BackOffSchedule::new(FIRST_WAIT, LONGEST_WAIT);
        loop {
            // Nobody ever closes the queue; did it happen, nothing would be lost but politeness.
            let turn = queue.wait_for_turn(channel).await;
            match backfill::fetch_missed_messages(&self.0.rest, channel, after, pages).await {
                Ok(missed) => return self.build_backfill(channel, &missed, known),
                Err(why @ (RestError::Invalid { .. } | RestError::Unauthorized)) => {
                    tracing::warn!(%channel, "looking back failed, what was missed stays unread: {why}");
                    return ChannelBackfill {
                        gap: true,
                        ..ChannelBackfill::default()
                    };
                }
                Err(why) => tracing::warn!(%channel, "looking back failed, trying again: {why}"),
            }
            drop(turn);
            sleep(schedule.next_wait()).await;
        }
    }

    /// What a former session told of a channel. None where there is none, or where Discord has a newer message than it told
    /// of and than is `known`.
    async fn find_missed_messages(
        &self,
        channel: ChannelId,
        after: MessageId,
        known: &[MessageId],
    ) -> Option<ChannelBackfill> {
        let guild = self.directory().find_guild(channel)?;
        // Before it is waited for: what comes meanwhile is told by the new session.
        let newest = self.directory().channels.get(&channel)?.newest;
        let events = self.0.session_replays.find_missed(guild, channel).await?;
        let told = MissedInChannel::from_events(events, after);
        let heard = known.iter().copied().max().max(told.newest);
        if Some(newest) > heard && newest != MessageId::default() {
            return None;
        }
        let mut converter = lock_converter(&self.0.converter);
        Some(ChannelBackfill {
            messages: converter.convert_history(channel, &told.messages),
            edited: converter.convert_history(channel, &told.edited),
            deleted: told.deleted,
            gap: false,
        })
    }

    /// Somebody wrote in a channel that is still to be looked back at, and is read after it.
    pub fn prefer_backfill(&self, channel: ChannelId) {
        self.0.backfill_queue.prefer(channel);
    }

    pub fn settle_backfill(&self, channel: ChannelId) {
        self.0.backfill_queue.settle(channel);
    }

    /// Whether something was written since what is `known`, as far as Discord tells: of direct messages it does not.
    fn is_something_missed(&self, channel: ChannelId, known: &[MessageId]) -> bool {
        let directory = self.directory();
        let Some(told) = directory.channels.get(&channel) else {
            return true;
        };
        let is_empty = told.newest == MessageId::default();
        told.channel.guild.is_none() || !is_empty && Some(told.newest) > known.iter().max().copied()
    }

    fn build_backfill(
        &self,
        channel: ChannelId,
        missed: &MissedMessages,
        known: &[MessageId],
    ) -> ChannelBackfill {
        let directory = self.directory();
        let is_shown = directory.may_read_history(channel, clock::now());
        let newest = directory.channels.get(&channel).map(|known| known.newest);
        drop(directory);
        // Of what is hidden no more is known than that there is something newer than what is on record.
        let is_hidden = !is_shown && newest > known.iter().max().copied();
        let deleted = known
            .iter()
            .filter(|id| is_shown && missed.newest.is_deleted(**id))
            .copied()
            .collect();
        let mut converter = lock_converter(&self.0.converter);
        ChannelBackfill {
            messages: converter.convert_history(channel, &missed.messages),
            edited: converter.convert_history(channel, &missed.edited),
            deleted,
            gap: missed.gap || is_hidden,
        }
    }
}
