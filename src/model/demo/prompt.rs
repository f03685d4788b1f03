//! The little the stand-in understands of a prompt: the line that woke the companion, whether somebody spoke to it,
//! and what a tool told. What it does not find it does without.

use crate::message::{MessageSide, PromptMessage};
use crate::request::ModelRequest;
use kith_core::context::DEMO_LABELS;
use kith_core::persona::Language;
use kith_language::{LocalizedMessage, demo, prompt};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct DemoLine<'a> {
    pub id: u32,
    pub name: &'a str,
    pub text: &'a str,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum DemoTime {
    NotAsked,
    Known(String),
    Failed,
}

#[derive(Debug)]
pub(super) struct DemoPrompt<'a> {
    system: &'a str,
    pub waking_line: Option<DemoLine<'a>>,
    /// What the stand-in itself has said, newest first.
    pub own: Vec<&'a str>,
    pub is_addressed: bool,
    pub time: DemoTime,
    /// The language of that line, else of the prompt.
    pub language: Language,
}

const TOOL: &str = "get_time";
/// What stands before each line of a tool's result.
const QUOTE: &str = "| ";

impl<'a> DemoPrompt<'a> {
    pub fn from_request(request: &'a ModelRequest) -> Self {
        let rows: Vec<&str> = request
            .messages
            .iter()
            .flat_map(|message| message.text.lines())
            .collect();
        let history: Vec<(usize, DemoLine<'a>)> = rows
            .iter()
            .enumerate()
            .filter_map(|(row, text)| Some((row, read_line(text)?)))
            .collect();
        let marks = list_marks();
        // Everything below the history is the prompt's own; above, people write.
        let below = history.last().map_or(0, |(row, _)| row + 1);
        let end = &rows[below..];
        let own_messages = request
            .messages
            .iter()
            .rev()
            .filter(|message| message.side == MessageSide::Companion)
            .flat_map(split_words);
        let own = own_messages
            .chain(history.iter().rev().map(|(_, line)| line.text))
            .filter(|text| DEMO_LABELS.iter().any(|label| text.starts_with(label)))
            .collect();
        let waking_line = end
            .iter()
            .rev()
            .take_while(|row| !marks.iter().any(|mark| row.starts_with(&mark.time)))
            .flat_map(|row| parse_numbers(row))
            .find_map(|id| history.iter().rev().find(|(_, line)| line.id == id))
            .or(history.last())
            .map(|(_, line)| *line);
        let is_addressed = !end
            .iter()
            .any(|row| marks.iter().any(|mark| row.starts_with(&mark.unasked)));
        let written = waking_line.map_or("", |line| line.text);
        let of_prompt = marks
            .iter()
            .find(|mark| end.iter().any(|row| row.starts_with(&mark.time)))
            .map(|mark| mark.language);
        let language = match written {
            "" => choose_language(of_prompt, &request.system),
            written => choose_language(of_prompt, written),
        };
        Self {
            system: &request.system,
            waking_line,
            own,
            is_addressed,
            time: read_time(end, &marks),
            language,
        }
    }

    pub fn has_tool(&self, tool: &str) -> bool {
        self.system.contains(tool)
    }
}

/// What a message of the companion's says, the last first, among what only its form is made of.
fn split_words(message: &PromptMessage) -> impl Iterator<Item = &str> {
    message.text.rsplit(['<', '>', '"'])
}

/// `12 Anna: text` or `12>9 Anna: text`.
fn read_line(row: &str) -> Option<DemoLine<'_>> {
    let (head, text) = row.split_once(": ")?;
    let (ids, name) = head.split_once(' ')?;
    let id = ids.split_once('>').map_or(ids, |(id, _)| id);
    let short = id.len() <= 3 && id.bytes().all(|byte| byte.is_ascii_digit());
    short.then(|| {
        Some(DemoLine {
            id: id.parse().ok()?,
            name,
            text,
        })
    })?
}

/// The numbers in a row that can be short ids, in order.
fn parse_numbers(row: &str) -> impl Iterator<Item = u32> + '_ {
    row.split(|character: char| !character.is_ascii_digit())
        .filter(|digits| digits.len() <= 3)
        .filter_map(|digits| digits.parse().ok())
}

/// The words of a prompt that tell the stand-in what happened, in one language.
struct PromptMarks {
    language: Language,
    /// How the line begins that tells the time.
    time: String,
    /// How the line begins that says that nobody spoke to it.
    unasked: String,
    /// How the line begins that says that get_time was called.
    called: String,
    /// What ends that line where it failed.
    failed: String,
}

/// Stands for a value of a message.
const VALUE: &str = "\0";

fn list_marks() -> [PromptMarks; Language::ALL.len()] {
    Language::ALL.map(|language| {
        let before_value = |message: LocalizedMessage| {
            let text = message.in_language(language);
            text.split(VALUE).next().unwrap_or_default().to_owned()
        };
        let unasked = prompt::unasked(VALUE, VALUE).in_language(language);
        let plainly = prompt::unasked_plainly().in_language(language);
        let same = unasked.chars().zip(plainly.chars());
        let same = same.take_while(|(one, other)| one == other);
        let failed = prompt::called_tool_failed(VALUE, TOOL).in_language(language);
        PromptMarks {
            language,
            time: before_value(prompt::time_now(VALUE)),
            unasked: same.map(|(letter, _)| letter).collect(),
            called: before_value(prompt::called_tool(VALUE, TOOL))
                .trim_end()
                .to_owned(),
            failed: failed
                .rsplit(VALUE)
                .next()
                .unwrap_or_default()
                .trim_matches(|c: char| !c.is_alphanumeric())
                .to_owned(),
        }
    })
}

fn read_time(end: &[&str], marks: &[PromptMarks]) -> DemoTime {
    let is_call = |row: &&str| marks.iter().any(|mark| row.starts_with(&mark.called));
    let Some(row) = end.iter().rposition(is_call) else {
        return DemoTime::NotAsked;
    };
    if marks.iter().any(|mark| end[row].contains(&mark.failed)) {
        return DemoTime::Failed;
    }
    match end
        .get(row + 1)
        .map(|line| line.strip_prefix(QUOTE).unwrap_or(line).trim())
    {
        Some(told) if !told.is_empty() => DemoTime::Known(told.to_owned()),
        _ => DemoTime::Failed,
    }
}

/// The language that is written like the text: the prompt's own, the default one, or any other that is.
fn choose_language(of_prompt: Option<Language>, text: &str) -> Language {
    let is_written_alike = |language: &Language| {
        has_ideographs(&demo::nobody().in_language(*language)) == has_ideographs(text)
    };
    of_prompt
        .into_iter()
        .chain([Language::default()])
        .chain(Language::ALL)
        .find(is_written_alike)
        .unwrap_or_default()
}

fn has_ideographs(text: &str) -> bool {
    text.chars()
        .any(|character| matches!(character, '\u{3400}'..='\u{9fff}'))
}
