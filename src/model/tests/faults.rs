//! Every fault a server can have, and the sentence a person reads.

use super::*;

mod retries;
mod wording;

#[tokio::test]
async fn a_server_that_is_not_there_is_told_with_its_address() {
    let server = FakeModel::start().await;
    let mut settings = settings(&server);
    let host = server.host().to_owned();
    drop(server);
    tokio::time::sleep(Duration::from_millis(20)).await;
    settings.context_tokens = Some(4_000);
    let said = ask(&resolve_model(&settings).await.model)
        .await
        .end
        .unwrap_err();
    assert_eq!(
        said,
        format!(
            "The model server {host} cannot be reached (Connection refused): start it, or correct \
             model.base_url."
        )
    );
}

#[tokio::test]
async fn a_server_that_never_answers_is_given_up() {
    let bench = Bench::with(|settings| settings.first_token_seconds = Some(0.25)).await;
    let wanted = "m1 at HOST wrote nothing for 0.25 s: raise model.first_token_seconds if it is that slow, or look at \
                  the server.";
    assert_eq!(bench.failure(Reply::mute()).await, wanted);
    assert_eq!(bench.failure(Reply::events().hang()).await, wanted);
    // Signs of life that are no tokens do not help.
    assert_eq!(
        bench.failure(Reply::events().endless(": ping\n\n")).await,
        wanted
    );
}

#[tokio::test]
async fn a_stream_that_falls_silent_is_given_up() {
    let bench = Bench::with(|settings| settings.idle_seconds = 0.15).await;
    let heard = bench.heard([Reply::events().delta("so ").hang()]).await;
    assert_eq!(heard.text, "so ");
    assert_eq!(
        heard.end.unwrap_err(),
        "m1 at HOST fell silent for 0.15 s in the middle of its answer: look at the server, or raise \
         model.idle_seconds."
    );
}

#[tokio::test]
async fn a_stream_that_takes_too_long_in_all_is_given_up() {
    let slow = (0..20).fold(Reply::events(), |reply, _| {
        reply.delta("x").wait(Duration::from_millis(50))
    });
    let heard = Bench::with(|settings| settings.total_seconds = Some(0.3))
        .await
        .heard([slow])
        .await;
    assert_eq!(
        heard.end.unwrap_err(),
        "m1 at HOST was not done after 0.3 s: ask for less with model.max_tokens, or raise model.total_seconds."
    );
}

#[tokio::test]
async fn a_stream_without_end_is_cut() {
    let bench = Bench::new().await;
    let chunk = format!(
        "data: {}\n\n",
        json!({"choices": [{"delta": {"content": "la ".repeat(100)}}]})
    );
    let heard = Bench::with(|settings| settings.max_tokens = 100)
        .await
        .heard([Reply::events().endless(chunk)])
        .await;
    assert!(heard.text.len() <= 4_096 + 16 * 100, "{}", heard.text.len());
    assert_eq!(
        heard.end.unwrap_err(),
        "m1 at HOST did not stop writing and was cut after 5696 bytes: set model.stop, or choose another model."
    );
    let line = bench
        .failure(Reply::events().bytes("data: ").endless("x".repeat(1 << 18)))
        .await;
    assert_eq!(
        line,
        "m1 at HOST did not stop writing and was cut after 4194304 bytes: set model.stop, or choose another model."
    );
}

#[tokio::test]
async fn a_cut_stream_is_a_failure() {
    let bench = Bench::new().await;
    let wanted = "The connection to HOST ended before the answer did (no finish_reason, no end mark): look at the \
                  server or a proxy in between.";
    assert_eq!(bench.failure(Reply::events().delta("so")).await, wanted);
    assert_eq!(
        bench.failure(Reply::events().delta("so").hang_up()).await,
        wanted
    );
    assert_eq!(
        bench
            .failure(
                Reply::new(200, "application/json")
                    .bytes("{\"choices\": [")
                    .hang_up()
            )
            .await,
        wanted
    );
}

#[tokio::test]
async fn an_empty_answer_is_a_failure() {
    let bench = Bench::new().await;
    let nothing = |finish: &str| {
        format!(
            "m1 at HOST answered with nothing (finish_reason: {finish}): try again, or choose another model."
        )
    };
    assert_eq!(
        bench.failure(Reply::new(200, "text/event-stream")).await,
        nothing("none")
    );
    assert_eq!(bench.failure(Reply::events().done()).await, nothing("none"));
    assert_eq!(bench.failure(Reply::openai(&[])).await, nothing("stop"));
    assert_eq!(
        bench.failure(Reply::openai(&[" ", "\n"])).await,
        nothing("stop")
    );
    assert_eq!(
        bench
            .failure(Reply::json(
                200,
                json!({"choices": [{"message": {"content": null}}]})
            ))
            .await,
        nothing("none")
    );
    let only_thoughts = Reply::events().event(json!({"choices": [{"delta": {"reasoning": "hm"}}]}));
    assert_eq!(
        bench.failure(only_thoughts.finish("length").done()).await,
        "m1 at HOST spent its whole answer on thinking: raise model.max_tokens, or let it think less."
    );
}

#[tokio::test]
async fn an_empty_answer_or_one_of_thoughts_is_asked_for_once_more_and_not_a_third_time() {
    let bench = Bench::with(|settings| settings.retries = 5).await;
    let heard = bench
        .heard([Reply::openai(&[" "]), Reply::openai(&["here"])])
        .await;
    assert_eq!(
        (heard.text.trim(), heard.end.is_ok(), heard.notes.len()),
        ("here", true, 1)
    );
    let before = bench.server.chats().len();
    let heard = bench
        .heard([
            Reply::openai(&[]),
            Reply::openai(&[]),
            Reply::openai(&["late"]),
        ])
        .await;
    assert_eq!(
        heard.end.unwrap_err(),
        "m1 at HOST answered with nothing (finish_reason: stop): try again, or choose another model. Tried 2 times."
    );
    assert_eq!(bench.server.chats().len() - before, 2);
    for finish in ["stop", "length"] {
        let thinks = || {
            Reply::events()
                .event(json!({"choices": [{"delta": {"reasoning": "hm"}}]}))
                .finish(finish)
                .done()
        };
        let before = bench.server.chats().len();
        let heard = bench.heard([thinks(), Reply::openai(&["here"])]).await;
        assert_eq!((heard.text.trim(), heard.end.is_ok()), ("here", true));
        assert!(
            bench
                .heard([thinks(), thinks(), Reply::openai(&["late"])])
                .await
                .end
                .is_err()
        );
        assert_eq!(bench.server.chats().len() - before, 4);
    }
}

#[tokio::test]
async fn a_web_page_instead_of_an_answer_is_told_with_what_to_check() {
    let bench = Bench::new().await;
    let page = "<!DOCTYPE html>\n<html><head><title>Welcome to nginx!</title></head>";
    let said = bench
        .failure(Reply::new(200, "text/html").bytes(page))
        .await;
    assert_eq!(
        said,
        "HOST answered with a web page (\"Welcome to nginx!\"): model.base_url must be the address of the API, mostly \
         ending in /v1."
    );
    let said = bench
        .failure(Reply::new(502, "text/html").bytes("<html><h1>502 Bad Gateway</h1></html>"))
        .await;
    assert_eq!(
        said,
        "HOST failed (502: \"502 Bad Gateway\"): look at the server, or wait until the provider is well again."
    );
}

#[tokio::test]
async fn something_else_than_json_is_a_failure() {
    let bench = Bench::new().await;
    let wanted = |text: &str| {
        format!("HOST sent what is not JSON (\"{text}\"): check model.provider and model.base_url.")
    };
    assert_eq!(
        bench
            .failure(Reply::new(200, "text/plain").bytes("it works!"))
            .await,
        wanted("it works!")
    );
    assert_eq!(
        bench
            .failure(Reply::events().bytes("data: {\"choices\": oops}\n\n"))
            .await,
        wanted("{\"choices\": oops}")
    );
}

#[tokio::test]
async fn something_else_than_json_before_the_first_word_is_asked_for_again() {
    let bench = Bench::with(|settings| settings.retries = 1).await;
    for nonsense in [
        Reply::new(200, "text/plain").bytes("warming up"),
        Reply::events().bytes("data: upstream reset\n\n"),
    ] {
        let heard = bench.heard([nonsense, Reply::openai(&["here"])]).await;
        assert_eq!(
            (heard.text.as_str(), heard.end.is_ok(), heard.notes.len()),
            ("here", true, 1)
        );
    }
    let late = Reply::events()
        .delta("so ")
        .bytes("data: upstream reset\n\n");
    let heard = bench.heard([late, Reply::openai(&["twice"])]).await;
    assert_eq!(
        (heard.text.as_str(), heard.end.is_err()),
        ("so ", true),
        "what was said is not said again"
    );
}

#[tokio::test]
async fn what_litellm_says_of_money_and_length_is_understood_under_any_status_and_in_a_stream() {
    let bench = Bench::with(|settings| settings.retries = 2).await;
    let budget = |code: Value| json!({"error": {"message": "Budget has been exceeded! Current cost: 14.2, Max budget: 10.0", "type": "budget_exceeded", "param": null, "code": code}});
    let long = json!({"error": {"message": "litellm.ContextWindowExceededError: too much", "type": null, "code": "400"}});
    let spent = |said: &str| {
        format!(
            "HOST says the account is used up ({said}): top it up with the provider, or choose another model."
        )
    };
    let cost = "\"Budget has been exceeded! Current cost: 14.2, Max budget: 10.0\"";
    let asked = || bench.server.chats().len();
    let before = asked();
    assert_eq!(
        bench.failure(Reply::json(400, budget(json!("400")))).await,
        spent(&format!("400: {cost}"))
    );
    assert_eq!(
        bench.failure(Reply::json(401, budget(Value::Null))).await,
        spent(&format!("401: {cost}"))
    );
    assert_eq!(
        bench.failure(Reply::json(429, budget(json!("429")))).await,
        spent(&format!("429: {cost}"))
    );
    assert_eq!(
        bench
            .failure(Reply::events().event(budget(json!(429))))
            .await,
        spent(&format!("429 {cost}"))
    );
    for reply in [Reply::json(400, long.clone()), Reply::events().event(long)] {
        let said = bench.failure(reply).await;
        assert!(
            said.starts_with("The prompt is larger than m1 at HOST can hold (400"),
            "{said}"
        );
    }
    assert_eq!(asked() - before, 6, "none of these is asked again");
}

#[tokio::test]
async fn errors_of_every_spelling_inside_a_stream_are_read() {
    let bench = Bench::new().await;
    let ended = |what: &str| {
        format!(
            "m1 at HOST ended with the error{what}: look at the server, or hold [model] in the settings against what it allows."
        )
    };
    for (error, wanted) in [
        (
            json!({"error": {"message": "out of memory", "code": 500}}),
            " 500 \"out of memory\"",
        ),
        (
            json!({"error": {"message": "out of memory", "code": "oom"}}),
            " oom \"out of memory\"",
        ),
        (
            json!({"error": {"message": "out of memory", "code": null, "type": "server"}}),
            " server \"out of memory\"",
        ),
        (json!({"error": "out of memory"}), " \"out of memory\""),
        (
            json!({"error": {"message": "gone", "code": 502}, "choices": [{"finish_reason": "error"}]}),
            " 502 \"gone\"",
        ),
        (
            json!({"choices": [{"delta": {"content": ""}, "error": {"message": "gone", "code": 502}}]}),
            " 502 \"gone\"",
        ),
        (
            json!({"object": "error", "message": "too long", "code": 400}),
            " 400 \"too long\"",
        ),
    ] {
        let heard = bench
            .heard([Reply::events().delta("so ").event(error.clone())])
            .await;
        assert_eq!(
            (heard.text.as_str(), heard.end.unwrap_err()),
            ("so ", ended(wanted)),
            "{error}"
        );
    }
    assert_eq!(
        bench
            .failure(Reply::json(200, json!({"error": "no slot"})))
            .await,
        ended(" \"no slot\"")
    );
}

#[tokio::test]
async fn a_filter_and_a_refusal_are_told_apart() {
    let bench = Bench::new().await;
    assert_eq!(
        bench
            .failure(Reply::events().delta("wel").finish("content_filter").done())
            .await,
        "The filter of HOST ended the answer (finish_reason: content_filter): choose another model, or change the \
         filter with the provider."
    );
    let refusal = |text: &str| json!({"choices": [{"delta": {"refusal": text}}]});
    assert_eq!(
        bench
            .failure(
                Reply::events()
                    .event(refusal("I can't "))
                    .event(refusal("do that."))
                    .finish("stop")
                    .done()
            )
            .await,
        "m1 at HOST declined to answer (\"I can't do that.\"): choose another model, or look at the persona."
    );
}

#[tokio::test]
async fn every_status_says_what_to_do() {
    let bench = Bench::new().await;
    let error = |text: &str| json!({"error": {"message": text, "code": null}});
    for (status, body, wanted) in [
        (
            400,
            error("bad top_p"),
            "HOST refused the request (400: \"bad top_p\"): hold [model] in the settings against what it allows.",
        ),
        (
            400,
            error("maximum context length is 4096"),
            "The prompt is larger than m1 at HOST can hold (400: \"maximum context length is 4096\"): lower model.context_tokens.",
        ),
        (
            401,
            error("who are you"),
            "HOST refused the key (401: \"who are you\"): check model.api_key, model.api_key_file or the variable OPENAI_API_KEY.",
        ),
        (
            402,
            error("no credit"),
            "HOST says the account is used up (402: \"no credit\"): top it up with the provider, or choose another model.",
        ),
        (
            404,
            error("no m1"),
            "HOST does not know the model m1 or this address (404: \"no m1\"): check model.name, and that model.base_url ends as the server wants it, mostly in /v1.",
        ),
        (
            429,
            error("too fast"),
            "HOST asks to slow down (429: \"too fast\"): wait, or raise the limit with the provider.",
        ),
        (
            429,
            json!({"error": {"message": "quota", "code": "insufficient_quota"}}),
            "HOST says the account is used up (429: \"quota\"): top it up with the provider, or choose another model.",
        ),
        (
            503,
            Value::Null,
            "HOST failed (503): look at the server, or wait until the provider is well again.",
        ),
    ] {
        let reply = if body.is_null() {
            Reply::new(status, "text/plain")
        } else {
            Reply::json(status, body)
        };
        assert_eq!(bench.failure(reply).await, wanted);
    }
    let keyless = Bench::with(|settings| settings.api_key = Secret::default())
        .await
        .heard([Reply::json(401, error("no key"))])
        .await;
    assert_eq!(
        keyless.end.unwrap_err(),
        "HOST wants a key (401: \"no key\"): set model.api_key_file or the variable OPENAI_API_KEY."
    );
    let moved = Reply::new(308, "text/plain").header("location", "https://api.example.org/v1");
    assert_eq!(
        bench.failure(moved).await,
        "HOST sends requests on to another address (308: https://api.example.org/v1): put the right one into \
         model.base_url."
    );
}

#[tokio::test]
async fn the_key_is_never_shown_even_if_the_server_echoes_it() {
    let bench = Bench::new().await;
    let text = format!(
        "Incorrect key {KEY} in header 'Bearer {KEY}'. {}",
        "x".repeat(400)
    );
    let replies = [
        Reply::json(401, json!({"error": {"message": text}})),
        Reply::events().event(json!({"error": {"message": text, "code": KEY}})),
        Reply::new(200, "text/plain").bytes(&text),
        Reply::new(301, "text/plain").header("location", &format!("https://x.example/?key={KEY}")),
        Reply::openai(&[]).finish(KEY).done(),
    ];
    for reply in replies {
        let said = bench.failure(reply).await;
        assert!(!said.contains("never-to-be-seen"), "{said}");
        assert!(said.chars().count() < 450, "{said}");
    }
}

#[tokio::test]
async fn a_key_that_no_header_can_hold_is_told_before_anything_is_sent() {
    let server = FakeModel::openai([Reply::openai(&["ok"])]).await;
    let mut settings = settings(&server);
    settings.api_key = Secret::new("two\nlines");
    let said = ask(&chosen(&settings).await)
        .await
        .end
        .unwrap_err()
        .replace(server.host(), "HOST");
    assert_eq!(
        said,
        "model.api_key cannot be sent to HOST in an HTTP header: it holds a line break or another character that is \
         not allowed there; copy it again."
    );
    assert!(server.asked().is_empty());
}
