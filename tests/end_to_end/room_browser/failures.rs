//! What a newcomer sees when the model fails, and what the panel says the companion does and why.

use super::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use kith_testkit::{assert_has, assert_lacks};

/// A `kith` whose model refuses every key while the switch is on.
async fn start_kith_with_refusing_model() -> (KithProcess, Arc<AtomicBool>) {
    let refuses = Arc::new(AtomicBool::new(true));
    let asked = refuses.clone();
    let model = kith_process::whole_server(move |_| match asked.load(Ordering::Relaxed) {
        true => Err(401),
        false => Ok("<turn><send_message>back again</send_message></turn>".into()),
    })
    .await;
    let kith = KithProcess::open(&kith_process::settings(&model, "")).await;
    (kith, refuses)
}

#[tokio::test]
async fn a_model_that_fails_says_so_in_the_chat_on_its_card_and_in_the_log_until_it_answers() {
    let Some(browser) = Browser::open("en").await else {
        return;
    };
    let (kith, refuses) = start_kith_with_refusing_model().await;
    browser.page.goto(&kith.entry).await.unwrap();
    browser.say("Anna", "@Juno are you there?").await;
    let line = browser.text(".failure").await;
    for part in [
        "Juno could not answer.",
        "wants a key (401",
        "only you see this",
    ] {
        assert!(line.contains(part), "no {part} in {line}");
    }
    // It types no more, and the panel and the card say the same.
    browser
        .until("return document.querySelector('#typing').textContent === ''")
        .await;
    browser
        .until("return document.querySelector('#model .trouble')?.textContent.includes('wants a key (401')")
        .await;
    browser
        .until("return document.querySelector('.headline')?.textContent.startsWith('could not answer: ')")
        .await;
    kith.until_logged("wants a key (401").await;
    // The second of the same person within ten minutes is told, too.
    browser.say("Anna", "@Juno hello?").await;
    browser
        .until("return document.querySelector('.failure')?.textContent.includes('2 times')")
        .await;
    assert_eq!(
        browser
            .js("return document.querySelectorAll('.failure').length")
            .await,
        1
    );
    browser.page.refresh().await.unwrap();
    browser
        .until("return document.querySelector('.failure')?.textContent.includes('2 times')")
        .await;
    refuses.store(false, Ordering::Relaxed);
    browser.say("Anna", "@Juno and now?").await;
    browser.find(".message.own .badge").await;
    browser
        .until("return !document.querySelector('#model .trouble')")
        .await;
    browser
        .until(
            "return document.querySelector('.headline')?.textContent === 'answered: Anna asked it'",
        )
        .await;
    browser.close().await;
}

/// Fills in the panel and asks to use the model.
async fn use_model(browser: &Browser, url: &str, key: &str) {
    for (field, text) in [
        ("#model-url", url),
        ("#model-key", key),
        ("#model-name", "scripted"),
    ] {
        let field = browser.find(field).await;
        field.clear().await.unwrap();
        field.send_keys(text).await.unwrap();
    }
    browser.click("dialog .primary").await;
}

#[tokio::test]
async fn a_model_is_tested_before_it_is_used_and_kept_in_the_settings_with_its_key_apart() {
    let Some(browser) = Browser::open("en").await else {
        return;
    };
    let mut kith = start_kith().await;
    let refusing = kith_process::whole_server(|_| Err(401)).await;
    let good =
        kith_process::model(|_| "<turn><send_message>a real answer</send_message></turn>".into())
            .await;
    browser.page.goto(&kith.entry).await.unwrap();
    browser.find(".as button").await;
    browser.click("#model").await;
    use_model(&browser, &refusing, "sk-wrong").await;
    browser
        .until("return document.querySelector('dialog .outcome.problem')?.textContent.includes('refused the key (401')")
        .await;
    assert_has(browser.text("#model").await, ["Connect a model"]);
    browser.click("#model-keep").await;
    use_model(&browser, &good, "sk-right").await;
    browser
        .until("return document.querySelector('#toast').textContent.includes('kith.toml')")
        .await;
    let text = std::fs::read_to_string(kith.dir.path().join("kith.toml")).unwrap();
    assert_has(&text, [format!("base_url = \"{good}\"")]);
    assert_lacks(&text, ["sk-right"]);
    kith.stop();
    kith.start();
    browser.page.goto(&kith.entry).await.unwrap();
    browser
        .until("return document.querySelector('#model strong')?.textContent === 'scripted'")
        .await;
    // What the panel shows of it can be used again as it stands.
    browser.click("#model").await;
    browser.find("#model-url").await;
    let shown =
        "const url = document.querySelector('#model-url'); return url.value + url.checkValidity()";
    assert_eq!(browser.js(shown).await, format!("{good}true"));
    browser.click("dialog .icon").await;
    browser.say("Anna", "@Juno hello").await;
    browser
        .until(
            "return document.querySelector('.message.own .text')?.textContent === 'a real answer'",
        )
        .await;
    let complaints = browser.complaints().await;
    // The refused test is an answer with an error status, and while Kith restarted the page had nobody to ask.
    assert!(
        complaints.iter().all(|one| one["source"] == "network"),
        "{complaints:?}"
    );
    browser.page.clone().close().await.unwrap();
}
