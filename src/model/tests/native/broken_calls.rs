//! Calls that are cut, half, endless or written in another shape.

use super::*;

#[tokio::test]
async fn a_stream_cut_inside_the_arguments_is_an_error_and_the_half_call_none() {
    let [first, second] = &written(&two_calls())[..] else {
        unreachable!()
    };
    let half: String = second.1.chars().take(20).collect();
    for who in [Who::OpenAi, Who::Anthropic] {
        let stream = who.stream("hm", &[first.clone(), (second.0, half.clone())], "");
        let cut = read_reply(who, who.reply(&stream, 64)).await;
        assert!(
            cut.end
                .unwrap_err()
                .starts_with("The connection to HOST ended before the answer did"),
            "{who:?}"
        );
        assert_eq!(cut.calls, owned(&two_calls()[..1]));
        assert_eq!(
            (cut.answer.plain_text.as_str(), cut.answer.residue),
            ("", false)
        );
        // Inside the JSON of an event.
        let torn = &stream[..stream.len() - 30];
        assert!(read_reply(who, who.reply(torn, 64)).await.end.is_err());
    }
    for who in [Who::Gemini, Who::Ollama] {
        let stream = who.stream("hm", std::slice::from_ref(first), "");
        let torn = stream.clone() + &who.call(1, second.0, &second.1)[..40];
        for stream in [stream, torn] {
            let cut = read_reply(who, who.reply(&stream, 64)).await;
            assert!(cut.end.is_err(), "{who:?}");
            assert_eq!(
                (cut.calls, cut.answer.plain_text),
                (owned(&two_calls()[..1]), String::new())
            );
        }
    }
}

#[tokio::test]
async fn at_the_length_limit_a_half_call_is_not_done_and_the_model_is_told() {
    for who in [Who::OpenAi, Who::Anthropic] {
        for (arguments, told) in [
            ("{\"text\": \"hey th", "send_message"),
            ("", "send_message"),
        ] {
            let calls = [
                ("react", two_calls()[0].1.to_string()),
                ("send_message", arguments.to_owned()),
            ];
            let read = read_reply(who, who.reply(&who.stream("", &calls, "length"), 50)).await;
            assert!(read.end.unwrap().truncated);
            assert_eq!(
                read.calls,
                owned(&two_calls()[..1]),
                "{who:?} {arguments:?}"
            );
            let wanted =
                format!("the answer broke off inside the arguments of {told}, which was not done");
            assert_eq!(
                (read.answer.problems, read.answer.plain_text),
                (vec![wanted], String::new())
            );
        }
    }
}

#[tokio::test]
async fn a_truncated_call_that_comes_back_as_text_is_never_posted() {
    for text in [
        "<tool_call>\n{\"name\": \"send_message\", \"arguments\": {\"text\": \"hey th",
        "{\"name\": \"send_message\", \"arguments\": {\"text\": \"hey th",
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.send_message:0<|tool_call_argument_begin|>{\"text\": \"he",
        "[TOOL_CALLS][{\"name\": \"send_message\", \"arguments\": {\"text\": \"hey th",
    ] {
        let read = read_reply(
            Who::OpenAi,
            Reply::events().delta(text).finish("length").done(),
        )
        .await;
        assert_eq!((read.calls, read.answer.residue), (vec![], true), "{text}");
        assert!(!read.answer.problems.is_empty(), "{text}");
    }
}

#[tokio::test]
async fn shapes_of_servers_like_openai_are_read_too() {
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
    let streamed = |deltas: Vec<Value>| {
        let events = deltas
            .into_iter()
            .map(|delta| json!({"choices": [{"delta": delta}]}));
        events
            .fold(Reply::events(), Reply::event)
            .finish("tool_calls")
            .done()
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
        let read = read_reply(Who::OpenAi, reply).await;
        assert_eq!(
            (read.calls, read.answer.repairs),
            (wanted.clone(), vec![]),
            "{what}"
        );
        assert!(read.end.is_ok(), "{what}");
    }
    let old = streamed(vec![
        json!({"function_call": {"name": second.0, "arguments": ""}}),
        json!({"function_call": {"arguments": second.1.to_string()}}),
    ]);
    assert_eq!(read_reply(Who::OpenAi, old).await.calls, wanted[1..]);
}

#[tokio::test]
async fn a_doubled_id_and_a_malformed_call_of_other_providers_are_read_for_what_they_are() {
    let calls = two_calls();
    let used = |call: &(&str, Value)| json!({"type": "tool_use", "id": "t", "name": call.0, "input": call.1});
    let message = json!({"type": "message", "content": [used(&calls[0]), used(&calls[1])], "stop_reason": "tool_use"});
    // The same id twice is no provider's; the place in the list tells them apart.
    assert_eq!(
        read_reply(Who::Anthropic, Reply::json(200, message))
            .await
            .calls,
        owned(&calls)
    );
    let malformed =
        json!({"candidates": [{"content": {}, "finishReason": "MALFORMED_FUNCTION_CALL"}]});
    let failed = read_reply(Who::Gemini, Reply::events().event(malformed))
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
    let half = Who::OpenAi.stream("", &[("send_message", "{\"text\": \"hey".into())], "");
    server.on(Who::OpenAi.path(), Who::OpenAi.reply(&half, 99));
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
    server.on(Who::OpenAi.path(), Reply::events().endless(endless));
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
