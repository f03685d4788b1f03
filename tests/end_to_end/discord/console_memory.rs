//! The memory in the console while the companion lives on Discord: seen by channel, server and person with where it comes
//! from, searched, corrected and erased by who has the token.

use fantoccini::key::Key;
use kith_core::chat::{ChannelId, UserId};
use kith_core::memory_entry::MemoryDraft;
use serde_json::{Value, json};

use crate::discord::prelude::*;
use crate::memory_seed::{build_episode, build_fact, remember};
use crate::room_browser::memory::{change_fact, edit_a_block, erase_last_fact};
use crate::room_browser::{Browser, free_port};

/// What is remembered of a channel, of somebody or of what happened there.
fn in_channel(mut draft: MemoryDraft, channel: Id) -> MemoryDraft {
    draft.content.channel = ChannelId(channel);
    draft.content.said_by = draft.content.said_by.map(|_| UserId(ANNA));
    draft.content.people = draft.content.people.iter().map(|_| UserId(ANNA)).collect();
    draft
}

/// A `kith` on Discord with an open console, which remembers something of two channels.
async fn with_memories() -> DiscordTest {
    let port = free_port();
    let tables = format!(
        "{}{}[console]\nlisten = \"{port}\"\n",
        on(GENERAL),
        on(RANDOM)
    );
    let mut test = DiscordTest::of(World::small(), "", &tables, |_| say("hi Anna")).await;
    let of_ben = test.fake.says(RANDOM, ANNA, "Ben bakes rye bread");
    let source = test.fake.says(GENERAL, ANNA, "@Juno I play the xylophone");
    test.post(GENERAL, 0).await;
    let (of_ben, source) = (of_ben.to_string(), source.to_string());
    let drafts = vec![
        in_channel(
            build_fact(ANNA, "plays the <b>xylophone</b>", &source),
            GENERAL,
        ),
        in_channel(build_fact(BEN, "bakes rye bread", &of_ben), RANDOM),
        in_channel(build_episode("Anna showed her xylophone", &source), GENERAL),
    ];
    remember(&mut test.kith, drafts).await;
    test.is_there().await;
    test.reach_console(port);
    test
}

fn texts(answer: &Value) -> Vec<&str> {
    let memories = answer["memories"].as_array().unwrap().iter();
    memories.map(|one| one["text"].as_str().unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_remembered_on_discord_is_listed_by_channel_server_and_person() {
    let test = with_memories().await;
    let kith = &test.kith;
    let places = kith.ask_memory(json!({ "ask": "memory_places" })).await;
    let listed = places["channels"].as_array().unwrap().iter();
    let listed: Vec<_> = listed.map(|it| (&it["id"], &it["memories"])).collect();
    let (general, random) = (json!(GENERAL.to_string()), json!(RANDOM.to_string()));
    assert_eq!(listed, [(&general, &json!(2)), (&random, &json!(1))]);
    assert_eq!(places["guilds"][0]["id"], json!(GUILD.to_string()));

    let all = kith.ask_memory(json!({ "ask": "all_memories" })).await;
    assert_eq!(texts(&all).len(), 3, "{all}");
    let of_guild = json!({ "ask": "all_memories", "guild": GUILD.to_string() });
    assert_eq!(texts(&kith.ask_memory(of_guild).await).len(), 3);
    let elsewhere = json!({ "ask": "all_memories", "guild": "4711" });
    assert!(texts(&kith.ask_memory(elsewhere).await).is_empty());
    let of_ben = json!({ "ask": "all_memories", "person": BEN.to_string() });
    assert_eq!(texts(&kith.ask_memory(of_ben).await), ["bakes rye bread"]);
    let found = json!({ "ask": "search_memory", "text": "who bakes bread?" });
    assert_eq!(texts(&kith.ask_memory(found).await), ["bakes rye bread"]);
    let both = json!({ "ask": "all_memories", "guild": GUILD.to_string(), "channel": general });
    assert!(kith.try_ask_memory(both).await.is_err());
}

/// Chooses what a field of the filter offers under these words.
async fn choose(browser: &Browser, filter: &str, words: &str) {
    browser.find(&format!("[data-filter={filter}]")).await;
    let choose = "const field = document.querySelector(`[data-filter=${arguments[0]}]`);
        field.value = [...field.options].find((one) => one.textContent.startsWith(arguments[1])).value;
        field.dispatchEvent(new Event('change'))";
    let page = &browser.page;
    page.execute(choose, vec![json!(filter), json!(words)])
        .await
        .unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_consoles_memory_shows_people_and_core_memory_and_changes_them_with_a_click() {
    let Some(browser) = Browser::open("en").await else {
        return;
    };
    let test = with_memories().await;
    let entry = format!("{}/?token={}", test.kith.url, test.kith.token);
    browser.page.goto(&entry).await.unwrap();
    browser.click("#views a[href='#memory']").await;
    browser
        .until("return document.querySelector('h1')?.textContent === 'Memory'")
        .await;
    browser
        .until("return document.querySelectorAll('.remembered-person').length === 2")
        .await;

    choose(&browser, "channel", "#general").await;
    browser
        .until("return document.querySelector('h1')?.textContent === 'Memory in #general'")
        .await;
    browser
        .until("return document.querySelectorAll('.remembered-person').length === 2")
        .await;
    choose(&browser, "person", "Anna").await;
    browser
        .until("return document.querySelectorAll('.remembered-person').length === 1")
        .await;
    browser.click(".remembered-person summary").await;
    browser.click(".memory-entry [data-act=sources]").await;
    browser.until("return document.querySelector('.origins')?.textContent.includes('I play the xylophone')").await;
    change_fact(&browser, "plays the viola").await;
    assert_eq!(
        browser
            .js("return document.querySelectorAll('.memory-entry .text b').length")
            .await,
        0
    );
    erase_last_fact(&browser).await;

    edit_a_block(&browser).await;

    browser.click("a[href='#memory']").await;
    browser
        .until("return document.querySelector('h1')?.textContent === 'Memory'")
        .await;
    let field = browser.find(".filter input").await;
    field.send_keys("bread").await.unwrap();
    field.send_keys(&Key::Enter.to_string()).await.unwrap();
    browser
        .until("return document.querySelector('.found')?.textContent.includes('bakes rye bread')")
        .await;
    browser.close().await;
}
