//! The little the stand-in understands of a prompt: the line that woke the companion, whether somebody spoke to it,
//! and what a tool told. What it does not find it does without.

use super::words::list_labels;
use crate::message::{MessageSide, PromptMessage};
use crate::request::ModelRequest;
use kith_core::persona::Language;
use kith_language::{LocalizedMessage, demo};

/// A line of the history.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct DemoLine<'a> {
    /// Its short id.
    pub id: u32,
    /// Who wrote it.
    pub name: &'a str,
    /// What it says.
    pub text: &'a str,
}

/// What came of get_time in this turn.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum DemoTime {
    NotAsked,
    Known(String),
    Failed,
}

/// A prompt, as far as it is understood.
#[derive(Debug)]
pub(super) struct DemoPrompt<'a> {
    system: &'a str,
    /// The line that woke the companion.
    pub waking_line: Option<DemoLine<'a>>,
    /// What the stand-in itself has said, newest first.
    pub own: Vec<&'a str>,
    /// Whether somebody spoke to it.
    pub is_addressed: bool,
    /// What came of get_time.
    pub time: DemoTime,
    /// The language of that line, else of the prompt.
    pub language: Language,
}

/// What stands before each line of a tool's result.
const QUOTE: &str = "| ";

impl<'a> DemoPrompt<'a> {
    /// Reads a request.
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
        let in_each =
            |message: LocalizedMessage| Language::ALL.map(|language| message.in_language(language));
        let (time_marks, unasked_marks) = (
            in_each(demo::prompt_time()),
            in_each(demo::prompt_unasked()),
        );
        // Everything below the history is the prompt's own; above, people write.
        let below = history.last().map_or(0, |(row, _)| row + 1);
        let end = &rows[below..];
        let labels = list_labels();
        let own_messages = request
            .messages
            .iter()
            .rev()
            .filter(|message| message.side == MessageSide::Companion)
            .flat_map(split_words);
        let own = own_messages
            .chain(history.iter().rev().map(|(_, line)| line.text))
            .filter(|text| is_own(text, &labels))
            .collect();
        let waking_line = end
            .iter()
            .rev()
            .take_while(|row| !time_marks.iter().any(|words| row.starts_with(words)))
            .flat_map(|row| parse_numbers(row))
            .find_map(|id| history.iter().rev().find(|(_, line)| line.id == id))
            .or(history.last())
            .map(|(_, line)| *line);
        let is_addressed = !end
            .iter()
            .any(|row| unasked_marks.iter().any(|words| row.starts_with(words)));
        let written = waking_line.map_or("", |line| line.text);
        let language = if is_chinese(written) || (written.is_empty() && is_chinese(&request.system))
        {
            Language::ZH
        } else {
            Language::EN
        };
        Self {
            system: &request.system,
            waking_line,
            own,
            is_addressed,
            time: read_time(end),
            language,
        }
    }

    /// Whether the prompt offers this tool.
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

fn read_time(end: &[&str]) -> DemoTime {
    let in_any = |message: LocalizedMessage, fits: &dyn Fn(&str) -> bool| {
        Language::ALL
            .into_iter()
            .any(|language| fits(&message.in_language(language)))
    };
    let Some(row) = end
        .iter()
        .rposition(|row| in_any(demo::prompt_called(), &|words| row.starts_with(words)))
    else {
        return DemoTime::NotAsked;
    };
    if in_any(demo::prompt_failed(), &|words| end[row].contains(words)) {
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

fn is_own(text: &str, labels: &[String]) -> bool {
    labels
        .iter()
        .any(|label| text.starts_with(label.trim_end()))
}

fn is_chinese(text: &str) -> bool {
    text.chars()
        .any(|character| matches!(character, '\u{3400}'..='\u{9fff}'))
}
