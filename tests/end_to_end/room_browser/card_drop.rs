//! A character card that is dropped on the page.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use kith_testkit::card_files::{make_png, make_text, make_v1};

use super::*;

/// Drops a file of these bytes on the page.
const DROP: &str = "\
const bytes = Uint8Array.from(atob(arguments[1]), (letter) => letter.charCodeAt(0));
const transfer = new DataTransfer();
transfer.items.add(new File([bytes], arguments[0]));
document.body.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: transfer }));";

async fn drop_file(browser: &Browser, name: &str, bytes: &[u8]) {
    let arguments = vec![json!(name), json!(STANDARD.encode(bytes))];
    browser.page.execute(DROP, arguments).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dropped_card_becomes_a_persona_and_the_page_says_how_to_use_it() {
    let Some((browser, kith)) = open_room().await else {
        return;
    };
    browser.find("#write").await;
    let mut card = make_v1();
    card["name"] = "Robin <b>Hood</b>".into();
    let png = make_png(&[(b"tEXt", make_text("chara", &card.to_string()))]);
    drop_file(&browser, "robin.png", &png).await;
    let shown = browser.text("dialog").await;
    for part in [
        "Robin ‹b>Hood‹/b> is a persona now",
        "persona = \"data/personas/robin-b-hood-b.toml\"",
        "The scenario stands at the end of `background`.",
    ] {
        assert!(shown.contains(part), "no {part} in {shown}");
    }
    browser.click("dialog header button").await;
    browser.close().await;
    assert!(
        kith.dir
            .path()
            .join("data/personas/robin-b-hood-b.toml")
            .is_file()
    );
}
