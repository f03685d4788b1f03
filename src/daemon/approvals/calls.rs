//! Calls of tools that a person approves: proposed exactly as they will run, looked at once more when somebody approved
//! them, and run once: where the process ends meanwhile, not again.

use super::event::{ApprovalNews, ApprovalResult};
use crate::daemon::state::Daemon;
use crate::daemon::store_retry::retry_until_stored;
use kith_agent::ApprovalCall;
use kith_core::approval::{
    ANSWERED, APPROVAL_MINUTES, ApprovalRequest, ApprovalState, ApprovalSubject,
};
use kith_core::call::{ToolCall, ToolResult};
use kith_core::chat::{Author, ChannelKind, GuildId, MINUTE, MessageId, Millis, TurnId};
use kith_core::moderation::DenialReason;
use kith_core::policy::{ChannelMode, ChannelPolicy};
use kith_core::proposed_call::ProposedCall;
use kith_core::report::FailureKind;
use kith_core::truncate::truncate_line;
use kith_language::{LocalizedMessage, approvals, tools};
use kith_store::Store;
use kith_system::clock;
use kith_tools::{NumberedLine, NumberedLines, ToolContext};

/// What was approved longer ago than this, before a stop, is not run any more.
const STALE: Millis = 10 * MINUTE;
/// The most characters of what a tool says it would do.
const PREVIEW: usize = 2_000;

impl Daemon {
    pub(in crate::daemon) fn propose_call(&mut self, turn: TurnId, asks: ApprovalCall) {
        let asked = (turn, asks.call);
        let channel = self.core.find_turn_channel(turn);
        let language = channel
            .map(|channel| self.language_in(channel))
            .unwrap_or_default();
        let proposed = match self.build_proposed_call(turn, asks) {
            Ok(proposed) => proposed,
            Err(why) => {
                return {
                    let why = why.in_language(language);
                    self.finish_call(asked, ToolResult::error(why))
                };
            }
        };
        let nobody = self.check_approvers(&proposed);
        let minutes = self
            .tools
            .permissions
            .get(&proposed.call.name)
            .map_or(APPROVAL_MINUTES, |known| known.approval_minutes);
        let proposal = ApprovalRequest::new(
            asked,
            ApprovalSubject::Call(Box::new(proposed)),
            clock::now(),
            minutes,
        );
        match nobody.or_else(|| (!self.is_shown_whole(&proposal)).then_some(DenialReason::TooLong))
        {
            Some(obstacle) => self.handle_approval_judgement(
                asked,
                &proposal.wanted,
                ApprovalResult::Refused(obstacle),
            ),
            None => self.store_proposed_call(proposal),
        }
    }

    /// What exactly is to be approved, or in a sentence for the model why nothing is.
    fn build_proposed_call(
        &self,
        turn: TurnId,
        asks: ApprovalCall,
    ) -> Result<ProposedCall, LocalizedMessage> {
        let ApprovalCall {
            what: tool_call,
            causes,
            lines,
            preview,
            ..
        } = asks;
        let name = tool_call.name;
        let gone = || tools::no_such_tool(&*name);
        let channel_state = self
            .turns
            .get(&turn)
            .and_then(|running| self.core.channel_state(running.channel))
            .ok_or_else(gone)?;
        let preview = preview.map_err(|why| approvals::preview_unreadable(&*name, why))?;
        if preview.preview.chars().count() > PREVIEW {
            return Err(approvals::preview_too_long(PREVIEW, &*name));
        }
        let params = preview.params.unwrap_or(tool_call.params);
        let tools = &channel_state.policy().tools;
        let spec = tools
            .iter()
            .find(|spec| spec.name == name)
            .ok_or_else(gone)?;
        let params = spec
            .schema
            .check(&params)
            .map_err(|why| format!("{name}: {why}"))?;
        let call = ToolCall { name, params };
        let lines = lines.select_lines(&call);
        Ok(ProposedCall {
            guild: channel_state.channel.guild.unwrap_or(GuildId(0)),
            channel: channel_state.channel.id,
            definition: self.tools.registry.definition(&call.name).to_owned(),
            call,
            preview: preview.preview,
            causes,
            lines: lines
                .iter()
                .map(|line| (line.number, (line.message, line.author.clone())))
                .collect(),
        })
    }

    fn check_approvers(&self, proposed: &ProposedCall) -> Option<DenialReason> {
        let channel_state = self.core.channel_state(proposed.channel)?;
        if channel_state.channel.kind == ChannelKind::Direct
            || channel_state.channel.guild.is_none()
        {
            return Some(DenialReason::Private);
        }
        // Where there are no log channels, the page asks.
        (self.platform.log_channels().is_some() && self.find_approval_log(proposed.guild).is_none())
            .then_some(DenialReason::NobodyToAsk)
    }

    fn store_proposed_call(&self, proposal: ApprovalRequest) {
        let (asked, subject) = (proposal.source_call, proposal.wanted.clone());
        let kept = self.store.put_proposal(proposal);
        self.spawn_approval_task(async move {
            let result = match kept.await {
                Ok(Ok(proposal)) => ApprovalResult::Pending(proposal),
                Ok(Err(obstacle)) => ApprovalResult::Refused(obstacle),
                Err(error) => {
                    tracing::error!(%error, "what it wants done cannot be kept, so it is not done");
                    ApprovalResult::Refused(DenialReason::Failed(FailureKind::Other))
                }
            };
            Some(ApprovalNews::Judged {
                asked,
                wanted: subject,
                came: result,
            })
        });
    }

    /// Runs a call that somebody approved, exactly as it was proposed.
    pub(in crate::daemon) fn run_approved_call(&mut self, proposal: ApprovalRequest) {
        let ApprovalSubject::Call(proposed) = &proposal.wanted else {
            return;
        };
        let place = self.find_channel(proposed.channel);
        let place = place.map(|channel| {
            let current_policy = self
                .core
                .channel_state(channel.id)
                .map(|channel_state| channel_state.policy().clone());
            (
                current_policy.unwrap_or_else(|| self.resolve_policy(&channel).into()),
                channel,
            )
        });
        let obstacle = place
            .as_ref()
            .map_or(Some(DenialReason::SwitchedOff), |(policy, _)| {
                let is_late = clock::now() - proposal.decided.unwrap_or(proposal.made) > STALE;
                if is_late {
                    Some(DenialReason::TooLate)
                } else {
                    self.find_call_obstacle(proposed, policy)
                }
            });
        let (Some((policy, channel)), None) = (place, obstacle) else {
            return self
                .settle_failed_call(proposal, obstacle.unwrap_or(DenialReason::SwitchedOff));
        };
        let (turn, sessions) = (
            proposal.source_call.0,
            self.build_session_opener(channel.id, proposal.source_call.0),
        );
        let context = ToolContext {
            turn,
            causes: proposed.causes.clone(),
            lines: rebuild_numbered_lines(proposed),
            sessions,
            approved: Some(proposal.id),
            ..self.tool_context_in(&channel, &policy)
        };
        let running = self.tools.registry.run(proposed.call.clone(), context);
        let store = self.store.clone();
        self.spawn_approval_task(async move {
            let started = retry_until_stored(|| store.mark_proposal_running(proposal.id)).await?;
            let result = running.await;
            let (state, answered) = match &result {
                result if result.is_denied() => (
                    ApprovalState::Failed(DenialReason::NoAuthority),
                    String::new(),
                ),
                result if result.is_error => (
                    ApprovalState::Failed(DenialReason::WentWrong),
                    truncate_line(&result.content, ANSWERED),
                ),
                result => (
                    ApprovalState::Done,
                    truncate_line(&result.content, ANSWERED),
                ),
            };
            Some(settle_proposal(&store, started, state, answered).await)
        });
    }

    fn find_call_obstacle(
        &self,
        proposed: &ProposedCall,
        policy: &ChannelPolicy,
    ) -> Option<DenialReason> {
        let call = &proposed.call;
        let Some(spec) = policy
            .tools
            .iter()
            .find(|spec| spec.name == call.name && policy.mode == ChannelMode::On)
        else {
            return Some(DenialReason::SwitchedOff);
        };
        let takes_it = spec
            .schema
            .check(&call.params)
            .is_ok_and(|params| params == call.params);
        let is_as_approved =
            takes_it && self.tools.registry.definition(&call.name) == proposed.definition;
        (!is_as_approved).then_some(DenialReason::Changed)
    }

    /// A call that somebody approved does not run, or nobody knows whether it did.
    pub(in crate::daemon) fn settle_failed_call(
        &self,
        proposal: ApprovalRequest,
        obstacle: DenialReason,
    ) {
        let (store, failed) = (self.store.clone(), ApprovalState::Failed(obstacle));
        self.spawn_approval_task(async move {
            Some(settle_proposal(&store, proposal, failed, String::new()).await)
        });
    }
}

/// The lines it was asked for with: by now their numbers may be others'.
fn rebuild_numbered_lines(proposed: &ProposedCall) -> NumberedLines {
    let line = |(number, (message, author)): (&u16, &(MessageId, Author))| NumberedLine {
        number: *number,
        message: *message,
        author: author.clone(),
    };
    let mut lines: Vec<NumberedLine> = proposed.lines.iter().map(line).collect();
    lines.sort_unstable_by_key(|line| line.message);
    NumberedLines::new(lines)
}

async fn settle_proposal(
    store: &Store,
    proposal: ApprovalRequest,
    state: ApprovalState,
    answered: String,
) -> ApprovalNews {
    let settled =
        retry_until_stored(|| store.settle_proposal(proposal.id, state, answered.clone())).await;
    let is_known = settled.is_some();
    ApprovalNews::CarriedOut {
        state,
        proposal: settled.unwrap_or(proposal),
        is_known,
        told: None,
    }
}
