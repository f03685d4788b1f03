//! The entries of log channels, as they are remembered: deleted when they expire or quote what is forgotten.

use super::DiscordPlatform;
use crate::daemon::approvals::event::ApprovalNews;
use crate::daemon::state::Daemon;
use kith_core::chat::{ChannelId, MessageId, ProposalId, TurnId};
use kith_discord::LogDetail;
use kith_discord::snowflake::snowflake_time;
use kith_language::discord;
use kith_observe::{CardSeverity, embed};
use kith_system::clock;

/// How many turns are remembered whose entries may still be on their way to a log channel.
const UNLOGGED_KEPT: usize = 10_000;

impl Daemon<DiscordPlatform> {
    /// The link was lost for so long that it is looked back at what was said.
    pub(super) fn log_reconnect(&mut self, shard: u64) {
        let is_first = self.platform.connected_shards.insert(shard);
        if is_first || self.settings.discord.log.level < LogDetail::Everything {
            return;
        }
        let language = self.settings.language.unwrap_or_default();
        let text = discord::link_lost().in_language(language);
        self.send_operator_embed(embed::render_notice(CardSeverity::Quiet, text));
    }

    /// Entries were posted: they are remembered, to be deleted when they expire or quote somebody who is forgotten.
    pub(super) fn record_log_entry(
        &self,
        log: ChannelId,
        message: MessageId,
        turns: Vec<TurnId>,
        earlier: bool,
    ) {
        let platform = &self.platform;
        if turns
            .iter()
            .any(|turn| platform.unlogged_turns.contains(turn))
        {
            platform
                .discord
                .log_channels()
                .delete_entries(vec![(log, message)]);
        }
        let entries = platform.discord.log_channels().clone();
        let posted = match earlier {
            true => self
                .store
                .save_found_log_message(log, message, turns, snowflake_time(message)),
            false => self
                .store
                .save_log_message(log, message, turns, clock::now()),
        };
        tokio::spawn(async move {
            match posted.await {
                Ok(false) => {}
                Ok(true) => entries.delete_entries(vec![(log, message)]),
                Err(error) => {
                    tracing::error!(%error, "an entry of a log channel is not on record and will not expire");
                }
            }
        });
    }

    /// A text was erased: the entries that tell of turns which quoted it are deleted.
    pub(super) fn delete_erased_log_entries(&self) {
        let log = self.platform.discord.log_channels().clone();
        let due = self.store.find_expired_log_messages(0);
        tokio::spawn(async move {
            match due.await {
                Ok(due) if due.is_empty() => {}
                Ok(due) => log.delete_entries(due),
                Err(error) => {
                    tracing::error!(%error, "log channels may still quote what was erased; trying again later")
                }
            }
        });
    }

    pub(super) fn forget_deleted_log_entries(&self, entries: Vec<(ChannelId, MessageId)>) {
        let gone = self.store.drop_log_messages(entries);
        tokio::spawn(async move {
            if let Err(error) = gone.await {
                tracing::warn!(%error, "deleted entries of a log channel stay on record and are deleted again");
            }
        });
    }

    /// What log channels tell of these turns is deleted: posted, waiting, or on its way just now.
    pub(super) fn delete_turn_log_entries(&mut self, turns: Vec<TurnId>) {
        let platform = &mut self.platform;
        platform.discord.log_channels().forget_turns(&turns);
        if platform.unlogged_turns.len() > UNLOGGED_KEPT {
            platform.unlogged_turns.clear();
        }
        platform.unlogged_turns.extend(&turns);
        let (store, log) = (self.store.clone(), platform.discord.log_channels().clone());
        tokio::spawn(async move {
            match store.find_log_messages(turns).await {
                Ok(entries) => log.delete_entries(entries),
                Err(error) => {
                    tracing::error!(%error, "log channels may still tell of what was forgotten")
                }
            }
        });
    }

    pub(super) fn record_approval_embed(&self, id: ProposalId, log: ChannelId, message: MessageId) {
        let entries = self.platform.discord.log_channels().clone();
        let saved = self
            .store
            .save_proposal_card(id, (log, message), clock::now());
        self.spawn_approval_task(async move {
            match saved.await {
                Ok(None) => entries.delete_entries(vec![(log, message)]),
                Ok(Some(proposal)) => return Some(ApprovalNews::EmbedPosted(proposal)),
                Err(error) => {
                    tracing::error!(%error, "a card of a log channel is not on record and will not expire")
                }
            }
            None
        });
    }
}
