//! The prompt's own words, so that a model that copies them is noticed: the templates, those that ship and those the host
//! put in their place, the words the core puts around what it shows, the persona's examples, what the tools say of
//! themselves. Compared by letters and digits alone,
//! in all languages at once: a small model answers a Chinese prompt with the English line of a refused call.

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::context::prompt_words;
use crate::non_speech::SpeakerNames;
use crate::persona::Language;
use crate::policy::ChannelPolicy;
use crate::similarity::{extract_letters, letter_count};
use crate::turn::list_failure_texts;
use kith_language::{prompt, refusals};
use regex::{Captures, Regex};

/// From how many letters on a sentence that equals one of the prompt is taken for a copy; a wide character counts as two.
/// Shorter ones are what friends say, and only a line that equals an example of the persona is a copy at any length.
const WHOLE: usize = 10;
/// From how many letters on a line of the prompt is noticed inside a longer text.
const INSIDE: usize = 16;
/// From how many letters on a label with its colon is noticed inside a text: "Heard lately:".
const LABEL: usize = 10;
/// From how many letters on what a tool says of itself is noticed.
const TOOL: usize = 12;

/// The templates of the prompts whose answers are posted.
const CHAT_TEMPLATES: &[&str] = &[
    "system.j2",
    "system-small.j2",
    "user.j2",
    "closing.j2",
    "repair.j2",
    "wrap-up.j2",
];

static TEMPLATE_TAG: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?s)\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}").ok());

static TEMPLATES: LazyLock<PromptPhrases> = LazyLock::new(PromptPhrases::read_templates);

/// Words of a prompt, as what they are compared by.
#[derive(Debug, Default)]
pub(super) struct PromptPhrases {
    /// Letters of sentences and lines.
    whole: HashSet<String>,
    /// Letters of the persona's examples, whatever their length.
    examples: HashSet<String>,
    /// Letters of whole lines that are noticed anywhere.
    inside: Vec<String>,
    /// Lower-case labels with their colon.
    labels: Vec<String>,
    /// Lines that are labels, whatever their length.
    label_lines: HashSet<String>,
    headings: HashSet<String>,
}

impl PromptPhrases {
    /// Those that are the same in every prompt.
    pub(super) fn from_templates() -> &'static Self {
        &TEMPLATES
    }

    /// What the host's own templates, a persona and its tools add.
    pub(super) fn from_policy(policy: &ChannelPolicy) -> Self {
        let ChannelPolicy {
            persona,
            tools,
            own_templates,
            ..
        } = policy;
        let mut phrases = Self::default();
        let chat_templates = own_templates
            .iter()
            .filter(|(file, _)| is_chat_template(file));
        chat_templates.for_each(|(_, template)| phrases.add_template(template));
        let examples = persona
            .voice
            .examples
            .iter()
            .map(|example| extract_letters(example));
        phrases
            .examples
            .extend(examples.filter(|letters| !letters.is_empty()));
        phrases.whole.extend(
            phrases
                .examples
                .iter()
                .filter(|letters| letter_count(letters) >= WHOLE)
                .cloned(),
        );
        let parts = persona.schedule.iter().flat_map(|schedule| &schedule.day);
        for doing in parts
            .map(|part| part.doing.as_str())
            .filter(|doing| !doing.is_empty())
        {
            for language in Language::ALL {
                let phrase = extract_letters(&prompt_words(language).doing.replace("{}", doing));
                phrases.whole.insert(phrase.clone());
                phrases
                    .inside
                    .extend(Some(phrase).filter(|told| letter_count(told) >= INSIDE));
            }
        }
        let described = tools.iter().map(|tool| extract_letters(&tool.description));
        phrases
            .whole
            .extend(described.filter(|letters| letter_count(letters) >= TOOL));
        phrases
    }

    fn read_templates() -> Self {
        let mut phrases = Self::default();
        for language in Language::ALL {
            let chat_templates = language
                .templates()
                .iter()
                .filter(|(file, _)| is_chat_template(file));
            chat_templates.for_each(|(_, template)| phrases.add_template(template));
            for pattern in &prompt_words(language).patterns {
                phrases.add_line_parts(pattern.split("{}"));
            }
            for sentence in list_failure_texts(language) {
                phrases.add_line_parts(std::iter::once(sentence.as_str()));
            }
        }
        phrases
    }

    /// Reads what stands in a template outside its tags, line by line.
    fn add_template(&mut self, template: &str) {
        // A value separates what stands before it from what follows; statements and comments are nothing.
        let replace = |tag: &Captures<'_>| if tag[0].starts_with("{{") { VALUE } else { "" };
        let text = TEMPLATE_TAG
            .as_ref()
            .map(|tag| tag.replace_all(template, replace));
        let text = text.unwrap_or_default();
        for line in text.lines() {
            if let Some(heading) = line.strip_prefix("# ") {
                self.headings.insert(extract_letters(heading));
                continue;
            }
            self.add_line_parts(line.split(VALUE));
        }
    }

    fn add_line_parts<'a>(&mut self, parts: impl Iterator<Item = &'a str>) {
        for (index, part) in parts.enumerate() {
            let part = part.trim();
            let folded = extract_letters(part);
            if part.ends_with([':', '：']) && index == 0 {
                // Without its colon "You remember" is what friends say.
                let label = normalize_colon(part);
                self.label_lines.insert(label.clone());
                self.labels
                    .extend(Some(label).filter(|_| letter_count(&folded) >= LABEL));
                continue;
            }
            self.inside
                .extend(Some(folded).filter(|folded| letter_count(folded) >= INSIDE));
            self.whole.extend(
                split_pieces(part)
                    .map(extract_letters)
                    .filter(|piece| letter_count(piece) >= WHOLE),
            );
        }
    }

    pub(super) fn has_match(&self, lines: &[&str], names: SpeakerNames<'_>) -> bool {
        let all: String = lines.iter().map(|line| extract_letters(line)).collect();
        self.inside
            .iter()
            .any(|phrase| all.contains(phrase.as_str()))
            || lines
                .iter()
                .any(|line| self.is_frame(line) || self.has_copied_piece(line, names))
    }

    fn is_frame(&self, line: &str) -> bool {
        let plain = normalize_colon(line.trim());
        let is_heading = || {
            line.starts_with('#')
                && self
                    .headings
                    .contains(&extract_letters(line.trim_start_matches('#')))
        };
        self.label_lines.contains(&plain)
            || self.labels.iter().any(|label| plain.contains(label))
            || is_heading()
            || SHORTENED
                .iter()
                .any(|(before, after)| has_count(line, before, after))
            || FAILED
                .iter()
                .any(|failed| normalize_marks(&plain).contains(failed))
    }

    fn has_copied_piece(&self, line: &str, names: SpeakerNames<'_>) -> bool {
        let is_copied = |text: &str| self.whole.contains(&extract_letters(text));
        let without_name = |text: &str| {
            let name = names
                .members
                .iter()
                .chain(names.own)
                .find(|name| text.trim_start().starts_with(name.as_str()));
            name.is_some_and(|name| is_copied(&text.trim_start()[name.len()..]))
        };
        self.examples.contains(&extract_letters(line))
            || is_copied(line)
            || split_pieces(line).any(|piece| is_copied(piece) || without_name(piece))
    }
}

fn is_chat_template(file: &str) -> bool {
    CHAT_TEMPLATES.contains(&file.rsplit('/').next().unwrap_or(file))
}

const VALUE: &str = "\0";

/// What the history writes around the number of missing characters behind a text that is too long, by language.
static SHORTENED: LazyLock<Vec<(String, String)>> = LazyLock::new(|| {
    let read = |language| {
        let text = prompt::shortened(VALUE).in_language(language);
        let (before, after) = text.split_once(VALUE)?;
        // A copy may lack the dots before it and the bracket behind it.
        let before = before.trim_start_matches(|c: char| c.is_whitespace() || c == '…');
        let after = after.trim_end_matches(is_mark);
        (!before.is_empty() && !after.is_empty()).then(|| (before.to_owned(), after.to_owned()))
    };
    Language::ALL.into_iter().filter_map(read).collect()
});

/// What working memory writes behind a call that failed or a message that was not sent, in each language.
static FAILED: LazyLock<Vec<String>> = LazyLock::new(|| {
    let read = |language| {
        let called = prompt::called_tool_failed(VALUE, VALUE).in_language(language);
        let failed = called.rsplit(VALUE).next().unwrap_or_default();
        // Few letters are looked for with their comma only, for people write them, too.
        let bare = failed.trim_start_matches(is_mark);
        let is_long = letter_count(&extract_letters(bare)) >= LABEL;
        let failed = if is_long { bare } else { failed }.to_owned();
        let refused = refusals::prompt_text().in_language(language);
        let refused = refused
            .split_inclusive([':', '：'])
            .next()
            .unwrap_or_default();
        [failed, format!("| {refused}")].map(|text| normalize_marks(&text))
    };
    Language::ALL.into_iter().flat_map(read).collect()
});

fn is_mark(c: char) -> bool {
    !c.is_alphanumeric()
}

/// Whether a number stands between the two.
fn has_count(text: &str, before: &str, after: &str) -> bool {
    text.match_indices(before).any(|(at, _)| {
        let rest = text[at + before.len()..].trim_start();
        let end = rest
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(rest.len());
        end > 0 && rest[end..].trim_start().starts_with(after.trim_start())
    })
}

/// The sentences of a line, and what stands between its tags, quotation marks and slashes.
fn split_pieces(line: &str) -> impl Iterator<Item = &str> {
    let ends = |c: char| matches!(c, '<' | '>' | '"' | '“' | '”' | '`' | '|' | '{' | '}');
    let sentences = |c: char| {
        matches!(
            c,
            '.' | '!' | '?' | ';' | ':' | '。' | '！' | '？' | '；' | '：'
        )
    };
    let marked = line.split(ends).flat_map(|part| part.split(" / "));
    marked.flat_map(move |part| std::iter::once(part).chain(part.split(sentences)))
}

fn normalize_colon(text: &str) -> String {
    text.to_lowercase().replace('：', ":")
}

fn normalize_marks(text: &str) -> String {
    normalize_colon(text).replace('，', ",")
}
