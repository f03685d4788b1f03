//! The panel of the memory: where a fact comes from, its correction and deletion, core memory, and the search.

use super::*;
use crate::memory_seed::{build_episode, build_fact, remember};
use kith_testkit::assert_has;

/// Adds a line to core memory, and takes it back.
pub async fn edit_a_block(browser: &Browser) {
    browser.click("[data-view=blocks]").await;
    browser.click(".core-block [data-act=edit]").await;
    browser
        .find(".core-block textarea")
        .await
        .send_keys("Ben bakes")
        .await
        .unwrap();
    browser.click(".core-block .primary").await;
    browser.until("return document.querySelector('.core-block .lines')?.textContent.includes('Ben bakes')").await;
    browser
        .until("return document.querySelector('.core-block .lines time') !== null")
        .await;
    browser.click(".core-block [data-act=undo]").await;
    browser
        .until("return !document.querySelector('.core-block').textContent.includes('Ben bakes')")
        .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_remembered_is_seen_with_its_sources_corrected_and_erased_from_the_page() {
    let Some(browser) = Browser::open("en").await else {
        return;
    };
    let mut kith = start_kith().await;
    let said = kith.says("Ben, you play the <b>cello</b>").await["id"].clone();
    let source = said.as_str().unwrap();
    let drafts = vec![
        build_fact(3, "plays the <b>cello</b>", source),
        build_episode("Anna praised Ben", source),
    ];
    remember(&mut kith, drafts).await;
    browser.page.goto(&kith.entry).await.unwrap();
    browser.find(".message").await;
    let toggle = browser.find("#memory-toggle").await;
    browser
        .js("document.querySelector('#memory-toggle').focus()")
        .await;
    toggle.send_keys(&Key::Enter.to_string()).await.unwrap();
    browser.click(".remembered-person summary").await;
    let fact = browser.text(".memory-entry").await;
    for part in ["plays the <b>cello</b>", "hearsay", "said by Anna"] {
        assert!(fact.contains(part), "no {part} in {fact}");
    }
    browser.click(".memory-entry [data-act=sources]").await;
    browser.find(".origins .quoted").await;
    browser.click(".origins [data-act=go]").await;
    browser
        .until("return document.activeElement.classList.contains('message')")
        .await;

    change_fact(&browser, "plays the viola").await;
    browser.click(".memory-entry [data-act=sources]").await;
    browser.click(".origins [data-act=undo]").await;
    browser.until("return document.querySelector('.memory-entry .text')?.textContent === 'plays the <b>cello</b>'").await;
    assert_eq!(
        browser
            .js("return document.querySelectorAll('#memory b').length")
            .await,
        0
    );
    erase_last_fact(&browser).await;

    browser.click("[data-view=episodes]").await;
    assert_has(browser.text(".episodes").await, ["Anna praised Ben"]);
    edit_a_block(&browser).await;

    let field = browser.find("#memory input").await;
    field.send_keys("cello").await.unwrap();
    field.send_keys(&Key::Enter.to_string()).await.unwrap();
    assert_has(browser.text(".reasons").await, ["its words"]);
    assert_has(browser.text(".found").await, ["<b>cello</b>"]);
    field.clear().await.unwrap();
    field.send_keys("who praised Ben").await.unwrap();
    field.send_keys(&Key::Enter.to_string()).await.unwrap();
    browser
        .until("return document.querySelector('.memory-entry + .reasons b')?.textContent.startsWith('+')")
        .await;
    browser
        .find("#memory input")
        .await
        .send_keys(&Key::Escape.to_string())
        .await
        .unwrap();
    browser
        .until("return document.activeElement.id === 'memory-toggle'")
        .await;
    browser.close().await;
}

pub async fn change_fact(browser: &Browser, words: &str) {
    browser.click(".memory-entry [data-act=edit]").await;
    let field = browser.find(".memory-entry textarea").await;
    field.clear().await.unwrap();
    field.send_keys(words).await.unwrap();
    field.send_keys(&Key::Enter.to_string()).await.unwrap();
    let is_there = format!(
        "return document.querySelector('.memory-entry .text')?.textContent === {}",
        json!(words)
    );
    browser.until(&is_there).await;
}

pub async fn erase_last_fact(browser: &Browser) {
    browser.click(".memory-entry [data-act=erase]").await;
    browser.click(".memory-entry .sure").await;
    browser.until("return document.querySelector('.memory-body').textContent.startsWith('It knows nothing')").await;
}
