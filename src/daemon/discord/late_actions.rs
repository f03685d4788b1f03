//! Whether an action that comes late is still to be done.

use super::DiscordPlatform;
use super::task_event::StillWantedQuestion;
use crate::daemon::state::Daemon;
use kith_core::chat::ChannelId;
use kith_core::policy::{ChannelMode, ChannelPolicy};
use kith_system::clock;

impl Daemon<DiscordPlatform> {
    pub(super) fn answer_still_wanted(
        &self,
        StillWantedQuestion {
            channel,
            nonce,
            answer,
        }: StillWantedQuestion,
    ) {
        // Who asks may have been cut off.
        let _ = answer.send(self.find_unwanted_reason(channel, &nonce));
    }

    fn find_unwanted_reason(&self, channel: ChannelId, nonce: &str) -> Option<&'static str> {
        let is_over = |turn| self.core.find_turn_channel(turn).is_none();
        if self
            .deliveries
            .find_waiting_turn(nonce)
            .is_some_and(is_over)
        {
            return Some("its turn was stopped");
        }
        let now = clock::now();
        let forbids = |policy: &ChannelPolicy| match policy {
            policy if policy.mode != ChannelMode::On => Some("the channel was switched off"),
            policy if policy.paused_until.is_some_and(|until| until > now) => {
                Some("a moderator paused it")
            }
            _ => None,
        };
        match self.core.channel_state(channel) {
            Some(channel_state) => forbids(channel_state.policy()),
            None => self
                .platform
                .find_visible_channel(channel)
                .and_then(|channel| forbids(&self.resolve_policy(&channel))),
        }
    }
}
