//! What is tried again, when, and what is counted where figures are missing or cannot be.

use super::*;

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

#[tokio::test]
async fn usage_beside_an_empty_delta_counts_and_an_answer_needs_no_finish_reason() {
    let bench = Bench::new().await;
    let counted = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": null}], "usage": {"prompt_tokens": 9,
        "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 4}}});
    let heard = bench
        .heard([Reply::events().delta("hello").event(counted).done()])
        .await;
    let wanted = TokenUsage {
        prompt: 9,
        cached: 4,
        completion: 2,
        ..TokenUsage::default()
    };
    assert_eq!((heard.text.as_str(), heard.end), ("hello", Ok(wanted)));
}

#[tokio::test]
async fn figures_that_cannot_be_are_bounded_by_what_was_asked_and_written_and_that_is_told() {
    let bench = Bench::new().await;
    for (prompt, completion) in [
        (4_000_000_000_u64, 2),
        (9, 4_000_000_000),
        (u64::from(u32::MAX), u64::from(u32::MAX)),
    ] {
        let counted = json!({"choices": [], "usage": {"prompt_tokens": prompt, "completion_tokens": completion}});
        let heard = bench
            .heard([Reply::events().delta("hello").event(counted).done()])
            .await;
        let usage = heard.end.expect("it answered");
        assert!(usage.estimated, "nobody learns from it: {usage:?}");
        assert!(usage.prompt + usage.completion < 20_000, "{usage:?}");
        assert!(
            heard
                .notes
                .iter()
                .any(|note| note.contains("which cannot be")),
            "{:?}",
            heard.notes
        );
    }
}
