//! From what a lane and its turn know to the sections of a prompt.

use super::Inputs;
use crate::core::chat::{Millis, UserId};
use crate::core::context::{self, Estimator, Sections, View};
use crate::core::lane::Lane;
use crate::core::policy::Policy;
use crate::core::report::Wake;

/// What a turn adds to what its lane knows.
pub(super) struct Seen<'a> {
    pub me: UserId,
    pub now: Millis,
    pub wake: &'a Wake,
    pub working: &'a [context::WorkingItem],
    pub unsent: &'a [String],
    pub notes: &'a [String],
}

pub(super) fn render(
    lane: &mut Lane,
    policy: &Policy,
    seen: &Seen<'_>,
    inputs: &Inputs,
    estimator: &Estimator,
) -> Sections {
    let conversation = seen.wake.message.map(|message| lane.conversation(message)).unwrap_or_default();
    let mut window = std::mem::take(&mut lane.window);
    let view = View {
        channel: &lane.channel,
        policy,
        timeline: lane.timeline(),
        me: seen.me,
        now: seen.now,
        wake: seen.wake,
        conversation: &conversation,
        working: seen.working,
        recalled: &inputs.recalled,
        core_memory: &inputs.core_memory,
        intentions: &inputs.intentions,
        unsent: seen.unsent,
        notes: seen.notes,
        pictures: &inputs.pictures,
        fixed_tokens: inputs.fixed_tokens,
    };
    let sections = context::render(&view, &mut window, estimator);
    lane.window = window;
    sections
}
