//! An erased text, and how it is taken out of a kept turn. What the model wrote may quote it in part; ids, names of
//! tools and numbers are left as they are, so that the report can still be read.

use std::cell::LazyCell;

use crate::prompt_reach::is_in_reach;
use crate::sql::{SqlConnection, SqlResult};
use crate::stored_prompt::StoredPrompt;
use kith_core::chat::ChannelId;
use kith_core::quotes::{
    ErasedPassage, QuoteFilter, QuotedWords, TextSignature, change_params, change_strings,
};
use kith_core::report::{TurnOutcome, TurnReport};

/// How long the two parts are, in bytes: with their row they fill a page of a file.
const TOLD: usize = 700;
const SHOWN: usize = 3_200;

/// What a turn tells, and what its prompts showed, as bits: an erased text is looked for in all turns, and their prompts
/// are long.
pub(super) struct TurnSignature {
    pub told: TextSignature,
    pub shown: TextSignature,
}

impl TurnSignature {
    pub fn new(report: &TurnReport, prompts: &[StoredPrompt]) -> Self {
        let mut texts = Vec::new();
        change_texts(&mut report.clone(), &mut |text| texts.push(text.clone()));
        let shown = prompts.iter().flat_map(|one| [&*one.system, &*one.user]);
        Self {
            told: TextSignature::new(TOLD, texts.iter().map(String::as_str)),
            shown: TextSignature::new(SHOWN, shown),
        }
    }

    /// Whether an erased text may have to be taken out of the turn: as a whole, and telling words of it if it is of the same
    /// channel.
    pub fn may_show(&self, erased: &QuoteFilter, is_same_channel: bool) -> bool {
        [&self.told, &self.shown]
            .into_iter()
            .any(|part| erased.may_be_whole_in(part) || is_same_channel && erased.has_word_in(part))
    }
}

pub(super) struct ErasedText {
    /// Where it stood: every turn there may have been shown it.
    pub channel: ChannelId,
    pub traces: QuoteFilter,
    text: ErasedPassage,
    /// Made when they are first looked for: mostly nothing shows the text.
    words: LazyCell<QuotedWords, Box<dyn FnOnce() -> QuotedWords>>,
}

impl ErasedText {
    /// `still` is what the message says now, empty if it is gone. None if the text gives nothing away.
    pub fn new(channel: ChannelId, text: &str, remaining_text: &str) -> Option<Self> {
        let (whole, remaining_text) = (text.to_owned(), remaining_text.to_owned());
        Some(Self {
            channel,
            traces: QuoteFilter::new(text),
            text: ErasedPassage::new(text)?,
            words: LazyCell::new(Box::new(move || {
                QuotedWords::from_text(&whole, &remaining_text)
            })),
        })
    }

    /// Whether a short text repeats it, or telling words of it.
    pub fn is_repeated_in(&self, text: &str) -> bool {
        self.text.redact(text).is_some() || self.words.redact(text).is_some()
    }

    /// Whether a short text repeats it, or telling words of it, that those it was taken from do not say.
    pub fn is_repeated_beyond(&self, text: &str, sources: &[String]) -> bool {
        let is_whole = |text: &str| self.text.redact(text).is_some();
        let mut words = self.words.find_words(text);
        for source in sources {
            let said = self.words.find_words(source);
            words.retain(|word| !said.contains(word));
        }
        !words.is_empty() || is_whole(text) && !sources.iter().any(|source| is_whole(source))
    }

    /// Whether something may show the whole text.
    pub fn may_be_in(&self, string: &str) -> bool {
        self.text.may_be_in(string)
    }

    /// Takes the text out of a turn, and out of one that may have been shown it each of its telling words; answers
    /// whether anything was there.
    pub fn remove_from_turn(&self, report: &mut TurnReport, prompts: &mut [StoredPrompt]) -> bool {
        let mut whole = false;
        let mut take_text = |text: &mut String| whole |= replace_text(text, self.text.redact(text));
        change_texts(report, &mut take_text);
        for prompt in prompts.iter_mut() {
            take_text(&mut prompt.system);
            take_text(&mut prompt.user);
        }
        if !whole && report.channel != self.channel {
            return false;
        }
        let mut parts = false;
        let mut take_words =
            |text: &mut String| parts |= replace_text(text, self.words.redact(text));
        change_texts(report, &mut take_words);
        // A later round's prompt repeats what the model thought and did before.
        prompts
            .iter_mut()
            .for_each(|prompt| take_words(&mut prompt.user));
        whole || parts
    }
}

/// The lines of notes that were taken away with a message. A prompt shows core memory, summaries, memories and lists as
/// they were.
#[derive(Default)]
pub(super) struct GoneNotes(Vec<(QuoteFilter, ErasedPassage)>);

impl GoneNotes {
    pub fn new(notes: &[String]) -> Self {
        let lines = notes.iter().flat_map(|note| note.lines());
        let passage = |line: &str| Some((QuoteFilter::new(line), ErasedPassage::new(line)?));
        Self(lines.filter_map(passage).collect())
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn may_be_in(&self, turn: &TurnSignature) -> bool {
        let mut lines = self.0.iter();
        lines.any(|(traces, _)| traces.may_be_whole_in(&turn.shown))
    }

    fn remove_from_prompts(&self, prompts: &mut [StoredPrompt]) -> bool {
        let mut changed = false;
        for prompt in prompts {
            for text in [&mut prompt.system, &mut prompt.user] {
                for (_, line) in &self.0 {
                    if let Some(cleaned) = line.redact(text) {
                        (*text, changed) = (cleaned, true);
                    }
                }
            }
        }
        changed
    }
}

pub(super) struct TurnErasure<'n> {
    pub channel: ChannelId,
    /// None where nobody knows what it said, or where that gives nothing away.
    pub text: Option<ErasedText>,
    pub notes: &'n GoneNotes,
}

impl TurnErasure<'_> {
    pub fn may_be_in(&self, turn: &TurnSignature, channel: ChannelId) -> bool {
        let text = self.text.as_ref();
        text.is_some_and(|text| turn.may_show(&text.traces, channel == self.channel))
            || self.notes.may_be_in(turn)
    }

    pub fn may_be_shown(&self, prompts: &str) -> bool {
        self.text
            .as_ref()
            .is_some_and(|text| text.may_be_in(prompts))
            || self.notes.0.iter().any(|(_, line)| line.may_be_in(prompts))
    }

    /// Answers whether anything was there.
    pub fn remove_from_turn(
        &self,
        conn: &SqlConnection,
        report: &mut TurnReport,
        prompts: &mut [StoredPrompt],
    ) -> SqlResult<bool> {
        let text = self.text.as_ref();
        let changed = text.is_some_and(|text| text.remove_from_turn(report, prompts));
        let is_reached = !self.notes.is_empty() && is_in_reach(conn, self.channel, report.channel)?;
        Ok(changed | (is_reached && self.notes.remove_from_prompts(prompts)))
    }
}

fn replace_text(text: &mut String, by: Option<String>) -> bool {
    by.map(|by| *text = by).is_some()
}

/// Every text of a report that a model or a tool wrote.
pub(super) fn change_texts(report: &mut TurnReport, change: &mut impl FnMut(&mut String)) {
    for round in &mut report.rounds {
        change(&mut round.raw);
        change(&mut round.thoughts);
        round.repairs.iter_mut().for_each(&mut *change);
        if let Some(failure) = &mut round.failure {
            change(&mut failure.message);
        }
        for done in &mut round.calls {
            if done.kind.is_none() {
                change(&mut done.call.name);
            }
            change_params(&mut done.call.params, change);
            if let Some(result) = &mut done.result {
                change(&mut result.content);
                result
                    .details
                    .iter_mut()
                    .for_each(|details| change_strings(details, change));
            }
        }
    }
    report.notes.iter_mut().for_each(&mut *change);
    match &mut report.outcome {
        TurnOutcome::Silent(reason) | TurnOutcome::Failed(reason) => change(reason),
        TurnOutcome::Acted => {}
    }
}
