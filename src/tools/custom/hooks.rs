//! Hooks: programs and requests of the host's own that look at what is about to be said and at what tools answered, before
//! anybody else does. Each runs as a tool of its kind does and sees text as data. It can leave a text as it is, put another
//! in its place, or refuse it; it can call nothing, and whom a text may ping is decided after it.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures_util::FutureExt;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::defined_tool::DefinedTool;
use super::hook_definition::{HookFailurePolicy, HookPoint};
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

/// What hooks made of a text.
#[derive(Clone, Debug, PartialEq)]
pub struct ReviewedText {
    /// The text, or why it is refused: for the model.
    pub text: Result<String, LocalizedMessage>,
    /// What was done to it and by which hook, for the report of the turn.
    pub notes: Vec<String>,
}

/// What a hook looks at.
struct HookSubject<'a> {
    point: HookPoint,
    /// The tool whose result it is; empty for what is about to be said.
    tool: &'a str,
    arguments: Value,
    is_error: bool,
}

impl HookSubject<'_> {
    /// In a word, for notes.
    fn name(&self) -> String {
        match self.point {
            HookPoint::Speech => "what was to be said".to_owned(),
            HookPoint::Result => format!("the result of {}", self.tool),
        }
    }
}

/// What a hook answers: one JSON object.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct HookAnswer {
    /// What stands in the place of the text.
    text: Option<String>,
    /// Why the text is refused.
    refuse: Option<String>,
}

impl HookAnswer {
    fn map_texts(self, change: impl Fn(&str) -> String) -> Self {
        Self {
            text: self.text.map(|text| change(&text)),
            refuse: self.refuse.map(|why| change(&why)),
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

    /// Whether any looks at what is about to be said.
    pub fn has_speech_hook(&self) -> bool {
        self.has_hook_for(HookPoint::Speech, "")
    }

    fn has_hook_for(&self, point: HookPoint, tool: &str) -> bool {
        self.0.iter().any(|hook| is_for(hook, point, tool))
    }

    /// What they make of a message that is about to be said.
    pub async fn review_speech(&self, text: String, context: &ToolContext) -> ReviewedText {
        let subject = HookSubject {
            point: HookPoint::Speech,
            tool: "",
            arguments: json!({}),
            is_error: false,
        };
        self.review(&subject, text, context).await
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

    /// A tool's result as they leave it. One that waits for a person holds nothing yet; details of one they changed are
    /// dropped, for they may hold what was to go.
    pub(crate) async fn review_result(
        &self,
        tool: &str,
        arguments: &Map<String, Value>,
        result: ToolResult,
        context: &ToolContext,
    ) -> ToolResult {
        if result.is_pending || !self.has_hook_for(HookPoint::Result, tool) {
            return result;
        }
        let subject = HookSubject {
            point: HookPoint::Result,
            tool,
            arguments: arguments.clone().into(),
            is_error: result.is_error,
        };
        let before = result.text().into_owned();
        let reviewed = self.review(&subject, before.clone(), context).await;
        tell_notes(reviewed.notes, context);
        match reviewed.text {
            Ok(text) if text == before => result,
            Ok(content) => ToolResult {
                guide: TrustedText::default(),
                content,
                details: None,
                ..result
            },
            Err(why) => context.build_error(why),
        }
    }

    async fn review(
        &self,
        subject: &HookSubject<'_>,
        mut text: String,
        context: &ToolContext,
    ) -> ReviewedText {
        let mut notes = Vec::new();
        let all = self.0.iter();
        for hook in all.filter(|hook| is_for(hook, subject.point, subject.tool)) {
            let (name, what) = (&hook.name, subject.name());
            let refused = match ask_hook(hook, subject, &text, context).await {
                Ok(HookAnswer {
                    refuse: Some(why), ..
                }) => {
                    notes.push(format!("{name} refused {what}: {}", quote(&why)));
                    custom_tools::hook_refused(name, quote(&why))
                }
                Ok(HookAnswer {
                    text: Some(other), ..
                }) if other != text => {
                    notes.push(format!(
                        "{name} changed {what} from \"{}\" to \"{}\"",
                        quote(&text),
                        quote(&other)
                    ));
                    text = other;
                    continue;
                }
                Ok(_) => continue,
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
                    notes.push(format!(
                        "{name} failed at {what}, so {then}: {}",
                        quote(&why)
                    ));
                    if passes {
                        continue;
                    }
                    custom_tools::hook_failed(name)
                }
            };
            return ReviewedText {
                text: Err(refused),
                notes,
            };
        }
        ReviewedText {
            text: Ok(text),
            notes,
        }
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
    text: &str,
    context: &ToolContext,
) -> Result<HookAnswer, String> {
    let kind = hook.definition.kind().ok_or("nothing says what runs")?;
    let given = json!({
        "on": match subject.point {
            HookPoint::Speech => "speech",
            HookPoint::Result => "result",
        },
        "text": text,
        "tool": subject.tool,
        "arguments": subject.arguments,
        "is_error": subject.is_error,
    });
    let given = given.as_object().cloned().unwrap_or_default();
    // What it tells while it runs would pass for the tool's whose result it looks at.
    let context = ToolContext {
        news: ToolNewsSender::default(),
        ..context.clone()
    };
    let redactor = context.redactor.clone();
    let running = AssertUnwindSafe(kind.run(hook, given, context)).catch_unwind();
    let result = tokio::time::timeout(hook.time_out(), running)
        .await
        .map_err(|_| format!("it took longer than {} s", hook.time_out().as_secs_f32()))?
        .map_err(|_| "it failed inside")?;
    let redact = |text: &str| redactor.redact(text).into_owned();
    if result.is_error || result.is_pending {
        return Err(redact(&result.content));
    }
    let answer: HookAnswer = serde_json::from_str(&result.content).map_err(|error| {
        let error = redact(&error.to_string());
        format!("its answer is not {{\"text\": …}}, {{\"refuse\": …}} or {{}}: {error}")
    })?;
    // Only now: JSON may spell a secret in another way.
    let answer = answer.map_texts(redact);
    match &answer.text {
        Some(text) if subject.point == HookPoint::Speech && text.trim().is_empty() => Err(
            "it left nothing to say; a hook that wants silence answers {\"refuse\": …}".to_owned(),
        ),
        Some(text)
            if subject.point == HookPoint::Speech && text.chars().count() > MESSAGE_CHARACTERS =>
        {
            Err(format!(
                "its text has more than {MESSAGE_CHARACTERS} characters"
            ))
        }
        _ => Ok(answer),
    }
}

fn tell_notes(notes: Vec<String>, context: &ToolContext) {
    for note in notes {
        context.news.send(ToolNewsItem::Note(note));
    }
}

fn quote(text: &str) -> String {
    truncate_line(text, QUOTED_CHARACTERS)
}
