//! What the model is shown: escaped sections with token counts, short ids, a budget, eviction in batches. Plain
//! strings come out; which words stand around them is the templates' business. Must never show text from people
//! that did not go through `escape`.

pub mod escape;
mod estimate;
mod heard;
mod history;
mod line;
mod names;
mod note;
mod own_lines;
mod pictures;
mod pieces;
mod rapport;
mod session;
mod wake;
mod words;
mod working;

use kith_language::prompt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub use estimate::{CalibrationOutcome, TokenEstimator};
pub use heard::strip_companion_name;
pub use history::HistoryWindow;
pub use names::{DisplayNames, skeleton, strip_name_prefix};
pub use note::ContextNote;
pub use pictures::{PictureContent, ShownPicture, format_picture_label};
pub use pieces::{HistoryPiece, OwnLine};
pub use rapport::{ChannelRapport, RecentReception};
pub use words::{PromptWords, fill_pattern, prompt_words};

use super::call::{ToolCall, ToolResult};
use super::chat::{Channel, ChannelKind, MessageId, Millis, UserId};
use super::compaction::ChannelSummary;
use super::intent::ScheduledIntent;
use super::persona::Language;
use super::plan::Plan;
use super::policy::ChannelPolicy;
use super::protocol::AnswerShape;
use super::report::{PromptPart, TurnTrigger};
use super::session::SessionBackground;
use super::timeline::Timeline;
use history::RenderedHistory;

/// The longest topic shown, in characters.
const LONGEST_TOPIC: usize = 300;
/// The share of the prompt kept free for what stands below the history, so that a long turn does not evict lines.
const TAIL_SHARE: u32 = 8;
/// The most names listed as members in view.
const MEMBERS_SHOWN: usize = 12;

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
    /// Now.
    pub now: Millis,
    /// Why the turn woke.
    pub wake: &'a TurnTrigger,
    /// Messages of the conversation that is being joined, oldest first; empty to follow typed replies.
    pub conversation: &'a [MessageId],
    /// This turn's thoughts, calls and results.
    pub working: &'a [WorkingItem],
    /// How many of them an earlier prompt of the turn has shown.
    pub seen_item_count: usize,
    /// Memories found for this moment, best first.
    pub recalled: &'a [RecalledMessage],
    /// The blocks of core memory, in the order they are shown.
    pub core_memory: &'a [CoreBlock],
    /// What the channel's session says and begins with.
    pub session_background: &'a SessionBackground,
    /// What it waits for here, with notes.
    pub intentions: &'a [ScheduledIntent],
    /// Lines it was about to say when it was cut short.
    pub unsent: &'a [String],
    /// What it should know besides, such as a message that could not be delivered.
    pub notes: &'a [ContextNote],
    /// How it stands between the companion and the channel.
    pub rapport: &'a ChannelRapport,
    /// What it means to do here step by step.
    pub plan: &'a Plan,
    /// Whether it has to be reminded of that.
    pub is_reminded: bool,
    /// What was said before the history begins, in short, where it was summed up.
    pub summary: Option<&'a ChannelSummary>,
    /// What is known of pictures in the messages.
    pub pictures: &'a [ShownPicture],
    /// What the templates, the persona and the tools take of the prompt, in estimated tokens.
    pub fixed_tokens: u32,
}

/// A labelled block of core memory.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CoreBlock {
    pub label: String,
    /// What it holds.
    pub text: String,
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

/// One thing that happened in the running turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WorkingItem {
    /// What it thought.
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

/// A part of the prompt: escaped text and its estimated size. Empty where there is nothing to show.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PromptSection {
    /// The text, without a line end at its end.
    pub text: String,
    /// Estimated tokens.
    pub tokens: u32,
}

/// What did not fit into its budget.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SectionCut {
    /// The section's name.
    pub section: &'static str,
    /// How many of its items are left out or shortened.
    pub items: u32,
}

/// The parts of a prompt, most stable first.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PromptSections {
    /// The companion's name as its lines show it.
    pub name: String,
    /// Whom a small model is told to answer; empty where nobody spoke to it.
    pub asker: String,
    /// What the channel's session is for.
    pub session: PromptSection,
    /// The blocks of core memory.
    pub core_memory: PromptSection,
    /// Channel and topic.
    pub channel: PromptSection,
    /// What was said before that, in short.
    pub summary: PromptSection,
    /// What the session begins with.
    pub taken: PromptSection,
    /// What was said.
    pub history: PromptSection,
    /// Whose words the history's are, in its order, where the companion's are messages of their own.
    pub pieces: Vec<HistoryPiece>,
    /// Who was heard lately.
    pub members: PromptSection,
    /// Memories.
    pub recalled: PromptSection,
    /// The short ids of the conversation that is being joined.
    pub conversation: PromptSection,
    /// What it means to do step by step.
    pub plan: PromptSection,
    /// This turn so far.
    pub working: PromptSection,
    /// Unsent lines and notes.
    pub notes: PromptSection,
    /// Time and reason for waking.
    pub now: PromptSection,
    /// What was cut.
    pub cut: Vec<SectionCut>,
    /// What the answer has to hold to.
    pub shape: AnswerShape,
}

impl PromptSections {
    /// The sizes of a prompt of `whole` tokens for people, in its order; parts with nothing to show are left out.
    pub fn measure_parts(&self, whole: u32) -> Vec<PromptPart> {
        let list = self.sections();
        let fixed = whole.saturating_sub(list.iter().map(|(_, section)| section.tokens).sum());
        let sizes = list.iter().map(|(name, section)| (*name, section.tokens));
        std::iter::once(("fixed", fixed))
            .chain(sizes)
            .map(|(name, tokens)| {
                let left_out = self
                    .cut
                    .iter()
                    .find(|cut| cut.section == name)
                    .map_or(0, |cut| cut.items);
                PromptPart {
                    name: name.to_owned(),
                    tokens,
                    left_out,
                }
            })
            .filter(|part| part.tokens > 0 || part.left_out > 0)
            .collect()
    }

    /// The sections by name, in the order of the prompt.
    pub fn sections(&self) -> [(&'static str, &PromptSection); 13] {
        [
            ("session", &self.session),
            ("core_memory", &self.core_memory),
            ("channel", &self.channel),
            ("summary", &self.summary),
            ("taken", &self.taken),
            ("history", &self.history),
            ("members", &self.members),
            ("recalled", &self.recalled),
            ("conversation", &self.conversation),
            ("plan", &self.plan),
            ("working", &self.working),
            ("notes", &self.notes),
            ("now", &self.now),
        ]
    }
}

/// A list of what happened, oldest first, in so many estimated tokens: for prompts that are not a channel's.
/// The first `shown_before` were in an earlier one.
pub fn render_working_items(
    items: &[WorkingItem],
    seen_item_count: usize,
    language: Language,
    tokens: u32,
    estimator: &TokenEstimator,
) -> String {
    working::render_items(items, seen_item_count, language, tokens, estimator)
        .0
        .trim_end()
        .to_owned()
}

/// Renders the sections of a prompt and moves the channel's window where the history is over its budget.
pub fn render_sections(
    view: &PromptSources<'_>,
    window: &mut HistoryWindow,
    estimator: &TokenEstimator,
) -> PromptSections {
    let language = view.policy.persona.language;
    let budget = &view.policy.context;
    let measured = |text: String| {
        let text = text.trim_end().to_owned();
        PromptSection {
            tokens: estimator.estimate_tokens(&text),
            text,
        }
    };
    let mut cut = Vec::new();
    let mut note_cut = |section, items: usize| {
        if items > 0 {
            cut.push(SectionCut {
                section,
                items: items as u32,
            });
        }
    };

    if let Some(summary) = view.summary {
        window.move_start_after(summary.until, view.timeline);
    }
    let persona = view.policy.persona.name.as_str();
    window.names.begin_prompt(
        view.me,
        view.policy
            .names
            .iter()
            .map(String::as_str)
            .chain([persona]),
    );
    // Names are given to lines first, in the order of the prompt; whoever is only quoted has what is left.
    let (text, left_out) = session::render_background(view, language, &mut window.names, estimator);
    let taken = measured(text);
    note_cut("taken", left_out);
    let mut history = RenderedHistory::render(view, language, window);

    let session = measured(session::render_session_prompt(view, language));
    let core_memory = measured(render_core_memory(view.core_memory));
    let channel = measured(render_channel_header(view.channel, language));
    let (text, left_out) = working::render_memories(view, &mut window.names, estimator);
    let recalled = measured(text);
    note_cut("recalled", left_out);
    let (text, shortened) = working::render_working_memory(view, language, estimator);
    let working = measured(text);
    note_cut("working", shortened);
    let notes = measured(working::render_notes(view, language, &mut window.names));
    let plan = measured(working::render_plan(view));
    let (text, shortened) = own_lines::render_summary(view, estimator);
    let summary = measured(text);
    note_cut("summary", shortened);
    let draft = measured(wake::render_time_and_reason(
        view,
        language,
        &mut window.names,
        None,
    ));

    let tail = recalled.tokens + working.tokens + plan.tokens + notes.tokens + draft.tokens;
    let head = view.fixed_tokens
        + session.tokens
        + core_memory.tokens
        + channel.tokens
        + summary.tokens
        + taken.tokens;
    let used = head + tail.max(budget.prompt_tokens / TAIL_SHARE);
    let room = budget
        .history_tokens
        .min(budget.prompt_tokens.saturating_sub(used));

    note_cut(
        "history",
        history.trim_to_fit(estimator.to_hundredths(room)),
    );
    let members_shown = if budget.is_small() { 0 } else { MEMBERS_SHOWN };
    let members = measured(history.render_members(view, language, &window.names, members_shown));
    // Told who says what to it, a small model does worse with more numbers beside it.
    let conversation = measured(if budget.is_small() {
        String::new()
    } else {
        wake::render_conversation(view)
    });
    let now = measured(wake::render_time_and_reason(
        view,
        language,
        &mut window.names,
        history.first_shown_id(),
    ));
    let asker = wake::find_speaker_name(view, &mut window.names);
    let mut in_view = history.people();
    in_view.extend(view.session_background.lines.iter().map(|line| line.author));
    window.names.keep_in_view(&in_view);
    let forms = estimator.token_count(history.message_overhead());
    let (text, pieces) = history.into_text(window);
    let mut history = measured(text);
    history.tokens += forms;
    PromptSections {
        name: window.names.own_name().to_owned(),
        asker,
        session,
        core_memory,
        channel,
        summary,
        taken,
        history,
        pieces,
        members,
        recalled,
        conversation,
        plan,
        working,
        notes,
        now,
        cut,
        shape: AnswerShape::default(),
    }
}

fn render_core_memory(blocks: &[CoreBlock]) -> String {
    let mut out = String::new();
    for block in blocks {
        let used = block.text.chars().count();
        out.push_str(&format!(
            "[{} {used}/{}]\n",
            escape::name(&block.label),
            block.limit
        ));
        escape::escape_block(&mut out, &block.text, "| ");
    }
    out
}

fn render_channel_header(channel: &Channel, language: Language) -> String {
    let name = escape::name(&channel.name);
    let mut out = match channel.kind {
        ChannelKind::Direct => prompt::direct_channel().in_language(language),
        ChannelKind::Thread => prompt::thread(name).in_language(language),
        ChannelKind::Group => format!("#{name}"),
    };
    let topic: String = channel.topic.chars().take(LONGEST_TOPIC).collect();
    if !topic.trim().is_empty() {
        out.push_str(": ");
        escape::escape_line(&mut out, &topic, &|_| None);
    }
    out
}
