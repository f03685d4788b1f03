//! Hooks: programs and requests of the host's own that look at what is about to be said, at calls and at what tools
//! answered, before anybody else does. Each runs as a tool of its kind does and sees text as data. It can leave what it sees
//! as it is, change it, or refuse it; it can call nothing, and whom a text may ping is decided after it.

use std::borrow::Cow;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures_util::FutureExt;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value, json};

use super::defined_tool::DefinedTool;
use super::hook_definition::{GIVEN_PARAMETERS, HookFailurePolicy, HookPoint};
use crate::{ToolContext, ToolNewsItem, ToolNewsSender};
use kith_core::call::{ToolResult, TrustedText};
use kith_core::message_split::MESSAGE_CHARACTERS;
use kith_core::truncate::truncate_line;
use kith_language::{LocalizedMessage, custom_tools};

/// How much of a text a note of a turn quotes, in characters.
const QUOTED_CHARACTERS: usize = 200;

/// The hooks that look at everything, in their order: each sees what the one before it made of a text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hooks(Arc<[DefinedTool]>);

#[derive(Clone, Debug, PartialEq)]
pub struct ReviewedText {
    /// The text, or why it is refused: for the model.
    pub text: Result<String, LocalizedMessage>,
    /// What was done to it and by which hook, for the report of the turn.
    pub notes: Vec<String>,
}

enum HookSubject<'a> {
    Speech(String),
    Call {
        tool: &'a str,
        arguments: Map<String, Value>,
        check: CheckArguments<'a>,
    },
    Result {
        tool: &'a str,
        arguments: &'a Map<String, Value>,
        result: ToolResult,
    },
}

/// Takes the arguments of a call as the tool will, or says what is wrong with them.
type CheckArguments<'a> =
    &'a (dyn Fn(&Map<String, Value>) -> Result<Map<String, Value>, String> + Sync);

/// What a hook answers: one JSON object.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct HookAnswer {
    text: Option<String>,
    refuse: Option<String>,
    arguments: Option<Map<String, Value>>,
    is_error: Option<bool>,
    /// What people may look up; null drops it.
    #[serde(deserialize_with = "read_any")]
    details: Option<Value>,
    end_turn: bool,
}

/// Null is an answer, too.
fn read_any<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

impl HookSubject<'_> {
    fn is_for(&self, hook: &DefinedTool) -> bool {
        match self {
            Self::Speech(_) => is_for(hook, HookPoint::Speech, ""),
            Self::Call { tool, .. } => is_for(hook, HookPoint::Call, tool),
            Self::Result { tool, .. } => is_for(hook, HookPoint::Result, tool),
        }
    }

    /// In a word, for notes.
    fn name(&self) -> String {
        match self {
            Self::Speech(_) => "what was to be said".to_owned(),
            Self::Call { tool, .. } => format!("the call of {tool}"),
            Self::Result { tool, .. } => format!("the result of {tool}"),
        }
    }

    fn describe(&self) -> Map<String, Value> {
        let none = Map::new();
        let (on, text, tool, arguments, is_error) = match self {
            Self::Speech(text) => ("speech", text.as_str().into(), "", &none, false),
            Self::Call {
                tool, arguments, ..
            } => ("call", Cow::default(), *tool, arguments, false),
            Self::Result {
                tool,
                arguments,
                result,
            } => ("result", result.text(), *tool, *arguments, result.is_error),
        };
        let values: [Value; 5] = [
            on.into(),
            text.into(),
            tool.into(),
            arguments.clone().into(),
            is_error.into(),
        ];
        let names = GIVEN_PARAMETERS.iter().map(|(name, _)| (*name).to_owned());
        names.zip(values).collect()
    }

    fn answer_keys(&self) -> &'static [&'static str] {
        match self {
            Self::Speech(_) => &["refuse", "text"],
            Self::Call { .. } => &["refuse", "arguments"],
            Self::Result { .. } => &["refuse", "text", "is_error", "details", "end_turn"],
        }
    }

    /// Makes of it what a hook answers. What changed is for the report; an error is the hook's.
    fn change(&mut self, answer: HookAnswer) -> Result<Option<String>, String> {
        let from_to = |old: &str, new: &str| {
            let (old, new) = (quote(old), quote(new));
            Some(format!("from \"{old}\" to \"{new}\""))
        };
        match self {
            Self::Speech(said) => {
                let Some(text) = answer.text.filter(|text| text != said) else {
                    return Ok(None);
                };
                if text.trim().is_empty() {
                    return Err(
                        "it left nothing to say; a hook that wants silence answers {\"refuse\": …}"
                            .into(),
                    );
                }
                if text.chars().count() > MESSAGE_CHARACTERS {
                    return Err(format!(
                        "its text has more than {MESSAGE_CHARACTERS} characters"
                    ));
                }
                let note = from_to(said, &text);
                *said = text;
                Ok(note)
            }
            Self::Call {
                arguments, check, ..
            } => {
                let Some(other) = answer.arguments else {
                    return Ok(None);
                };
                let other = check(&other)?;
                if other == *arguments {
                    return Ok(None);
                }
                let note = from_to(&json!(arguments).to_string(), &json!(other).to_string());
                *arguments = other;
                Ok(note)
            }
            Self::Result { result, .. } => {
                let before = result.clone();
                if let Some(text) = answer.text.filter(|text| *text != before.text()) {
                    result.guide = TrustedText::default();
                    result.content = text;
                    // They may hold what was to go.
                    result.details = None;
                }
                if let Some(details) = answer.details {
                    result.details = Some(details).filter(|details| !details.is_null());
                }
                result.is_error = answer.is_error.unwrap_or(result.is_error);
                result.ends_turn |= answer.end_turn;
                Ok(match *result == before {
                    true => None,
                    false if result.text() == before.text() => Some("beside its text".to_owned()),
                    false => from_to(&before.text(), &result.text()),
                })
            }
        }
    }
}

impl Hooks {
    /// Those of these names, in this order.
    pub fn from_definitions(names: &[String], defined: &[DefinedTool]) -> Self {
        let find = |name: &String| {
            let is_it = |one: &&DefinedTool| one.name == *name && one.definition.hook.is_some();
            defined.iter().find(is_it).cloned()
        };
        Self(names.iter().filter_map(find).collect())
    }

    pub fn has_speech_hook(&self) -> bool {
        self.0
            .iter()
            .any(|hook| is_for(hook, HookPoint::Speech, ""))
    }

    pub async fn review_speech(&self, text: String, context: &ToolContext) -> ReviewedText {
        let mut subject = HookSubject::Speech(text);
        let (reviewed, notes) = self.review(&mut subject, context).await;
        let text = reviewed.map(|()| match subject {
            HookSubject::Speech(text) => text,
            _ => String::new(),
        });
        ReviewedText { text, notes }
    }

    /// Looks at a call before anything else does: what it may do and what a person is asked about is decided by the
    /// arguments that are left. An error is for the model.
    pub(crate) async fn review_call(
        &self,
        tool: &str,
        params: &mut Map<String, Value>,
        check: CheckArguments<'_>,
        context: &ToolContext,
    ) -> Result<(), LocalizedMessage> {
        let mut subject = HookSubject::Call {
            tool,
            arguments: params.clone(),
            check,
        };
        let (reviewed, notes) = self.review(&mut subject, context).await;
        tell_notes(notes, context);
        if let HookSubject::Call { arguments, .. } = subject {
            *params = arguments;
        }
        reviewed
    }

    /// The same for the parameters of a tool that are said as they are: texts and lists of texts. An error is for the model.
    pub(crate) async fn review_parameters(
        &self,
        names: &[&str],
        params: &mut Map<String, Value>,
        context: &ToolContext,
    ) -> Result<(), LocalizedMessage> {
        if !self.has_speech_hook() {
            return Ok(());
        }
        for name in names {
            let texts = match params.get_mut(*name) {
                Some(Value::Array(texts)) => texts.iter_mut().collect(),
                Some(text) => vec![text],
                None => Vec::new(),
            };
            for value in texts {
                let Some(text) = value.as_str().filter(|text| !text.trim().is_empty()) else {
                    continue;
                };
                let reviewed = self.review_speech(text.to_owned(), context).await;
                tell_notes(reviewed.notes, context);
                *value = reviewed.text?.into();
            }
        }
        Ok(())
    }

    /// A tool's result as they leave it. One that waits for a person holds nothing yet.
    pub(crate) async fn review_result(
        &self,
        tool: &str,
        arguments: &Map<String, Value>,
        result: ToolResult,
        context: &ToolContext,
    ) -> ToolResult {
        if result.is_pending {
            return result;
        }
        let mut subject = HookSubject::Result {
            tool,
            arguments,
            result,
        };
        let (reviewed, notes) = self.review(&mut subject, context).await;
        tell_notes(notes, context);
        match (reviewed, subject) {
            (Ok(()), HookSubject::Result { result, .. }) => result,
            (Ok(()), _) => ToolResult::default(),
            (Err(why), _) => context.build_error(why),
        }
    }

    /// Has each hook look at it; an error is why it is held back, for the model. The notes are for the turn's report.
    async fn review(
        &self,
        subject: &mut HookSubject<'_>,
        context: &ToolContext,
    ) -> (Result<(), LocalizedMessage>, Vec<String>) {
        let mut notes = Vec::new();
        for hook in self.0.iter() {
            if !subject.is_for(hook) {
                continue;
            }
            let (name, what) = (&hook.name, subject.name());
            let changed = match ask_hook(hook, subject, context).await {
                Ok(HookAnswer {
                    refuse: Some(why), ..
                }) => {
                    notes.push(format!("{name} refused {what}: {}", quote(&why)));
                    return (Err(custom_tools::hook_refused(name, quote(&why))), notes);
                }
                Ok(answer) => subject.change(answer),
                Err(why) => Err(why),
            };
            match changed {
                Ok(None) => {}
                Ok(Some(change)) => notes.push(format!("{name} changed {what} {change}")),
                Err(why) => {
                    // Why may quote what people wrote, which no log does.
                    tracing::warn!(
                        hook = name,
                        "a hook failed; the report of the turn says how"
                    );
                    let passes = failure_policy(hook) == HookFailurePolicy::Pass;
                    let then = if passes {
                        "it passed"
                    } else {
                        "it was refused"
                    };
                    let why = quote(&why);
                    notes.push(format!("{name} failed at {what}, so {then}: {why}"));
                    if !passes {
                        return (Err(custom_tools::hook_failed(name)), notes);
                    }
                }
            }
        }
        (Ok(()), notes)
    }
}

fn is_for(hook: &DefinedTool, point: HookPoint, tool: &str) -> bool {
    let definition = hook.definition.hook.as_ref();
    definition.is_some_and(|one| one.is_for(point, tool))
}

fn failure_policy(hook: &DefinedTool) -> HookFailurePolicy {
    let definition = hook.definition.hook.as_ref();
    definition.map(|one| one.on_failure).unwrap_or_default()
}

/// What a hook answers, or how it failed: for the host.
async fn ask_hook(
    hook: &DefinedTool,
    subject: &HookSubject<'_>,
    context: &ToolContext,
) -> Result<HookAnswer, String> {
    let kind = hook.definition.kind().ok_or("nothing says what runs")?;
    // What it tells while it runs would pass for the tool's whose result it looks at.
    let context = ToolContext {
        news: ToolNewsSender::default(),
        ..context.clone()
    };
    let redactor = context.redactor.clone();
    let running = AssertUnwindSafe(kind.run(hook, subject.describe(), context)).catch_unwind();
    let result = tokio::time::timeout(hook.time_out(), running)
        .await
        .map_err(|_| format!("it took longer than {} s", hook.time_out().as_secs_f32()))?
        .map_err(|_| "it failed inside")?;
    if result.is_error || result.is_pending {
        return Err(redactor.redact(&result.content).into_owned());
    }
    let keys = subject.answer_keys();
    let wrong = |why: String| {
        let why = redactor.redact(&why);
        format!("its answer is no JSON object of {}: {why}", keys.join(", "))
    };
    let answer: Map<String, Value> =
        serde_json::from_str(&result.content).map_err(|error| wrong(error.to_string()))?;
    if let Some(other) = answer.keys().find(|key| !keys.contains(&key.as_str())) {
        return Err(wrong(format!("it has `{other}`")));
    }
    // Only now: JSON may spell a secret in another way.
    serde_json::from_value(redactor.redact_json(answer.into()))
        .map_err(|error| wrong(error.to_string()))
}

fn tell_notes(notes: Vec<String>, context: &ToolContext) {
    for note in notes {
        context.news.send(ToolNewsItem::Note(note));
    }
}

fn quote(text: &str) -> String {
    truncate_line(text, QUOTED_CHARACTERS)
}
