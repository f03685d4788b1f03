//! Which fields of a request's body a server refuses, by its words, and the body without them.

use serde_json::Value;

use super::fault::InputRefusal;
use super::refusal_wording::RefusalTopic;

/// How a body differs from what it would be.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum BodyChange {
    Omit(String),
    Rename(String, &'static str),
    /// With the system message at the front of the first message.
    MergeSystem,
}

/// Without these a question is none; without tools a companion that calls them is mute, which is told instead.
const REQUIRED: [&str; 6] = [
    "model",
    "messages",
    "contents",
    "tools",
    "system",
    "systemInstruction",
];
/// Where fields stand below the top.
const INNER: [&str; 2] = ["generationConfig", "options"];
/// One limit under two names: newer models of OpenAI refuse the first, most other servers know nothing else.
const TWO_NAMES: [&str; 2] = ["max_tokens", "max_completion_tokens"];
/// The schema of an answer, which is left out whole.
const SCHEMA: [&str; 4] = [
    "response_format",
    "format",
    "responseMimeType",
    "responseJsonSchema",
];
/// That a tool has to be called.
const CHOICE: [&str; 2] = ["tool_choice", "toolConfig"];

impl BodyChange {
    pub fn apply(&self, body: &mut Value) {
        match self {
            Self::MergeSystem => {}
            Self::Omit(name) => drop(remove_field(body, name)),
            Self::Rename(old, new) => {
                if let Some(value) = remove_field(body, old) {
                    body[*new] = value;
                }
            }
        }
    }

    /// How the question was taken, behind "it was taken".
    pub fn describe(&self) -> String {
        match self {
            Self::Omit(name) if SCHEMA.contains(&&**name) => {
                "without the schema of the answer".to_owned()
            }
            Self::Omit(name) => format!("without `{name}`"),
            Self::Rename(old, new) => format!("with `{new}` in place of `{old}`"),
            Self::MergeSystem => "with the system message in the first message".to_owned(),
        }
    }
}

fn remove_field(body: &mut Value, name: &str) -> Option<Value> {
    let inner = INNER.into_iter().map(|place| format!("/{place}"));
    let places: Vec<String> = std::iter::once(String::new()).chain(inner).collect();
    places.iter().find_map(|place| {
        let fields = body.pointer_mut(place)?.as_object_mut()?;
        fields.shift_remove(name)
    })
}

/// What is to be changed in a body after a refusal. What that names, most plainly named first; where `is_guess`, what
/// servers refuse without naming it.
pub(super) fn find_changes(
    refusal: &InputRefusal,
    body: &Value,
    earlier: &[BodyChange],
    can_merge: bool,
    is_guess: bool,
) -> Vec<BodyChange> {
    // What passes, or is about something else, says nothing about the body.
    let may_concern = matches!(refusal.kind, None | Some(RefusalTopic::ModelUnknown))
        && !matches!(refusal.status, 408 | 425 | 429);
    if !may_concern {
        return Vec::new();
    }
    let words = NamedWords::new(refusal);
    let mut fields: Vec<&str> = match is_guess {
        false => words.find_fields(&list_fields(body)),
        true if matches!(refusal.status, 400 | 422) || words.has(&["grammar", "schema"]) => {
            let guesses = SCHEMA.iter().chain(&CHOICE).copied();
            let all = list_fields(body);
            guesses.filter(|name| all.contains(name)).collect()
        }
        true => Vec::new(),
    };
    if fields.iter().any(|name| SCHEMA.contains(name)) {
        let whole = list_fields(body).into_iter();
        fields.retain(|name| !SCHEMA.contains(name));
        fields.extend(whole.filter(|name| SCHEMA.contains(name)));
    }
    let is_limit = |name: &&str| TWO_NAMES.contains(name);
    let limit = fields.iter().copied().find(is_limit);
    fields.retain(|name| !is_limit(name) || Some(*name) == limit);
    let was_refused = |name: &str| {
        earlier.iter().any(|change| match change {
            BodyChange::Omit(old) | BodyChange::Rename(old, _) => old == name,
            BodyChange::MergeSystem => false,
        })
    };
    let change = |name: &str| {
        let other = TWO_NAMES.into_iter().find(|other| *other != name);
        match other.filter(|other| is_limit(&name) && body.get(other).is_none()) {
            Some(other) if !was_refused(other) => BodyChange::Rename(name.to_owned(), other),
            _ => BodyChange::Omit(name.to_owned()),
        }
    };
    let changes: Vec<BodyChange> = fields.into_iter().map(change).collect();
    match changes.is_empty() && !is_guess && can_merge && words.are_about_system() {
        true => vec![BodyChange::MergeSystem],
        false => changes,
    }
}

fn list_fields(body: &Value) -> Vec<&str> {
    let inner = INNER.iter().filter_map(|place| body.get(place));
    let objects = std::iter::once(body).chain(inner);
    let names = objects
        .filter_map(Value::as_object)
        .flat_map(|all| all.keys());
    // Anthropic takes no question without a limit.
    let needs_limit = body.get("system").is_some();
    names
        .map(String::as_str)
        .filter(|name| !REQUIRED.contains(name) && !INNER.contains(name))
        .filter(|name| !needs_limit || !TWO_NAMES.contains(name))
        .collect()
}

/// The words of a refusal as names of fields, by how plainly they are names: as a place, in quotes, written like one, any.
struct NamedWords {
    by_plainness: [Vec<String>; 4],
    /// How many of those may name a field.
    usable: usize,
}

impl NamedWords {
    fn new(refusal: &InputRefusal) -> Self {
        let is_edge = |c: char| !c.is_ascii_alphanumeric() && c != '_';
        let places = refusal.error.fields.iter();
        let places = places.flat_map(|place| place.split(is_edge)).map(to_plain);
        let mut all = [places.collect(), Vec::new(), Vec::new(), Vec::new()];
        let mut rest = refusal.error.text.as_str();
        let mut before = ' ';
        while let Some(start) = rest.find(|c| !is_edge(c)) {
            before = rest[..start].chars().last().unwrap_or(before);
            let end = rest[start..]
                .find(is_edge)
                .map_or(rest.len(), |end| start + end);
            let word = &rest[start..end];
            rest = &rest[end..];
            let is_quoted = "'\"`".contains(before) && rest.starts_with(before);
            let is_name = word.contains('_') || word.chars().skip(1).any(char::is_uppercase);
            let plainness = match (is_quoted, is_name) {
                (true, _) => 1,
                (false, true) => 2,
                (false, false) => 3,
            };
            all[plainness].push(to_plain(word));
            before = ' ';
        }
        // A server that failed speaks of streams and formats without meaning the fields.
        let usable = if (400..500).contains(&refusal.status) {
            4
        } else {
            3
        };
        Self {
            by_plainness: all,
            usable,
        }
    }

    fn find_fields<'a>(&self, fields: &[&'a str]) -> Vec<&'a str> {
        let named = |words: &Vec<String>| {
            let is_named = |name: &&&str| words.contains(&to_plain(name));
            fields.iter().filter(is_named).copied().collect::<Vec<_>>()
        };
        let mut named = self.by_plainness[..self.usable].iter().map(named);
        named.find(|named| !named.is_empty()).unwrap_or_default()
    }

    fn has(&self, words: &[&str]) -> bool {
        let all = self.by_plainness.iter().flatten();
        all.into_iter().any(|word| words.contains(&word.as_str()))
    }

    /// Templates without a system role speak of roles; Gemini's small models of an instruction.
    fn are_about_system(&self) -> bool {
        let is_instruction = self.has(&["system", "developer"])
            && self.has(&[
                "message",
                "messages",
                "prompt",
                "instruction",
                "instructions",
            ]);
        self.has(&["role", "roles"]) || is_instruction
    }
}

/// A name without its style: `maxTokens` and `max_tokens` are one.
fn to_plain(word: &str) -> String {
    word.replace('_', "").to_ascii_lowercase()
}
