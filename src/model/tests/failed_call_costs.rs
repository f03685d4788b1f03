//! What a call costs that goes wrong: the budget must count it, and must not count what never ran.

use super::*;

/// What a failed call with this one reply took; the prompt was estimated at 120 tokens.
async fn spent(bench: &Bench, reply: Reply) -> Option<TokenUsage> {
    let heard = bench.heard([reply]).await;
    assert!(heard.end.is_err(), "{heard:?}");
    heard.spent
}

/// The server's own count.
fn counted(completion: u32) -> Option<TokenUsage> {
    Some(TokenUsage {
        prompt: 90,
        completion,
        ..TokenUsage::default()
    })
}

fn thinking() -> Reply {
    Reply::events()
        .event(json!({"choices": [{"delta": {"reasoning": "hm, what could they mean by that?"}}]}))
}

#[tokio::test]
async fn an_answer_that_is_none_costs_what_the_server_counted() {
    let bench = Bench::new().await;
    let only_thoughts = thinking().finish("length").usage(90, 1_500).done();
    let cut_at_its_limit = TokenUsage {
        prompt: 90,
        completion: 1_500,
        truncated: true,
        ..TokenUsage::default()
    };
    assert_eq!(spent(&bench, only_thoughts).await, Some(cut_at_its_limit));
    assert_eq!(
        spent(&bench, thinking().finish("stop").usage(90, 40).done()).await,
        counted(40)
    );
    assert_eq!(
        spent(&bench, Reply::events().finish("stop").usage(90, 1).done()).await,
        counted(1)
    );
    let filtered = Reply::events()
        .delta("wel")
        .finish("content_filter")
        .usage(90, 3)
        .done();
    assert_eq!(spent(&bench, filtered).await, counted(3));
    let refusal =
        Reply::events().event(json!({"choices": [{"delta": {"refusal": "I would rather not."}}]}));
    assert_eq!(
        spent(&bench, refusal.finish("stop").usage(90, 6).done()).await,
        counted(6)
    );
    assert_eq!(
        spent(&bench, Reply::events().delta("so").usage(90, 2).hang_up()).await,
        counted(2)
    );
}

#[tokio::test]
async fn where_the_server_counted_nothing_the_prompt_and_what_came_are_estimated() {
    let bench = Bench::with(|settings| {
        settings.first_token_seconds = Some(0.25);
        settings.idle_seconds = 0.15;
        settings.total_seconds = Some(0.6);
        settings.max_tokens = 100;
    });
    let bench = bench.await;
    let drip = (0..40).fold(Reply::events(), |reply, _| {
        reply.delta("a word ").wait(Duration::from_millis(50))
    });
    let endless = format!(
        "data: {}\n\n",
        json!({"choices": [{"delta": {"content": "la ".repeat(100)}}]})
    );
    let error = json!({"error": {"message": "out of memory", "code": 500}});
    for (what, reply, least) in [
        ("nothing at all until the time is up", Reply::mute(), 0),
        ("a head and nothing more", Reply::events().hang(), 0),
        ("a stream without an answer", Reply::events().done(), 0),
        ("thinking without end", thinking().hang(), 5),
        (
            "a stream that falls silent",
            Reply::events().delta("so much to say").hang(),
            3,
        ),
        ("a stream that takes too long", drip, 5),
        (
            "a stream that is cut",
            Reply::events().delta("so much to say").hang_up(),
            3,
        ),
        (
            "a stream without end",
            Reply::events().endless(endless),
            500,
        ),
        (
            "an error in the middle",
            Reply::events().delta("so much to say").event(error.clone()),
            3,
        ),
        ("an error at the start", Reply::events().event(error), 0),
        (
            "a gateway that waited in vain",
            Reply::new(504, "text/html").bytes("<h1>504 Gateway Timeout</h1>"),
            0,
        ),
        (
            "a figure of the beginning",
            Reply::events()
                .usage(0, 1)
                .delta("so much to say")
                .hang_up(),
            3,
        ),
    ] {
        let spent = spent(&bench, reply)
            .await
            .unwrap_or_else(|| panic!("{what} is not counted"));
        assert!(spent.estimated && spent.prompt == 120, "{what}: {spent:?}");
        assert!(
            spent.completion >= least && (least > 0 || spent.completion == 0),
            "{what}: {spent:?}"
        );
    }
}

#[tokio::test]
async fn what_never_left_or_was_refused_before_the_model_began_costs_nothing() {
    let bench = Bench::new().await;
    for status in [
        301, 400, 401, 402, 404, 408, 413, 429, 501, 502, 503, 520, 521, 522, 523, 529,
    ] {
        assert_eq!(
            spent(&bench, Reply::json(status, json!({"error": "no"}))).await,
            None,
            "{status}"
        );
    }
    let busy = json!({"error": {"message": "slow down", "code": 429}});
    assert_eq!(spent(&bench, Reply::events().event(busy)).await, None);
    assert_eq!(
        spent(
            &bench,
            Reply::new(200, "text/html").bytes("<title>Welcome</title>")
        )
        .await,
        None
    );

    let unsendable = Bench::with(|settings| settings.api_key = Secret::new("a\nb")).await;
    assert_eq!(spent(&unsendable, Reply::openai(&["hi"])).await, None);
    let nobody = Bench::with(|settings| settings.base_url = "http://127.0.0.1:1/v1".into()).await;
    assert_eq!(spent(&nobody, Reply::openai(&["hi"])).await, None);
}

#[tokio::test]
async fn the_tries_of_a_call_add_up_whether_it_fails_or_not() {
    let bench = Bench::with(|settings| settings.retries = 2).await;
    let busy = || Reply::json(429, json!({"error": "slow down"})).header("retry-after", "0");
    let cut = || Reply::events().usage(90, 0).hang_up();
    let lost = thinking().finish("length").usage(90, 1_500).done();
    let heard = bench.heard([cut(), busy(), lost]).await;
    assert!(heard.end.is_err());
    let spent = heard.spent.unwrap();
    assert_eq!((spent.prompt, spent.completion), (180, 1_500));

    let heard = bench.heard([cut(), busy(), Reply::openai(&["here"])]).await;
    let usage = heard.end.unwrap();
    assert_eq!((usage.prompt, usage.completion), (210, 7));
    assert!(
        usage.estimated,
        "a sum must teach nobody how large one prompt is"
    );
}

#[tokio::test]
async fn a_failing_server_is_counted_once_however_often_it_is_asked() {
    let bench = Bench::with(|settings| settings.retries = 2).await;
    for status in [500, 504, 524] {
        let failing = || Reply::json(status, json!({"error": "no"})).header("retry-after", "0");
        let before = bench.server.chats().len();
        let heard = bench.heard([failing(), failing(), failing()]).await;
        assert_eq!(bench.server.chats().len() - before, 3);
        assert_eq!(heard.spent.map(|spent| spent.prompt), Some(120), "{status}");
    }
}

#[tokio::test]
async fn a_prompt_that_was_not_counted_is_estimated_beside_an_answer_that_was() {
    let bench = Bench::new().await;
    let heard = bench
        .heard([Reply::events()
            .delta("hello")
            .finish("stop")
            .usage(0, 5)
            .done()])
        .await;
    assert_eq!(
        heard.end,
        Ok(TokenUsage {
            prompt: 120,
            completion: 5,
            estimated: true,
            ..TokenUsage::default()
        })
    );
}
