//! What waits for a moderator's click on Discord: deeds are judged, asked about in a log channel and carried out here; the
//! cards of deeds and of calls say what was decided.

use std::time::Duration;

use super::super::approvals::{ApprovalNews, ApprovalResult};
use super::super::{Daemon, LoopMessage};
use super::moderation::{self, ModerationRules};
use kith_agent::tasks;
use kith_core::approval::{ApprovalRequest, ApprovalState, ApprovalSubject};
use kith_core::chat::{Channel, ChannelId, GuildId, MessageId, ProposalId, TurnId, UserId};
use kith_core::moderation::{DenialReason, ModerationAction};
use kith_core::report::FailureKind;
use kith_discord::ApprovalEmbed;
use kith_observe::embed::{self, EmbedAudience, QuotePolicy, RenderContext};
use kith_system::clock;

/// How long judging and doing may take, all tries included.
const PATIENCE: Duration = Duration::from_secs(15 * 60);

impl Daemon {
    /// A turn asks for a deed.
    pub(in crate::daemon) fn propose_moderation(
        &self,
        turn: TurnId,
        call: u32,
        act: ModerationAction,
        causes: Vec<UserId>,
    ) {
        let moderation = self
            .core
            .channel_state(act.channel)
            .map(|state| state.policy().moderation.clone())
            .unwrap_or_default();
        let rules = ModerationRules {
            moderation,
            has_log: self.find_approval_log(act.guild).is_some(),
            causes,
        };
        let discord = self.away.as_ref().map(|platform| platform.discord.clone());
        let (store, loop_sender) = (self.store.clone(), self.loop_sender.clone());
        tokio::spawn(async move {
            let asked = (turn, call);
            let judging = async {
                match discord {
                    Some(discord) => {
                        moderation::judge_action(&discord, &store, &rules, asked, act.clone()).await
                    }
                    None => ApprovalResult::Refused(DenialReason::SwitchedOff),
                }
            };
            // Whatever happens, the turn hears of it.
            let result = tasks::run_with_limit(PATIENCE, "judging a deed", judging)
                .await
                .unwrap_or_else(|why| {
                    tracing::error!("{why}");
                    ApprovalResult::Refused(DenialReason::Failed(FailureKind::NoAnswer))
                });
            let subject = ApprovalSubject::Deed(act);
            let _ = loop_sender
                .send(LoopMessage::ApprovalNews(Box::new(ApprovalNews::Judged {
                    asked,
                    wanted: subject,
                    came: result,
                })))
                .await;
        });
    }

    /// Carries out a deed that was decided on. `again`: an earlier run may have done it.
    pub(in crate::daemon) fn perform_moderation_action(
        &mut self,
        proposal: ApprovalRequest,
        call: Option<(TurnId, u32)>,
        again: bool,
    ) {
        let (Some(platform), ApprovalSubject::Deed(action)) = (&self.away, proposal.wanted.clone())
        else {
            return;
        };
        let (discord, store, loop_sender) = (
            platform.discord.clone(),
            self.store.clone(),
            self.loop_sender.clone(),
        );
        tokio::spawn(async move {
            let doing = moderation::carry_out_action(&discord, &store, &proposal, &action, again);
            let done = tasks::run_with_limit(PATIENCE, "a deed that was decided on", doing).await;
            let (state, settled) = done.unwrap_or_else(|why| {
                tracing::error!("{why}");
                (
                    ApprovalState::Failed(DenialReason::Failed(FailureKind::NoAnswer)),
                    None,
                )
            });
            let is_known = settled.is_some();
            let proposal = settled.unwrap_or(proposal);
            let news = ApprovalNews::CarriedOut {
                state,
                proposal,
                is_known,
                told: call,
            };
            let _ = loop_sender
                .send(LoopMessage::ApprovalNews(Box::new(news)))
                .await;
        });
    }

    /// Asks in the log channel whether it may be done; looks first whether that is asked already.
    pub(in crate::daemon) fn ask_moderators(&self, proposal: &ApprovalRequest, before: bool) {
        let guild = proposal.wanted.guild();
        let (Some(log), Some(channel)) = (
            self.find_approval_log(guild),
            self.find_channel(proposal.wanted.channel()),
        ) else {
            return;
        };
        let log_embed = self.render_approval_embed(proposal, &channel);
        let Some(platform) = &self.away else { return };
        let about = match &proposal.wanted {
            ApprovalSubject::Deed(action) => Some(action.user),
            ApprovalSubject::Call(_) => None,
        };
        let (id, until) = (proposal.id, proposal.expires);
        let before = before.then(|| platform.discord.me());
        platform.discord.log_channels().ask(
            log,
            ApprovalEmbed {
                id,
                about,
                guild,
                log_embed,
                until,
            },
            before,
        );
    }

    /// Whether the card in the log channel would show all of it.
    pub(in crate::daemon) fn is_shown_whole(&self, proposal: &ApprovalRequest) -> bool {
        let (Some(platform), Some(channel)) =
            (&self.away, self.find_channel(proposal.wanted.channel()))
        else {
            return true;
        };
        platform.discord.log_channels().can_show_whole(
            proposal.wanted.guild(),
            self.render_approval_embed(proposal, &channel),
        )
    }

    /// The card of a proposal says what was decided.
    pub(in crate::daemon) fn show_decision(&self, proposal: &ApprovalRequest) {
        let channel = self.find_channel(proposal.wanted.channel());
        let (Some(platform), Some(channel), Some(embed_place)) =
            (&self.away, channel, proposal.log_message)
        else {
            return;
        };
        if proposal.state.is_settled() {
            platform.discord.log_channels().show_decision(
                embed_place,
                proposal.wanted.guild(),
                self.render_approval_embed(proposal, &channel),
            );
        }
    }

    /// A card stands in a log channel.
    pub(super) fn record_approval_embed(&self, id: ProposalId, log: ChannelId, message: MessageId) {
        let Some(platform) = &self.away else { return };
        let (store, loop_sender, entries) = (
            self.store.clone(),
            self.loop_sender.clone(),
            platform.discord.log_channels().clone(),
        );
        tokio::spawn(async move {
            match store
                .save_proposal_card(id, (log, message), clock::now())
                .await
            {
                Ok(None) => entries.delete_entries(vec![(log, message)]),
                Ok(Some(proposal)) => {
                    let _ = loop_sender
                        .send(LoopMessage::ApprovalNews(Box::new(
                            ApprovalNews::EmbedPosted(proposal),
                        )))
                        .await;
                }
                Err(error) => {
                    tracing::error!(%error, "a card of a log channel is not on record and will not expire")
                }
            }
        });
    }

    /// Where somebody is asked: the guild's own log channel, else the host's.
    pub(in crate::daemon) fn find_approval_log(&self, guild: GuildId) -> Option<ChannelId> {
        self.settings
            .find_log_channel(guild)
            .or(self.settings.discord.log.channel)
    }

    /// A channel that has a state, or that Discord tells of.
    pub(in crate::daemon) fn find_channel(&self, id: ChannelId) -> Option<Channel> {
        let known = self
            .core
            .channel_state(id)
            .map(|channel_state| channel_state.channel.clone());
        known.or_else(|| self.away.as_ref()?.channel(id))
    }

    fn render_approval_embed(
        &self,
        proposal: &ApprovalRequest,
        channel: &Channel,
    ) -> embed::LogEmbed {
        let own = self
            .settings
            .find_log_channel(proposal.wanted.guild())
            .is_some();
        let name = self.guild_name(channel.guild).filter(|_| !own);
        let readers = if own {
            EmbedAudience::Guild
        } else {
            EmbedAudience::Operator
        };
        let (guild, language) = (name.as_deref(), self.settings.language.unwrap_or_default());
        embed::render_proposal(
            proposal,
            &RenderContext {
                channel,
                guild,
                readers,
                quote: QuotePolicy::Shown,
                language,
            },
        )
    }
}
