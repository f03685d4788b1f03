//! What waits for a person's decision, in the room as on Discord: kept before anybody is asked, carried out or dropped when
//! somebody decides, given up when nobody does, and told to the companion. What a stop left open is taken up again.

use super::event::{ApprovalNews, ApprovalResult};
use super::pending_approvals::ResumptionStep;
use crate::daemon::loop_message::LoopMessage;
use crate::daemon::state::Daemon;
use kith_core::approval::{ApprovalRequest, ApprovalState, ApprovalSubject};
use kith_core::call::ToolResult;
use kith_core::chat::{ChannelId, Millis, TurnId};
use kith_core::event::{Event, TurnEvent};
use kith_core::moderation::DenialReason;
use kith_core::persona::Language;
use kith_language::approvals;
use kith_room::LiveEvent;
use kith_store::StoreReply;

impl Daemon {
    pub(in crate::daemon) fn handle_approval_news(&mut self, news: ApprovalNews) {
        match news {
            ApprovalNews::Judged {
                asked: call,
                wanted: subject,
                came: result,
            } => self.handle_approval_judgement(call, &subject, result),
            ApprovalNews::Decided(proposal) => self.handle_approval_decision(proposal),
            ApprovalNews::CarriedOut {
                state,
                proposal,
                is_known,
                told: call,
            } => self.handle_approval_outcome(state, &proposal, is_known, call),
            ApprovalNews::Expired(all) => all
                .iter()
                .for_each(|proposal| self.settle_approval(proposal)),
            ApprovalNews::EmbedPosted(proposal) => self.show_decision(&proposal),
            ApprovalNews::Open(all) => all
                .into_iter()
                .for_each(|proposal| self.resume_proposal(proposal)),
        }
    }

    pub(in crate::daemon) fn handle_approval_judgement(
        &mut self,
        call: (TurnId, u32),
        subject: &ApprovalSubject,
        came: ApprovalResult,
    ) {
        let language = self.language_in(subject.channel());
        let result = match came {
            ApprovalResult::Approved(proposal) => {
                return self.carry_out_approval(proposal, Some(call));
            }
            ApprovalResult::Pending(proposal) => {
                self.request_approval(&proposal, false);
                let what = self.describe_subject(subject, language);
                let waits = match subject {
                    ApprovalSubject::Deed(_) => approvals::waits_for_moderator(what),
                    ApprovalSubject::Call(_) => approvals::waits_for_person(what),
                };
                ToolResult::pending(waits.in_language(language))
            }
            ApprovalResult::Refused(obstacle) => self.report_denial(subject, obstacle),
        };
        self.finish_call(call, result);
    }

    /// What it does, by the names its channel's prompt shows.
    fn describe_subject(&self, subject: &ApprovalSubject, language: Language) -> String {
        let channel_state = self.core.channel_state(subject.channel());
        channel_state.map_or_else(
            || subject.describe(language),
            |state| subject.describe_with_names(&state.window.names, language),
        )
    }

    fn report_denial(&self, subject: &ApprovalSubject, obstacle: DenialReason) -> ToolResult {
        let language = self.language_in(subject.channel());
        if let ApprovalSubject::Deed(action) = subject {
            self.log_denied_action(action, obstacle);
        }
        let why = obstacle.describe(language);
        ToolResult::error(approvals::not_allowed(why).in_language(language))
    }

    pub(in crate::daemon) fn finish_call(
        &mut self,
        (turn, call): (TurnId, u32),
        result: ToolResult,
    ) {
        self.handle_event(Event::Turn {
            turn,
            event: TurnEvent::CallDone { call, result },
        });
    }

    /// Asks for a decision, in the page or in a log channel; there it looks first whether it is asked already.
    fn request_approval(&mut self, proposal: &ApprovalRequest, before: bool) {
        self.approvals.wait_for(proposal.id, proposal.expires);
        self.ask_moderators(proposal, before);
        self.send_live_event(LiveEvent::Pending {
            channel: proposal.wanted.channel(),
        });
    }

    pub(in crate::daemon) fn handle_approval_decision(&mut self, proposal: ApprovalRequest) {
        self.approvals.stop_waiting(proposal.id);
        self.send_live_event(LiveEvent::Pending {
            channel: proposal.wanted.channel(),
        });
        match proposal.state {
            ApprovalState::Approved => self.carry_out_approval(proposal, None),
            _ => self.settle_approval(&proposal),
        }
    }

    fn carry_out_approval(&mut self, proposal: ApprovalRequest, call: Option<(TurnId, u32)>) {
        match &proposal.wanted {
            ApprovalSubject::Deed(_) => self.perform_moderation_action(proposal, call, false),
            ApprovalSubject::Call(_) => self.run_approved_call(proposal),
        }
    }

    fn handle_approval_outcome(
        &mut self,
        state: ApprovalState,
        proposal: &ApprovalRequest,
        is_known: bool,
        call: Option<(TurnId, u32)>,
    ) {
        let subject = &proposal.wanted;
        tracing::info!(guild = %subject.guild(), what = subject.name(), done = state == ApprovalState::Done, "decided on");
        match (call, state) {
            (Some(asked), ApprovalState::Failed(obstacle)) => {
                let result = self.report_denial(subject, obstacle);
                self.finish_call(asked, result);
            }
            (Some(asked), _) => {
                let language = self.language_in(subject.channel());
                let what = self.describe_subject(subject, language);
                self.finish_call(
                    asked,
                    ToolResult::ok(approvals::done(what).in_language(language)),
                );
            }
            (None, _) if is_known => self.settle_approval(proposal),
            // Somebody in it was forgotten.
            (None, _) => {}
        }
    }

    /// It is settled: the card says so, and the companion is told.
    fn settle_approval(&mut self, proposal: &ApprovalRequest) {
        self.show_decision(proposal);
        self.approvals.stop_waiting(proposal.id);
        self.send_live_event(LiveEvent::Pending {
            channel: proposal.wanted.channel(),
        });
        self.report_approval_outcome(proposal);
    }

    /// What came of it stands in the channel's next prompt, once. A channel at rest reads it from the store when it wakes.
    fn report_approval_outcome(&mut self, proposal: &ApprovalRequest) {
        let channel = proposal.wanted.channel();
        let Some(language) = self
            .core
            .channel_state(channel)
            .map(|channel_state| channel_state.policy().persona.language)
        else {
            return;
        };
        if self.approvals.record_outcome(proposal.id, channel) {
            self.handle_event(Event::ApprovalOutcome {
                channel,
                what: proposal.note(language),
            });
        }
    }

    /// When the time of the next proposal is over, once everybody is there to be told.
    pub(in crate::daemon) fn next_expiry(&self) -> Option<Millis> {
        self.approvals
            .next_expiry()
            .filter(|_| self.platform.is_complete())
    }

    pub(in crate::daemon) fn expire_proposals(&mut self, now: Millis) {
        if self.next_expiry().is_none_or(|next| next > now) {
            return;
        }
        self.approvals.expire(now);
        let lost = "what nobody decided on in time stays open until a restart";
        self.forward_proposals(
            self.store.expire_proposals(now),
            ApprovalNews::Expired,
            lost,
        );
    }

    pub(in crate::daemon) fn resume_proposals(&self) {
        let lost = "what was approved before the stop is not carried out";
        self.forward_proposals(self.store.find_open_proposals(), ApprovalNews::Open, lost);
    }

    /// The loop hears what the store tells of proposals; where it does not, the log says what is `lost`.
    fn forward_proposals(
        &self,
        stored: StoreReply<Vec<ApprovalRequest>>,
        news: fn(Vec<ApprovalRequest>) -> ApprovalNews,
        lost: &'static str,
    ) {
        self.spawn_approval_task(async move {
            let all = stored.await;
            let all = all.inspect_err(|error| tracing::error!(%error, "{lost}"));
            all.ok().map(news)
        });
    }

    pub(in crate::daemon) fn spawn_approval_task(
        &self,
        task: impl Future<Output = Option<ApprovalNews>> + Send + 'static,
    ) {
        let loop_sender = self.loop_sender.clone();
        tokio::spawn(async move {
            if let Some(news) = task.await {
                // The loop is only gone with the daemon.
                let _ = loop_sender
                    .send(LoopMessage::Approval(Box::new(news)))
                    .await;
            }
        });
    }

    fn resume_proposal(&mut self, proposal: ApprovalRequest) {
        match self.approvals.plan_resumption(&proposal) {
            ResumptionStep::Nothing => {}
            ResumptionStep::AskAgain => self.request_approval(&proposal, true),
            ResumptionStep::ActAgain => self.perform_moderation_action(proposal, None, true),
            ResumptionStep::RunCall => self.run_approved_call(proposal),
            ResumptionStep::GiveUp => self.settle_failed_call(proposal, DenialReason::CutShort),
        }
    }

    /// What came of proposals before a restart is told with the channel's next prompt.
    pub(in crate::daemon) async fn restore_outcomes(&mut self, channel: ChannelId) {
        let untold = self
            .store
            .find_unreported_proposals(channel)
            .await
            .unwrap_or_else(|error| {
                tracing::warn!(%error, "what came of proposals is not told");
                Vec::new()
            });
        untold
            .iter()
            .for_each(|proposal| self.report_approval_outcome(proposal));
    }

    pub(in crate::daemon) fn mark_outcomes_told(&mut self, channel: ChannelId) {
        if self.approvals.mark_told(channel) {
            let marked = self.store.mark_proposals_reported(channel);
            tokio::spawn(async move {
                if let Err(error) = marked.await {
                    tracing::warn!(%error, "what came of proposals is told once more after a restart");
                }
            });
        }
    }

    /// The language the companion thinks in.
    pub(in crate::daemon) fn language_in(&self, channel: ChannelId) -> Language {
        self.core
            .channel_state(channel)
            .map(|channel_state| channel_state.policy().persona.language)
            .unwrap_or_default()
    }
}
