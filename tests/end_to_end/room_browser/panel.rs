//! The panel beside the chat: what the companion does and why, and its numbers.

use super::*;

/// The labels and numbers of the bars.
const BARS: &str = "return [...document.querySelectorAll('.term:not(.base)')].map((one) => one.firstChild.textContent)";

#[tokio::test]
async fn the_headline_says_what_it_does_and_why_above_at_most_five_reasons_that_differ() {
    let Some((browser, _kith)) = open_room().await else {
        return;
    };
    browser.say("Ben", "@Cleo will you bring the tent?").await;
    browser
        .until("return document.querySelector('.headline')?.textContent === 'keeps silent: between Ben and Cleo'")
        .await;
    browser.say("Anna", "@Juno will you come along?").await;
    browser.find(".message.own .badge").await;
    browser
        .until(
            "return document.querySelector('.headline')?.textContent === 'answered: Anna asked it'",
        )
        .await;
    let labels: Vec<String> = serde_json::from_value(browser.js(BARS).await).unwrap();
    let mut differ = labels.clone();
    differ.sort();
    differ.dedup();
    assert!(
        (1..=5).contains(&labels.len()) && differ.len() == labels.len(),
        "{labels:?}"
    );
    // The bars add up to the score that is shown, but for what rounding takes.
    browser.click(".badge.silent").await;
    browser
        .until("return document.querySelector('.headline')?.textContent === 'keeps silent: between Ben and Cleo'")
        .await;
    let apart = browser
        .js("const sum = [...document.querySelectorAll('.term .adds')]
                .reduce((all, one) => all + Number(one.textContent.replace('−', '-')), 0);
             const score = parseFloat(document.querySelector('.gauge .score').textContent) / 100;
             return Math.abs(1 / (1 + Math.exp(-sum)) - score)")
        .await;
    assert!(apart.as_f64().unwrap() < 0.06, "{apart}");
    browser.close().await;
}

#[tokio::test]
async fn the_little_chart_has_axes_and_the_threshold_stays_inside_the_panel() {
    let Some((browser, _kith)) = open_room().await else {
        return;
    };
    browser.say("Ben", "@Cleo hello").await;
    browser.find(".badge.silent").await;
    let shares = browser
        .js("return [...document.querySelectorAll('.axes text')].map((one) => one.textContent).join(' ')")
        .await;
    let shares = shares.as_str().unwrap();
    assert!(
        shares.starts_with("0% 10% 30% 60% 100% ") && shares.contains(':'),
        "{shares}"
    );
    browser.find(".mark span").await;
    let overflow = browser
        .js(
            "document.querySelector('.track').style.setProperty('--bar', 1);
             const label = document.querySelector('.mark span').getBoundingClientRect();
             return label.right - document.querySelector('.track').getBoundingClientRect().right",
        )
        .await;
    assert!(overflow.as_f64().unwrap() <= 2.0, "{overflow}");
    let scrolls = "const place = document.querySelector('#countdown');
                   return getComputedStyle(place).overflowY === 'visible'";
    browser.until(scrolls).await;
    browser.close().await;
}

#[tokio::test]
async fn with_many_messages_the_tab_key_reaches_the_end_of_the_page_in_few_steps() {
    let Some(browser) = Browser::open("en").await else {
        return;
    };
    let kith = start_kith().await;
    for number in 0..25 {
        kith.says(&format!("@Ben line {number}")).await;
    }
    browser.page.goto(&kith.entry).await.unwrap();
    browser
        .until("return document.querySelectorAll('.message').length >= 25")
        .await;
    browser.find(".message .badge").await;
    let stops =
        "return [...document.querySelectorAll('a, button, input, textarea, summary, [tabindex]')]
        .filter((one) => one.tabIndex >= 0 && one.offsetParent !== null).length";
    let stops = browser.js(stops).await.as_u64().unwrap();
    assert!(stops < 50, "{stops} stops");
    // The arrow keys move, and the row they come to gives its buttons to Tab.
    browser.js("document.querySelector('.log').focus()").await;
    let log = browser.find(".log").await;
    log.send_keys(&Key::Up.to_string()).await.unwrap();
    let rows = "const row = document.activeElement;
                return row.matches('.message') && row.querySelector('.badge, .tools button').tabIndex === 0
                    && document.querySelectorAll('.message[tabindex=\"0\"]').length === 1";
    browser.until(rows).await;
    // Small targets are hard to hit.
    let small = browser
        .js(
            "return [...document.querySelectorAll('.badge, .tools button, .as button')]
                .map((one) => one.getBoundingClientRect().height).filter((height) => height > 0 && height < 24).length",
        )
        .await;
    assert_eq!(small, 0);
    browser.close().await;
}

#[tokio::test]
async fn lengths_of_time_are_told_in_the_units_people_use_in_both_languages() {
    let Some((browser, _kith)) = open_room().await else {
        return;
    };
    browser.find("#write").await;
    let told = "const [done] = arguments;
        import('/i18n.js').then(({ duration, span, switchLanguage }) => {
          const all = () => [
            ...[14_520_000, -14_520_000, 5_000, 59_700, 3_599_000, -90_000_000, 864_000_000].map(span),
            ...[120, 1_240, 75_000, 14_520_000].map(duration),
          ];
          const told = all();
          switchLanguage();
          done([told, all()]);
        })";
    let told = browser.page.execute_async(told, Vec::new()).await.unwrap();
    let english = [
        "in 4 hrs 2 mins",
        "4 hrs 2 mins ago",
        "in 5 secs",
        "in 1 min",
        "in 1 hr",
        "1 day 1 hr ago",
        "in 10 days",
        "120 ms",
        "1.2 secs",
        "1 min 15 secs",
        "4 hrs 2 mins",
    ];
    let chinese = [
        "4小时2分钟后",
        "4小时2分钟前",
        "5秒后",
        "1分钟后",
        "1小时后",
        "1天1小时前",
        "10天后",
        "120毫秒",
        "1.2秒",
        "1分钟15秒",
        "4小时2分钟",
    ];
    assert_eq!(told, json!([english, chinese]));
    browser.close().await;
}
