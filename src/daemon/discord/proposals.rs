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
        let moderation =
            self.core.channel_state(act.channel).map(|lane| lane.policy().moderation.clone()).unwrap_or_default();
        let rules = ModerationRules { moderation, has_log: self.find_approval_log(act.guild).is_some(), causes };
        let discord = self.away.as_ref().map(|away| away.discord.clone());
        let (store, inner) = (self.store.clone(), self.inner.clone());
        tokio::spawn(async move {
            let asked = (turn, call);
            let judging = async {
                match discord {
                    Some(discord) => moderation::judge_action(&discord, &store, &rules, asked, act.clone()).await,
                    None => ApprovalResult::Refused(DenialReason::SwitchedOff),
                }
            };
            // Whatever happens, the turn hears of it.
            let came = tasks::run_with_limit(PATIENCE, "judging a deed", judging).await.unwrap_or_else(|why| {
                tracing::error!("{why}");
                ApprovalResult::Refused(DenialReason::Failed(FailureKind::NoAnswer))
            });
            let wanted = ApprovalSubject::Deed(act);
            let _ = inner.send(LoopMessage::ApprovalNews(Box::new(ApprovalNews::Judged { asked, wanted, came }))).await;
        });
    }

    /// Carries out a deed that was decided on. `again`: an earlier run may have done it.
    pub(in crate::daemon) fn perform_moderation_action(
        &mut self,
        proposal: ApprovalRequest,
        told: Option<(TurnId, u32)>,
        again: bool,
    ) {
        let (Some(away), ApprovalSubject::Deed(act)) = (&self.away, proposal.wanted.clone()) else { return };
        let (discord, store, inner) = (away.discord.clone(), self.store.clone(), self.inner.clone());
        tokio::spawn(async move {
            let doing = moderation::carry_out_action(&discord, &store, &proposal, &act, again);
            let done = tasks::run_with_limit(PATIENCE, "a deed that was decided on", doing).await;
            let (state, settled) = done.unwrap_or_else(|why| {
                tracing::error!("{why}");
                (ApprovalState::Failed(DenialReason::Failed(FailureKind::NoAnswer)), None)
            });
            let is_known = settled.is_some();
            let proposal = settled.unwrap_or(proposal);
            let news = ApprovalNews::CarriedOut { state, proposal, is_known, told };
            let _ = inner.send(LoopMessage::ApprovalNews(Box::new(news))).await;
        });
    }

    /// Asks in the log channel whether it may be done; looks first whether that is asked already.
    pub(in crate::daemon) fn ask_moderators(&self, proposal: &ApprovalRequest, before: bool) {
        let guild = proposal.wanted.guild();
        let (Some(log), Some(channel)) = (self.find_approval_log(guild), self.find_channel(proposal.wanted.channel()))
        else {
            return;
        };
        let card = self.render_approval_embed(proposal, &channel);
        let Some(away) = &self.away else { return };
        let about = match &proposal.wanted {
            ApprovalSubject::Deed(act) => Some(act.user),
            ApprovalSubject::Call(_) => None,
        };
        let (id, until) = (proposal.id, proposal.expires);
        let before = before.then(|| away.discord.me());
        away.discord.log_channels().ask(log, ApprovalEmbed { id, about, guild, card, until }, before);
    }

    /// Whether the card in the log channel would show all of it.
    pub(in crate::daemon) fn is_shown_whole(&self, proposal: &ApprovalRequest) -> bool {
        let (Some(away), Some(channel)) = (&self.away, self.find_channel(proposal.wanted.channel())) else {
            return true;
        };
        away.discord
            .log_channels()
            .can_show_whole(proposal.wanted.guild(), self.render_approval_embed(proposal, &channel))
    }

    /// The card of a proposal says what was decided.
    pub(in crate::daemon) fn show_decision(&self, proposal: &ApprovalRequest) {
        let channel = self.find_channel(proposal.wanted.channel());
        let (Some(away), Some(channel), Some(card)) = (&self.away, channel, proposal.card) else { return };
        if proposal.state.is_settled() {
            away.discord.log_channels().show_decision(
                card,
                proposal.wanted.guild(),
                self.render_approval_embed(proposal, &channel),
            );
        }
    }

    /// A card stands in a log channel.
    pub(super) fn record_approval_embed(&self, id: ProposalId, log: ChannelId, message: MessageId) {
        let Some(away) = &self.away else { return };
        let (store, inner, entries) = (self.store.clone(), self.inner.clone(), away.discord.log_channels().clone());
        tokio::spawn(async move {
            match store.save_proposal_card(id, (log, message), clock::now()).await {
                Ok(None) => entries.delete_entries(vec![(log, message)]),
                Ok(Some(proposal)) => {
                    let _ = inner.send(LoopMessage::ApprovalNews(Box::new(ApprovalNews::EmbedPosted(proposal)))).await;
                }
                Err(error) => tracing::error!(%error, "a card of a log channel is not on record and will not expire"),
            }
        });
    }

    /// Where somebody is asked: the guild's own log channel, else the host's.
    pub(in crate::daemon) fn find_approval_log(&self, guild: GuildId) -> Option<ChannelId> {
        self.settings.find_log_channel(guild).or(self.settings.discord.log.channel)
    }

    /// A channel that has a lane, or that Discord tells of.
    pub(in crate::daemon) fn find_channel(&self, id: ChannelId) -> Option<Channel> {
        let lane = self.core.channel_state(id).map(|lane| lane.channel.clone());
        lane.or_else(|| self.away.as_ref()?.channel(id))
    }

    fn render_approval_embed(&self, proposal: &ApprovalRequest, channel: &Channel) -> embed::LogEmbed {
        let own = self.settings.find_log_channel(proposal.wanted.guild()).is_some();
        let name = self.guild_name(channel.guild).filter(|_| !own);
        let readers = if own { EmbedAudience::Guild } else { EmbedAudience::Operator };
        let (guild, language) = (name.as_deref(), self.settings.language.unwrap_or_default());
        embed::render_proposal(
            proposal,
            &RenderContext { channel, guild, readers, quote: QuotePolicy::Shown, language },
        )
    }
}
