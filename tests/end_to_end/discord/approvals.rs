//! Calls of tools that wait for a moderator's click in the log channel, and what is denied.

use kith_testkit::{assert_has, assert_lacks};
use serde_json::json;

use crate::discord::fake_discord::permissions as may;
use crate::discord::prelude::*;

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
    assert_eq!(test.talk(channel, ANNA, "note it").await, "as you like");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_moderator_approves_a_call_that_anybody_asked_for_and_it_runs_once() {
    let mut world = World::small();
    world.overwrite(LOG, For::Role(GUILD), may::VIEW_CHANNEL, 0);
    let (mut test, shown) =
        DiscordTest::watched(world, "", &(NOTES.to_owned() + &guild()), notes).await;
    asked(&test, GENERAL).await;
    assert_has(
        shown.last(),
        ["a person has to approve that you call core_memory_append"],
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
    assert_has(&refused, ["Only members with the permission Manage Server"]);
    let approved = said(
        &test
            .presses(LOG, MO, card.id, &button(&card, "approve"))
            .await,
    );
    assert_has(&approved, ["Approved: Call core"]);
    let done = |world: &World| {
        let now = world.message(LOG, card.id)?;
        (said(now).contains("Approved by Mo: done.") && now.components.is_empty()).then_some(())
    };
    test.fake.until("it is done", done).await;
    test.restarts().await;
    for (told, text) in [(true, "and now?"), (false, "and again?")] {
        test.talk(GENERAL, ANNA, text).await;
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
        .until_true("no card", |world| world.message(LOG, card.id).is_none())
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
    assert_has(
        shown.last(),
        ["there is no log channel in which somebody could approve it"],
    );
    asked(&test, direct).await;
    assert_has(
        shown.last(),
        ["nobody else may read what is said in a direct message"],
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_denied_comes_back_to_the_model_and_stands_on_the_turns_card() {
    let tables = "[tool.core_memory_append]\ncaused_by = \"moderators\"\n".to_owned() + &guild();
    let (test, shown) = DiscordTest::watched(World::small(), "", &tables, notes).await;
    asked(&test, GENERAL).await;
    assert_has(
        shown.last(),
        ["denied: Anna may not have core_memory_append done"],
    );
    let entry = test.logged(LOG, "✗ core\\_memory\\_append (denied)").await;
    assert_lacks(said(&entry), ["Anna", "juggles"]);
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
    assert_eq!(test.talk(GENERAL, ANNA, "note more").await, "as you like");
    assert_has(
        shown.last(),
        ["it is too long to be shown whole to who would approve it"],
    );
    let cards = test
        .fake
        .posts(LOG)
        .iter()
        .filter(|post| !post.components.is_empty() && said(post).contains("approves it within"))
        .count();
    assert_eq!(cards, 1);
}
