//! Calls of tools that wait for a moderator's click in the log channel, and what is denied.

use serde_json::json;

use crate::discord::discord_test::{DiscordTest, on, say};
use crate::discord::fake_discord::{
    ANNA, BOT, For, GENERAL, GUILD, LOG, MO, Message, World, permissions as may,
};
use crate::discord::people::{button, said};

const NOTES: &str = "[tool.core_memory_append]\napproval = true\n";

fn guild() -> String {
    format!("[guild.{GUILD}]\nmode = \"on\"\nlog_channel = \"{LOG}\"\n")
}

/// A model that notes something when it is asked to, as long as it knows of no result.
fn notes(prompt: &str) -> String {
    let knows = [
        "has to approve",
        "not done",
        "denied",
        "approved that you",
        "said no",
    ];
    let asked = prompt
        .lines()
        .rfind(|line| line.contains("Anna:") || line.contains("Mo:"))
        .unwrap_or_default();
    match asked.contains("note it") && !knows.iter().any(|known| prompt.contains(known)) {
        true => {
            "<turn><core_memory_append label=\"people\">Ben juggles</core_memory_append></turn>"
                .into()
        }
        false => say("as you like"),
    }
}

async fn card(test: &DiscordTest) -> Message {
    let asks = |post: &&Message| {
        post.components
            .iter()
            .any(|row| row.to_string().contains("kith:approve:"))
    };
    test.fake
        .until("a card", |world| {
            world.posts(LOG).into_iter().find(asks).cloned()
        })
        .await
}

async fn asked(test: &DiscordTest, channel: u64) {
    let known = test.fake.posts(channel).len();
    test.fake.says(channel, ANNA, &format!("<@{BOT}> note it"));
    assert_eq!(test.post(channel, known).await, "as you like");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_moderator_approves_a_call_that_anybody_asked_for_and_it_runs_once() {
    let mut world = World::small();
    world.overwrite(LOG, For::Role(GUILD), may::VIEW_CHANNEL, 0);
    let (mut test, shown) =
        DiscordTest::watched(world, "", &(NOTES.to_owned() + &guild()), notes).await;
    asked(&test, GENERAL).await;
    assert!(
        shown
            .last()
            .contains("a person has to approve that you call core_memory_append"),
        "{}",
        shown.last()
    );
    let card = card(&test).await;
    for text in [
        "Call core\\_memory\\_append?",
        "Ben juggles",
        "Asked for by",
        "Anna",
        "#general",
        "within 1 h",
    ] {
        assert!(said(&card).contains(text), "{text} in {}", said(&card));
    }
    let refused = said(
        &test
            .presses(LOG, ANNA, card.id, &button(&card, "approve"))
            .await,
    );
    assert!(
        refused.contains("Only members with the permission Manage Server"),
        "{refused}"
    );
    let approved = said(
        &test
            .presses(LOG, MO, card.id, &button(&card, "approve"))
            .await,
    );
    assert!(approved.contains("Approved: Call core"), "{approved}");
    let done = |world: &World| {
        let now = world.message(LOG, card.id)?;
        (said(now).contains("Approved by Mo: done.") && now.components.is_empty()).then_some(())
    };
    test.fake.until("it is done", done).await;
    test.restarts().await;
    for (told, text) in [(true, "and now?"), (false, "and again?")] {
        let known = test.fake.posts(GENERAL).len();
        test.fake.says(GENERAL, ANNA, &format!("<@{BOT}> {text}"));
        test.post(GENERAL, known).await;
        let prompt = shown.last();
        assert_eq!(
            prompt.contains("somebody approved that you call core_memory_append"),
            told,
            "{prompt}"
        );
        assert_eq!(
            prompt.matches("Ben juggles").count(),
            if told { 2 } else { 1 },
            "noted once: {prompt}"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_asked_and_is_forgotten_takes_the_call_and_its_card_along() {
    let (test, _) =
        DiscordTest::watched(World::small(), "", &(NOTES.to_owned() + &guild()), notes).await;
    asked(&test, GENERAL).await;
    let card = card(&test).await;
    let wish = test
        .asks(GENERAL, ANNA, "kith forget me", json!({ "where": "all" }))
        .await;
    test.confirms(GENERAL, ANNA, &wish, "forget").await;
    test.fake
        .until("no card", |world| {
            world.message(LOG, card.id).is_none().then_some(())
        })
        .await;
    test.is_gone("juggles").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_nobody_can_be_asked_nothing_waits() {
    let mut world = World::small();
    let direct = world.dm(ANNA);
    let (test, shown) = DiscordTest::watched(
        world,
        "",
        &("direct_messages = \"on\"\n".to_owned() + NOTES + &on(GENERAL)),
        notes,
    )
    .await;
    asked(&test, GENERAL).await;
    assert!(
        shown
            .last()
            .contains("there is no log channel in which somebody could approve it"),
        "{}",
        shown.last()
    );
    asked(&test, direct).await;
    assert!(
        shown
            .last()
            .contains("nobody else may read what is said in a direct message"),
        "{}",
        shown.last()
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_denied_comes_back_to_the_model_and_stands_on_the_turns_card() {
    let tables = "[tool.core_memory_append]\ncaused_by = \"moderators\"\n".to_owned() + &guild();
    let (test, shown) = DiscordTest::watched(World::small(), "", &tables, notes).await;
    asked(&test, GENERAL).await;
    assert!(
        shown
            .last()
            .contains("denied: Anna may not have core_memory_append done"),
        "{}",
        shown.last()
    );
    let entry = test.logged(LOG, "✗ core\\_memory\\_append (denied)").await;
    assert!(
        !said(&entry).contains("Anna") && !said(&entry).contains("juggles"),
        "{}",
        said(&entry)
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_decides_is_shown_all_of_it_or_is_not_asked() {
    let long = |times| format!("begins {}ends", "*so* it goes. ".repeat(times));
    let model = move |prompt: &str| {
        let knows = ["has to approve", "too long to be shown"]
            .iter()
            .any(|known| prompt.contains(known));
        let asked = prompt
            .lines()
            .rfind(|line| line.contains("Anna:"))
            .unwrap_or_default();
        let times = [("note it", 180), ("note more", 500)]
            .into_iter()
            .find(|(words, _)| asked.contains(words));
        match times.filter(|_| !knows) {
            Some((_, times)) => {
                format!(
                    "<turn><core_memory_append label=\"people\">{}</core_memory_append></turn>",
                    long(times)
                )
            }
            None => say("as you like"),
        }
    };
    let (test, shown) =
        DiscordTest::watched(World::small(), "", &(NOTES.to_owned() + &guild()), model).await;
    asked(&test, GENERAL).await;
    let card = card(&test).await;
    let fields = card.embeds[0]["fields"].as_array().unwrap();
    let text: String = fields
        .iter()
        .filter(|field| field["name"].as_str().unwrap().ends_with("text"))
        .map(|field| field["value"].as_str().unwrap())
        .collect();
    let plain = |text: &str| {
        text.replace('\\', "")
            .split_whitespace()
            .collect::<String>()
    };
    assert_eq!(plain(&text), plain(&long(180)), "{fields:?}");
    test.fake
        .says(GENERAL, ANNA, &format!("<@{BOT}> note more"));
    assert_eq!(test.post(GENERAL, 1).await, "as you like");
    assert!(
        shown
            .last()
            .contains("it is too long to be shown whole to who would approve it"),
        "{}",
        shown.last()
    );
    let cards = test
        .fake
        .posts(LOG)
        .iter()
        .filter(|post| !post.components.is_empty() && said(post).contains("approves it within"))
        .count();
    assert_eq!(cards, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_poll_is_posted_once_it_is_approved_though_its_turn_is_over_and_a_restart_came_between() {
    let model = |prompt: &str| {
        match prompt.contains("has to approve") {
        true => say("as you like"),
        false => {
            "<turn><create_poll question=\"which film?\"><answers>[\"Heat\", \"Ran\"]</answers></create_poll></turn>"
                .into()
        }
    }
    };
    let tables = format!(
        "[tool.create_poll]\napproval = true\n{}[channel.{GENERAL}]\ntools = [\"default\", \"create_poll\"]\n",
        guild()
    );
    let mut world = World::small();
    world.bot_may(GUILD, may::SEND_POLLS);
    let mut test = DiscordTest::of(world, "", &tables, model).await;
    test.fake
        .says(GENERAL, ANNA, &format!("<@{BOT}> let us vote"));
    assert_eq!(test.post(GENERAL, 0).await, "as you like");
    let card = card(&test).await;
    assert!(said(&card).contains("Heat"), "{}", said(&card));
    test.restarts().await;
    test.presses(LOG, MO, card.id, &button(&card, "approve"))
        .await;
    let poll = |world: &World| {
        world
            .posts(GENERAL)
            .iter()
            .find_map(|post| post.poll.clone())
    };
    assert_eq!(
        test.fake.until("a poll", poll).await["answers"][1]["poll_media"]["text"],
        "Ran"
    );
    let done = |world: &World| {
        said(world.message(LOG, card.id)?)
            .contains("Approved by Mo: done.")
            .then_some(())
    };
    test.fake.until("it is done", done).await;
    assert_eq!(
        test.fake
            .posts(GENERAL)
            .iter()
            .filter(|post| post.poll.is_some())
            .count(),
        1
    );
}
