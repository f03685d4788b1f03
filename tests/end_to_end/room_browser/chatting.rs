//! Chat as people know it: Markdown, what is unread, older lines, the search, notifications, and who is in the room.

use super::*;
use kith_process::post_of;
use kith_testkit::assert_has;

/// Says something in a channel as Ben, without the page.
async fn post(kith: &KithProcess, channel: &str, text: &str, nonce: &str) {
    let mut request = post_of(text, nonce);
    request["channel"] = json!(channel);
    request["person"] = json!("3");
    kith.ask(request).await;
}

const MARKDOWN: &str = "**bold** __under__ ~~gone~~ ||the end|| (https://example.org/a_(b)) <b>no</b>\n\
    > said\nafter\n```js\nlet a = \"<i>\";\n```\n- one\n[bad](javascript:alert(1))";

#[tokio::test]
async fn markdown_is_drawn_as_discord_draws_it_and_no_markup_of_anybody_becomes_an_element() {
    let Some(browser) = Browser::open("en").await else {
        return;
    };
    let kith = start_kith().await;
    post(&kith, "10", MARKDOWN, "1").await;
    post(&kith, "10", "مرحبا بالعالم", "2").await;
    browser.page.goto(&kith.entry).await.unwrap();
    browser.find(".message .code").await;
    let drawn = browser
        .js(
            "const text = document.querySelector('.message .text');
             const one = (css) => text.querySelector(css)?.textContent;
             return [one('strong'), one('u'), one('s'), one('a'), one('blockquote'), one('pre'), one('li'),
                     text.querySelectorAll('b, i, a[href^=javascript]').length]",
        )
        .await;
    assert_eq!(
        drawn,
        json!([
            "bold",
            "under",
            "gone",
            "https://example.org/a_(b)",
            "said",
            "let a = \"<i>\";\n",
            "one",
            0
        ])
    );
    // A spoiler is read by nobody, not by a screen reader either, before it is asked for.
    let hidden = "const inner = document.querySelector('.spoiler > span');
                  return getComputedStyle(inner).visibility + inner.getAttribute('aria-hidden')";
    assert_eq!(browser.js(hidden).await, "hiddentrue");
    browser.click(".spoiler").await;
    assert_eq!(browser.js(hidden).await, "visiblenull");
    browser
        .js("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
        .await;
    browser.click(".message .copy").await;
    browser
        .until("return window.copied === 'let a = \"<i>\";\\n'")
        .await;
    let direction = "return getComputedStyle(document.querySelectorAll('.message .text')[1].querySelector('p')).direction";
    assert_eq!(browser.js(direction).await, "rtl");
    browser.close().await;
}

#[tokio::test]
async fn what_is_unread_is_counted_over_reloads_and_marked_by_a_line_until_it_is_seen() {
    let Some((browser, kith)) = open_room().await else {
        return;
    };
    browser.find(".as button").await;
    browser
        .until("return localStorage.getItem('kith.read') !== null")
        .await;
    for (nonce, text) in [("1", "@Cleo soup?"), ("2", "@Cleo or salad?")] {
        post(&kith, "11", text, nonce).await;
    }
    let counts = "return document.title.startsWith('(2) #')
                  && document.querySelector('#channels .new')?.textContent === '2'";
    browser.until(counts).await;
    browser.page.refresh().await.unwrap();
    browser.until(counts).await;
    browser.click("#channels li:nth-child(2) button").await;
    browser.find(".new-from").await;
    browser
        .until(
            "return !document.title.startsWith('(') && !document.querySelector('#channels .new')",
        )
        .await;
    let follows = "return document.querySelector('.new-from').nextElementSibling.textContent.includes('soup?')";
    assert_eq!(browser.js(follows).await, true);
    browser.page.refresh().await.unwrap();
    browser.find(".message").await;
    browser
        .until("return !document.title.startsWith('(')")
        .await;
    browser.close().await;
}

#[tokio::test]
async fn older_lines_come_by_scrolling_a_search_leads_far_back_and_a_click_to_the_newest() {
    let Some(browser) = Browser::open("en").await else {
        return;
    };
    let kith = start_kith().await;
    for number in 0..130 {
        let word = if number == 3 { "pineapple" } else { "line" };
        post(
            &kith,
            "10",
            &format!("@Cleo {word} {number}"),
            &number.to_string(),
        )
        .await;
    }
    browser.page.goto(&kith.entry).await.unwrap();
    let count = "return document.querySelectorAll('.message').length";
    browser.until(&format!("{count} === 50")).await;
    browser
        .js("document.querySelector('#log').scrollTop = 100")
        .await;
    browser.until(&format!("{count} === 100")).await;
    browser.find("#jump:not([hidden])").await;
    post(&kith, "10", "@Cleo while you look back", "later").await;
    browser
        .until("return document.querySelector('#jump').textContent.includes('(1 new)')")
        .await;
    browser.click("#jump").await;
    browser
        .until("return document.querySelector('#jump').hidden && !document.title.startsWith('(')")
        .await;

    browser.page.refresh().await.unwrap();
    browser.until(&format!("{count} === 50")).await;
    browser.click("#search-toggle").await;
    let field = browser.find("#search-text").await;
    field.send_keys("pineapple").await.unwrap();
    field.send_keys(&Key::Enter.to_string()).await.unwrap();
    browser.click(".results li button").await;
    browser
        .until("return document.activeElement.matches('.message') && document.activeElement.textContent.includes('pineapple 3')")
        .await;
    // What is newer is fetched on the way down, and who writes is at the end again.
    let last = "return [...document.querySelectorAll('.message .text')].at(-1)?.textContent";
    assert_ne!(browser.js(last).await, "@Cleo while you look back");
    browser
        .js("document.querySelector('#log').scrollTop = 1e6")
        .await;
    browser.until(&format!("{count} > 60")).await;
    browser.say("Anna", "@Ben here again").await;
    browser
        .until(&format!("{last} === '@Ben here again'"))
        .await;
    browser
        .until("return document.querySelector('#jump').hidden")
        .await;
    browser.close().await;
}

#[tokio::test]
async fn who_reads_far_back_stays_there_when_kith_was_away() {
    let Some(browser) = Browser::open("en").await else {
        return;
    };
    let mut kith = start_kith().await;
    for number in 0..110 {
        let text = format!("@Cleo line {number}");
        post(&kith, "10", &text, &number.to_string()).await;
    }
    browser.page.goto(&kith.entry).await.unwrap();
    let count = "return document.querySelectorAll('.message').length";
    browser.until(&format!("{count} === 50")).await;
    browser
        .js("document.querySelector('#log').scrollTop = 100")
        .await;
    browser.until(&format!("{count} === 100")).await;
    let top = "return document.querySelector('#log').scrollTop";
    let before = browser.js(top).await;
    let shown = browser
        .js("return document.querySelector('.message').id.slice(1)")
        .await;
    kith.kill();
    browser
        .until("return !document.querySelector('#away').hidden")
        .await;
    kith.start();
    post(&kith, "10", "@Cleo back again", "back").await;
    kith.ask(json!({ "ask": "edit", "channel": "10", "message": shown, "text": "another line" }))
        .await;
    browser
        .until("return document.querySelector('#log').textContent.includes('another line')")
        .await;
    browser
        .until("return document.querySelector('#jump').textContent.includes('(1 new)')")
        .await;
    assert_eq!(browser.js(count).await, 100);
    assert_eq!(browser.js(top).await, before);
    browser.page.clone().close().await.unwrap();
}

#[tokio::test]
async fn who_allows_notifications_is_told_of_the_companions_lines_while_the_page_is_out_of_sight() {
    let Some((browser, kith)) = open_room().await else {
        return;
    };
    browser.find(".as button").await;
    // A headless browser has no desktop: what the page asks it for is noted.
    browser
        .js(
            "window.told = [];
             window.Notification = class { constructor(title, { body }) { window.told.push(title + ': ' + body); } };
             Object.assign(window.Notification, { permission: 'granted', requestPermission: async () => 'granted' });",
        )
        .await;
    browser.click("#notify").await;
    browser
        .until("return document.querySelector('#notify').textContent === 'Notifications: on'")
        .await;
    browser
        .js("Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => 'hidden' })")
        .await;
    kith.says("@Juno are you there?").await;
    browser
        .until("return window.told.length === 1 && window.told[0].startsWith('Juno · #lounge: (stand-in) ')")
        .await;
    browser
        .until("return document.title.startsWith('(2) ')")
        .await;
    browser.close().await;
}

#[tokio::test]
async fn people_and_channels_get_other_names_and_go() {
    let Some(browser) = Browser::open("en").await else {
        return;
    };
    let kith = start_kith().await;
    post(&kith, "11", "@Cleo soup?", "1").await;
    browser.page.goto(&kith.entry).await.unwrap();
    browser.find(".rename").await;
    let names = "return [...document.querySelectorAll('#people .label')].map((one) => one.textContent).join()";
    let rename = async |css: &str, name: &str| {
        browser
            .js(&format!("document.querySelector('{css}').click()"))
            .await;
        let field = browser.find("#add-name").await;
        field.clear().await.unwrap();
        field.send_keys(name).await.unwrap();
        browser.click("dialog .primary").await;
    };
    let remove = async |css: &str| {
        browser
            .js(&format!("document.querySelector('{css}').click()"))
            .await;
        browser.click("dialog [data-act=remove]").await;
        browser.click("dialog [data-act=remove]").await;
    };
    rename("#people li:nth-child(2) .rename", "Benedikt").await;
    browser
        .until(&format!("{names} === 'Anna,Benedikt,Cleo,Juno'"))
        .await;
    remove("#people li:nth-child(3) .rename").await;
    browser
        .until(&format!("{names} === 'Anna,Benedikt,Juno'"))
        .await;

    browser.click("#channels li:nth-child(2) button").await;
    let shown = "return document.querySelector('#channel-name').textContent";
    browser.until(&format!("{shown} === '# food'")).await;
    let soup = "return document.querySelector('.message')?.textContent.includes('Benedikt')";
    browser.until(soup).await;
    rename("#edit-channel", "kitchen").await;
    browser.until(&format!("{shown} === '# kitchen'")).await;
    remove("#edit-channel").await;
    browser.until(&format!("{shown} === '# lounge'")).await;
    let refused = kith
        .try_ask(json!({ "ask": "history", "channel": "11" }))
        .await;
    assert_has(refused.unwrap_err(), ["no such channel"]);
    // The write-ahead log is scrubbed within seconds.
    let mut left = kith.files_with("soup?");
    for _ in 0..200 {
        if left.is_empty() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
        left = kith.files_with("soup?");
    }
    assert_eq!(left, Vec::<std::path::PathBuf>::new());
    let last = kith
        .try_ask(json!({ "ask": "remove_channel", "channel": "10" }))
        .await;
    assert_has(last.unwrap_err(), ["a room needs a channel"]);
    browser.close().await;
}

#[tokio::test]
async fn a_persona_that_gets_another_name_is_listed_under_it_at_once() {
    let Some(browser) = Browser::open("en").await else {
        return;
    };
    let settings =
        "persona = \"who.toml\"\n[room]\nlisten = \"127.0.0.1:0\"\n[model]\nprovider = \"none\"\n";
    let persona = "name = \"Robin\"\nidentity = \"a friend\"\n";
    let files = [("kith.toml", settings), ("who.toml", persona)];
    let kith = KithProcess::furnished(&files, &[]).await;
    browser.page.goto(&kith.entry).await.unwrap();
    let last = "return [...document.querySelectorAll('#people .label')].at(-1)?.textContent";
    browser.until(&format!("{last} === 'Robin'")).await;
    std::fs::write(
        kith.dir.path().join("who.toml"),
        persona.replace("Robin", "Wren"),
    )
    .unwrap();
    browser.until(&format!("{last} === 'Wren'")).await;
    browser.close().await;
}

#[tokio::test]
async fn names_are_completed_and_replies_show_what_they_answer() {
    let Some((browser, _kith)) = open_room().await else {
        return;
    };
    browser.say("Anna", "hello").await;
    // Nobody else is around, so that is said to the companion.
    browser.find(".message.own .text").await;
    let field = browser.find("#write").await;
    field.send_keys("hey @c").await.unwrap();
    assert_eq!(
        browser.text("#completion [aria-selected=true]").await,
        "C\nCleo"
    );
    field.send_keys(&Key::Enter.to_string()).await.unwrap();
    browser
        .until("return document.querySelector('#write').value === 'hey @Cleo '")
        .await;
    browser
        .js("document.querySelector('.message [data-act=reply]').click()")
        .await;
    field.send_keys(&Key::Enter.to_string()).await.unwrap();
    browser
        .until("return document.querySelectorAll('.message .quote').length === 1")
        .await;
    assert_eq!(browser.text(".message .mention").await, "@Cleo");
    browser.close().await;
}
