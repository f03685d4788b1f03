//! People who left a guild: what is kept of them there is erased after 30 days (`store/people.rs`), for
//! nobody is left there to ask for it.

use super::DiscordPlatform;
use super::task_event::{DepartedMember, DiscordTaskEvent};
use crate::daemon::state::Daemon;
use kith_core::chat::{HOUR, Millis};
use kith_discord::DiscordConnection;
use kith_discord::webhooks::is_proxied;
use kith_memory::Memory;
use kith_store::{QuietMember, Store};
use tokio::sync::mpsc;

pub(super) const LOOK_EVERY: Millis = 6 * HOUR;
/// So many people are asked for each time: a request each, and Discord allows fifty a second for everything.
const AT_ONCE: usize = 100;

impl Daemon<DiscordPlatform> {
    /// Asks Discord whether those who are quiet are still in their guilds, if that is due.
    pub(super) fn look_for_departed(&mut self, now: Millis) {
        let is_due = self.platform.is_complete
            && self.is_clock_trusted()
            && self.platform.membership_look.is_due(now);
        if !is_due {
            return;
        }
        let (store, memory) = (self.store.clone(), self.memory.clone());
        let discord = self.platform.discord.clone();
        let task_sender = self.platform.task_sender.clone();
        tokio::spawn(async move {
            let quiet = match store.find_quiet_members(now, AT_ONCE).await {
                Ok(quiet) => quiet,
                Err(error) => {
                    return tracing::warn!(%error, "it cannot be looked who left; trying again later");
                }
            };
            for member in quiet {
                if let Some(departed) = check_member(&discord, &store, member, now).await {
                    erase(&memory, &task_sender, departed, now).await;
                }
            }
        });
    }

    /// What is in memory of somebody who left goes, and what told of them.
    pub(super) fn handle_departure(&mut self, departed: DepartedMember) {
        let DepartedMember {
            user,
            channels,
            erased,
        } = departed;
        self.forget_person(user, Some(channels));
        if let Some(erased) = erased {
            let turns = self.apply_erasure(erased);
            self.delete_turn_log_entries(turns);
            self.delete_erased_log_entries();
        }
    }
}

/// Whether somebody left so long ago that they are erased now.
async fn check_member(
    discord: &DiscordConnection,
    store: &Store,
    member: QuietMember,
    now: Millis,
) -> Option<DepartedMember> {
    // Of a guild that is away now nothing can be known.
    discord.directory().guilds.get(&member.guild)?;
    let found = discord
        .message_sender()
        .fetch_member(member.guild, member.user)
        .await;
    let is_member = match found {
        // Who writes through a webhook is no member, and so cannot leave.
        Ok(found) => found.is_some() || is_proxied(member.user),
        Err(error) => {
            tracing::debug!(%error, guild = %member.guild, "it cannot be known now whether somebody is still there");
            return None;
        }
    };
    match store.record_membership(member, is_member, now).await {
        Ok(channels) => Some(DepartedMember {
            user: member.user,
            channels: channels?,
            erased: None,
        }),
        Err(error) => {
            tracing::warn!(%error, "it cannot be kept who left; trying again later");
            None
        }
    }
}

/// What is in memory goes before and after: nothing of it may bring them back into the store.
async fn erase(
    memory: &Memory,
    task_sender: &mpsc::Sender<DiscordTaskEvent>,
    departed: DepartedMember,
    now: Millis,
) {
    let _ = task_sender
        .send(DiscordTaskEvent::MemberDeparted(departed.clone()))
        .await;
    let channels = Some(departed.channels.clone());
    match memory.forget_person(departed.user, channels, now).await {
        Ok(erased) => {
            tracing::info!(
                messages = erased
                    .messages
                    .iter()
                    .map(|(_, ids)| ids.len())
                    .sum::<usize>(),
                "somebody left a server 30 days ago: what was kept of them there is erased"
            );
            let erased = DepartedMember {
                erased: Some(erased),
                ..departed
            };
            let _ = task_sender
                .send(DiscordTaskEvent::MemberDeparted(erased))
                .await;
        }
        Err(error) => {
            tracing::error!(%error, "somebody who left could not be erased; trying again later");
        }
    }
}
