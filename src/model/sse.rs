//! The body of an answer as JSON values: server-sent events or, from servers that do not stream, one document. What it is,
//! is seen from its first character: content types lie.

use serde_json::Value;

use super::fault::{BrokenAnswer, classify_non_json};
use super::stream_lines::SseEvents;
use super::surrogates::parse_json;

/// The largest answer read as one document, in bytes.
const DOCUMENT_BYTES: usize = 4 << 20;
/// The fields of server-sent events; a comment has an empty name.
const FIELDS: [&str; 5] = ["data", "event", "id", "retry", ""];

#[derive(Debug, PartialEq)]
pub(super) enum BodyFormat {
    Value(Value),
    Done,
}

#[derive(Debug, Default)]
pub(super) struct LineStream {
    form: Form,
    events: SseEvents,
    document: String,
}

#[derive(Debug, Default, PartialEq)]
enum Form {
    #[default]
    Unknown,
    Events,
    Document,
}

impl LineStream {
    pub fn read_line(&mut self, line: &str) -> Result<Option<BodyFormat>, BrokenAnswer> {
        if self.form == Form::Unknown {
            let start = line.trim_start_matches('\u{feff}').trim_start();
            self.form = match start.chars().next() {
                None => return Ok(None),
                Some('{' | '[' | '<') => Form::Document,
                Some(_)
                    if start
                        .split_once(':')
                        .is_some_and(|(field, _)| FIELDS.contains(&field)) =>
                {
                    Form::Events
                }
                Some(_) => Form::Document,
            };
        }
        if self.form == Form::Document {
            if self.document.len() + line.len() > DOCUMENT_BYTES {
                return Err(BrokenAnswer::Endless(DOCUMENT_BYTES));
            }
            self.document.push_str(line);
            self.document.push('\n');
            return Ok(None);
        }
        self.events
            .read_line(line.trim_start_matches('\u{feff}'))
            .map_or(Ok(None), |data| parse_event(&data))
    }

    pub fn finish(&mut self) -> Result<Vec<BodyFormat>, BrokenAnswer> {
        if self.form == Form::Document {
            let value =
                parse_json(&self.document).map_err(|_| classify_non_json(&self.document))?;
            return Ok(vec![BodyFormat::Value(value), BodyFormat::Done]);
        }
        self.events.take_rest().map_or(Ok(Vec::new()), |data| {
            Ok(parse_event(&data)?.into_iter().collect())
        })
    }
}

fn parse_event(data: &str) -> Result<Option<BodyFormat>, BrokenAnswer> {
    match data.trim() {
        "" => Ok(None),
        "[DONE]" => Ok(Some(BodyFormat::Done)),
        data => parse_json(data)
            .map(|value| Some(BodyFormat::Value(value)))
            .map_err(|_| classify_non_json(data)),
    }
}
