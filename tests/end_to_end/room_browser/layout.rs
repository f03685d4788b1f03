//! How every view is laid out on a phone, on two usual screens and on a very wide one, in both languages: nothing scrolls
//! sideways, is cut off, stands outside or lies over something else. `KITH_SHOTS` names a folder for pictures of them all.

use super::accessibility::{CHAT_VIEWS, CONSOLE_VIEWS, start_furnished_kith};
use super::*;

const WIDTHS: [u32; 4] = [390, 1280, 1440, 2560];
/// The widest column of text that is comfortably read, in pixels.
const WIDEST_TEXT: u64 = 1_000;

/// Answers with what is wrong, a sentence each.
const FIND_FAULTS: &str = include_str!("layout_faults.js");

/// A browser on a view at any width.
struct Gauge {
    browser: Browser,
    language: &'static str,
    shots: Option<String>,
    found: Vec<String>,
}

impl Gauge {
    #[expect(
        clippy::disallowed_methods,
        reason = "the folder stands outside the repository"
    )]
    async fn open(language: &'static str) -> Option<Self> {
        let browser = Browser::open(language).await?;
        Some(Self {
            browser,
            language,
            shots: std::env::var("KITH_SHOTS").ok(),
            found: Vec::new(),
        })
    }

    async fn set_width(&self, width: u32) {
        let size =
            json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false });
        self.browser
            .command("Emulation.setDeviceMetricsOverride", size)
            .await;
        self.browser
            .until(&format!("return innerWidth === {width}"))
            .await;
        // Two frames: what answers to a new width has done so.
        let frames = "const [done] = arguments; requestAnimationFrame(() => requestAnimationFrame(() => done()))";
        self.browser
            .page
            .execute_async(frames, Vec::new())
            .await
            .unwrap();
    }

    /// Looks at what is shown, at every width.
    async fn look(&mut self, view: &str) {
        for width in WIDTHS {
            self.set_width(width).await;
            let faults: Vec<String> =
                serde_json::from_value(self.browser.js(FIND_FAULTS).await).unwrap();
            let told = faults
                .iter()
                .map(|fault| format!("{view} at {width} px: {fault}"));
            self.found.extend(told);
            if let Some(folder) = &self.shots {
                for scheme in ["light", "dark"] {
                    self.browser.set_colours(scheme).await;
                    let file = format!("{folder}/{}-{view}-{width}-{scheme}.png", self.language);
                    let picture = self.browser.page.screenshot().await.unwrap();
                    std::fs::write(file, picture).unwrap();
                }
            }
        }
        self.set_width(1280).await;
    }
}

async fn look_at_all(language: &'static str) {
    let Some(mut gauge) = Gauge::open(language).await else {
        return;
    };
    let kith = start_furnished_kith().await;
    let page = gauge.browser.page.clone();
    gauge.browser.set_colours("light").await;
    for (name, open) in CHAT_VIEWS {
        page.goto(&kith.entry).await.unwrap();
        gauge.browser.find(".message.own .text").await;
        gauge.browser.find(".turn summary").await;
        gauge.browser.js(open).await;
        gauge.look(name).await;
    }
    let widest = "return Math.max(...[...document.querySelectorAll('.message .text')].map((one) => one.clientWidth))";
    gauge.set_width(2560).await;
    let widest = gauge.browser.js(widest).await.as_u64().unwrap();
    assert!(
        (300..=WIDEST_TEXT).contains(&widest),
        "{widest} pixels of text"
    );
    for (view, shown, unfold) in CONSOLE_VIEWS {
        page.goto(&format!("{}/console#{view}", kith.url))
            .await
            .unwrap();
        page.refresh().await.unwrap();
        gauge.browser.find(shown).await;
        gauge.browser.js(unfold).await;
        gauge
            .look(&format!("console-{}", view.replace('/', "-")))
            .await;
    }
    assert!(gauge.found.is_empty(), "{}", gauge.found.join("\n"));
    gauge.browser.close().await;
}

#[tokio::test]
async fn at_no_width_is_anything_cut_off_covered_or_scrolled_sideways_in_english() {
    look_at_all("en").await;
}

#[tokio::test]
async fn at_no_width_is_anything_cut_off_covered_or_scrolled_sideways_in_chinese() {
    look_at_all("zh-CN").await;
}
