//! What a program prints: lines that tell how far it is, and its result. Text that is no JSON is a result, too.

use kith_language::custom_tools;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::{ToolNewsItem, ToolNewsSender};
use kith_core::call::{CallPreview, ToolResult};
use kith_core::persona::Language;
use kith_core::redactor::Redactor;

const MOST_NEWS: usize = 100;
const PROGRESS_CHARACTERS: usize = 200;
const PUBLISHED_BYTES: usize = 16 << 10;

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum NewsLine {
    Progress(String),
    Publish(SharedData),
    Ask(Value),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SharedData {
    name: String,
    data: Value,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct ProgramResult {
    /// Whether it went well; by default where there is no `error`.
    success: Option<bool>,
    data: Value,
    error: Option<String>,
    /// What the model reads in the place of `data`.
    content: Option<String>,
    /// What people may look up in the place of `data`.
    details: Value,
    end_turn: bool,
    /// What is to be done once a person has approved it.
    pending: Option<CallPreview>,
    /// What to keep for the tools of this place, by key; null drops one.
    set: Map<String, Value>,
}

const KEYS: [&str; 8] = [
    "success", "data", "error", "content", "details", "end_turn", "pending", "set",
];

pub(super) struct ProgramOutput {
    news: ToolNewsSender,
    redactor: Redactor,
    news_count: usize,
    /// Whether it may ask; a line that asks is what it found otherwise.
    asks: bool,
    line: Vec<u8>,
    /// All lines that are no news.
    rest: Vec<u8>,
}

impl ProgramOutput {
    pub fn new(news: ToolNewsSender, redactor: Redactor, asks: bool) -> Self {
        Self {
            news,
            redactor,
            news_count: 0,
            asks,
            line: Vec::new(),
            rest: Vec::new(),
        }
    }

    /// Takes a piece of what it prints; answers with what is asked in it.
    pub fn add_piece(&mut self, piece: &[u8]) -> Vec<Value> {
        let mut questions = Vec::new();
        for part in piece.split_inclusive(|byte| *byte == b'\n') {
            self.line.extend(part);
            if part.ends_with(b"\n") {
                questions.extend(self.end_line());
            }
        }
        questions
    }

    fn end_line(&mut self) -> Option<Value> {
        let line = std::mem::take(&mut self.line);
        // Only what looks like news is read as JSON: a result may be long.
        let start = line.trim_ascii_start();
        let may_be = start.starts_with(b"{") && line.len() < 2 * PUBLISHED_BYTES;
        match may_be.then(|| serde_json::from_slice(&line)) {
            Some(Ok(NewsLine::Ask(question))) if self.asks => return Some(question),
            Some(Ok(NewsLine::Progress(text))) => self.send_progress(&text),
            Some(Ok(NewsLine::Publish(SharedData { name, data }))) => {
                self.send_news(ToolNewsItem::Published {
                    channel: name,
                    data,
                });
            }
            _ => self.rest.extend(line),
        }
        None
    }

    fn send_progress(&mut self, text: &str) {
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        // Before it is cut, for half a secret would not be found.
        let line = self.redactor.redact(&line);
        let line = line.chars().take(PROGRESS_CHARACTERS).collect();
        self.send_news(ToolNewsItem::Progress(line));
    }

    fn send_news(&mut self, news: ToolNewsItem) {
        self.news_count += 1;
        if self.news_count <= MOST_NEWS {
            self.news.send(news);
        }
    }

    /// All that is no news.
    pub fn into_text(mut self) -> String {
        self.end_line();
        String::from_utf8_lossy(&self.rest).trim().to_owned()
    }

    /// What it comes to, and what is to be kept of it.
    pub fn into_result(self, name: &str, language: Language) -> (ToolResult, Map<String, Value>) {
        let nothing = Map::new();
        let text = self.into_text();
        let written = match parse_output(&text) {
            ParsedOutput::Text => {
                return (ToolResult::ok(default_to_done(&text, language)), nothing);
            }
            ParsedOutput::Result(written) => *written,
            ParsedOutput::Broken(why) => {
                let broken = custom_tools::printed_broken_json(name, why.to_string());
                return (ToolResult::error(broken.in_language(language)), nothing);
            }
        };
        let ProgramResult {
            success,
            data,
            error,
            content,
            details,
            end_turn,
            pending,
            set,
        } = written;
        let is_error = !success.unwrap_or(error.is_none());
        if let Some(preview) = pending.filter(|_| !is_error) {
            return (ToolResult::asks(preview), nothing);
        }
        let shown = match &data {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let content = error.filter(|_| is_error).or(content).unwrap_or(shown);
        let details = if details.is_null() { data } else { details };
        let result = ToolResult {
            content: default_to_done(&content, language),
            details: Some(details).filter(|details| !details.is_null()),
            is_error,
            ends_turn: end_turn,
            ..ToolResult::default()
        };
        (result, set)
    }
}

fn default_to_done(text: &str, language: Language) -> String {
    if text.trim().is_empty() {
        custom_tools::nothing_printed().in_language(language)
    } else {
        text.to_owned()
    }
}

enum ParsedOutput {
    Text,
    Result(Box<ProgramResult>),
    Broken(String),
}

/// The whole text, or its last line, is the result where it is a JSON object.
fn parse_output(text: &str) -> ParsedOutput {
    let last = text.lines().next_back().unwrap_or_default().trim();
    let (whole, error) = match serde_json::from_str::<Map<String, Value>>(text) {
        Ok(object) => (Some(object), None),
        Err(error) => (None, Some(error)),
    };
    let is_ours =
        |object: &Map<String, Value>| object.keys().any(|key| KEYS.contains(&key.as_str()));
    let parse_last_line = || serde_json::from_str(last).ok().filter(is_ours);
    match (whole.or_else(parse_last_line), error) {
        (Some(object), _) if is_ours(&object) => match serde_json::from_value(object.into()) {
            Ok(written) => ParsedOutput::Result(Box::new(written)),
            Err(error) => ParsedOutput::Broken(error.to_string()),
        },
        // An object of its own is what it found.
        (Some(object), _) => ParsedOutput::Result(Box::new(ProgramResult {
            data: object.into(),
            ..ProgramResult::default()
        })),
        (None, Some(error)) if text.starts_with('{') || last.starts_with('{') => {
            ParsedOutput::Broken(error.to_string())
        }
        (None, _) => ParsedOutput::Text,
    }
}
