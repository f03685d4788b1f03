//! A turn that waits for a person, or whose tools take their time: what it shows, and what ends it.

use super::*;

#[tokio::test]
async fn what_waits_for_approval_is_shown_whole_and_decided_on_by_keyboard() {
    let Some(browser) = Browser::open("en").await else {
        return;
    };
    let kith = start_kith_that_asks_for_approval().await;
    browser.page.goto(&kith.entry).await.unwrap();
    assert_eq!(
        browser
            .js("return document.querySelector('#pending').hidden")
            .await,
        true
    );
    browser.say("Anna", "@Juno note it").await;
    let card = browser.text("#pending article").await;
    for part in [
        "It wants to call core_memory_append",
        "asked for by Anna",
        "<b>tea</b>",
        "Approve",
        "Drop",
    ] {
        assert!(card.contains(part), "no {part} in {card}");
    }
    browser.page.refresh().await.unwrap();
    let approve = browser.find("#pending [data-act=approve]").await;
    browser
        .js("document.querySelector('#pending [data-act=approve]').focus()")
        .await;
    approve.send_keys(&Key::Enter.to_string()).await.unwrap();
    browser
        .until("return document.querySelector('#pending').hidden")
        .await;
    browser
        .until("return document.activeElement.id === 'write'")
        .await;
    browser.say("Anna", "@Juno and now?").await;
    browser
        .until("return document.querySelectorAll('.message.own').length === 2")
        .await;
    browser.close().await;
}

#[tokio::test]
async fn what_tools_tell_is_seen_while_they_run_and_ends_with_a_click() {
    let Some(browser) = Browser::open("en").await else {
        return;
    };
    let kith = start_kith_with_slow_task().await;
    browser.page.goto(&kith.entry).await.unwrap();
    browser.say("Anna", "@Juno look it up").await;
    browser
        .until(
            "return document.querySelector('.turn.running .more')?.textContent === 'task: chart'",
        )
        .await;
    browser.click(".turn.running .what").await;
    browser.find(".turn.running .news pre").await;
    let news = browser
        .js("return document.querySelector('.turn.running .news').textContent")
        .await;
    for part in [
        "Round 1 of the task",
        "first the sum",
        "20 + 22",
        "42",
        "half <b>way</b>",
        "chart",
        "\"<b>\"",
    ] {
        assert!(news.as_str().unwrap().contains(part), "no {part} in {news}");
    }
    assert_eq!(
        browser
            .js("return document.querySelectorAll('.news b').length")
            .await,
        0
    );
    // Who opens the page now sees the same.
    browser.page.refresh().await.unwrap();
    browser.find(".turn.running [data-act=stop]").await;
    let stops = browser.find(".turn.running [data-act=stop-call]").await;
    assert_eq!(stops.text().await.unwrap(), "Stop task");
    browser.click(".turn.running .what").await;
    browser
        .until(
            "return document.querySelector('.turn.running .news')?.textContent.includes('chart')",
        )
        .await;
    browser.click(".turn.running .what").await;
    browser.click(".turn.running [data-act=stop]").await;
    browser.until("return document.querySelector('.turn.silent .more')?.textContent === 'somebody stopped it'").await;
    // Its report is on its way to the store.
    tokio::time::sleep(Duration::from_millis(500)).await;
    browser.click(".turn.silent .what").await;
    browser
        .until("return document.querySelector('.turn.silent .news')?.textContent.includes('chart')")
        .await;
    browser
        .until("return document.querySelector('.state').textContent === 'Listening'")
        .await;
    browser.close().await;
}
