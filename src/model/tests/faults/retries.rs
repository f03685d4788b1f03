//! What is asked again after a fault, when, and what never is.

use super::*;

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
async fn what_may_pass_is_tried_again_when_the_server_says_so() {
    let busy =
        || Reply::json(429, json!({"error": {"message": "slow down"}})).header("retry-after", "0");
    let date = "Sun, 06 Nov 1994 08:49:37 GMT";
    let dated = Reply::json(
        503,
        json!({"error": {"message": "back soon", "code": "overloaded"}}),
    )
    .header("date", date)
    .header("retry-after", date);
    let heard_well = Bench::with(|settings| settings.retries = 2)
        .await
        .heard([busy(), dated, Reply::openai(&["here"])])
        .await;
    assert_eq!(
        (heard_well.text.as_str(), &heard_well.end),
        ("here", &usage(120, 7))
    );
    assert_eq!(
        heard_well.notes,
        [
            "HOST asks to slow down (429: \"slow down\"): wait 0 s, or raise the limit with the provider. Trying again \
             in 0.0 s.",
            "HOST failed (503: \"back soon\"): look at the server, or wait until the provider is well again. Trying \
             again in 0.0 s.",
        ]
    );
    let given_up = Bench::with(|settings| settings.retries = 1)
        .await
        .heard([busy()])
        .await;
    assert_eq!(
        given_up.end.unwrap_err(),
        "HOST asks to slow down (429: \"slow down\"): wait 0 s, or raise the limit with the provider. Tried 2 times."
    );
}

#[tokio::test]
async fn a_cut_before_the_first_word_is_tried_again_after_a_while() {
    let replies = [Reply::events().hang_up(), Reply::openai(&["here"])];
    let heard = Bench::with(|settings| settings.retries = 1)
        .await
        .heard(replies)
        .await;
    let both = TokenUsage {
        prompt: 240,
        completion: 7,
        estimated: true,
        ..TokenUsage::default()
    };
    assert_eq!(
        (heard.text.as_str(), heard.end, heard.notes.len()),
        ("here", Ok(both), 1)
    );
}

#[tokio::test]
async fn nothing_is_tried_again_once_a_word_was_handed_on_or_when_it_cannot_help() {
    let cut = Reply::events().delta("so ").hang_up();
    let late = Reply::json(429, json!({"error": "x"})).header("retry-after", "3600");
    let refused = Reply::json(400, json!({"error": "x"}));
    let bench = Bench::with(|settings| {
        settings.retries = 5;
        settings.first_token_seconds = Some(0.5);
    });
    let bench = bench.await;
    for reply in [cut, late, refused, Reply::mute()] {
        let before = bench.server.chats().len();
        let heard = bench.heard([reply, Reply::openai(&["twice"])]).await;
        assert!(!heard.text.contains("twice"));
        assert_eq!(
            (bench.server.chats().len() - before, heard.notes.len()),
            (1, 0),
            "{:?}",
            heard.end
        );
    }
}

#[tokio::test]
async fn a_server_that_is_busy_without_saying_for_how_long_is_asked_again_after_a_while() {
    let busy = Reply::json(429, json!({"error": {"message": "slow down"}}));
    let heard = Bench::with(|settings| settings.retries = 1)
        .await
        .heard([busy, Reply::openai(&["here"])])
        .await;
    assert_eq!(
        (heard.text.as_str(), heard.end, heard.notes.len()),
        ("here", usage(120, 7), 1)
    );
}
