//! The log channels: which of them is told what. A guild's own sees that guild only; direct messages and other guilds
//! go to the host's alone (Law 11).

use std::sync::Arc;

use super::state::Daemon;
use kith_core::chat::{Channel, ChannelId, GuildId, TurnId};
use kith_core::moderation::{DenialReason, ModerationAction};
use kith_core::persona::Language;
use kith_core::report::{MessageDecision, TurnOutcome, TurnReport};
use kith_discord::LogDetail;
use kith_discord::log_channel::LogChannels;
use kith_observe::embed::{self, EmbedAudience, QuotePolicy, RenderContext};
use kith_observe::{CardSeverity, LogEmbed};

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
    pub(super) fn log_turn(&self, report: &TurnReport) {
        let Some(log) = self
            .platform
            .log_channels()
            .filter(|_| self.platform.may_log_turn(report.turn))
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
        let (store, log, report) = (self.store.clone(), log.clone(), report.clone());
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
    pub(super) fn log_refusal(&self, decision: &MessageDecision) {
        if decision.refusal.is_none() || decision.address.is_none() {
            return;
        }
        if self.settings.discord.log.level == LogDetail::Everything {
            self.notify_log_channels(decision.channel, |context| {
                embed::render_refusal(decision, context)
            });
        }
    }

    pub(super) fn log_denied_action(&self, action: &ModerationAction, obstacle: DenialReason) {
        self.notify_log_channels(action.channel, |context| {
            embed::render_denial(action, obstacle, context)
        });
    }

    /// A card for every log channel that may see something of a channel, as it may be shown there.
    pub(super) fn notify_log_channels(
        &self,
        channel: ChannelId,
        card: impl Fn(&RenderContext<'_>) -> LogEmbed,
    ) {
        self.render_for_readers(channel, card, |log, reader, channel, log_embed| {
            log.log_notice(reader.log, channel.guild, log_embed);
        });
    }

    fn render_for_readers(
        &self,
        channel: ChannelId,
        card: impl Fn(&RenderContext<'_>) -> LogEmbed,
        show: impl Fn(&LogChannels, &Reader, &Channel, LogEmbed),
    ) {
        let Some(log) = self.platform.log_channels() else {
            return;
        };
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
            show(log, &reader, channel, log_embed);
        }
    }

    pub(super) fn log_running_call(
        &self,
        call: (TurnId, u32),
        channel: ChannelId,
        card: impl Fn(&RenderContext<'_>) -> LogEmbed,
    ) {
        self.render_for_readers(channel, card, |log, reader, channel, log_embed| {
            log.show_running_call(reader.log, channel.guild, call, channel.id, log_embed);
        });
    }

    pub(super) fn notify_operator(&self, severity: CardSeverity, text: String) {
        tracing::warn!("{text}");
        self.send_operator_embed(embed::render_notice(severity, text));
    }

    pub(super) fn send_operator_embed(&self, log_embed: LogEmbed) {
        let place = self.settings.discord.log.channel;
        if let (Some(log), Some(place)) = (self.platform.log_channels(), place) {
            log.log_notice(place, None, log_embed);
        }
    }

    /// The log channels that may see something of a channel. Text is quoted only where the settings say so, and only
    /// where everybody who reads the log channel can read that channel, too; to the host of a guild only.
    fn find_log_readers(&self, channel: &Channel) -> Vec<Reader> {
        let settings = &self.settings.discord.log;
        let reader = |log: ChannelId, readers: EmbedAudience| {
            let is_open =
                readers == EmbedAudience::Operator || self.platform.is_readable_in(channel.id, log);
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
        self.platform.guild_name(guild?)
    }

    /// Whether a channel is a log channel: those are never heard.
    pub(super) fn is_log_channel(&self, channel: ChannelId) -> bool {
        self.settings.discord.log.channel == Some(channel) || self.settings.is_log_channel(channel)
    }
}
