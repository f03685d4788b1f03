//! What a server refuses in a question is left out and asked again at once: fields of the body, a system message, lines
//! that a filter does not let pass. What it was taken with is remembered and told once.

use kith_core::policy::OutputProtocol;
use kith_model::{AnswerForm, AttachedImage, ChatLine, ModelImage};

use super::*;

const PATH: &str = "POST /v1/chat/completions";

fn refusal(status: u16, message: &str) -> Reply {
    Reply::json(status, json!({"error": {"message": message}}))
}

/// The server refuses twice at most; then come questions without what it refused.
async fn fields_after(refusals: Vec<Reply>, names: &[&str]) -> (Vec<Vec<bool>>, Vec<String>) {
    let extra = json!({"top_k": 4, "min_p": 0.1});
    let bench = Bench::with(|settings| {
        settings.temperature = Some(0.7);
        settings.stop = vec!["END".into()];
        settings.extra_body = extra.as_object().unwrap().clone();
    })
    .await;
    let ok = Reply::openai(&["ok"]);
    let first = bench.heard(refusals.into_iter().chain([ok.clone()])).await;
    assert_eq!(first.text, "ok", "{:?}", first.end);
    let second = bench.heard([ok]).await;
    assert_eq!((second.notes, second.text.as_str()), (vec![], "ok"));
    let chats = bench.server.chats();
    let has = |body: &Value| names.iter().map(|name| body.get(name).is_some()).collect();
    (chats.iter().map(has).collect(), first.notes)
}

#[tokio::test]
async fn a_field_that_a_refusal_names_in_any_way_is_left_out_and_that_is_remembered() {
    let validator = json!({"object": "error", "message": {"detail": [
        {"type": "extra_forbidden", "loc": ["body", "stream_options"], "msg": "Extra inputs are not permitted",
         "input": {"include_usage": true}}]}});
    let param = json!({"error": {"message": "Unsupported value", "param": "temperature"}});
    let behind = json!({"error": {"message": "Provider returned error", "code": 400, "metadata": {
        "raw": "{\"error\": {\"message\": \"Unrecognized request argument supplied: min_p\"}}"}}});
    for (reply, name) in [
        (Reply::json(422, validator), "stream_options"),
        (Reply::json(400, param), "temperature"),
        (Reply::json(400, behind), "min_p"),
        (
            refusal(400, "Argument not supported on this model: stop"),
            "stop",
        ),
        (
            refusal(422, "top_k: Extra inputs are not permitted"),
            "top_k",
        ),
        (
            refusal(400, "`top_k` is not allowed when streaming; see stream"),
            "top_k",
        ),
    ] {
        let (sent, notes) = fields_after(vec![reply], &[name, "stream"]).await;
        assert_eq!(sent, [[true, true], [false, true], [false, true]], "{name}");
        let told = format!("It was taken without `{name}`, and so it is asked.");
        assert!(notes.len() == 1 && notes[0].ends_with(&told), "{notes:?}");
    }
}

#[tokio::test]
async fn the_limit_of_an_answer_goes_under_its_other_name_before_it_is_left_out() {
    let limits = ["max_tokens", "max_completion_tokens"];
    let azure = || {
        refusal(
            400,
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use \
             'max_completion_tokens' instead.",
        )
    };
    let (sent, _) = fields_after(vec![azure()], &limits).await;
    assert_eq!(sent, [[true, false], [false, true], [false, true]]);
    let neither = vec![
        azure(),
        refusal(400, "unknown field \"max_completion_tokens\""),
    ];
    let (sent, notes) = fields_after(neither, &limits).await;
    assert_eq!(sent[1..], [[false, true], [false, false], [false, false]]);
    assert_eq!(notes.len(), 2);
}

#[tokio::test]
async fn what_a_question_needs_stays_and_a_server_that_refuses_everything_is_left_alone() {
    let bench = Bench::new().await;
    for (status, text, questions) in [
        (400, "'messages' is too short", 1),
        (429, "stop sending stream_options", 1),
        (503, "the stream broke", 1),
        (
            400,
            "no `stream_options`, no `max_tokens`, no `stream`, no `max_completion_tokens`",
            3,
        ),
    ] {
        let before = bench.server.chats().len();
        let heard = bench.heard([refusal(status, text)]).await;
        assert!(heard.end.is_err() && heard.notes.is_empty(), "{text}");
        assert_eq!(bench.server.chats().len() - before, questions, "{text}");
    }
}

#[tokio::test]
async fn where_there_is_no_system_role_its_text_opens_the_first_message() {
    for (status, text) in [
        (400, "System role not supported"),
        (
            500,
            "Conversation roles must alternate user/assistant/user/assistant/...",
        ),
        (400, "Developer instruction is not enabled for models/m1"),
        (
            400,
            "messages.0.role: Input should be 'user' or 'assistant'",
        ),
    ] {
        let bench = Bench::new().await;
        let ok = Reply::openai(&["ok"]);
        let heard = bench.heard([refusal(status, text), ok.clone(), ok]).await;
        assert_eq!(heard.text, "ok", "{text}: {:?}", heard.end);
        assert_eq!(ask(&bench.model).await.notes, Vec::<String>::new());
        let merged = json!([{"role": "user", "content": "be brief\n\n1 Anna: hi"}]);
        let chats = bench.server.chats();
        assert_eq!(
            [&chats[1]["messages"], &chats[2]["messages"]],
            [&merged, &merged]
        );
    }
}

/// A question with these lines of Anna.
fn chat(words: &[&str]) -> ModelRequest {
    let line = |(number, words): (u64, &&str)| ChatLine {
        message: number,
        head: format!("{number} Anna: "),
        words: (*words).to_owned(),
        notice: "(left out)".into(),
    };
    let lines: Vec<ChatLine> = (1..).zip(words).map(line).collect();
    let texts = lines
        .iter()
        .map(|line| format!("{}{}\n", line.head, line.words));
    let text = texts.collect::<String>();
    ModelRequest {
        stable_bytes: text.len(),
        messages: vec![PromptMessage::from_user(text + "It is noon.")],
        lines,
        ..request()
    }
}

async fn answered(model: &Model, request: ModelRequest) -> (Vec<String>, bool) {
    let mut events = stream(model, request);
    let (mut notes, mut is_answered) = (Vec::new(), false);
    while let Some(event) = events.recv().await {
        match event {
            ModelEvent::Note(note) => notes.push(note),
            ModelEvent::End(end) => is_answered = end.is_ok(),
            _ => {}
        }
    }
    (notes, is_answered)
}

#[tokio::test]
async fn a_line_that_a_filter_refuses_stays_out_and_the_lines_that_passed_before_stay_in() {
    let bench = Bench::new().await;
    let (ok, no) = (Reply::openai(&["ok"]), refusal(400, "Content Exists Risk"));
    bench.server.now(PATH, [ok.clone(), no, ok.clone(), ok]);
    let model = &bench.model;
    assert_eq!(answered(model, chat(&["hello"])).await, (vec![], true));
    let (notes, is_answered) = answered(model, chat(&["hello", "bad", "Juno, how was it?"])).await;
    assert!(is_answered && notes.len() == 1, "{notes:?}");
    assert!(
        !notes[0].contains("bad") && notes[0].contains("filter"),
        "{notes:?}"
    );
    let later = chat(&["hello", "bad", "Juno, how was it?", "not bad"]);
    assert_eq!(answered(model, later).await, (vec![], true));
    let chats = bench.server.chats();
    assert_eq!(
        [&chats[2], &chats[3]].map(|body| body["messages"][1]["content"].as_str().unwrap()),
        [
            "1 Anna: hello\n2 Anna: (left out)\n3 Anna: Juno, how was it?\nIt is noon.",
            "1 Anna: hello\n2 Anna: (left out)\n3 Anna: Juno, how was it?\n4 Anna: not bad\nIt is noon.",
        ]
    );
}

#[tokio::test]
async fn a_line_that_was_left_out_by_chance_is_shown_again() {
    let bench = Bench::new().await;
    let (ok, no) = (Reply::openai(&["ok"]), refusal(400, "Content Exists Risk"));
    let words = ["harmless", "bad", "Juno, how was it?"];
    let is_shown = |chat: &Value, word: &str| {
        chat["messages"][1]["content"]
            .as_str()
            .unwrap()
            .contains(word)
    };
    bench.server.now(PATH, [no.clone(), ok.clone()]);
    assert!(answered(&bench.model, chat(&words)).await.1);
    let mut asked = 0;
    while !is_shown(bench.server.chats().last().unwrap(), "harmless") && asked < 100 {
        bench.server.now(PATH, [ok.clone()]);
        assert!(answered(&bench.model, chat(&words)).await.1);
        asked += 1;
    }
    assert!((5..30).contains(&asked), "{asked}");
    let chats = bench.server.chats();
    assert!(chats[1..].iter().all(|chat| !is_shown(chat, "bad")));
}

#[tokio::test]
async fn a_picture_is_not_suspected_where_a_line_was_to_blame() {
    let bench = Bench::new().await;
    let (ok, no) = (Reply::openai(&["ok"]), refusal(400, "Content Exists Risk"));
    let picture = ModelImage::from_bytes(b"GIF89a\x01\0\x01\0;", Some(1)).unwrap();
    let pictured = || {
        let mut request = chat(&["bad", "Juno, look"]);
        request.images.push(AttachedImage {
            label: "Image:".into(),
            image: picture.clone(),
        });
        request
    };
    bench.server.now(PATH, [no.clone(), no, ok.clone(), ok]);
    assert!(answered(&bench.model, pictured()).await.1);
    assert!(answered(&bench.model, pictured()).await.1);
    let chats = bench.server.chats();
    let contents: Vec<bool> = chats
        .iter()
        .map(|chat| chat["messages"][1]["content"].is_array())
        .collect();
    assert_eq!(contents, [true, false, false, true]);
}

#[tokio::test]
async fn a_change_that_was_only_guessed_is_not_for_good() {
    let bench = Bench::new().await;
    let ok = Reply::openai(&["ok"]);
    let schema = || ModelRequest {
        form: AnswerForm::from_protocol(OutputProtocol::Json, &[]),
        ..request()
    };
    bench
        .server
        .now(PATH, [refusal(400, "bad request"), ok.clone()]);
    assert!(answered(&bench.model, schema()).await.1);
    let has_schema = |chat: &Value| chat.get("response_format").is_some();
    let mut asked = 0;
    while !has_schema(bench.server.chats().last().unwrap()) && asked < 100 {
        bench.server.now(PATH, [ok.clone()]);
        assert!(answered(&bench.model, schema()).await.1);
        asked += 1;
    }
    assert!((5..30).contains(&asked), "{asked}");
}

#[tokio::test]
async fn a_refusal_in_place_of_an_answer_is_read_like_its_status() {
    let inside = json!({"error": {"code": 400, "message": "no stop please"}});
    let (sent, _) = fields_after(vec![Reply::json(200, inside)], &["stop"]).await;
    assert_eq!(sent, [[true], [false], [false]]);
}

#[tokio::test]
async fn the_line_to_answer_is_left_out_last_and_a_prompt_that_is_refused_whole_is_told() {
    let bench = Bench::new().await;
    let blocked = || refusal(403, "Your input was flagged");
    bench
        .server
        .now(PATH, [blocked(), blocked(), Reply::openai(&["ok"])]);
    let words = ["a long enough thing to say", "another long enough thing"];
    let (notes, is_answered) = answered(&bench.model, chat(&words)).await;
    assert!(is_answered && notes.len() == 1, "{notes:?}");
    assert!(notes[0].contains("without 2 lines"), "{notes:?}");
    let content = bench.server.chats()[2]["messages"][1]["content"].clone();
    assert_eq!(
        content,
        "1 Anna: (left out)\n2 Anna: (left out)\nIt is noon."
    );
    bench.server.now(PATH, [blocked()]);
    let (notes, is_answered) = answered(&bench.model, chat(&words)).await;
    assert!(
        !is_answered && notes.is_empty(),
        "nothing is left to leave out"
    );
}

#[tokio::test]
async fn an_end_that_no_provider_calls_a_good_one_is_a_cut() {
    let bench = Bench::new().await;
    for (reason, is_cut) in [
        ("stop", false),
        ("end_turn", false),
        ("eos", false),
        ("STOP", false),
        ("length", true),
        ("abort", true),
        ("sensitive", true),
        ("some_later_word", true),
    ] {
        let half = Reply::events().delta("half a");
        let heard = bench
            .heard([half.finish(reason).usage(120, 7).done()])
            .await;
        assert_eq!(
            heard.end.map(|usage| usage.truncated),
            Ok(is_cut),
            "{reason}"
        );
    }
}
