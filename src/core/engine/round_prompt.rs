//! From what a channel and its turn know to the sections of a prompt.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{Core, RoundPrompt};
use crate::channel::ChannelState;
use crate::chat::{ChannelId, Millis, TurnId, UserId};
use crate::compaction::ChannelSummary;
use crate::context::{self, PromptSections, PromptSources, TokenEstimator};
use crate::intent::ScheduledIntent;
use crate::plan::{Plan, REMINDED_AFTER, TODO};
use crate::policy::ChannelPolicy;
use crate::protocol::AnswerShape;
use crate::report::TurnTrigger;
use crate::session::SessionBackground;
use crate::turn::{RoundKind, offered};

/// What a prompt needs from outside the core.
#[derive(Clone, Debug, Default)]
pub struct RenderInputs {
    pub core_memory: Vec<context::CoreBlock>,
    pub recalled: Vec<context::RecalledTalk>,
    /// What is known of who is there or spoken of, those who matter most first.
    pub people: Vec<context::PersonProfile>,
    /// What it waits for in the channel, with notes; what the turn woke for is among it.
    pub intentions: Vec<ScheduledIntent>,
    pub plan: Plan,
    /// What was said there before the history begins, in short, where it was summed up.
    pub summary: Option<ChannelSummary>,
    pub session: SessionBackground,
    /// What the group says again and again, the most used first.
    pub expressions: Vec<String>,
    /// What it said and nobody can read yet: the platform cannot be reached.
    pub lines_on_their_way: Vec<String>,
    pub pictures: Vec<context::ShownPicture>,
    /// What the templates, the persona and the tools take of the prompt, in estimated tokens.
    pub fixed_tokens: u32,
}

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
    /// Gathers what the model call is shown and takes the cursor: what arrives later is unseen. None if the turn is over.
    pub fn build_round_prompt(
        &mut self,
        now: Millis,
        turn: TurnId,
        inputs: RenderInputs,
    ) -> Option<RoundPrompt> {
        let channel_state = self.channel_states.get_mut(self.turns.get(&turn)?)?;
        let cursor = channel_state.timeline().cursor();
        let addressed = channel_state.addressed_messages(now);
        let (mut unsent, late) = channel_state.take_leftovers();
        let turn = channel_state.turn.as_mut()?;
        unsent.extend(turn.take_unsent());
        turn.record_rendered_prompt(cursor, addressed);
        let ((call_number, kind), tools) = (turn.current_round()?, turn.offered()?);
        let (wake, working, shown_before) = (
            turn.wake().clone(),
            turn.working_items().to_vec(),
            turn.seen_item_count(),
        );
        let owes = turn.is_answer_due();
        let is_reminded = inputs.plan.is_open() && turn.is_tool_unused(TODO, REMINDED_AFTER);
        // A turn keeps its settings, but never more prompt than the model is known by now to hold.
        let mut policy = ChannelPolicy::clone(turn.policy());
        policy.context = channel_state.policy().context.clone();
        let policy = Arc::new(policy);
        channel_state.shown(cursor, now);
        let me = self.setup.me;
        let (unsent, notes) = (&unsent[..], &late[..]);
        let turn_view = TurnView {
            me,
            now,
            wake: &wake,
            working: &working,
            shown_before,
            unsent,
            notes,
            is_reminded,
        };
        let mut sections =
            render_sections(channel_state, &policy, &turn_view, &inputs, &self.estimator);
        sections.shape = AnswerShape {
            owes,
            lines: list_shown_lines(channel_state),
        };
        let names = channel_state.window.names.list_others();
        let others = sections.others.iter();
        let typed = others.filter_map(|line| channel_state.timeline().find(line.message));
        let typed = typed.map(|said| said.message.text.to_string()).collect();
        let turn = channel_state.turn.as_mut()?;
        turn.begin_answer(&sections, typed, names);
        Some(RoundPrompt {
            kind,
            ask: call_number,
            sections,
            tools,
            policy,
            is_reminded,
        })
    }

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
    let rapport = context::ChannelRapport {
        expressions: inputs.expressions.clone(),
        ..channel_state.rapport(turn_view.now)
    };
    let mut window = std::mem::take(&mut channel_state.window);
    let sources = PromptSources {
        channel: &channel_state.channel,
        policy,
        timeline: channel_state.timeline(),
        me: turn_view.me,
        now: turn_view.now,
        wake: turn_view.wake,
        line_for_other: channel_state.find_line_for_other(turn_view.wake),
        conversation: &conversation,
        working: turn_view.working,
        seen_item_count: turn_view.shown_before,
        recalled: &inputs.recalled,
        people: &inputs.people,
        core_memory: &inputs.core_memory,
        session_background: &inputs.session,
        intentions: &inputs.intentions,
        unsent: turn_view.unsent,
        lines_on_their_way: &inputs.lines_on_their_way,
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

/// The numbers of the lines a channel's prompt shows, oldest first.
fn list_shown_lines(channel_state: &ChannelState) -> Vec<u16> {
    let first = channel_state.window.first();
    channel_state
        .timeline()
        .messages()
        .filter(|said| Some(said.message.id) >= first)
        .map(|said| said.short_id)
        .collect()
}
