//! Renders the sections of a prompt, one after the other, and fits the history into what they leave of the budget.

use super::history::{HistoryWindow, RenderedHistory};
use super::{
    PromptSection, PromptSections, PromptSources, SectionCut, TokenEstimator, escape, line, lore,
    profile, prompt_words, recalled, session, summary, turn_trigger, working_memory,
};
use crate::chat::{Channel, ChannelKind};
use kith_language::{Language, prompt};

/// The longest topic shown, in characters.
const LONGEST_TOPIC: usize = 300;
/// The share of the prompt kept free for what stands below the history, so that a long turn does not evict lines.
const TAIL_SHARE: u32 = 8;
/// The most names listed as members in view.
const MEMBERS_SHOWN: usize = 12;

/// Counts sections, and notes what of them did not fit.
struct SectionMeter<'a> {
    estimator: &'a TokenEstimator,
    cut: Vec<SectionCut>,
}

impl SectionMeter<'_> {
    fn measure(&self, text: impl AsRef<str>) -> PromptSection {
        let text = text.as_ref().trim_end().to_owned();
        PromptSection {
            tokens: self.estimator.estimate_tokens(&text),
            text,
        }
    }

    /// The same for a section of which so many items are left out or shortened.
    fn measure_cut(
        &mut self,
        section: &'static str,
        (text, items): (String, usize),
    ) -> PromptSection {
        self.note_cut(section, items);
        self.measure(text)
    }

    fn note_cut(&mut self, section: &'static str, items: usize) {
        if items > 0 {
            self.cut.push(SectionCut {
                section,
                items: items as u32,
            });
        }
    }
}

/// Renders the sections of a prompt and moves the channel's window where the history is over its budget.
pub fn render_sections(
    view: &PromptSources<'_>,
    window: &mut HistoryWindow,
    estimator: &TokenEstimator,
) -> PromptSections {
    let language = view.policy.persona.language;
    let mut meter = SectionMeter {
        estimator,
        cut: Vec::new(),
    };
    if let Some(summary) = view.summary {
        window.move_start_after(summary.until, view.timeline);
    }
    let (names, persona) = (&view.policy.names, view.policy.persona.name.as_str());
    let own_names = names.iter().map(String::as_str).chain([persona]);
    window.names.begin_prompt(view.me, own_names);
    // Names are given to lines first, in the order of the prompt; whoever is only quoted has what is left.
    let background = session::render_background(view, language, &mut window.names, estimator);
    let taken = meter.measure_cut("taken", background);
    let mut history = RenderedHistory::render(view, language, window);
    let mut sections = render_around_history(view, language, window, &mut meter);
    sections.taken = taken;

    let room = estimator.to_hundredths(compute_history_room(view, &sections));
    meter.note_cut("history", history.trim_to_fit(room));
    let is_small = view.policy.context.is_small();
    let members_shown = if is_small { 0 } else { MEMBERS_SHOWN };
    let mut members = history.render_members(view, language, &window.names, members_shown);
    if !is_small {
        let (in_view, names) = (history.people(), &mut window.names);
        let (known, left_out) =
            profile::render_profiles(view, language, names, &in_view, estimator);
        members.push_str(&known);
        meter.note_cut("members", left_out);
    }
    sections.members = meter.measure(members);
    // Told who says what to it, a small model does worse with more numbers beside it.
    if !is_small {
        sections.conversation = meter.measure(turn_trigger::render_conversation(view, language));
    }
    let first_shown = history.first_shown_id();
    let now = turn_trigger::render_time_and_reason(view, language, &mut window.names, first_shown);
    sections.now = meter.measure(now);
    sections.asker = turn_trigger::find_speaker_name(view, &mut window.names);
    let mut in_view = history.people();
    in_view.extend(view.session_background.lines.iter().map(|line| line.author));
    window.names.keep_in_view(&in_view);
    let forms = estimator.token_count(history.message_overhead());
    let history = history.into_text(window);
    sections.history = meter.measure(history.text);
    sections.history.tokens += forms;
    sections.pieces = history.pieces;
    sections.others = history.others;
    sections.descriptions = history.descriptions;
    sections.name = window.names.own_name().to_owned();
    sections.cut = meter.cut;
    sections
}

/// The sections shown whole whatever the history takes. The time is a draft: it depends on where the history begins.
fn render_around_history(
    view: &PromptSources<'_>,
    language: Language,
    window: &mut HistoryWindow,
    meter: &mut SectionMeter<'_>,
) -> PromptSections {
    let (names, estimator) = (&mut window.names, meter.estimator);
    PromptSections {
        session: meter.measure(session::render_session_prompt(view, language)),
        core_memory: meter.measure(render_core_memory(view)),
        channel: meter.measure(render_channel_header(view.channel, language)),
        lore: meter.measure_cut("lore", lore::render_lore(view, estimator)),
        recalled: meter.measure_cut(
            "recalled",
            recalled::render_memories(view, names, estimator),
        ),
        working: meter.measure_cut(
            "working",
            working_memory::render_working_memory(view, language, estimator),
        ),
        notes: meter.measure(working_memory::render_notes(view, language, names)),
        plan: meter.measure(working_memory::render_plan(view)),
        summary: meter.measure_cut("summary", summary::render_summary(view, estimator)),
        now: meter.measure(turn_trigger::render_time_and_reason(
            view, language, names, None,
        )),
        ..PromptSections::default()
    }
}

/// How many tokens the history may take.
fn compute_history_room(view: &PromptSources<'_>, sections: &PromptSections) -> u32 {
    let budget = &view.policy.context;
    let below = [
        &sections.lore,
        &sections.recalled,
        &sections.working,
        &sections.plan,
        &sections.notes,
        &sections.now,
    ];
    let above = [
        &sections.session,
        &sections.core_memory,
        &sections.channel,
        &sections.summary,
        &sections.taken,
    ];
    let tail: u32 = below.iter().map(|section| section.tokens).sum();
    let head: u32 = above.iter().map(|section| section.tokens).sum();
    let used = view.fixed_tokens + head + tail.max(budget.prompt_tokens / TAIL_SHARE);
    let room = budget.prompt_tokens.saturating_sub(used);
    budget.history_tokens.min(room)
}

/// The blocks, each line behind the day it was written, which is no part of it.
fn render_core_memory(view: &PromptSources<'_>) -> String {
    let zone = line::find_timezone(view);
    let mut out = String::new();
    for block in view.core_memory {
        let used = block.text.chars().count();
        let label = escape::name(&block.label);
        out.push_str(&format!("[{label} {used}/{}", block.limit));
        if !block.description.trim().is_empty() {
            out.push_str(": ");
            escape::escape_line(&mut out, block.description.trim(), &|_| None);
        }
        out.push_str("]\n");
        let dates = block.dates.iter().copied().chain(std::iter::repeat(None));
        for (line, date) in block.text.lines().zip(dates) {
            let day = date.map(|at| {
                prompt_words::to_local_time(at, zone)
                    .format("%Y-%m-%d")
                    .to_string()
            });
            let gutter = format!("{}| ", day.unwrap_or_default());
            escape::escape_block(&mut out, line, &gutter);
        }
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
