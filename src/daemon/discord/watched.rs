//! The log channels: which of them is told what. A guild's own sees that guild only; direct messages and other guilds
//! go to the host's alone (Law 11).

use std::sync::Arc;

use super::super::Daemon;
use kith_core::chat::{Channel, ChannelId, GuildId, MessageId, TurnId};
use kith_core::moderation::{DenialReason, ModerationAction};
use kith_core::persona::Language;
use kith_core::report::{MessageDecision, TurnOutcome, TurnReport};
use kith_discord::LogDetail;
use kith_discord::snowflake::snowflake_time;
use kith_observe::embed::{self, EmbedAudience, QuotePolicy, RenderContext};
use kith_observe::{CardSeverity, LogEmbed};
use kith_system::clock;

/// How many turns are remembered whose entries may still be on their way to a log channel.
const UNLOGGED_KEPT: usize = 10_000;

/// A log channel that may be told something.
struct Reader {
    log: ChannelId,
    readers: EmbedAudience,
    quote: QuotePolicy,
}

impl Reader {
    /// What is told here of a channel; the host is told of which `guild`.
    fn build_render_context<'a>(
        &self,
        channel: &'a Channel,
        guild: Option<&'a str>,
        language: Language,
    ) -> RenderContext<'a> {
        let Self { readers, quote, .. } = *self;
        RenderContext {
            channel,
            guild: guild.filter(|_| readers == EmbedAudience::Operator),
            readers,
            quote,
            language,
        }
    }
}

impl Daemon {
    /// A turn is over: its card goes to the log channels that may see it.
    pub(in crate::daemon) fn log_turn(&self, report: &TurnReport) {
        let Some(platform) = self
            .away
            .as_ref()
            .filter(|platform| !platform.unlogged_turns.contains(&report.turn))
        else {
            return;
        };
        let Some(channel) = self
            .core
            .channel_state(report.channel)
            .map(|channel_state| channel_state.channel.clone())
        else {
            return;
        };
        let failed = matches!(report.outcome, TurnOutcome::Failed(_));
        if self.settings.discord.log.level < LogDetail::Turns && !failed {
            return;
        }
        let readers = self.find_log_readers(&channel);
        if readers.is_empty() {
            return;
        }
        let model = self
            .turns
            .get(&report.turn)
            .map(|running| running.model().name().to_owned())
            .unwrap_or_default();
        let guild = self.guild_name(channel.guild);
        let (store, log, report) = (
            self.store.clone(),
            platform.discord.log_channels().clone(),
            report.clone(),
        );
        let language = self.settings.language.unwrap_or_default();
        tokio::spawn(async move {
            // What it thought of the message was stored when the message came.
            let decision = match report.wake.message {
                Some(message) => store
                    .find_decision(report.channel, message)
                    .await
                    .ok()
                    .flatten(),
                None => None,
            };
            for reader in readers {
                let context = reader.build_render_context(&channel, guild.as_deref(), language);
                let log_embed = embed::render_turn(&report, decision.as_ref(), &model, &context);
                log.show_turn(
                    reader.log,
                    channel.guild,
                    report.turn,
                    report.channel,
                    log_embed,
                );
            }
        });
    }

    /// A message that was meant for it and that it may not answer.
    pub(in crate::daemon) fn log_refusal(&self, decision: &MessageDecision) {
        if decision.refusal.is_none() || decision.address.is_none() {
            return;
        }
        if self.settings.discord.log.level == LogDetail::Everything {
            self.notify_log_channels(decision.channel, |context| {
                embed::render_refusal(decision, context)
            });
        }
    }

    /// A deed that the model asked for is not done.
    pub(in crate::daemon) fn log_denied_action(
        &self,
        action: &ModerationAction,
        obstacle: DenialReason,
    ) {
        self.notify_log_channels(action.channel, |context| {
            embed::render_denial(action, obstacle, context)
        });
    }

    /// A card for every log channel that may see something of a channel, as it may be shown there.
    pub(in crate::daemon) fn notify_log_channels(
        &self,
        channel: ChannelId,
        card: impl Fn(&RenderContext<'_>) -> LogEmbed,
    ) {
        let Some(platform) = &self.away else { return };
        let Some(channel) = self
            .core
            .channel_state(channel)
            .map(|channel_state| &channel_state.channel)
        else {
            return;
        };
        let language = self.settings.language.unwrap_or_default();
        let guild = self.guild_name(channel.guild);
        for reader in self.find_log_readers(channel) {
            let log_embed = card(&reader.build_render_context(channel, guild.as_deref(), language));
            platform
                .discord
                .log_channels()
                .log_notice(reader.log, channel.guild, log_embed);
        }
    }

    /// The link was lost for so long that it is looked back at what was said.
    pub(super) fn log_reconnect(&mut self, shard: u64) {
        let Some(platform) = &mut self.away else {
            return;
        };
        let is_first = platform.connected_shards.insert(shard);
        if is_first || self.settings.discord.log.level < LogDetail::Everything {
            return;
        }
        let text = self.settings.language.unwrap_or_default().pick(
            "The link to Discord was lost; what was said meanwhile is being read.",
            "和 Discord 的连接断过；正在补读这段时间的消息。",
        );
        self.send_operator_embed(embed::render_notice(CardSeverity::Quiet, text));
    }

    /// Something the host should know.
    pub(in crate::daemon) fn notify_operator(&self, severity: CardSeverity, text: String) {
        tracing::warn!("{text}");
        self.send_operator_embed(embed::render_notice(severity, text));
    }

    /// A card for the host's log channel.
    pub(in crate::daemon) fn send_operator_embed(&self, log_embed: LogEmbed) {
        if let (Some(platform), Some(log)) = (&self.away, self.settings.discord.log.channel) {
            platform
                .discord
                .log_channels()
                .log_notice(log, None, log_embed);
        }
    }

    /// The log channels that may see something of a channel. Text is quoted only where the settings say so, and only
    /// where everybody who reads the log channel can read that channel, too; to the host of a guild only.
    fn find_log_readers(&self, channel: &Channel) -> Vec<Reader> {
        let Some(platform) = &self.away else {
            return Vec::new();
        };
        let settings = &self.settings.discord.log;
        let directory = platform.directory();
        let reader = |log: ChannelId, readers: EmbedAudience| {
            let is_open =
                readers == EmbedAudience::Operator || directory.is_readable_in(channel.id, log);
            let quote = if settings.text && is_open {
                QuotePolicy::Shown
            } else {
                QuotePolicy::Hidden
            };
            Reader {
                log,
                readers,
                quote,
            }
        };
        let operator_reader = settings
            .channel
            .map(|log| reader(log, EmbedAudience::Operator));
        let own = channel
            .guild
            .and_then(|guild| self.settings.find_log_channel(guild));
        let own = own
            .filter(|log| settings.channel != Some(*log))
            .map(|log| reader(log, EmbedAudience::Guild));
        operator_reader.into_iter().chain(own).collect()
    }

    pub(super) fn guild_name(&self, guild: Option<GuildId>) -> Option<Arc<str>> {
        Some(
            self.away
                .as_ref()?
                .directory()
                .guilds
                .get(&guild?)?
                .name
                .clone(),
        )
    }

    /// Whether a channel is a log channel: those are never heard.
    pub(in crate::daemon) fn is_log_channel(&self, channel: ChannelId) -> bool {
        self.settings.discord.log.channel == Some(channel) || self.settings.is_log_channel(channel)
    }

    /// Entries were posted: they are remembered, to be deleted when they expire or quote somebody who is forgotten. Those
    /// of an `earlier` run may be remembered already.
    pub(super) fn record_log_entry(
        &self,
        log: ChannelId,
        message: MessageId,
        turns: Vec<TurnId>,
        earlier: bool,
    ) {
        let Some(platform) = &self.away else { return };
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
        let Some(log) = self
            .away
            .as_ref()
            .map(|platform| platform.discord.log_channels().clone())
        else {
            return;
        };
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

    /// Entries are gone: they need not be remembered any more.
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
        let Some(platform) = &mut self.away else {
            return;
        };
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
}
