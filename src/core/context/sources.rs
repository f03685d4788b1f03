//! What a prompt is made of.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{ChannelRapport, ContextNote, PersonProfile, ShownPicture};
use crate::call::{ToolCall, ToolResult};
use crate::chat::{Channel, MessageId, Millis, UserId};
use crate::compaction::ChannelSummary;
use crate::intent::ScheduledIntent;
use crate::plan::Plan;
use crate::policy::ChannelPolicy;
use crate::report::TurnTrigger;
use crate::session::SessionBackground;
use crate::timeline::Timeline;

#[derive(Clone, Copy)]
pub struct PromptSources<'a> {
    pub channel: &'a Channel,
    pub policy: &'a ChannelPolicy,
    pub timeline: &'a Timeline,
    pub me: UserId,
    pub now: Millis,
    pub wake: &'a TurnTrigger,
    /// The newest line, where it is meant for another member and the turn speaks unasked of an earlier one.
    pub line_for_other: Option<LineForOther>,
    /// Messages of the conversation that is being joined, oldest first; empty to follow typed replies.
    pub conversation: &'a [MessageId],
    /// This turn's thoughts, calls and results.
    pub working: &'a [WorkingItem],
    /// How many of them an earlier prompt of the turn has shown.
    pub seen_item_count: usize,
    /// Memories found for this moment, best first.
    pub recalled: &'a [RecalledTalk],
    /// What is known of who is there or spoken of, those who matter most first.
    pub people: &'a [PersonProfile],
    /// The blocks of core memory, in the order they are shown.
    pub core_memory: &'a [CoreBlock],
    pub session_background: &'a SessionBackground,
    /// What it waits for here, with notes.
    pub intentions: &'a [ScheduledIntent],
    /// Lines it was about to say when it was cut short.
    pub unsent: &'a [String],
    /// Lines it said that nobody can read yet.
    pub lines_on_their_way: &'a [String],
    /// What it should know besides, such as a message that could not be delivered.
    pub notes: &'a [ContextNote],
    pub rapport: &'a ChannelRapport,
    pub plan: &'a Plan,
    pub is_reminded: bool,
    /// What was said before the history begins, in short, where it was summed up.
    pub summary: Option<&'a ChannelSummary>,
    pub pictures: &'a [ShownPicture],
    /// What the templates, the persona and the tools take of the prompt, in estimated tokens.
    pub fixed_tokens: u32,
}

/// A line that is openly meant for another member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineForOther {
    pub line: MessageId,
    pub addressee: UserId,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CoreBlock {
    pub label: String,
    pub description: String,
    pub text: String,
    /// When each of its lines was written; None, and nothing behind the last, where that is not known.
    pub dates: Vec<Option<Millis>>,
    /// The most it may hold, in characters.
    pub limit: usize,
}

/// Something remembered: a message said earlier.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecalledMessage {
    pub at: Millis,
    pub author: UserId,
    /// What they were called then.
    pub name: Arc<str>,
    /// What was said, as typed.
    pub text: Arc<str>,
}

/// A message that came to mind or was looked for, and the lines around it that belong to it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecalledTalk {
    pub hit: RecalledMessage,
    /// What was said before it: what it answers, or the line before.
    pub before: Option<RecalledMessage>,
    pub after: Option<RecalledMessage>,
}

impl RecalledTalk {
    /// Its lines, oldest first.
    pub fn lines(&self) -> impl Iterator<Item = &RecalledMessage> {
        let before = self.before.iter();
        before.chain([&self.hit]).chain(&self.after)
    }
}

impl From<RecalledMessage> for RecalledTalk {
    fn from(hit: RecalledMessage) -> Self {
        Self {
            hit,
            before: None,
            after: None,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WorkingItem {
    Thoughts(String),
    Called {
        call: ToolCall,
        result: ToolResult,
    },
    Said(String),
    NoAction(String),
    /// An answer that could not be read, or not all of it.
    Unread {
        text: String,
        problems: String,
    },
}
