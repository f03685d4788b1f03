//! The one guard between what a model wrote and what people read, whatever protocol it came by: models go on with the
//! history in its own format, speak for others, and copy the prompt. What it lets through never opens with a member's
//! name and a colon and never holds the prompt's own words. Looks at one text only; whether it was said before is the
//! turn's business.

mod line_opening;
mod media_notes;
mod notes;
mod prompt_phrases;
mod stamp;
mod transcript;

use std::borrow::Cow;
use std::sync::LazyLock;

use kith_language::prompt;
use regex::Regex;

use self::line_opening::{LineOpening, LineSpeaker};
use self::prompt_phrases::PromptPhrases;
use super::chat::Author;
use super::context::{DisplayNames, escape, skeleton};
use super::non_speech::SpeakerNames;
use super::persona::Language;
use super::policy::ChannelPolicy;
use super::timeline::Timeline;
use super::transcript_roles::ROLES;

/// What opens and closes a block of code. Nothing inside one is looked at: somebody may well show a log or a table.
const FENCE: &str = "```";
/// The longest name of a language behind it, in bytes.
const LONGEST_LANGUAGE: usize = 20;
/// The history's sign for a line break in a message.
const PILCROW: char = '¶';
/// The most own names in front of each other that are taken off.
const MOST_OPENINGS: usize = 4;
const MOST_PASSES: usize = 6;
/// What the history writes behind a message that was edited, in each language.
static EDITED: LazyLock<Vec<String>> = LazyLock::new(|| {
    let languages = Language::ALL.into_iter();
    languages
        .map(|language| prompt::edited().in_language(language))
        .collect()
});

/// Marks of chat templates, and headings of instruction formats, at the beginning of a line. `user:` in small letters is
/// no mark: among people who talk about computers it opens an honest line.
static ROLE_MARK: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let capital = |word: &str| {
        word.char_indices()
            .map(|(at, c)| if at == 0 { c.to_ascii_uppercase() } else { c })
            .collect()
    };
    let capitals: Vec<String> = ROLES
        .user
        .iter()
        .flat_map(|word| [capital(word), word.to_uppercase()])
        .collect();
    let asks = format!(r"^(?:{})\s*[:：]", capitals.join("|"));
    let marks = [
        r"^<[|｜]",
        r"^\[/?INST\]",
        r"^</?s>",
        asks.as_str(),
        r"(?i)^#{2,}\s*(?:instructions?|response|input|output|user|assistant|system|human|question|answer)\b\s*:?\s*$",
        r"(?i)^#{2,}\s*(?:instructions?|response|input|output|user|assistant|system|human|question|answer)\s*:",
    ];
    Regex::new(&marks.join("|")).ok()
});

/// A heading of an instruction format in the middle of a line.
static INLINE_ROLE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)[ \t]+(#{2,}\s*(?:instructions?|response|input|output|user|assistant|system|human)\s*:)").ok()
});

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GuardReason {
    AnotherSpeaker,
    PromptText,
    /// It thinks, or talks about itself, and says nothing to anybody.
    Thoughts,
    Empty,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CleanMessage {
    pub text: String,
    /// What was taken away, a sentence each, for the turn's report.
    pub changes: Vec<String>,
}

/// What a text is compared with: the names in view and the prompt's words.
#[derive(Debug)]
pub struct MessageGuard {
    own_names: Vec<String>,
    /// What it is called in the lines that are answered.
    called_names: Vec<String>,
    /// The names of everybody else in view, as typed and as the prompt shows them.
    members: Vec<String>,
    /// Of those the names of who wrote what is answered: in front of the answer they say whom it is for.
    addressee_names: Vec<String>,
    phrases: &'static PromptPhrases,
    /// What the prompt holds of the host's own templates, of the persona and of the tools.
    own_phrases: PromptPhrases,
}

impl MessageGuard {
    pub fn new(policy: &ChannelPolicy, timeline: &Timeline, names: &DisplayNames) -> Self {
        let mut own_names: Vec<String> = policy
            .names
            .iter()
            .chain([&policy.persona.name])
            .cloned()
            .collect();
        own_names.extend(own_names.clone().iter().map(|name| escape::name(name)));
        sort_longest_first(&mut own_names);
        // What it wrote as another persona stands under that name, which is a member's to it.
        let authors = timeline.messages().map(|said| &said.message.author);
        let mut members: Vec<String> = authors
            .flat_map(|author| {
                let mut variants = derive_name_variants(&author.name);
                variants.push(names.shown(author.id, &author.name));
                variants
            })
            .collect();
        members.retain(|name| !own_names.iter().any(|other| is_same_name(other, name)));
        sort_longest_first(&mut members);
        let own_phrases = PromptPhrases::from_policy(policy);
        let called_names = own_names.clone();
        Self {
            own_names,
            called_names,
            members,
            addressee_names: Vec::new(),
            phrases: PromptPhrases::from_templates(),
            own_phrases,
        }
    }

    #[must_use]
    pub fn with_answered_authors<'a>(
        mut self,
        authors: impl Iterator<Item = &'a Author>,
        names: &DisplayNames,
    ) -> Self {
        let shown = |author: &Author| names.shown(author.id, &author.name);
        self.addressee_names = authors
            .flat_map(|author| {
                derive_name_variants(&author.name)
                    .into_iter()
                    .chain([shown(author)])
            })
            .collect();
        self.addressee_names
            .retain(|name| self.members.contains(name));
        sort_longest_first(&mut self.addressee_names);
        self
    }

    #[must_use]
    pub fn with_called_names(mut self, written: impl Iterator<Item = String>) -> Self {
        self.called_names.extend(written);
        sort_longest_first(&mut self.called_names);
        self
    }

    pub fn names(&self) -> SpeakerNames<'_> {
        SpeakerNames {
            own: &self.own_names,
            members: &self.members,
        }
    }

    /// A text without its own name in front and without what goes on behind it.
    ///
    /// # Errors
    /// It is not for people, and why.
    pub fn inspect(&self, text: &str) -> Result<CleanMessage, GuardReason> {
        let (mut text, mut changes) = (text.to_owned(), Vec::new());
        // What is taken off may uncover another name.
        for _ in 0..MOST_PASSES {
            let clean = self.inspect_once(&text)?;
            let is_clean = clean.text == text;
            (text, _) = (clean.text, changes.extend(clean.changes));
            if is_clean {
                return Ok(CleanMessage { text, changes });
            }
        }
        // Nobody writes so many names in front of each other.
        Err(GuardReason::AnotherSpeaker)
    }

    fn inspect_once(&self, text: &str) -> Result<CleanMessage, GuardReason> {
        let text = text.replace(PILCROW, "\n");
        let text = INLINE_ROLE.as_ref().map_or(Cow::Borrowed(&*text), |role| {
            role.replace_all(&text, "\n$1")
        });
        let mut changes = Vec::new();
        let whole = text.trim();
        let addressed = line_opening::strip_addressee(whole, &self.addressee_names);
        let addressed =
            addressed.or_else(|| transcript::strip_name_line(whole, &self.addressee_names));
        changes.extend(addressed.map(|_| ADDRESSEE.to_owned()));
        let unaddressed = addressed.unwrap_or(whole);
        let uncalled = line_opening::strip_own_call(unaddressed, &self.called_names);
        changes.extend(uncalled.iter().map(|_| OWN_NAME.to_owned()));
        let mut kept: Vec<String> = Vec::new();
        let mut cut = None;
        let mut lines: Vec<(&str, bool)> =
            mark_code_lines(uncalled.as_deref().unwrap_or(unaddressed)).collect();
        // A name alone on the first line stands before what it says, as exported chats have it.
        if lines.len() > 1
            && lines
                .first()
                .is_some_and(|(line, _)| transcript::is_own_name(line, self.names()))
        {
            lines.remove(0);
            changes.push(OWN_NAME.to_owned());
        }
        let end = transcript::find_transcript_start(&lines, self.names())
            .into_iter()
            .chain(transcript::find_exchange_start(&lines))
            .min();
        for (at, (line, is_code)) in lines.into_iter().enumerate() {
            if is_code {
                kept.push(line.to_owned());
                continue;
            }
            let own = self.strip_own_name(line, &mut changes);
            if end == Some(at) || self.is_foreign_line(&own) {
                cut = Some(line.to_owned());
                break;
            }
            kept.push(own);
        }
        let mut kept = kept.join("\n").trim().to_owned();
        for mark in EDITED.iter() {
            kept.truncate(
                kept.strip_suffix(mark.as_str())
                    .unwrap_or(&kept)
                    .trim_end()
                    .len(),
            );
        }
        if let Some(line) = cut {
            // A heading, a time or an announcement is no message without what was cut behind it.
            if is_no_message(&kept) {
                return Err(GuardReason::AnotherSpeaker);
            }
            changes.push(format!(
                "cut before \"{}\": that is somebody else's line",
                line.trim()
            ));
        }
        if kept
            .chars()
            .all(|c| c.is_whitespace() || escape::is_invisible(c))
        {
            return Err(GuardReason::Empty);
        }
        if let Some(rest) = media_notes::strip_media_notes(&kept) {
            kept = Some(rest)
                .filter(|rest| !rest.is_empty())
                .ok_or(GuardReason::PromptText)?;
            changes.push("took off what the history shows of files and polls".to_owned());
        }
        if self.has_prompt_text(&kept) {
            return Err(GuardReason::PromptText);
        }
        let text = notes::strip_notes(&kept, self.names(), &mut changes)?;
        Ok(CleanMessage { text, changes })
    }

    fn strip_own_name(&self, line: &str, changes: &mut Vec<String>) -> String {
        let mut line = line.to_owned();
        for _ in 0..MOST_OPENINGS {
            let Some(LineOpening {
                speaker: LineSpeaker::Companion,
                rest,
            }) = line_opening::parse_opening(&line, self.names())
            else {
                break;
            };
            if changes.last().is_none_or(|change| change != OWN_NAME) {
                changes.push(OWN_NAME.to_owned());
            }
            line = rest;
        }
        line
    }

    /// Whether a line is one of the history by somebody else, or a mark behind which somebody else speaks.
    fn is_foreign_line(&self, line: &str) -> bool {
        let line = line.trim();
        ROLE_MARK.as_ref().is_some_and(|mark| mark.is_match(line))
            || line_opening::parse_opening(line, self.names())
                .is_some_and(|opening| opening.speaker != LineSpeaker::Companion)
            || line_opening::is_reaction(line, self.names())
    }

    fn has_prompt_text(&self, text: &str) -> bool {
        let outside: Vec<&str> = mark_code_lines(text)
            .filter(|(_, is_code)| !is_code)
            .map(|(line, _)| line.trim())
            .collect();
        let is_mark = |line: &&str| {
            line.starts_with("| ")
                || *line == "|"
                || stamp::is_bracketed_stamp(line)
                || stamp::is_moment_line(line)
        };
        outside.iter().any(is_mark)
            || [self.phrases, &self.own_phrases]
                .iter()
                .any(|phrases| phrases.has_match(&outside, self.names()))
    }
}

/// The lines of a text, and whether each belongs to a block of code; a fence that is never closed opens none.
fn mark_code_lines(text: &str) -> impl Iterator<Item = (&str, bool)> {
    let is_fence = |line: &str| {
        let behind = line.trim().strip_prefix(FENCE);
        behind.is_some_and(|language| {
            language.len() < LONGEST_LANGUAGE && !language.contains(char::is_whitespace)
        })
    };
    let lines: Vec<&str> = text.lines().collect();
    let fences: Vec<usize> = (0..lines.len()).filter(|at| is_fence(lines[*at])).collect();
    let blocks: Vec<_> = fences
        .chunks_exact(2)
        .map(|pair| pair[0]..=pair[1])
        .collect();
    lines
        .into_iter()
        .enumerate()
        .map(move |(at, line)| (line, blocks.iter().any(|block| block.contains(&at))))
}

/// What the report says where the companion's own name was taken off a line.
const OWN_NAME: &str = "took its own name off";

const ADDRESSEE: &str = "took the name of whom it answers off the beginning";

/// Whether a text is only a heading, something in brackets, or the announcement of what follows.
fn is_no_message(text: &str) -> bool {
    let is_frame = |line: &str| {
        let line = line.trim();
        line.is_empty()
            || line.starts_with('#')
            || line.starts_with(['[', '(']) && line.ends_with([']', ')'])
    };
    text.lines().all(is_frame) || text.ends_with([':', '：'])
}

/// What a member may be called at the beginning of a line: the name as typed, as the prompt shows it, and its first word.
fn derive_name_variants(name: &str) -> Vec<String> {
    let shown = escape::name(name);
    let first = shown
        .split_whitespace()
        .next()
        .filter(|first| first.chars().filter(|c| c.is_alphabetic()).count() > 1);
    let mut names = vec![
        name.trim().to_owned(),
        shown
            .trim_matches(|c: char| !c.is_alphanumeric())
            .to_owned(),
    ];
    names.extend(first.map(str::to_owned));
    names.push(shown);
    names.retain(|name| !name.is_empty() && name != "?");
    names
}

fn sort_longest_first(names: &mut Vec<String>) {
    names.retain(|name| !name.trim().is_empty());
    names.sort_unstable_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    names.dedup();
}

fn is_same_name(a: &str, b: &str) -> bool {
    skeleton(a) == skeleton(b)
}
