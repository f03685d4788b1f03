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

/// Everything a prompt is made of.
#[derive(Clone, Copy)]
pub struct PromptSources<'a> {
    pub channel: &'a Channel,
    /// The settings in force.
    pub policy: &'a ChannelPolicy,
    /// What was said.
    pub timeline: &'a Timeline,
    /// The companion's own id.
    pub me: UserId,
    pub now: Millis,
    /// Why the turn woke.
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
    /// What the channel's session says and begins with.
    pub session_background: &'a SessionBackground,
    /// What it waits for here, with notes.
    pub intentions: &'a [ScheduledIntent],
    /// Lines it was about to say when it was cut short.
    pub unsent: &'a [String],
    /// Lines it said that nobody can read yet.
    pub lines_on_their_way: &'a [String],
    /// What it should know besides, such as a message that could not be delivered.
    pub notes: &'a [ContextNote],
    /// How it stands between the companion and the channel.
    pub rapport: &'a ChannelRapport,
    /// What it means to do here step by step.
    pub plan: &'a Plan,
    pub is_reminded: bool,
    /// What was said before the history begins, in short, where it was summed up.
    pub summary: Option<&'a ChannelSummary>,
    /// What is known of pictures in the messages.
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
    /// What belongs in it.
    pub description: String,
    /// What it holds.
    pub text: String,
    /// When each of its lines was written; None, and nothing behind the last, where that is not known.
    pub dates: Vec<Option<Millis>>,
    /// The most it may hold, in characters.
    pub limit: usize,
}

/// Something remembered: a message said earlier.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecalledMessage {
    /// When it was said.
    pub at: Millis,
    /// Who said it.
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
    /// A line alone.
    fn from(hit: RecalledMessage) -> Self {
        Self {
            hit,
            before: None,
            after: None,
        }
    }
}

/// One thing that happened in the running turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WorkingItem {
    Thoughts(String),
    /// A call and what came of it.
    Called {
        /// What was asked for.
        call: ToolCall,
        /// The result, or the error it can mend.
        result: ToolResult,
    },
    /// A message it has sent.
    Said(String),
    /// An answer that held no action.
    NoAction(String),
    /// An answer that could not be read, or not all of it.
    Unread {
        /// What was written.
        text: String,
        /// What is wrong with it.
        problems: String,
    },
}
