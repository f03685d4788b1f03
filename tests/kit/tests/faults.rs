//! Faults and limits of REST, scripted and drawn.

use std::time::Duration;

use reqwest::RequestBuilder;
use serde_json::{Value, json};

use crate::fake_discord::*;
use crate::rest::{ask, client, gives};

const POST: &str = "POST /channels/*/messages";

fn say(fake: &FakeDiscord) -> RequestBuilder {
    let post = client().post(format!("{}/channels/{GENERAL}/messages", fake.api()));
    post.header("authorization", format!("Bot {TOKEN}"))
        .json(&json!({"content": "x"}))
}

#[tokio::test]
async fn scripted_faults_hit_the_next_requests_that_fit_and_some_of_them_after_the_work_is_done() {
    let fake = FakeDiscord::start(World::small());
    let mut done = 0;
    let faults = [
        (Fault::Status(500), Some(500), false),
        (Fault::Html429(Duration::from_secs(2)), Some(429), false),
        (Fault::DoneBut504, Some(504), true),
        (Fault::DoneButGarbage, Some(200), true),
        (Fault::Hang, None, false),
        (Fault::DoneButHang, None, true),
        (Fault::Drop, None, false),
        (Fault::DoneButDrop, None, true),
        (Fault::Slow(Duration::from_millis(20)), Some(200), true),
    ];
    for (fault, status, works) in faults {
        fake.fault(POST, fault.clone());
        // Another route is not met by it.
        gives(&fake, "GET", "/users/@me", Value::Null, 200).await;
        let hangs = matches!(fault, Fault::Hang | Fault::DoneButHang);
        let patience = Duration::from_millis(if hangs { 300 } else { 20_000 });
        let answer = say(&fake).timeout(patience).send().await;
        assert_eq!(
            answer.ok().map(|answer| answer.status().as_u16()),
            status,
            "{fault:?}"
        );
        done += usize::from(works);
        assert_eq!(fake.posts(GENERAL).len(), done, "{fault:?}");
    }
    assert_eq!(say(&fake).send().await.unwrap().status(), 200);
}

#[tokio::test]
async fn a_429_forbids_its_route_or_everything_for_as_long_as_it_says() {
    let fake = FakeDiscord::start(World::small());
    let wait = Duration::from_secs(1000);
    fake.fault(POST, Fault::RouteLimit(wait));
    for _ in 0..2 {
        let answer = say(&fake).send().await.unwrap();
        assert_eq!(
            (
                answer.status().as_u16(),
                &answer.headers()["x-ratelimit-scope"]
            ),
            (429, &"user".parse().unwrap())
        );
        let after: f64 = answer.headers()["retry-after"]
            .to_str()
            .unwrap()
            .parse()
            .unwrap();
        assert!((990.0..=1000.0).contains(&after));
    }
    gives(
        &fake,
        "POST",
        &format!("/channels/{RANDOM}/messages"),
        json!({"content": "x"}),
        200,
    )
    .await;
    fake.fault("GET /users/@me", Fault::GlobalLimit(wait));
    assert_eq!(
        ask(&fake, "GET", "/users/@me", Value::Null).await.1["global"],
        true
    );
    gives(&fake, "GET", "/gateway", Value::Null, 429).await;
}

#[tokio::test]
async fn buckets_count_for_each_channel_and_tell_what_is_left() {
    let fake = FakeDiscord::start(World::small());
    fake.limits(|limits| limits.set(&[POST], 2, Duration::from_secs(1000)));
    let left = async || {
        let answer = say(&fake).send().await.unwrap();
        let remaining: u32 = answer.headers()["x-ratelimit-remaining"]
            .to_str()
            .unwrap()
            .parse()
            .unwrap();
        (answer.status().as_u16(), remaining)
    };
    assert_eq!(
        (left().await, left().await, left().await),
        ((200, 1), (200, 0), (429, 0))
    );
    gives(
        &fake,
        "POST",
        &format!("/channels/{RANDOM}/messages"),
        json!({"content": "x"}),
        200,
    )
    .await;
    assert_eq!(fake.posts(GENERAL).len(), 2);
}

#[tokio::test]
async fn the_same_seed_gives_the_same_storm() {
    let storm = async |seed| {
        let fake = FakeDiscord::start(World::small());
        let chances = [(0.3, Fault::Status(500)), (0.3, Fault::DoneBut504)];
        fake.chaos(Some(Chaos::new(seed, chances).only(POST)));
        let mut seen = Vec::new();
        for _ in 0..20 {
            seen.push(say(&fake).send().await.unwrap().status().as_u16());
        }
        seen
    };
    let first = storm(1).await;
    assert_eq!(first, storm(1).await);
    assert_ne!(first, storm(2).await);
    assert!([200, 500, 504].iter().all(|status| first.contains(status)));
}
