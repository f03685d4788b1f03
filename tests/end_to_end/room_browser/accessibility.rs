//! What an accessibility checker says of every view, in both languages, on a wide and a narrow window, light and dark.
//! `KITH_AXE` names axe-core's script (axe.min.js); skipped without it.

use super::*;
use crate::memory_seed::{build_fact, remember};

/// Parts of the room's page, and what opens each.
pub(super) const CHAT_VIEWS: [(&str, &str); 7] = [
    ("chat", ""),
    ("turn", "document.querySelector('.turn summary').click()"),
    ("memory", "document.querySelector('#memory-toggle').click()"),
    ("search", "document.querySelector('#search-toggle').click()"),
    ("session", "document.querySelector('#open-session').click()"),
    ("model", "document.querySelector('#model').click()"),
    ("keys", "document.querySelector('#help').click()"),
];
/// Views of the console, what stands there once they are drawn, and what unfolds more of them.
pub(super) const CONSOLE_VIEWS: [(&str, &str, &str); 11] = [
    ("overview", "tbody th a", ""),
    ("channel/10", ".plot canvas", ""),
    (
        "memory",
        ".remembered-person",
        "document.querySelector('.remembered-person summary').click();
         document.querySelector('.memory-entry [data-act=sources]').click()",
    ),
    (
        "memory/10",
        ".remembered-person",
        "document.querySelector('[data-view=blocks]').click()",
    ),
    ("turns", "tbody tr", ""),
    ("turn/1", ".waterfall .lane", ""),
    ("spend", ".plot canvas", ""),
    ("faults", "h1", ""),
    ("approvals", "h1", ""),
    ("personas", "#persona-text", ""),
    ("settings", "tbody tr", ""),
];
/// Answers with every violation and the elements that have it.
const CHECK: &str = "const [rules, done] = arguments;
    const told = (found) => `${found.id}: ${found.nodes.map((node) => node.target.join(' ')).join(', ')}`;
    axe.run(document, rules).then(({ violations }) => done(violations.map(told)), (error) => done([String(error)]))";

/// A browser with the checker's script.
struct Checker {
    browser: Browser,
    found: Vec<String>,
}

impl Checker {
    #[expect(
        clippy::disallowed_methods,
        reason = "the script stands outside the repository"
    )]
    async fn open(language: &str) -> Option<Self> {
        let Ok(path) = std::env::var("KITH_AXE") else {
            kith_testkit::say_skipped("KITH_AXE names no script of axe-core");
            return None;
        };
        let script = std::fs::read_to_string(path).unwrap();
        let browser = Browser::open(language).await?;
        let in_every_page = "Page.addScriptToEvaluateOnNewDocument";
        browser
            .command(in_every_page, json!({ "source": script }))
            .await;
        Some(Self {
            browser,
            found: Vec::new(),
        })
    }

    /// Checks what is shown: everything in light colours, and what colours can spoil in dark ones.
    async fn check(&mut self, view: &str) {
        let page = self.browser.page.clone();
        let contrast = json!({ "runOnly": ["color-contrast"] });
        for (scheme, rules) in [("light", json!({})), ("dark", contrast)] {
            self.browser.set_colours(scheme).await;
            let found = page.execute_async(CHECK, vec![rules]).await.unwrap();
            let found: Vec<String> = serde_json::from_value(found).unwrap();
            let told = found
                .iter()
                .map(|found| format!("{view} ({scheme}): {found}"));
            self.found.extend(told);
        }
    }

    async fn check_all(&mut self, kith: &KithProcess, width: u32) {
        let page = self.browser.page.clone();
        page.set_window_size(width, 900).await.unwrap();
        for (name, open) in CHAT_VIEWS {
            page.goto(&kith.entry).await.unwrap();
            self.browser.find(".message.own .text").await;
            self.browser.find(".turn summary").await;
            self.browser.js(open).await;
            self.check(&format!("{width} px, chat {name}")).await;
        }
        for (view, shown, unfold) in CONSOLE_VIEWS {
            page.goto(&format!("{}/console#{view}", kith.url))
                .await
                .unwrap();
            page.refresh().await.unwrap();
            self.browser.find(shown).await;
            self.browser.js(unfold).await;
            self.check(&format!("{width} px, console {view}")).await;
        }
    }
}

/// A talk with everything a message can hold, a memory, a failed turn and a decision that waits.
pub(super) async fn start_furnished_kith() -> KithProcess {
    let mut kith = start_kith_that_asks_for_approval().await;
    for text in [
        "**bold**, ||a spoiler||, `code` and a [link](https://example.com)",
        "```rust\nfn main() {}\n```\n> quoted\n- one\n- two",
        "@Juno hello",
    ] {
        kith.says(text).await;
    }
    // In one turn with the next message it would answer neither in words.
    let is_answer = |message: &Value| (message["text"] == "as you like").then_some(());
    let answered = |history: &[Value]| history.iter().find_map(is_answer);
    kith.until("an answer", answered).await;
    kith.says("@Juno note it").await;
    let said = kith.says("I play the cello").await["id"].clone();
    remember(
        &mut kith,
        vec![build_fact(3, "plays the cello", said.as_str().unwrap())],
    )
    .await;
    kith
}

async fn check_in(language: &str) {
    let Some(mut checker) = Checker::open(language).await else {
        return;
    };
    let kith = start_furnished_kith().await;
    for width in [1280, 390] {
        checker.check_all(&kith, width).await;
    }
    assert!(checker.found.is_empty(), "{}", checker.found.join("\n"));
    checker.browser.close().await;
}

#[tokio::test]
async fn no_view_has_a_violation_of_accessibility_rules_in_english() {
    check_in("en").await;
}

#[tokio::test]
async fn no_view_has_a_violation_of_accessibility_rules_in_chinese() {
    check_in("zh-CN").await;
}
