//! A channel's history in short: which lines that left the prompt are summed up, when, and how they are told to who does
//! it. Pure; `model/summary.rs` asks the model, within its budget, and `store/notes.rs` keeps it.

use super::chat::{MessageId, Millis};
use super::context::{DisplayNames, RecalledMessage, TokenEstimator, escape};
use super::policy::ContextBudget;
use super::timeline::Timeline;

/// The most messages that are summed up at once, the newest; what is older stays where it can be recalled.
pub const MOST_MESSAGES: usize = 400;
/// How many of the newest lines stay in the history where the companion itself has it summed up.
const LINES_LEFT: usize = 20;
/// The longest piece of one message that is told, in bytes.
const LONGEST_LINE: usize = 400;
/// What stands before every line of talk, and before every line of an earlier summary.
const TALK: &str = "| ";
const EARLIER: &str = "= ";

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChannelSummary {
    /// The first message it was made from.
    pub since: MessageId,
    pub until: MessageId,
    /// A model's words.
    pub text: String,
    /// When the messages were read for it.
    pub begun: Millis,
}

impl ChannelSummary {
    /// Whether a prompt may show it: not where any of it was left out of the context for good.
    pub fn is_shown(&self, begins_after: Option<MessageId>) -> bool {
        begins_after.is_none_or(|left_out| left_out < self.since)
    }
}

/// What is to be summed up: messages between two, and what was summed up before.
#[derive(Clone, Debug, PartialEq)]
pub struct SummarySpan {
    /// The message before its first.
    pub after: Option<MessageId>,
    /// The message behind its last.
    pub before: MessageId,
    pub earlier: Option<ChannelSummary>,
    /// The messages, oldest first, as far as they are known.
    pub said: Vec<(MessageId, RecalledMessage)>,
}

impl SummarySpan {
    /// What is missing between what is summed up and a message, its messages not known yet; none where nothing is.
    pub fn find_missing(
        before: MessageId,
        summary: Option<ChannelSummary>,
        begins_after: Option<MessageId>,
    ) -> Option<Self> {
        let earlier = summary.filter(|summary| summary.is_shown(begins_after));
        let after = earlier
            .as_ref()
            .map(|summary| summary.until)
            .max(begins_after);
        let is_missing = after.is_none_or(|after| after < before);
        is_missing.then_some(Self {
            after,
            before,
            earlier,
            said: Vec::new(),
        })
    }

    /// What is told of it to who sums it up, the newest in so many estimated tokens; none where nobody said anything.
    /// `names` are those of the channel's prompts, for the summary will stand in them.
    pub fn build_input(
        &self,
        tokens: u32,
        names: DisplayNames,
        estimator: &TokenEstimator,
    ) -> Option<SummaryInput> {
        let mut earlier = String::new();
        if let Some(summary) = &self.earlier {
            escape::escape_block(&mut earlier, &summary.text, EARLIER);
        }
        let room = tokens.saturating_sub(estimator.estimate_tokens(&earlier));
        let (talk, lines) = render_talk(
            self.said.iter().map(|(_, said)| said),
            room,
            names,
            estimator,
        );
        let (first, _) = self.said.get(self.said.len().checked_sub(lines)?)?;
        let (until, _) = self.said.last()?;
        let since = self
            .earlier
            .as_ref()
            .map_or(*first, |summary| summary.since);
        Some(SummaryInput {
            since,
            until: *until,
            tokens: estimator.estimate_tokens(&talk),
            lines,
            text: earlier + &talk,
        })
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SummaryInput {
    /// The first message in it, what was summed up before included.
    pub since: MessageId,
    pub until: MessageId,
    /// How many lines were said since it was summed up last, and how long they are in estimated tokens.
    pub lines: usize,
    pub tokens: u32,
    pub text: String,
}

/// Lines of talk as who sums them up is told, the newest that fit into so many estimated tokens, and how many they are.
pub fn render_talk<'a>(
    messages: impl DoubleEndedIterator<Item = &'a RecalledMessage>,
    tokens: u32,
    mut names: DisplayNames,
    estimator: &TokenEstimator,
) -> (String, usize) {
    let mut room = tokens;
    let mut lines = Vec::new();
    for said in messages.rev() {
        if names.is_demo_line(said.author, &said.text) {
            continue;
        }
        let line = render_line(said, &mut names);
        let Some(left) = room.checked_sub(estimator.estimate_tokens(&line)) else {
            break;
        };
        room = left;
        lines.push(line);
    }
    lines.reverse();
    (lines.concat(), lines.len())
}

/// `| Anna: text`, safe and not too long.
fn render_line(message: &RecalledMessage, names: &mut DisplayNames) -> String {
    let mut line = format!(
        "{TALK}{}: ",
        names.resolve_quoted_name(message.author, &message.name)
    );
    let end = message.text.floor_char_boundary(LONGEST_LINE);
    escape::escape_line(&mut line, &message.text[..end], &|_| None);
    line.push_str(if end < message.text.len() {
        "…\n"
    } else {
        "\n"
    });
    line
}

/// How much that left the prompt makes a summary worth its price, in tokens: half a history.
pub fn compute_summary_threshold(budget: &ContextBudget) -> u32 {
    budget.history_tokens / 2
}

/// The first message that stays in the history where the companion has it summed up in a turn that has seen everything
/// up to `cursor`; none where so little was said that all of it stays.
pub fn find_first_kept(timeline: &Timeline, cursor: u64) -> Option<MessageId> {
    let seen = timeline
        .messages()
        .rev()
        .filter(|said| said.message.arrival <= cursor);
    seen.map(|said| said.message.id).nth(LINES_LEFT - 1)
}
