//! From what a channel and its turn know to the sections of a prompt.

use std::collections::BTreeSet;

use super::{Core, RoundPrompt};
use crate::channel::ChannelState;
use crate::chat::{ChannelId, Millis, UserId};
use crate::compaction::ChannelSummary;
use crate::context::{self, PromptSections, PromptSources, TokenEstimator};
use crate::intent::ScheduledIntent;
use crate::plan::Plan;
use crate::policy::ChannelPolicy;
use crate::report::TurnTrigger;
use crate::session::SessionBackground;
use crate::turn::{RoundKind, offered};

/// What a prompt needs from outside the core.
#[derive(Clone, Debug, Default)]
pub struct RenderInputs {
    /// Labelled blocks of core memory.
    pub core_memory: Vec<context::CoreBlock>,
    /// Memories found for this moment.
    pub recalled: Vec<context::RecalledMessage>,
    /// What it waits for in the channel, with notes; what the turn woke for is among it.
    pub intentions: Vec<ScheduledIntent>,
    /// What it means to do in the channel step by step.
    pub plan: Plan,
    /// What was said there before the history begins, in short, where it was summed up.
    pub summary: Option<ChannelSummary>,
    /// What the channel's session says and begins with.
    pub session: SessionBackground,
    /// What is known of pictures in the channel's messages.
    pub pictures: Vec<context::ShownPicture>,
    /// What the templates, the persona and the tools take of the prompt, in estimated tokens.
    pub fixed_tokens: u32,
}

/// What a turn adds to what its channel knows.
pub(super) struct TurnView<'a> {
    pub me: UserId,
    pub now: Millis,
    pub wake: &'a TurnTrigger,
    pub working: &'a [context::WorkingItem],
    pub shown_before: usize,
    pub unsent: &'a [String],
    pub notes: &'a [context::ContextNote],
    pub is_reminded: bool,
}

impl Core {
    /// What the first model call of a turn would be shown if it started now: for `kith replay --prompts`.
    pub fn preview(
        &mut self,
        now: Millis,
        channel: ChannelId,
        wake: &TurnTrigger,
        inputs: RenderInputs,
    ) -> Option<RoundPrompt> {
        let channel_state = self.channel_states.get_mut(&channel)?;
        let policy = channel_state.policy().clone();
        let kind = RoundKind::Normal;
        let me = self.setup.me;
        let turn_view = TurnView {
            me,
            now,
            wake,
            working: &[],
            shown_before: 0,
            unsent: &[],
            notes: &[],
            is_reminded: false,
        };
        let sections =
            render_sections(channel_state, &policy, &turn_view, &inputs, &self.estimator);
        Some(RoundPrompt {
            kind,
            ask: 1,
            sections,
            tools: offered(&policy, kind, &BTreeSet::new()),
            policy,
            is_reminded: false,
        })
    }
}

pub(super) fn render_sections(
    channel_state: &mut ChannelState,
    policy: &ChannelPolicy,
    turn_view: &TurnView<'_>,
    inputs: &RenderInputs,
    estimator: &TokenEstimator,
) -> PromptSections {
    let conversation = turn_view
        .wake
        .message
        .map(|message| channel_state.find_conversation(message))
        .unwrap_or_default();
    let rapport = channel_state.rapport(turn_view.now);
    let mut window = std::mem::take(&mut channel_state.window);
    let sources = PromptSources {
        channel: &channel_state.channel,
        policy,
        timeline: channel_state.timeline(),
        me: turn_view.me,
        now: turn_view.now,
        wake: turn_view.wake,
        conversation: &conversation,
        working: turn_view.working,
        seen_item_count: turn_view.shown_before,
        recalled: &inputs.recalled,
        core_memory: &inputs.core_memory,
        session_background: &inputs.session,
        intentions: &inputs.intentions,
        unsent: turn_view.unsent,
        notes: turn_view.notes,
        rapport: &rapport,
        plan: &inputs.plan,
        is_reminded: turn_view.is_reminded,
        summary: inputs.summary.as_ref(),
        pictures: &inputs.pictures,
        fixed_tokens: inputs.fixed_tokens,
    };
    let sections = context::render_sections(&sources, &mut window, estimator);
    channel_state.window = window;
    sections
}
