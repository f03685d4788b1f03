//! The console beside the room: channels, a day, turns, what they cost, errors, settings, approvals and personas.

use super::*;
use kith_testkit::{assert_has, assert_lacks};

async fn open_view(browser: &Browser, kith: &KithProcess, view: &str, heading: &str) {
    let address = format!("{}/console#{view}", kith.url);
    browser.page.goto(&address).await.unwrap();
    let is_shown = format!("return document.querySelector('h1')?.textContent === {heading:?}");
    browser.until(&is_shown).await;
}

#[tokio::test]
async fn the_console_leads_from_a_channel_over_its_day_to_a_turn_and_what_it_cost() {
    let Some(browser) = Browser::open("en").await else {
        return;
    };
    let model = kith_process::model(|_| {
        "<turn><thoughts>kindly</thoughts><send_message>hi</send_message></turn>".into()
    })
    .await;
    let kith = KithProcess::open(&kith_process::settings(&model, "")).await;
    browser.page.goto(&kith.entry).await.unwrap();
    for text in ["@Juno good morning", "@Juno and <b>again</b>"] {
        browser.say("Anna", text).await;
        let count = format!(
            "return document.querySelectorAll('.turn.acted').length === {}",
            if text.contains("again") { 2 } else { 1 }
        );
        browser.until(&count).await;
    }

    browser.click("a[href='/console']").await;
    browser
        .until("return document.querySelector('tbody th')?.textContent.startsWith('#lounge')")
        .await;
    let row = browser.text("tbody tr").await;
    assert_has(&row, ["threshold", "on"]);
    browser.click("tbody th a").await;
    browser.find(".plot canvas").await;
    browser
        .until(
            "return document.querySelector('.plot .u-legend')?.textContent.includes('Willingness')",
        )
        .await;
    assert_eq!(browser.text("h1").await, "#lounge");
    browser
        .until("return document.querySelectorAll('#view table').length === 3")
        .await;

    browser
        .js("document.querySelector('a[href^=\"#turn/\"]').click()")
        .await;
    browser.find(".waterfall .lane .first").await;
    let said = browser.text("#view").await;
    for part in ["Where the time went", "kindly", "send_message", "<turn>"] {
        assert!(said.contains(part), "no {part} in {said}");
    }
    open_view(&browser, &kith, "turn/2", "Turn 2").await;

    assert_has(browser.text(".diff").await, ["unchanged lines"]);
    let added = browser
        .js("return [...document.querySelectorAll('.diff ins')].map((line) => line.textContent).join('')")
        .await;
    assert_has(added.as_str().unwrap(), ["b>again"]);

    open_view(&browser, &kith, "spend", "Spending").await;
    browser.find(".plot canvas").await;
    let spent = browser.text("#view").await;
    assert_has(&spent, ["#lounge", "scripted"]);
    open_view(&browser, &kith, "faults", "Errors").await;
    open_view(&browser, &kith, "turns", "Turns").await;
    browser
        .until("return document.querySelectorAll('tbody tr').length === 2")
        .await;
    browser.close().await;
}

#[tokio::test]
async fn channels_are_found_by_their_mode() {
    let Some(browser) = Browser::open("en").await else {
        return;
    };
    let settings = format!(
        "[room]\nlisten = \"127.0.0.1:{}\"\n[model]\nprovider = \"none\"\n[channel.11]\nmode = \"observe\"\n",
        free_port()
    );
    let kith = KithProcess::open(&settings).await;
    browser.page.goto(&kith.entry).await.unwrap();
    open_view(&browser, &kith, "overview", "Channels").await;
    for (mode, shown) in [
        ("observe", "#food"),
        ("off", "No channel fits."),
        ("on", "#lounge"),
    ] {
        let choose = "const field = document.querySelector('[data-filter=mode]'); field.value = arguments[0];\
                      field.dispatchEvent(new Event('change'))";
        browser
            .page
            .execute(choose, vec![json!(mode)])
            .await
            .unwrap();
        let only = format!(
            "const list = document.querySelector('#view .stack'); return list.querySelectorAll('tbody tr').length <= 1 \
             && list.textContent.includes({shown:?})"
        );
        browser.until(&only).await;
    }
    browser.close().await;
}

#[tokio::test]
async fn a_turn_that_runs_is_drawn_anew_until_it_is_over() {
    let Some(browser) = Browser::open("en").await else {
        return;
    };
    let kith = start_kith_with_slow_task().await;
    browser.page.goto(&kith.entry).await.unwrap();
    browser.say("Anna", "@Juno look it up").await;
    browser.find(".turn.running [data-act=stop]").await;
    open_view(&browser, &kith, "turn/1", "Turn 1").await;
    let facts = "return document.querySelector('.facts').textContent";
    browser
        .until(&format!("{facts}.includes('thinking…')"))
        .await;
    kith.ask(json!({ "ask": "stop_turn", "id": "1" })).await;
    browser
        .until(&format!("{facts}.includes('somebody stopped it')"))
        .await;
    browser.close().await;
}

#[tokio::test]
async fn settings_are_told_with_where_they_come_from_and_without_secrets() {
    let Some(browser) = Browser::open("en").await else {
        return;
    };
    let settings = format!(
        "[room]\nlisten = \"127.0.0.1:{}\"\n[model]\nprovider = \"none\"\napi_key = \"sk-hush-hush\"\n\
         headers = {{ x = \"also-hush-hush\" }}\n[heartbeat]\nburst_wait_seconds = 0.05\n",
        free_port()
    );
    let environment = [("KITH__turn__rounds", "3")];
    let kith = KithProcess::open_with(&settings, &environment).await;
    browser.page.goto(&kith.entry).await.unwrap();
    open_view(&browser, &kith, "settings", "Settings").await;
    let told = browser.text("#view").await;
    for part in [
        "model.provider",
        "kith.toml:4",
        "turn.rounds",
        "KITH__turn__rounds",
        "<redacted>",
    ] {
        assert!(told.contains(part), "no {part} in {told}");
    }
    let answer = kith
        .ask_console(json!({ "ask": "settings" }))
        .await
        .to_string();
    assert_lacks(&answer, ["hush-hush"]);
    // A fraction is told as it was written.
    assert_has(&answer, ["0.05"]);
    assert_lacks(&answer, ["0.0500"]);
    browser.close().await;
}

#[tokio::test]
async fn what_waits_for_approval_is_decided_on_from_the_console() {
    let Some(browser) = Browser::open("en").await else {
        return;
    };
    let kith = start_kith_that_asks_for_approval().await;
    browser.page.goto(&kith.entry).await.unwrap();
    browser.say("Anna", "@Juno note it").await;
    browser.find("#pending article").await;
    open_view(&browser, &kith, "approvals", "Approvals").await;
    let card = browser.text("#view article").await;
    for part in [
        "It wants to call core_memory_append",
        "#lounge",
        "asked for by Anna",
        "<b>tea</b>",
    ] {
        assert!(card.contains(part), "no {part} in {card}");
    }
    browser.click("[data-act=approve]").await;
    browser
        .until("return document.querySelector('#view').textContent.includes('Nothing waits')")
        .await;
    // What was approved runs by itself, and is written down.
    let mut blocks = String::new();
    while !blocks.contains("<b>tea</b>") {
        tokio::time::sleep(Duration::from_millis(20)).await;
        let asked = json!({ "ask": "core_memory", "channel": "10" });
        blocks = kith.ask_memory(asked).await.to_string();
    }
    browser.close().await;
}

const PERSONA: &str = "# mine\nname = \"Robin\" # a bird\nidentity = \"a gardener\"\n";

#[tokio::test]
async fn a_persona_is_checked_while_it_is_written_and_only_a_good_one_is_saved() {
    let Some(browser) = Browser::open("en").await else {
        return;
    };
    let settings = format!(
        "persona = \"robin.toml\"\n[room]\nlisten = \"127.0.0.1:{}\"\n[model]\nprovider = \"none\"\n",
        free_port()
    );
    let files = [("kith.toml", settings.as_str()), ("robin.toml", PERSONA)];
    let kith = KithProcess::furnished(&files, &[]).await;
    let file = kith.dir.path().join("robin.toml");
    browser.page.goto(&kith.entry).await.unwrap();
    open_view(&browser, &kith, "personas", "Personas").await;
    browser
        .until(
            "return document.querySelector('.fine')?.textContent === 'No problems: this is Robin.'",
        )
        .await;
    let field = browser.find("#persona-text").await;
    field.send_keys("nmae = \"x\"\n").await.unwrap();
    browser
        .until("return document.querySelector('.faults')?.textContent.includes('line 4')")
        .await;
    browser
        .until("return document.querySelector('.persona .primary').disabled")
        .await;
    assert_eq!(std::fs::read_to_string(&file).unwrap(), PERSONA);
    let edit = "const field = document.querySelector('#persona-text'); field.value = arguments[0];\
                field.dispatchEvent(new Event('input'))";
    let better = PERSONA.replace("a gardener", "a baker");
    browser
        .page
        .execute(edit, vec![json!(better)])
        .await
        .unwrap();
    browser
        .until("return !document.querySelector('.persona .primary').disabled")
        .await;
    browser.click(".persona .primary").await;
    browser
        .until("return document.querySelector('.fine')?.textContent.startsWith('Saved to')")
        .await;
    assert_eq!(std::fs::read_to_string(&file).unwrap(), better);

    // No other file is read or written.
    let other = json!({ "ask": "persona", "file": "kith.toml" });
    let refused = kith.try_ask_console(other).await.unwrap_err();
    assert_has(refused.to_string(), ["no such persona file"]);
    browser.close().await;
}
