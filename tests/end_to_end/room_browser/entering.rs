//! Getting into the room, staying in it while Kith is away, and using it on a phone.

use super::*;
use kith_testkit::assert_has;

#[tokio::test]
async fn one_click_on_the_printed_address_opens_the_room_for_good_and_without_it_nobody_comes_in() {
    let Some(browser) = Browser::open("en").await else {
        return;
    };
    let mut kith = start_kith().await;
    let closed = "return document.querySelector('h1')?.textContent === 'This room is closed'";
    browser.page.goto(&kith.url).await.unwrap();
    browser.until(closed).await;
    assert_eq!(
        browser
            .js("return getComputedStyle(document.querySelector('h1')).fontSize")
            .await,
        "22.4px"
    );

    browser.page.goto(&kith.entry).await.unwrap();
    browser.say("Anna", "@Ben before").await;
    browser.find(".message").await;
    let shown = browser.js("return location.href").await;
    assert_eq!(
        shown,
        format!("{}/", kith.url),
        "the token is gone from the address bar"
    );
    assert_eq!(
        browser.js("return document.cookie").await,
        "",
        "no script reads it"
    );
    browser.page.refresh().await.unwrap();
    browser.find(".message").await;

    // A bookmark, after a restart.
    kith.stop();
    kith.start();
    browser.page.goto(&kith.url).await.unwrap();
    browser.find(".message").await;
    browser.say("Anna", "@Ben after").await;
    browser
        .until("return document.querySelectorAll('.message').length === 2")
        .await;

    // Who deletes the token shuts everybody out, open pages too.
    kith.stop();
    std::fs::remove_file(kith.dir.path().join("data/room.token")).unwrap();
    kith.start();
    browser.until(closed).await;
    browser.page.goto(&kith.entry).await.unwrap();
    browser
        .until("return document.querySelectorAll('.message').length === 2")
        .await;
    browser.page.clone().close().await.unwrap();
}

#[tokio::test]
async fn what_is_written_while_kith_is_away_arrives_once_when_it_is_back() {
    let Some((browser, mut kith)) = open_room().await else {
        return;
    };
    browser.say("Anna", "@Ben before").await;
    browser.find(".message").await;
    kith.kill();
    browser
        .until("return !document.querySelector('#away').hidden")
        .await;
    browser.say("Anna", "@Ben meanwhile").await;
    assert_has(
        browser.text(".stuck").await,
        ["kith does not answer; is it still running?"],
    );
    kith.start();
    browser
        .until("return document.querySelectorAll('.message').length === 2")
        .await;
    browser
        .until("return document.querySelector('#away').hidden && !document.querySelector('.stuck')")
        .await;
    assert_eq!(browser.messages().await, ["@Ben before", "@Ben meanwhile"]);
    browser.page.clone().close().await.unwrap();
}

#[tokio::test]
async fn people_and_channels_are_added_and_a_model_connected_from_the_page() {
    let Some(browser) = Browser::open("en").await else {
        return;
    };
    let kith = start_kith().await;
    let model =
        kith_process::model(|_| "<turn><send_message>a real answer</send_message></turn>".into())
            .await;
    browser.page.goto(&kith.entry).await.unwrap();
    browser.find(".as button").await;
    browser.click("#add-person").await;
    browser
        .find("#add-name")
        .await
        .send_keys("Dora")
        .await
        .unwrap();
    browser.click("dialog .primary").await;
    browser
        .until(
            "return document.querySelector('.as [aria-checked=true]').textContent.includes('Dora')",
        )
        .await;
    browser.click("#add-channel").await;
    browser
        .find("#add-name")
        .await
        .send_keys("garden")
        .await
        .unwrap();
    browser.click("dialog .primary").await;
    browser
        .until("return document.querySelector('#channel-name').textContent === '# garden'")
        .await;
    browser
        .until("return document.querySelector('dialog') === null")
        .await;

    assert_has(browser.text("#model").await, ["Stand-in"]);
    browser.click("#model").await;
    let url = browser.find("#model-url").await;
    url.clear().await.unwrap();
    url.send_keys(&model).await.unwrap();
    browser
        .find("#model-name")
        .await
        .send_keys("scripted")
        .await
        .unwrap();
    browser.click("dialog .end .plain").await;
    browser
        .until("return document.querySelector('.outcome').textContent.startsWith('It works: ')")
        .await;
    browser.click("dialog .primary").await;
    browser
        .until("return document.querySelector('#model strong').textContent === 'scripted'")
        .await;
    browser.say("Dora", "@Juno hello").await;
    browser
        .until(
            "return document.querySelector('.message.own .text')?.textContent === 'a real answer'",
        )
        .await;
    browser.close().await;
}

#[tokio::test]
async fn a_phone_shows_one_part_at_a_time_in_chinese_without_scrolling_sideways() {
    let Some(browser) = Browser::open("zh-CN").await else {
        return;
    };
    let kith = start_kith().await;
    browser.page.goto(&kith.entry).await.unwrap();
    browser
        .say("Anna", &"a-long-word-that-nobody-can-break".repeat(12))
        .await;
    browser.say("Anna", "@Juno 在吗？").await;
    browser.find(".message.own").await;
    assert_eq!(
        browser.js("return document.documentElement.lang").await,
        "zh-Hans"
    );
    browser.page.set_window_size(375, 800).await.unwrap();
    browser.until("return innerWidth === 375").await;
    for pane in ["side", "chat", "mind", "memory"] {
        browser.click(&format!(".tabs [data-pane={pane}]")).await;
        let wide = browser
            .js("return document.documentElement.scrollWidth > innerWidth")
            .await;
        assert_eq!(wide, false, "{pane} is too wide");
        let shown = "return ['side', 'chat', 'mind', 'memory'].filter((id) => document.getElementById(id).offsetWidth > 0)";
        assert_eq!(browser.js(shown).await, json!([pane]));
    }
    browser.click(".tabs [data-pane=mind]").await;
    assert_has(browser.text("#willingness").await, ["开口的意愿"]);
    browser.close().await;
}

/// From here on the daemon seems to take for ever, until [`LET_ANSWERS_GO`].
const HOLD_ANSWERS: &str = "window.ask = window.fetch; window.held = [];
    window.fetch = (...question) => new Promise((go) => window.held.push(() => go(window.ask(...question))));";
const LET_ANSWERS_GO: &str = "window.fetch = window.ask; window.held.forEach((go) => go())";

#[tokio::test]
async fn a_channel_is_not_said_to_be_quiet_while_its_lines_are_still_asked_for() {
    let Some((browser, _kith)) = open_room().await else {
        return;
    };
    browser.find(".empty").await;
    browser.js(HOLD_ANSWERS).await;
    browser.click("#channels li:nth-child(2) button").await;
    browser
        .until("return document.querySelector('#channel-name').textContent === '# food'")
        .await;
    let is_told = "return document.querySelector('.empty') !== null";
    assert_eq!(browser.js(is_told).await, false);
    browser.js(LET_ANSWERS_GO).await;
    browser.find(".empty").await;
    browser.close().await;
}

#[tokio::test]
async fn nothing_is_said_to_be_missing_while_it_is_still_asked_for() {
    let Some((browser, _kith)) = open_room().await else {
        return;
    };
    let told = "return ['#willingness .sentence', '#turns > .note', '#memory .note']
        .map((place) => document.querySelector(place)?.textContent).join('|')";
    browser.click("#memory-toggle").await;
    let missing = "Nothing was said here yet.|No turn yet. Mention Juno to start one.|It knows nothing of anybody here yet.";
    browser.until(&format!("{told} === {missing:?}")).await;
    browser.js(HOLD_ANSWERS).await;
    browser.click("#channels li:nth-child(2) button").await;
    browser
        .until("return document.querySelector('#channel-name').textContent === '# food'")
        .await;
    browser.click("#memory-toggle").await;
    assert_eq!(browser.js(told).await, "||");
    browser.js(LET_ANSWERS_GO).await;
    browser.until(&format!("{told} === {missing:?}")).await;

    // The same of a message whose decision is on its way.
    browser.say("Ben", "@Cleo hello").await;
    browser.find(".badge.silent").await;
    browser.js(HOLD_ANSWERS).await;
    browser.click(".badge.silent").await;
    browser.find("#back-to-now").await;
    assert_eq!(
        browser
            .js("return document.querySelector('#willingness .sentence')")
            .await,
        Value::Null
    );
    browser.js(LET_ANSWERS_GO).await;
    browser.find("#willingness .headline").await;
    browser.page.clone().close().await.unwrap();
}
