//! Discord lets it say nothing for a while: what it wanted to say is said when it can be, once and in its order, also by
//! the next process, or not at all where nobody wants it any more.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::discord::prelude::*;

const POSTS: &str = "POST /channels/*/messages";
const WAITS: &str = "not delivered yet, tried again in";

fn texts(test: &DiscordTest, channel: Id) -> Vec<String> {
    test.fake
        .posts(channel)
        .into_iter()
        .map(|post| post.text)
        .collect()
}

/// Answers the newest line of a person with two messages that repeat its last word.
fn in_two_parts(user: &str) -> String {
    let newest = user
        .lines()
        .rfind(|line| line.contains("Anna: ") || line.contains("Ben: "))
        .unwrap_or_default();
    let word = newest.split(' ').next_back().unwrap_or_default();
    format!(
        "<turn><send_message>first {word}</send_message><send_message>then {word}</send_message></turn>"
    )
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_is_said_once_and_in_order_when_connections_are_not_refused_any_more() {
    let test = DiscordTest::of(World::small(), "", &on(GENERAL), in_two_parts).await;
    test.fake.rest_door(ConnectionPolicy::Refused);
    test.calls(GENERAL, ANNA, "one");
    test.kith.until_logged(WAITS).await;
    // Who speaks meanwhile is answered after it, from a prompt that shows what was said.
    test.calls(GENERAL, BEN, "two");
    test.fake.rest_door(ConnectionPolicy::Open);
    test.fake
        .until_true("all answers", |world| world.posts(GENERAL).len() >= 4)
        .await;
    assert_eq!(test.posts_in_peace(GENERAL).await, 4);
    assert_eq!(
        texts(&test, GENERAL),
        ["first one", "then one", "first two", "then two"]
    );
}

/// After a minute in which nobody knows whether it was said, its turn is over.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_question_before_an_outage_of_a_minute_is_answered_once_though_people_go_on_asking() {
    // A model that says again what it does not see it said.
    let asked = Arc::new(AtomicUsize::new(0));
    let count = asked.clone();
    let test = DiscordTest::of(World::small(), "", &on(GENERAL), move |user| {
        count.fetch_add(1, Ordering::Relaxed);
        say(match user.contains("it is 42") {
            true => "still here",
            false => "it is 42",
        })
    })
    .await;
    test.fake.chaos(Some(Chaos::new(1, [(1.0, Fault::Hang)])));
    test.calls(GENERAL, ANNA, "what is six times seven?");
    test.kith.until_logged(WAITS).await;
    let log = test.kith.log();
    let waits = log.lines().find(|line| line.contains(WAITS));
    let named = format!("channel={GENERAL} (#general in ");
    assert!(waits.is_some_and(|line| line.contains(&named)), "{log}");
    test.calls(GENERAL, BEN, "are you still there?");
    while asked.load(Ordering::Relaxed) < 2 {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    test.fake.chaos(None);
    test.post(GENERAL, 1).await;
    assert_eq!(test.posts_in_peace(GENERAL).await, 2);
    assert_eq!(texts(&test, GENERAL), ["it is 42", "still here"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_minute_that_discord_asks_to_wait_outlives_the_process_and_the_answer_is_said_by_the_next()
 {
    let mut test = DiscordTest::of(World::small(), "", &(on(GENERAL) + &on(RANDOM)), |_| {
        say("here")
    })
    .await;
    test.fake
        .fault(POSTS, Fault::RouteLimit(Duration::from_secs(60)));
    test.calls(GENERAL, ANNA, "where are you?");
    test.kith.until_logged(WAITS).await;
    assert_eq!(
        test.fake.requests(POSTS).len(),
        1,
        "it asks again when it may"
    );
    assert_eq!(
        test.talk(RANDOM, BEN, "and here?").await,
        "here",
        "another channel does not wait for it"
    );
    test.kith.kill();
    test.fake.lifts_limits();
    test.starts().await;
    assert_eq!(test.post(GENERAL, 0).await, "here");
    assert_eq!(test.posts_in_peace(GENERAL).await, 1);
    test.kith.stop();
    assert_eq!(test.stored(GENERAL).await, ["@juno where are you?", "here"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_it_answers_was_deleted_while_it_was_away_and_so_it_says_nothing() {
    let mut test = DiscordTest::of(World::small(), "", &on(GENERAL), |_| say("here")).await;
    test.fake
        .fault(POSTS, Fault::RouteLimit(Duration::from_secs(60)));
    let asked = test.calls(GENERAL, ANNA, "where are you?");
    test.kith.until_logged(WAITS).await;
    test.kith.kill();
    test.fake.lifts_limits();
    test.fake.deletes(GENERAL, &[asked]);
    test.starts().await;
    test.kith
        .until_logged("1 of its messages were not sent in #general")
        .await;
    assert_eq!(test.posts_in_peace(GENERAL).await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_channel_is_switched_off_meanwhile_and_so_it_says_nothing() {
    let (test, _) = DiscordTest::watched(World::small(), "", &on(GENERAL), |_| say("here")).await;
    test.fake.fault(
        &format!("POST /channels/{GENERAL}/messages"),
        Fault::RouteLimit(Duration::from_secs(60)),
    );
    test.calls(GENERAL, ANNA, "where are you?");
    test.kith.until_logged(WAITS).await;
    test.hears(GENERAL, MO, "kith off").await;
    // It may be said now, and is not wanted.
    let mut test = test;
    test.kith.kill();
    test.fake.lifts_limits();
    test.starts().await;
    test.calls(GENERAL, ANNA, "hello?");
    assert_eq!(test.posts_in_peace(GENERAL).await, 0, "{}", test.log());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn in_a_flood_of_mentions_everybody_is_answered_or_told() {
    const PEOPLE: usize = 6;
    const MENTIONS: usize = 120;
    let mut world = World::small();
    let people: Vec<Id> = (0..PEOPLE)
        .map(|number| world.add_user(&format!("P{number}")))
        .collect();
    people.iter().for_each(|person| world.join(GUILD, *person));
    // It answers only who it is told has spoken to it, in three messages, each for a third of them.
    let test = DiscordTest::of(world, "", &on(GENERAL), |user| {
        let now = user.rsplit("# Now").next().unwrap_or_default();
        let owed = |line: &&str| {
            let number: String = line.chars().take_while(char::is_ascii_digit).collect();
            !number.is_empty()
                && [format!("ine {number} ("), format!("Line {number}:")]
                    .iter()
                    .any(|it| now.contains(it))
        };
        let asked = user
            .lines()
            .filter(owed)
            .filter_map(|line| line.split(' ').find(|word| word.starts_with("q")));
        let asked: Vec<&str> = asked.map(|word| word.trim_end_matches('?')).collect();
        let third = asked.len().div_ceil(3).max(1);
        let messages = asked
            .chunks(third)
            .map(|words| format!("<send_message>re {}</send_message>", words.join(" ")));
        format!("<turn>{}</turn>", messages.collect::<String>())
    })
    .await;
    let mut asked = Vec::new();
    for number in 0..MENTIONS {
        asked.push((
            number,
            test.calls(GENERAL, people[number % PEOPLE], &format!("q{number}?")),
        ));
        tokio::time::sleep(Duration::from_millis(40)).await;
    }
    let open = |world: &World| -> Vec<usize> {
        let said: String = world
            .posts(GENERAL)
            .iter()
            .map(|post| format!("{} ", post.text))
            .collect();
        let is_open = |(number, message): &&(usize, Id)| {
            let reactions = &world.message(GENERAL, *message).unwrap().reactions;
            let told = reactions
                .iter()
                .any(|reaction| reaction.users.contains(&BOT));
            !told && !said.contains(&format!("q{number} "))
        };
        asked
            .iter()
            .filter(is_open)
            .map(|(number, _)| *number)
            .collect()
    };
    let end = kith_system::clock::monotonic() + kith_testkit::PATIENCE;
    while !test.fake.world(|world| open(world)).is_empty() {
        let left = test.fake.world(|world| open(world));
        assert!(
            kith_system::clock::monotonic() < end,
            "{left:?}: {:?}\n{}",
            texts(&test, GENERAL),
            test.log()
        );
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
