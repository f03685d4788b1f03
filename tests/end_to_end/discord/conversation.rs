//! Being spoken to and answering: mentions, bursts, threads, direct messages, edits and deletions.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::discord::discord_test::{DiscordTest, on, remembering, say};
use crate::discord::fake_discord::{ANNA, BEN, GENERAL, GUILD, RANDOM, World};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mention_makes_it_type_and_answer() {
    let test = DiscordTest::of(World::small(), "", &on(GENERAL), |_| say("hi Anna")).await;
    test.fake.says(
        GENERAL,
        ANNA,
        &format!("<@{}> hello", crate::discord::fake_discord::BOT),
    );
    assert_eq!(test.post(GENERAL, 0).await, "hi Anna");
    let (typed, post) = test.fake.world(|world| {
        let channel = world.channel(GENERAL);
        (channel.typing.clone(), world.posts(GENERAL)[0].clone())
    });
    assert!(!typed.is_empty(), "{}", test.log());
    assert!(post.nonce_text().is_some());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thought_in_three_messages_is_answered_once_with_all_of_it_in_sight() {
    let (prompts, answer) = remembering();
    let test = DiscordTest::of(World::small(), "", &on(GENERAL), answer).await;
    for text in ["@Juno listen", "the thing with the boat", "it floats!"] {
        test.fake.says(GENERAL, ANNA, text);
    }
    test.post(GENERAL, 0).await;
    assert_eq!(test.posts_in_peace(GENERAL).await, 1);
    let prompts = prompts.lock().unwrap();
    assert!(
        prompts
            .iter()
            .all(|prompt| prompt.contains("the boat") && prompt.contains("it floats!")),
        "{prompts:#?}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_message_that_comes_while_it_speaks_is_looked_at_afterwards() {
    let first = Arc::new(Mutex::new(true));
    let test = DiscordTest::of(World::small(), "", &on(GENERAL), move |user| {
        if std::mem::take(&mut *first.lock().unwrap()) {
            // Long enough to type that the next message comes meanwhile.
            return "<turn><send_message>one</send_message><send_message>two</send_message></turn>"
                .into();
        }
        say(if user.contains("and another thing") {
            "seen"
        } else {
            "not seen"
        })
    })
    .await;
    test.fake.says(GENERAL, ANNA, "@Juno hello");
    test.post(GENERAL, 0).await;
    test.fake.says(GENERAL, BEN, "@Juno and another thing");
    test.fake
        .until("an answer to it", |world| {
            world
                .posts(GENERAL)
                .iter()
                .any(|post| post.text == "seen")
                .then_some(())
        })
        .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_guilds_have_two_personas_at_the_same_time() {
    let mut world = World::small();
    let owner = world.add_user("Ora");
    let second = world.add_guild("Second", owner);
    let parlour = world.add_channel(second, "parlour");
    world.join(second, BEN);
    let kith = format!(
        "[guild.{second}]\nmode = \"on\"\npersona = \"moss.toml\"\n[guild.{GUILD}]\nmode = \"on\"\n"
    );
    let fake = crate::discord::fake_discord::FakeDiscord::start(world);
    let url = crate::discord::kith_process::model_server(|system, _| {
        Some(say(if system.contains("Moss") {
            "I am Moss"
        } else {
            "I am Juno"
        }))
    })
    .await;
    let settings = crate::discord::discord_test::settings(&fake, &url, "", &kith);
    let persona = "name = \"Moss\"\nidentity = \"You are Moss, a quiet gardener.\"\n";
    let test = DiscordTest::with(fake, &settings, &[("moss.toml", persona)]).await;
    test.fake.says(parlour, BEN, "Moss, who are you?");
    test.fake.says(GENERAL, ANNA, "Juno, who are you?");
    assert_eq!(test.post(parlour, 0).await, "I am Moss");
    assert_eq!(test.post(GENERAL, 0).await, "I am Juno");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thread_below_a_channel_that_is_on_is_a_channel_of_its_own() {
    let (prompts, answer) = remembering();
    let test = DiscordTest::of(World::small(), "", &on(GENERAL), answer).await;
    let thread = test.fake.opens_thread(GENERAL, ANNA, "plans");
    test.fake
        .says(thread, ANNA, "@Juno here is the secret plan");
    assert_eq!(test.post(thread, 0).await, "answer 1");
    test.fake.says(GENERAL, BEN, "@Juno hi");
    assert_eq!(test.post(GENERAL, 0).await, "answer 2");
    assert!(
        !prompts.lock().unwrap()[1].contains("secret plan"),
        "its name alone brings nothing to mind"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_direct_message_is_answered_where_direct_messages_are_on() {
    let mut world = World::small();
    let direct = world.dm(ANNA);
    let test = DiscordTest::of(world, "", "direct_messages = \"on\"\n", |_| say("just us")).await;
    test.fake.says(direct, ANNA, "psst");
    assert_eq!(test.post(direct, 0).await, "just us");
    assert_eq!(test.posts_in_peace(GENERAL).await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_it_observes_it_reads_along_and_never_speaks() {
    let settings = format!("[channel.{GENERAL}]\nmode = \"observe\"\n") + &on(RANDOM);
    let (prompts, answer) = remembering();
    let test = DiscordTest::of(World::small(), "", &settings, answer).await;
    test.fake.says(GENERAL, ANNA, "@Juno the rhubarb is ripe");
    assert_eq!(test.posts_in_peace(GENERAL).await, 0);
    assert!(prompts.lock().unwrap().is_empty());
    assert!(
        !test.kith.files_with("rhubarb").is_empty(),
        "what is observed is remembered"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn edits_and_deletions_hold_in_the_next_prompt() {
    let (prompts, answer) = remembering();
    let test = DiscordTest::of(World::small(), "", &on(GENERAL), answer).await;
    let first = test.fake.says(GENERAL, ANNA, "we meet at the lighthouse");
    let second = test.fake.says(GENERAL, BEN, "my password is swordfish");
    test.fake.says(GENERAL, ANNA, "@Juno did you see?");
    test.post(GENERAL, 0).await;
    test.fake.edits(GENERAL, first, "we meet at the harbour");
    test.fake.deletes(GENERAL, &[second]);
    tokio::time::sleep(Duration::from_millis(100)).await;
    test.fake.says(GENERAL, ANNA, "@Juno and now?");
    test.post(GENERAL, 1).await;
    let prompts = prompts.lock().unwrap();
    let last = prompts.last().unwrap();
    assert!(
        last.contains("the harbour") && !last.contains("lighthouse"),
        "{last}"
    );
    assert!(!last.contains("swordfish"), "{last}");
    assert!(prompts[0].contains("swordfish"));
}
