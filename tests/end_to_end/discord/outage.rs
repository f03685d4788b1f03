//! Absences: what was missed is read, only fresh direct address is answered, and nothing is said twice.

use std::time::Duration;

use kith_testkit::assert_has;

use crate::discord::prelude::*;

/// What it is told decides when it speaks, and nothing else.
const NEVER_UNASKED: &str = "talkativeness = \"about 0 an hour\"\n";

const MINUTE: Millis = 60_000;
const HOUR: Millis = 60 * MINUTE;
const POSTS: &str = "POST /channels/*/messages";

/// A mention of the companion, as Discord writes it.
fn at_juno(text: &str) -> String {
    format!("<@{BOT}> {text}")
}

fn wrote(fake: &FakeDiscord, channel: Id, user: Id, ago: Millis, text: &str) -> Id {
    fake.post(channel, Message::by(user, text).at(fake.now() - ago))
}

/// `kith` that heard something half a day ago, and was stopped.
async fn stopped(world: World, tables: &str, heard_in: Id) -> (DiscordTest, Prompts) {
    let (prompts, answer) = remembering();
    let mut test = DiscordTest::of(world, "", tables, answer).await;
    wrote(
        &test.fake,
        heard_in,
        ANNA,
        14 * HOUR,
        "good night everybody",
    );
    test.is_stored("good night everybody").await;
    test.kith.stop();
    test.time_passes(13 * HOUR);
    (test, prompts)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_night_with_thirty_mentions_ends_in_one_turn_that_sees_all_of_it() {
    let (mut test, prompts) = stopped(World::small(), &on(GENERAL), GENERAL).await;
    for number in 0..30 {
        wrote(
            &test.fake,
            GENERAL,
            BEN,
            9 * HOUR - number * MINUTE,
            &at_juno(&format!("are you there {number}?")),
        );
    }
    let asked = wrote(&test.fake, GENERAL, ANNA, MINUTE, &at_juno("good morning"));
    wrote(&test.fake, GENERAL, BEN, MINUTE / 2, "morning Anna");
    test.starts().await;
    assert_eq!(test.post(GENERAL, 0).await, "answer 1");
    assert_eq!(test.posts_in_peace(GENERAL).await, 1, "{}", test.log());
    assert_eq!(
        test.fake.posts(GENERAL)[0].replies_to().unwrap_or(asked),
        asked
    );
    let prompts = prompts.lock().unwrap();
    assert_eq!(prompts.len(), 1);
    let missed: Vec<_> = (0..30)
        .filter(|number| !prompts[0].contains(&format!("there {number}?")))
        .collect();
    assert!(
        missed.is_empty() && prompts[0].contains("morning Anna"),
        "{missed:?}\n{}",
        prompts[0]
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_direct_message_of_the_night_is_answered_in_the_morning_and_an_older_one_is_not() {
    let mut world = World::small();
    let (anna, ben) = (world.dm(ANNA), world.dm(BEN));
    let (prompts, answer) = remembering();
    let mut test = DiscordTest::of(world, "", "direct_messages = \"on\"\n", answer).await;
    for (channel, user) in [(anna, ANNA), (ben, BEN)] {
        wrote(
            &test.fake,
            channel,
            user,
            20 * HOUR,
            &format!("good night from {user}"),
        );
        test.is_stored(&format!("good night from {user}")).await;
    }
    test.kith.kill();
    test.time_passes(19 * HOUR);
    wrote(&test.fake, anna, ANNA, 11 * HOUR, "I cannot sleep");
    wrote(&test.fake, ben, BEN, 13 * HOUR, "still up?");
    test.starts().await;
    assert_eq!(test.post(anna, 0).await, "answer 1");
    assert_eq!(test.posts_in_peace(ben).await, 0);
    assert_has(&prompts.lock().unwrap()[0], ["cannot sleep"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_goes_on_where_it_stopped_listening_also_after_what_it_did_not_keep() {
    let (_, answer) = remembering();
    let mut test = DiscordTest::of(World::small(), "", &(on(GENERAL) + &on(RANDOM)), answer).await;
    test.fake
        .until_true("the commands", |world| world.overwrites > 0)
        .await;
    let asked = test.fake.slash(
        GENERAL,
        BEN,
        "kith optout",
        serde_json::json!({"how": "ignore"}),
    );
    test.fake.answer(asked).await;
    test.fake.says(GENERAL, ANNA, "kept");
    test.is_stored("kept").await;
    test.kith.stop();
    test.time_passes(5 * HOUR);
    test.starts().await;
    // More than stands on a page.
    for number in 0..120 {
        wrote(
            &test.fake,
            GENERAL,
            BEN,
            (120 - number) * MINUTE,
            &format!("not to be kept {number}"),
        );
    }
    test.fake.says(RANDOM, ANNA, "elsewhere");
    test.is_stored("elsewhere").await;
    test.kith.stop();
    assert!(test.kith.files_with("not to be kept").is_empty());
    let of_general = format!("GET /channels/{GENERAL}/messages");
    let before = test.fake.requests(&of_general).len();
    test.starts().await;
    test.fake
        .says(GENERAL, ANNA, "the first word of the next day");
    test.is_stored("the first word of the next day").await;
    assert_eq!(
        test.fake.requests(&of_general).len() - before,
        1,
        "pages of what was heard before"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_deleted_or_edited_while_it_was_away_is_so_when_it_comes_back() {
    let (prompts, answer) = remembering();
    let mut test = DiscordTest::of(World::small(), NEVER_UNASKED, &on(GENERAL), answer).await;
    let texts = ["kept words", "deleted words", "wrong words", "newest words"];
    let mut ids = Vec::new();
    for (age, text) in (1..)
        .zip(texts)
        .map(|(place, text)| (HOUR - place * MINUTE, text))
    {
        ids.push(wrote(&test.fake, GENERAL, ANNA, age, text));
        test.is_stored(text).await;
    }
    test.kith.stop();
    test.fake.deletes(GENERAL, &[ids[1], ids[3]]);
    test.fake.edits(GENERAL, ids[2], "right words");
    test.starts().await;
    assert_eq!(
        test.talk(GENERAL, BEN, "what did Anna say?").await,
        "answer 1"
    );
    let prompt = prompts.lock().unwrap()[0].clone();
    let shown = [
        "kept words",
        "deleted words",
        "wrong words",
        "right words",
        "newest words",
    ];
    assert_eq!(
        shown.map(|text| prompt.contains(text)),
        [true, false, false, true, false],
        "{prompt}"
    );
    test.kith.stop();
    for gone in ["deleted words", "wrong words", "newest words"] {
        assert!(test.kith.files_with(gone).is_empty(), "{gone}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_said_while_a_link_is_broken_is_read_in_its_place_and_answered_once() {
    tokio::join!(
        is_read_after(LinkFault::Drop),
        is_read_after(LinkFault::Invalidate { resumable: false }),
        is_read_after(LinkFault::Freeze),
    );
}

async fn is_read_after(fault: LinkFault) {
    let fake = FakeDiscord::start(World::small());
    fake.heartbeat_every(1_000);
    let (prompts, answer) = remembering();
    let test = DiscordTest::on(fake, NEVER_UNASKED, &on(GENERAL), answer).await;
    test.fake.says(GENERAL, BEN, "the first word");
    test.is_stored("the first word").await;
    if fault != LinkFault::Freeze {
        test.fake.door(ConnectionPolicy::Refused);
    }
    test.fake.break_links(fault);
    test.calls(GENERAL, ANNA, "and the last");
    tokio::time::sleep(Duration::from_millis(200)).await;
    test.fake.door(ConnectionPolicy::Open);
    assert_eq!(test.post(GENERAL, 0).await, "answer 1");
    assert_eq!(test.posts_in_peace(GENERAL).await, 1);
    let prompts = prompts.lock().unwrap();
    let place = |text: &str| prompts[0].find(text).unwrap_or(usize::MAX);
    assert!(
        place("the first word") < place("and the last") && place("and the last") < usize::MAX,
        "{}",
        prompts[0]
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_comes_twice_or_in_another_order_is_on_record_once_and_in_its_place() {
    let (prompts, answer) = remembering();
    let url = model(answer).await;
    let fake = FakeDiscord::start(World::small());
    // What is told out of order comes before it looks, however slow the machine is.
    let slower = settings(&fake, &url, NEVER_UNASKED, &on(GENERAL))
        .replace("address_wait_seconds = 0.05", "address_wait_seconds = 2.0");
    let mut test = DiscordTest::with(fake, &slower, &[]).await;
    test.fake.duplicate_next(2);
    test.fake.says(GENERAL, ANNA, "one.");
    test.fake.says(GENERAL, ANNA, "two.");
    test.is_stored("two.").await;
    test.fake.reorder_next(3);
    for text in ["three.", "four.", &at_juno("five…")] {
        test.fake.says(GENERAL, BEN, text);
    }
    test.post(GENERAL, 0).await;
    assert_eq!(
        test.posts_in_peace(GENERAL).await,
        1,
        "{:#?}",
        prompts.lock().unwrap()
    );
    let prompt = prompts.lock().unwrap()[0].clone();
    let places: Vec<_> = ["one.", "two.", "three.", "four.", "five…"]
        .map(|text| prompt.find(text))
        .into();
    assert!(
        places.is_sorted() && places[0].is_some(),
        "{places:?}\n{prompt}"
    );
    assert_eq!(prompt.matches("Anna: one.").count(), 1);
    test.kith.stop();
    let texts = test.stored(GENERAL).await;
    assert_eq!(
        texts,
        ["one.", "two.", "three.", "four.", "@juno five…", "answer 1"]
    );
}

/// Killed when Discord has taken the answer (or not, by `fault`) and has not said so.
async fn killed_while_sending(fault: Fault) -> DiscordTest {
    let (_, answer) = remembering();
    let mut test = DiscordTest::of(World::small(), "", &on(GENERAL), answer).await;
    test.fake.fault(POSTS, fault);
    test.calls(GENERAL, ANNA, "hello");
    test.fake
        .until("the post", |world| {
            world.requests(POSTS).first().map(|_| ())
        })
        .await;
    tokio::time::sleep(Duration::from_millis(50)).await;
    test.kith.kill();
    test
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_said_when_it_was_killed_is_not_said_again() {
    for is_nonce_known in [true, false] {
        let mut test = killed_while_sending(Fault::DoneButHang).await;
        if !is_nonce_known {
            test.fake.nonces_expire_after(0);
        }
        test.starts().await;
        assert_eq!(test.posts_in_peace(GENERAL).await, 1, "{}", test.log());
        test.kith.stop();
        assert_eq!(test.stored(GENERAL).await, ["@juno hello", "answer 1"]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_not_said_yet_when_it_was_killed_is_said_once() {
    let mut test = killed_while_sending(Fault::Hang).await;
    test.starts().await;
    assert_eq!(test.post(GENERAL, 0).await, "answer 1");
    assert_eq!(test.posts_in_peace(GENERAL).await, 1, "{}", test.log());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_not_said_an_hour_ago_is_dropped_and_reported() {
    let mut test = killed_while_sending(Fault::Hang).await;
    test.time_passes(HOUR);
    test.starts().await;
    test.kith
        .until_logged("1 of its messages were not sent in #general")
        .await;
    test.posts_in_peace(GENERAL).await;
    let posts: Vec<_> = test
        .fake
        .posts(GENERAL)
        .into_iter()
        .map(|post| post.text)
        .collect();
    assert!(!posts.contains(&"answer 1".to_owned()), "{posts:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_said_while_a_guild_has_an_outage_is_read_when_it_is_over() {
    let (prompts, answer) = remembering();
    let test = DiscordTest::of(World::small(), "", &on(GENERAL), answer).await;
    test.fake.says(GENERAL, BEN, "before it");
    test.is_stored("before it").await;
    test.fake.guild_outage(GUILD);
    test.calls(GENERAL, ANNA, "during it");
    assert_eq!(
        test.posts_in_peace(GENERAL).await,
        0,
        "nothing is heard of a guild that is away"
    );
    test.fake.guild_comes_back(GUILD);
    assert_eq!(test.post(GENERAL, 0).await, "answer 1");
    let prompts = prompts.lock().unwrap();
    assert_has(&prompts[0], ["before it", "during it"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_outage_of_all_of_discord_is_told_in_the_log_channel_when_it_is_over() {
    let fake = FakeDiscord::start(World::small());
    let (_, answer) = remembering();
    let tables = format!("[discord.log]\nchannel = \"{LOG}\"\n{}", on(GENERAL));
    let test = DiscordTest::on(fake, NEVER_UNASKED, &tables, answer).await;
    test.fake.says(GENERAL, BEN, "the first word");
    test.is_stored("the first word").await;
    test.fake.chaos(Some(Chaos::new(1, [(1.0, Fault::Drop)])));
    test.fake.door(ConnectionPolicy::Slammed);
    test.fake.break_links(LinkFault::Drop);
    test.calls(GENERAL, ANNA, "into the void");
    test.kith.until_logged("Discord cannot be reached").await;
    test.fake.chaos(None);
    test.fake.door(ConnectionPolicy::Open);
    let told = |world: &World, words: &str| {
        world
            .posts(LOG)
            .iter()
            .any(|post| serde_json::to_string(&post.embeds).unwrap().contains(words))
    };
    let is_told = |world: &World| {
        (told(world, "Discord cannot be reached")
            && told(world, "out of reach for")
            && told(world, "is back"))
        .then_some(())
    };
    test.fake.until("the notices", is_told).await;
    assert_eq!(test.post(GENERAL, 0).await, "answer 1");
}
