//! Where Discord refused to let it post, it tries again after a while and when somebody speaks to it there: not every
//! change is told, and a turn is only paid for where something can be said.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

use super::super::{Daemon, LoopMessage};
use kith_core::chat::ChannelId;
use kith_core::report::{MessageDecision, Refusal};
use kith_system::clock;

/// Between two trials in a channel, however often it is spoken to there: Discord counts what it refuses.
const APART: Duration = Duration::from_secs(5);

/// What is known of trials in channels.
#[derive(Default)]
pub(super) struct PermissionTrials {
    /// Where one waits until it is due.
    planned: HashSet<ChannelId>,
    /// Where one is made because somebody spoke to it.
    asked: HashSet<ChannelId>,
    last: HashMap<ChannelId, Instant>,
}

impl Daemon {
    /// Somebody spoke to it where it may not write. Where its roles let it, that may be over.
    pub(in crate::daemon) fn start_permission_trial(&mut self, decision: &MessageDecision) {
        if decision.refusal != Some(Refusal::NoPermission) || decision.address.is_none() {
            return;
        }
        let Some(platform) = &mut self.away else {
            return;
        };
        let channel = decision.channel;
        let is_refused = platform.discord.retry_time(channel).is_some();
        if !is_refused
            || !platform.directory().may_send(channel, clock::now())
            || !platform.trials.asked.insert(channel)
        {
            return;
        }
        let last = platform.trials.last.get(&channel).copied();
        let (discord, loop_sender) = (platform.discord.clone(), self.loop_sender.clone());
        tokio::spawn(async move {
            if let Some(last) = last {
                sleep_until(last + APART).await;
            }
            discord.try_to_send(channel).await;
            let _ = loop_sender
                .send(LoopMessage::PermissionTried {
                    channel,
                    planned: false,
                })
                .await;
        });
    }

    /// It was refused to post in a channel: it is tried again when that is due.
    pub(super) fn schedule_permission_trial(&mut self, channel: ChannelId) {
        let Some(platform) = &mut self.away else {
            return;
        };
        if platform.discord.retry_time(channel).is_none()
            || !platform.trials.planned.insert(channel)
        {
            return;
        }
        let (discord, loop_sender) = (platform.discord.clone(), self.loop_sender.clone());
        tokio::spawn(async move {
            // Events may tell meanwhile, and refusals put it off.
            while let Some(due) = discord
                .retry_time(channel)
                .filter(|due| *due > Instant::now())
            {
                sleep_until(due).await;
            }
            discord.try_to_send(channel).await;
            let _ = loop_sender
                .send(LoopMessage::PermissionTried {
                    channel,
                    planned: true,
                })
                .await;
        });
    }

    /// It was tried whether it may post in a channel.
    pub(in crate::daemon) fn handle_permission_trial(&mut self, channel: ChannelId, planned: bool) {
        let Some(platform) = &mut self.away else {
            return;
        };
        let trials = &mut platform.trials;
        if planned {
            &mut trials.planned
        } else {
            &mut trials.asked
        }
        .remove(&channel);
        trials.last.insert(channel, Instant::now());
        if platform.discord.retry_time(channel).is_some() {
            return self.schedule_permission_trial(channel);
        }
        if let Some(known_channel) = self
            .core
            .channel_state(channel)
            .map(|channel_state| channel_state.channel.clone())
        {
            self.apply_policy(known_channel);
        }
    }
}
