//! What somebody meets who opens the page for the first time and has no model yet.

use super::*;
use kith_testkit::assert_has;

#[tokio::test]
async fn the_demo_answers_the_first_mention_at_once_in_one_message_that_says_what_to_do_next() {
    let Some((browser, kith)) = open_room().await else {
        return;
    };
    browser.say("Anna", "@Juno good evening").await;
    browser.find(".message.own .badge").await;
    browser.find(".turn.acted").await;
    browser
        .until("return document.querySelector('.state').textContent === 'Listening'")
        .await;
    let said = browser.messages().await;
    assert_eq!(said.len(), 2, "{said:?}");
    assert_has(
        &said[1],
        ["a demo and not a language model", "click “Connect a model”"],
    );
    // What it names is there.
    browser.click("#model").await;
    browser
        .until("return document.querySelector('dialog h2').textContent === 'Connect a model'")
        .await;
    let turn = kith.ended_turn(1).await;
    let rounds = turn["report"]["rounds"].as_array().unwrap();
    assert_eq!(rounds.len(), 1, "{turn}");
    browser.close().await;
}

#[tokio::test]
async fn emoji_have_fonts_of_their_own_behind_those_of_letters() {
    let Some((browser, kith)) = open_room().await else {
        return;
    };
    // Not every driver can type them.
    kith.says("@Ben 🦀 👍🏽").await;
    browser.find(".message .text").await;
    for place in ["body", "#write", ".message .text", "button"] {
        let script = format!(
            "return getComputedStyle(document.querySelector({place:?})).fontFamily.split(', ').slice(-3).join()"
        );
        let last = browser.js(&script).await;
        assert_eq!(
            last, "\"Apple Color Emoji\",\"Segoe UI Emoji\",\"Noto Color Emoji\"",
            "{place}"
        );
    }
    browser.close().await;
}
