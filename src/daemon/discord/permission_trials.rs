//! Where Discord refused to let it post, it tries again after a while and when somebody speaks to it there: not every
//! change is told, and a turn is only paid for where something can be said.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};

use super::task_event::DiscordTaskEvent;
use kith_core::chat::ChannelId;
use kith_core::report::{MessageDecision, Refusal};
use kith_discord::DiscordConnection;
use kith_system::clock;

/// Between two trials in a channel, however often it is spoken to there: Discord counts what it refuses.
const APART: Duration = Duration::from_secs(5);

#[derive(Default)]
pub(super) struct PermissionTrials {
    /// Where one waits until it is due.
    planned: HashSet<ChannelId>,
    /// Where one is made because somebody spoke to it.
    asked: HashSet<ChannelId>,
    last: HashMap<ChannelId, Instant>,
}

impl PermissionTrials {
    /// Somebody spoke to it where it may not write. Where its roles let it, that may be over.
    pub fn start(
        &mut self,
        decision: &MessageDecision,
        discord: &DiscordConnection,
        task_sender: &mpsc::Sender<DiscordTaskEvent>,
    ) {
        if decision.refusal != Some(Refusal::NoPermission) || decision.address.is_none() {
            return;
        }
        let channel = decision.channel;
        let is_refused = discord.retry_time(channel).is_some();
        if !is_refused
            || !discord.directory().may_send(channel, clock::now())
            || !self.asked.insert(channel)
        {
            return;
        }
        let last = self.last.get(&channel).copied();
        let (discord, task_sender) = (discord.clone(), task_sender.clone());
        tokio::spawn(async move {
            if let Some(last) = last {
                sleep_until(last + APART).await;
            }
            discord.try_to_send(channel).await;
            let planned = false;
            let _ = task_sender
                .send(DiscordTaskEvent::PermissionTried { channel, planned })
                .await;
        });
    }

    /// It was refused to post in a channel: it is tried again when that is due.
    pub fn schedule(
        &mut self,
        channel: ChannelId,
        discord: &DiscordConnection,
        task_sender: &mpsc::Sender<DiscordTaskEvent>,
    ) {
        if discord.retry_time(channel).is_none() || !self.planned.insert(channel) {
            return;
        }
        let (discord, task_sender) = (discord.clone(), task_sender.clone());
        tokio::spawn(async move {
            // Events may tell meanwhile, and refusals put it off.
            while let Some(due) = discord
                .retry_time(channel)
                .filter(|due| *due > Instant::now())
            {
                sleep_until(due).await;
            }
            discord.try_to_send(channel).await;
            let planned = true;
            let _ = task_sender
                .send(DiscordTaskEvent::PermissionTried { channel, planned })
                .await;
        });
    }

    pub fn record(&mut self, channel: ChannelId, planned: bool) {
        if planned {
            &mut self.planned
        } else {
            &mut self.asked
        }
        .remove(&channel);
        self.last.insert(channel, Instant::now());
    }
}
