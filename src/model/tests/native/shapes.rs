//! Calls as other servers write them, cut short, without end, or not at all.

use super::*;

/// An answer of OpenAI's shape in these pieces.
fn streamed(deltas: Vec<Value>) -> Reply {
    let events = deltas
        .into_iter()
        .map(|delta| json!({"choices": [{"delta": delta}]}));
    events
        .fold(Reply::events(), Reply::event)
        .finish("tool_calls")
        .done()
}

#[tokio::test]
async fn shapes_of_other_servers_are_read_too() {
    let wanted = owned(&two_calls());
    let [first, second] = &two_calls()[..] else {
        unreachable!()
    };
    let text = |call: &(&str, Value)| json!({"function": {"name": call.0, "arguments": call.1.to_string()}});
    let object = |call: &(&str, Value)| json!({"function": {"name": call.0, "arguments": call.1}});
    let whole = |message: Value| {
        Reply::json(
            200,
            json!({"choices": [{"message": message, "finish_reason": "stop"}]}),
        )
    };
    let with_id = |mut call: Value, id: &str| {
        call["id"] = json!(id);
        json!({"tool_calls": [call]})
    };
    let replies = [
        (
            "not streamed",
            whole(json!({"content": null, "tool_calls": [text(first), text(second)]})),
        ),
        (
            "arguments as objects",
            whole(json!({"tool_calls": [object(first), object(second)]})),
        ),
        (
            "a list without numbers",
            streamed(vec![json!({"tool_calls": [text(first), text(second)]})]),
        ),
        (
            "one by one without numbers",
            streamed(vec![with_id(text(first), "a"), with_id(text(second), "b")]),
        ),
        (
            "without numbers and names",
            streamed(vec![
                json!({"tool_calls": [text(first)]}),
                json!({"tool_calls": [text(second)]}),
            ]),
        ),
    ];
    for (what, reply) in replies {
        let read = read_reply(WireRole::OpenAi, reply).await;
        assert_eq!(
            (read.calls, read.answer.repairs),
            (wanted.clone(), vec![]),
            "{what}"
        );
        assert!(read.end.is_ok(), "{what}");
    }
}

#[tokio::test]
async fn shapes_of_older_servers_and_other_providers_are_read_too() {
    let wanted = owned(&two_calls());
    let [first, second] = &two_calls()[..] else {
        unreachable!()
    };
    let old = streamed(vec![
        json!({"function_call": {"name": second.0, "arguments": ""}}),
        json!({"function_call": {"arguments": second.1.to_string()}}),
    ]);
    assert_eq!(read_reply(WireRole::OpenAi, old).await.calls, wanted[1..]);
    let used = |call: &(&str, Value)| json!({"type": "tool_use", "id": "t", "name": call.0, "input": call.1});
    let message = json!({"type": "message", "content": [used(first), used(second)], "stop_reason": "tool_use"});
    // The same id twice is no provider's; the place in the list tells them apart.
    assert_eq!(
        read_reply(WireRole::Anthropic, Reply::json(200, message))
            .await
            .calls,
        wanted
    );
    let malformed =
        json!({"candidates": [{"content": {}, "finishReason": "MALFORMED_FUNCTION_CALL"}]});
    let failed = read_reply(WireRole::Gemini, Reply::events().event(malformed))
        .await
        .end
        .unwrap_err();
    assert!(
        failed.contains("answered with nothing (finish_reason: MALFORMED_FUNCTION_CALL)"),
        "{failed}"
    );
}

#[tokio::test]
async fn once_a_piece_of_a_call_has_come_the_question_is_not_asked_again() {
    let server = FakeModel::start().await;
    let half = WireRole::OpenAi.stream("", &[("send_message", "{\"text\": \"hey".into())], "");
    server.on(WireRole::OpenAi.path(), WireRole::OpenAi.reply(&half, 99));
    let settings = ModelSettings {
        retries: 2,
        ..settings(&server)
    };
    assert!(
        read(&chosen(&settings).await, OutputProtocol::Native)
            .await
            .end
            .is_err()
    );
    assert_eq!(server.chats().len(), 1);
}

#[tokio::test]
async fn calls_without_end_are_cut() {
    let server = FakeModel::start().await;
    let endless =
        openai(json!({"tool_calls": [{"index": 0, "function": {"arguments": "{".repeat(300)}}]}));
    server.on(WireRole::OpenAi.path(), Reply::events().endless(endless));
    let settings = ModelSettings {
        max_tokens: 100,
        ..settings(&server)
    };
    let end = read(&chosen(&settings).await, OutputProtocol::Native)
        .await
        .end
        .unwrap_err();
    assert!(
        end.contains("did not stop writing and was cut after 5696 bytes"),
        "{end}"
    );
}

#[tokio::test]
async fn a_server_without_tool_calls_is_told_of_with_the_cure() {
    for (status, text) in [
        (
            400,
            "registry.ollama.ai/library/m1:latest does not support tools",
        ),
        (
            400,
            "\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set",
        ),
        (500, "tools param requires --jinja flag"),
        (404, "No endpoints found that support tool use"),
    ] {
        let reply = Reply::json(status, json!({"error": {"message": text}}));
        let end = read_reply(WireRole::OpenAi, reply).await.end.unwrap_err();
        let wanted = format!(
            "m1 at HOST takes no tool calls ({status}: \"{text}\"): set model.protocol to \"xml\"."
        );
        assert_eq!(end, wanted);
    }
}
