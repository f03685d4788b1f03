//! The stand-in: a short demo that answers where no model is configured, and says so in every line. It is no language
//! model: it looks at the end of the prompt, takes the next step of a fixed round (a message, a reply, a tool, a reaction,
//! silence), and writes it in the output protocol, so that parser, turn and page are the real ones. The first time it is
//! spoken to it says in one message what it is and what to do next. The same prompt always gives the same answer.

mod cues;
mod prompt;
mod words;

use kith_language::{LocalizedMessage, demo};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::mpsc::Sender;
use tokio::time::sleep;

use super::request::{ModelEvent, ModelRequest};
use cues::CUES;
use kith_core::persona::Language;
use kith_core::policy::OutputProtocol;
use kith_core::protocol::ToolDelta;
use kith_core::report::{ModelFailure, TokenUsage};
use kith_core::similarity::compute_similarity;
use prompt::{DemoLine, DemoPrompt, DemoTime};
use words::{DemoValues, DemoWays};

const THINKING: Duration = Duration::from_millis(100);
/// How long a piece takes, so that streaming can be seen.
const PIECE: Duration = Duration::from_millis(8);
/// The length of a piece, in characters.
const PIECE_CHARACTERS: usize = 12;

/// How much of a person's line it quotes, in characters.
const QUOTED_CHARACTERS: usize = 60;
/// How many of its own lines it looks back at.
const LINES_REMEMBERED: usize = 12;
/// From which likeness on it does not say a line again; below the least at which a turn would hold it back.
const TOO_LIKE: f32 = 0.75;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct DemoModel {
    protocol: OutputProtocol,
}

/// A call it writes: a name, the parameter an XML element's text fills, the other parameters.
struct DemoCall {
    name: &'static str,
    primary: Option<(&'static str, String)>,
    others: Vec<(&'static str, String)>,
}

impl DemoModel {
    pub fn new(protocol: OutputProtocol) -> Self {
        Self { protocol }
    }

    /// Writes the answer, piece by piece. It takes no tokens.
    pub async fn answer(
        &self,
        request: &ModelRequest,
        events: &Sender<ModelEvent>,
    ) -> Result<TokenUsage, ModelFailure> {
        let (text, calls) = self.write_answer(request);
        sleep(THINKING).await;
        let characters: Vec<char> = text.chars().collect();
        for piece in characters.chunks(PIECE_CHARACTERS) {
            // Nobody listening is no error: the call is being cancelled.
            let _ = events.send(ModelEvent::Delta(piece.iter().collect())).await;
            sleep(PIECE).await;
        }
        for call in calls {
            let _ = events.send(ModelEvent::ToolDelta(call)).await;
        }
        Ok(TokenUsage::default())
    }

    /// The text it writes and the calls it hands over beside it.
    fn write_answer(&self, request: &ModelRequest) -> (String, Vec<ToolDelta>) {
        let prompt = DemoPrompt::from_request(request);
        let (thoughts, calls) = choose_step(&prompt);
        let thoughts = thoughts.in_language(prompt.language);
        match self.protocol {
            OutputProtocol::Xml => (render_xml(&thoughts, &calls), Vec::new()),
            OutputProtocol::Json => (render_json(&thoughts, &calls), Vec::new()),
            OutputProtocol::Native => {
                let calls = (0..).zip(&calls).map(|(index, call)| {
                    let (name, arguments) =
                        (Some(call.name.to_owned()), build_params(call).to_string());
                    ToolDelta {
                        index,
                        id: None,
                        name,
                        arguments,
                    }
                });
                (thoughts, calls.collect())
            }
        }
    }
}

/// What it does now, with its thoughts.
fn choose_step(prompt: &DemoPrompt<'_>) -> (LocalizedMessage, Vec<DemoCall>) {
    let language = prompt.language;
    let stay_silent =
        |reason: LocalizedMessage| DemoCall::new_silence(&reason.in_language(language));
    if prompt.time != DemoTime::NotAsked {
        let ways: DemoWays = if prompt.time == DemoTime::Failed {
            words::say_time_failed
        } else {
            words::say_time_is
        };
        return (
            demo::saw_time(),
            default_to_silence(vec![prompt.write_reply(ways)], language),
        );
    }
    let Some(waking_line) = prompt.waking_line else {
        return (demo::nobody(), vec![stay_silent(demo::nobody())]);
    };
    if !prompt.is_addressed {
        let liked = CUES.is_liked(waking_line.text) && prompt.has_tool("react");
        let call = if liked {
            DemoCall::new_reaction(waking_line, "👍")
        } else {
            stay_silent(demo::not_asked())
        };
        return (demo::not_asked(), vec![call]);
    }
    if CUES.is_about_time(waking_line.text) && prompt.has_tool("get_time") {
        return (demo::asks_tool(), vec![DemoCall::new_time_call()]);
    }
    let say = |message: Option<DemoCall>| default_to_silence(vec![message], language);
    if CUES.is_about_itself(waking_line.text) {
        return (
            demo::thinks_about_itself(),
            say(prompt.write_message(words::say_what_it_is)),
        );
    }
    // Short ids grow by one with every message, so that a talk between two walks through all eight places: a message, a
    // reply and a tool take two ids with the question, a reaction and silence one.
    let is_question = waking_line.text.contains(['?', '？']);
    match (waking_line.id + 7) % 8 {
        // Whoever comes first is never answered with silence.
        _ if prompt.own.is_empty() => (
            demo::thinks_hello(),
            say(prompt.write_message(words::say_hello)),
        ),
        0 | 1 => (
            demo::thinks_hello(),
            say(prompt.write_message(words::say_hello)),
        ),
        4 | 5 if prompt.has_tool("get_time") => {
            (demo::asks_tool(), vec![DemoCall::new_time_call()])
        }
        // Whoever asks something is always answered in words: these two would pass for a fault.
        6 if prompt.has_tool("react") && !is_question => (
            demo::thinks_react(),
            vec![DemoCall::new_reaction(waking_line, "👀")],
        ),
        7 if !is_question => (demo::silence(), vec![stay_silent(demo::silence())]),
        _ => (
            demo::thinks_reply(),
            say(prompt.write_reply(words::say_read_you)),
        ),
    }
}

fn default_to_silence(messages: Vec<Option<DemoCall>>, language: Language) -> Vec<DemoCall> {
    let messages: Vec<DemoCall> = messages.into_iter().flatten().collect();
    if messages.is_empty() {
        vec![DemoCall::new_silence(
            &demo::said_already().in_language(language),
        )]
    } else {
        messages
    }
}

impl DemoCall {
    fn new_silence(reason: &str) -> Self {
        Self {
            name: "stay_silent",
            primary: Some(("reason", reason.into())),
            others: Vec::new(),
        }
    }

    fn new_reaction(to: DemoLine<'_>, emoji: &str) -> Self {
        Self {
            name: "react",
            primary: None,
            others: vec![("to", to.id.to_string()), ("emoji", emoji.into())],
        }
    }

    fn new_time_call() -> Self {
        Self {
            name: "get_time",
            primary: None,
            others: Vec::new(),
        }
    }
}

impl DemoPrompt<'_> {
    /// A message put in the first of these ways that it has not used lately; none if it has used them all.
    fn write_message(&self, ways: DemoWays) -> Option<DemoCall> {
        let (name, text) = self
            .waking_line
            .map_or(("", ""), |line| (line.name, line.text));
        let time = if let DemoTime::Known(time) = &self.time {
            time.as_str()
        } else {
            ""
        };
        let text = truncate_text(text, QUOTED_CHARACTERS);
        let values = DemoValues {
            name,
            text: &text,
            time,
        };
        let label = demo::label().in_language(self.language);
        let recent = || self.own.iter().take(LINES_REMEMBERED);
        let text = ways(values)
            .into_iter()
            .map(|way| label.clone() + &way.in_language(self.language))
            .find(|text| recent().all(|earlier| compute_similarity(text, earlier) < TOO_LIKE))?;
        Some(DemoCall {
            name: "send_message",
            primary: Some(("text", text)),
            others: Vec::new(),
        })
    }

    fn write_reply(&self, ways: DemoWays) -> Option<DemoCall> {
        let mut message = self.write_message(ways)?;
        message.others = self
            .waking_line
            .map(|line| ("reply_to", line.id.to_string()))
            .into_iter()
            .collect();
        Some(message)
    }
}

fn render_xml(thoughts: &str, calls: &[DemoCall]) -> String {
    let mut out = format!("<turn>\n  <thoughts>{}</thoughts>\n", escape_xml(thoughts));
    for call in calls {
        out.push_str("  <");
        out.push_str(call.name);
        for (name, value) in &call.others {
            out.push_str(&format!(" {name}=\"{}\"", escape_xml(value)));
        }
        match &call.primary {
            Some((_, text)) => out.push_str(&format!(">{}</{}>\n", escape_xml(text), call.name)),
            None => out.push_str("/>\n"),
        }
    }
    out.push_str("</turn>");
    out
}

fn escape_xml(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

fn build_params(call: &DemoCall) -> Value {
    call.primary
        .iter()
        .chain(&call.others)
        .map(|(name, value)| ((*name).to_owned(), json!(value)))
        .collect()
}

fn render_json(thoughts: &str, calls: &[DemoCall]) -> String {
    let actions: Vec<Value> = calls
        .iter()
        .map(|call| json!({ "name": call.name, "params": build_params(call) }))
        .collect();
    json!({ "thoughts": thoughts, "actions": actions, "request_heartbeat": false }).to_string()
}

fn truncate_text(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
#[path = "../tests/unit/demo_mod.rs"]
mod tests;
