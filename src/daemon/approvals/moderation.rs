//! What waits for a moderator's click: actions about members are judged, asked about in a log channel and carried out; the
//! cards of actions and of calls say what was decided.

use std::time::Duration;

use super::event::{ApprovalNews, ApprovalResult, ModerationRules};
use crate::daemon::state::Daemon;
use kith_agent::turn_tasks;
use kith_core::approval::{ApprovalRequest, ApprovalState, ApprovalSubject};
use kith_core::chat::{Channel, ChannelId, GuildId, TurnId, UserId};
use kith_core::moderation::{DenialReason, ModerationAction};
use kith_core::report::FailureKind;
use kith_discord::ApprovalEmbed;
use kith_observe::embed::{self, EmbedAudience, QuotePolicy, RenderContext};

/// How long judging and doing may take, all tries included.
const PATIENCE: Duration = Duration::from_secs(15 * 60);

impl Daemon {
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
        let asked = (turn, call);
        let judging = self.platform.judge_moderation(rules, asked, act.clone());
        self.spawn_approval_task(async move {
            // Whatever happens, the turn hears of it.
            let result = turn_tasks::run_with_limit(PATIENCE, "judging a deed", judging)
                .await
                .unwrap_or_else(|why| {
                    tracing::error!("{why}");
                    ApprovalResult::Refused(DenialReason::Failed(FailureKind::NoAnswer))
                });
            let subject = ApprovalSubject::Deed(act);
            Some(ApprovalNews::Judged {
                asked,
                wanted: subject,
                came: result,
            })
        });
    }

    /// Carries out a deed that was decided on. `again`: an earlier run may have done it.
    pub(in crate::daemon) fn perform_moderation_action(
        &mut self,
        proposal: ApprovalRequest,
        call: Option<(TurnId, u32)>,
        again: bool,
    ) {
        let ApprovalSubject::Deed(action) = proposal.wanted.clone() else {
            return;
        };
        let Some(doing) = self
            .platform
            .carry_out_moderation(proposal.clone(), action, again)
        else {
            return;
        };
        self.spawn_approval_task(async move {
            let done =
                turn_tasks::run_with_limit(PATIENCE, "a deed that was decided on", doing).await;
            let (state, settled) = done.unwrap_or_else(|why| {
                tracing::error!("{why}");
                (
                    ApprovalState::Failed(DenialReason::Failed(FailureKind::NoAnswer)),
                    None,
                )
            });
            let is_known = settled.is_some();
            let proposal = settled.unwrap_or(proposal);
            Some(ApprovalNews::CarriedOut {
                state,
                proposal,
                is_known,
                told: call,
            })
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
        let Some(entries) = self.platform.log_channels() else {
            return;
        };
        let about = match &proposal.wanted {
            ApprovalSubject::Deed(action) => Some(action.user),
            ApprovalSubject::Call(_) => None,
        };
        let (id, until) = (proposal.id, proposal.expires);
        let before = before.then_some(self.companion_id);
        entries.ask(
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
        let (Some(entries), Some(channel)) = (
            self.platform.log_channels(),
            self.find_channel(proposal.wanted.channel()),
        ) else {
            return true;
        };
        entries.can_show_whole(
            proposal.wanted.guild(),
            self.render_approval_embed(proposal, &channel),
        )
    }

    pub(in crate::daemon) fn show_decision(&self, proposal: &ApprovalRequest) {
        let channel = self.find_channel(proposal.wanted.channel());
        let (Some(entries), Some(channel), Some(embed_place)) =
            (self.platform.log_channels(), channel, proposal.log_message)
        else {
            return;
        };
        if proposal.state.is_settled() {
            entries.show_decision(
                embed_place,
                proposal.wanted.guild(),
                self.render_approval_embed(proposal, &channel),
            );
        }
    }

    /// Where somebody is asked: the guild's own log channel, else the host's.
    pub(in crate::daemon) fn find_approval_log(&self, guild: GuildId) -> Option<ChannelId> {
        self.settings
            .find_log_channel(guild)
            .or(self.settings.discord.log.channel)
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
