//! The four protocols against a server that others wrote: `llmock` of the npm package `@copilotkit/aimock`, where it is
//! installed. It counts no tokens. What streams in goes through the parser as it does in a turn.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use kith_core::call::{ToolCall, ToolKind, ToolSpec};
use kith_core::policy::OutputProtocol;
use kith_core::protocol::AnswerParser;
use kith_core::schema::{Param, ParamType, Schema};
use kith_model::AnswerForm;

use super::*;

struct Llmock {
    process: Child,
    url: String,
}

impl Llmock {
    /// Starts one that answers so; none where it is not installed.
    fn start(folder: &std::path::Path, response: &Value) -> Option<Self> {
        let fixture =
            json!({"fixtures": [{"match": {"userMessage": "1 Anna: hi"}, "response": response}]});
        std::fs::write(folder.join("fixture.json"), fixture.to_string()).unwrap();
        let mut command = Command::new("llmock");
        command
            .args(["--port", "0", "--chunk-size", "7", "--fixtures"])
            .arg(folder);
        let mut process = command
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let lines = BufReader::new(process.stdout.take()?)
            .lines()
            .map_while(Result::ok);
        let url = lines
            .into_iter()
            .find_map(|line| Some(line.split_once("listening on ")?.1.trim().to_owned()))?;
        Some(Self { process, url })
    }
}

impl Drop for Llmock {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The model of each protocol on that server, with the protocol's name.
async fn models(server: &Llmock) -> Vec<(Provider, Model)> {
    let bases = [
        (Provider::OpenAi, format!("{}/v1", server.url)),
        (Provider::Anthropic, server.url.clone()),
        (Provider::Gemini, server.url.clone()),
        (Provider::Ollama, server.url.clone()),
    ];
    let mut models = Vec::new();
    for (provider, base_url) in bases {
        let settings = ModelSettings {
            provider,
            base_url,
            name: "gpt-4o".into(),
            api_key: Secret::new("k"),
            ..ModelSettings::default()
        };
        models.push((provider, resolve_model(&settings).await.model));
    }
    models
}

fn skipped() {
    kith_testkit::say_skipped("no llmock here (npm install --global @copilotkit/aimock)");
}

fn tools() -> Vec<ToolSpec> {
    let text = Param {
        name: "text".into(),
        required: true,
        ..Param::default()
    };
    let reply_to = Param {
        name: "reply_to".into(),
        kind: ParamType::Integer,
        ..Param::default()
    };
    vec![ToolSpec {
        name: "send_message".into(),
        kind: ToolKind::Visible,
        description: "says something".into(),
        schema: Schema {
            params: vec![text, reply_to],
        },
        primary: Some("text".into()),
        ..ToolSpec::default()
    }]
}

/// The calls of an answer, in how many pieces it came, and how many calls there were before the last of them.
async fn calls(model: &Model, protocol: OutputProtocol) -> (Vec<ToolCall>, usize, usize) {
    let mut parser = AnswerParser::new(protocol, tools().into());
    let (mut calls, mut pieces, mut before) = (Vec::new(), 0, 0);
    let mut events = stream(
        model,
        ModelRequest {
            form: AnswerForm::from_protocol(protocol, &tools()),
            ..request()
        },
    );
    while let Some(event) = events.recv().await {
        let found = match event {
            ModelEvent::Delta(text) => parser.feed(text.as_bytes()),
            ModelEvent::ToolDelta(delta) => parser.feed_tool(delta),
            ModelEvent::Reasoning(_)
            | ModelEvent::Note(_)
            | ModelEvent::Retry
            | ModelEvent::ContextShrank(_) => {
                continue;
            }
            ModelEvent::End(end) => {
                assert!(end.is_ok(), "{end:?}");
                break;
            }
        };
        (pieces, before) = (pieces + 1, calls.len());
        calls.extend(found);
    }
    calls.extend(parser.finish().0);
    (calls, pieces, before)
}

fn says(text: &str, reply_to: u64) -> ToolCall {
    let params = json!({"text": text, "reply_to": reply_to});
    ToolCall {
        name: "send_message".into(),
        params: params.as_object().unwrap().clone(),
    }
}

#[tokio::test]
async fn a_server_that_others_wrote_is_understood_in_all_four_protocols() {
    let folder = tempfile::tempdir().unwrap();
    let said = "<turn><send_message>hello 雪 & you</send_message></turn>";
    let Some(server) = Llmock::start(folder.path(), &json!({"content": said})) else {
        return skipped();
    };
    for (provider, model) in models(&server).await {
        let heard = ask(&model).await;
        assert_eq!(heard.text, said, "{provider:?}: {:?}", heard.end);
        assert!(heard.end.is_ok(), "{provider:?}: {:?}", heard.end);
    }
}

#[tokio::test]
async fn its_tool_calls_become_calls_in_all_four_protocols() {
    let folder = tempfile::tempdir().unwrap();
    let call =
        |text: &str, to: u64| json!({"name": "send_message", "arguments": says(text, to).params});
    let response = json!({"toolCalls": [call("hello 雪 & you", 1), call("so?? <3", 2)]});
    let Some(server) = Llmock::start(folder.path(), &response) else {
        return skipped();
    };
    for (provider, model) in models(&server).await {
        let (calls, _, _) = calls(&model, OutputProtocol::Native).await;
        assert_eq!(
            calls,
            [says("hello 雪 & you", 1), says("so?? <3", 2)],
            "{provider:?}"
        );
    }
}

#[tokio::test]
async fn its_json_answers_give_calls_while_they_stream() {
    let folder = tempfile::tempdir().unwrap();
    let action =
        |text: &str, to: u64| json!({"name": "send_message", "params": says(text, to).params});
    let answer =
        json!({"thoughts": "greet", "actions": [action("hello 雪", 1), action("so?? \"you\"", 2)]});
    let Some(server) = Llmock::start(folder.path(), &json!({"content": answer.to_string()})) else {
        return skipped();
    };
    for (provider, model) in models(&server).await {
        let (calls, pieces, before) = calls(&model, OutputProtocol::Json).await;
        assert_eq!(
            calls,
            [says("hello 雪", 1), says("so?? \"you\"", 2)],
            "{provider:?}"
        );
        assert!(
            pieces > 5 && before > 0,
            "{provider:?}: {before} calls before the last of {pieces} pieces"
        );
    }
}
