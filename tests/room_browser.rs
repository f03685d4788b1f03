//! The room's page in a real browser: headless Chromium, driven over WebDriver. Skipped where Chromium is missing.

#[path = "support/room_backend.rs"]
mod room_backend;

use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use fantoccini::key::Key;
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use kith::platform::room;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::oneshot;

const DRIVER: &str = "/usr/bin/chromedriver";
const BROWSER: &str = "/usr/bin/chromium";
/// How long anything on the page may take, on a machine that does much else.
const PATIENCE: Duration = Duration::from_secs(30);

/// A browser with a profile of its own, and the address of its driver.
struct Browser {
    page: Client,
    url: String,
    driver: Child,
    _profile: TempDir,
}

impl Drop for Browser {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

impl Browser {
    /// Opens a browser that prefers a language; none where none is installed.
    async fn open(language: &str) -> Option<Self> {
        if !Path::new(DRIVER).exists() || !Path::new(BROWSER).exists() {
            println!("skipped: install chromium and chromium-driver to run this test");
            return None;
        }
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut command = Command::new(DRIVER);
        let driver = command.arg(format!("--port={port}")).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let profile = TempDir::new().unwrap();
        let arguments = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--window-size=1280,800",
            &format!("--accept-lang={language}"),
            &format!("--user-data-dir={}", profile.path().display()),
        ];
        let capabilities = json!({
            "goog:chromeOptions": { "binary": BROWSER, "args": arguments },
            "goog:loggingPrefs": { "browser": "ALL" },
        });
        let url = format!("http://127.0.0.1:{port}");
        let page = connect(&url, &capabilities).await;
        Some(Self { page, url, driver, _profile: profile })
    }

    /// The first element that fits, as soon as it is there.
    async fn find(&self, css: &str) -> fantoccini::elements::Element {
        let wait = self.page.wait().at_most(PATIENCE);
        wait.for_element(Locator::Css(css)).await.unwrap_or_else(|error| panic!("no {css}: {error}"))
    }

    async fn click(&self, css: &str) {
        self.find(css).await.click().await.unwrap_or_else(|error| panic!("cannot click {css}: {error}"));
    }

    async fn text(&self, css: &str) -> String {
        self.find(css).await.text().await.unwrap()
    }

    async fn js(&self, script: &str) -> Value {
        self.page.execute(script, Vec::new()).await.unwrap()
    }

    /// Waits until a script answers with `true`.
    async fn until(&self, script: &str) {
        let tries = PATIENCE.as_millis() / 50;
        for _ in 0..tries {
            if self.js(script).await == json!(true) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("never true: {script}; the page shows:\n{}", self.text("body").await);
    }

    /// Writes a message as the person with this name.
    async fn say(&self, person: &str, text: &str) {
        let choose =
            "[...document.querySelectorAll('.as button')].find((one) => one.innerText.includes(arguments[0])).click()";
        self.find(".as button").await;
        self.page.execute(choose, vec![json!(person)]).await.unwrap();
        let field = self.find("#write").await;
        field.send_keys(text).await.unwrap();
        field.send_keys(&Key::Enter.to_string()).await.unwrap();
    }

    /// The texts of all messages, from top to bottom.
    async fn messages(&self) -> Vec<String> {
        let texts =
            self.js("return [...document.querySelectorAll('.message .text')].map((one) => one.textContent)").await;
        serde_json::from_value(texts).unwrap()
    }

    /// What the browser complained about: errors, failed loads, broken policies.
    async fn complaints(&self) -> Vec<Value> {
        let session = self.page.session_id().await.unwrap().unwrap();
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let request = client.post(format!("{}/session/{session}/se/log", self.url)).json(&json!({ "type": "browser" }));
        let log: Value = request.send().await.unwrap().json().await.unwrap();
        let entries = log["value"].as_array().unwrap();
        entries.iter().filter(|entry| entry["level"] != "INFO" && entry["level"] != "DEBUG").cloned().collect()
    }

    async fn close(self) {
        assert_eq!(self.complaints().await, Vec::<Value>::new());
        self.page.clone().close().await.unwrap();
    }
}

async fn connect(url: &str, capabilities: &Value) -> Client {
    let mut tries = 0;
    loop {
        let mut builder = ClientBuilder::new(HttpConnector::new());
        builder.capabilities(capabilities.as_object().unwrap().clone());
        match builder.connect(url).await {
            Ok(page) => return page,
            Err(error) if tries == 100 => panic!("the browser does not start: {error}"),
            Err(_) => tries += 1,
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// Opens a room and answers with its address.
async fn room() -> String {
    let listener = room::bind("127.0.0.1:0".parse().unwrap()).await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(room::serve(listener, room_backend::start(), std::future::pending()));
    format!("http://{address}/")
}

#[tokio::test]
async fn people_chat_see_why_it_spoke_open_its_turn_and_lose_nothing_on_reload() {
    let Some(browser) = Browser::open("en").await else { return };
    browser.page.goto(&room().await).await.unwrap();

    browser.say("Anna", "did you see <b>that</b> & the rest?").await;
    browser.say("Ben", "@Mira what do you say?").await;
    browser.until("return document.querySelectorAll('.message.own').length === 1").await;
    let said = browser.messages().await;
    assert_eq!(said, ["did you see <b>that</b> & the rest?", "@Mira what do you say?", "I heard you, Ben."]);

    // The companion's mind: the score against the bar, every term as a signed bar.
    browser.find(".gauge.speaks .mark").await;
    assert!(browser.text("#willingness").await.contains("they mention it"));
    browser.find(".term.for .beam").await;
    browser.find(".term.against .beam").await;

    // Why it kept silent at the first message.
    browser.click(".badge.silent").await;
    browser.until("return document.querySelector('.sentence').textContent.startsWith('Kept silent: ')").await;
    browser.click("#back-to-now").await;

    // The turn: why it woke, the exact prompt, the raw output.
    browser.click(".turn summary").await;
    browser.find(".turn .system").await;
    let turn = browser.js("return document.querySelector('.turn').textContent").await;
    for part in ["Ben spoke to it (a mention)", "You are Mira", "3 Ben: @Mira what do you say?", "<thoughts>", "1,040"]
    {
        assert!(turn.as_str().unwrap().contains(part), "no {part} in {turn}");
    }

    // Edit by keyboard, react, delete.
    browser.find("#write").await.send_keys(&Key::Up.to_string()).await.unwrap();
    let field = browser.find(".editing textarea").await;
    field.send_keys(" really").await.unwrap();
    field.send_keys(&Key::Enter.to_string()).await.unwrap();
    browser.until("return document.querySelectorAll('.edited').length === 1").await;
    browser.click(".message.own .text").await;
    browser.click(".message.own [data-act=react]").await;
    browser.click(".picker button").await;
    browser.until("return document.querySelector('.message.own .reactions')?.textContent === '👍1'").await;
    browser.click(".message .text").await;
    browser.click(".message [data-act=delete]").await;
    browser.click(".message .sure").await;
    browser.until("return document.querySelectorAll('.message').length === 2").await;

    // A draft and everything said survive a reload.
    browser.find("#write").await.send_keys("half a thou").await.unwrap();
    browser.page.refresh().await.unwrap();
    browser.until("return document.querySelectorAll('.message').length === 2").await;
    assert_eq!(browser.messages().await, ["@Mira what do you say? really (edited)", "I heard you, Ben."]);
    browser.find(".message.own .reactions").await;
    browser.find(".turn").await;
    browser.until("return document.querySelector('#write').value === 'half a thou'").await;
    browser.close().await;
}

#[tokio::test]
async fn what_is_written_while_the_room_is_away_arrives_once_when_it_is_back() {
    let Some(browser) = Browser::open("en").await else { return };
    let doors = room_backend::start();
    let listener = room::bind("127.0.0.1:0".parse().unwrap()).await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel::<()>();
    let served = tokio::spawn(room::serve(listener, doors.clone(), async {
        let _ = stopped.await;
    }));
    browser.page.goto(&format!("http://{address}/")).await.unwrap();
    browser.say("Anna", "before").await;
    browser.find(".message").await;
    stop.send(()).unwrap();
    browser.until("return !document.querySelector('#away').hidden").await;
    served.await.unwrap().unwrap();
    browser.say("Anna", "meanwhile").await;
    assert!(browser.text(".stuck").await.contains("kith does not answer; is it still running?"));

    let listener = room::bind(address).await.unwrap();
    tokio::spawn(room::serve(listener, doors, std::future::pending()));
    browser.until("return document.querySelectorAll('.message').length === 2").await;
    browser.until("return document.querySelector('#away').hidden && !document.querySelector('.stuck')").await;
    assert_eq!(browser.messages().await, ["before", "meanwhile"]);
    browser.page.clone().close().await.unwrap();
}

#[tokio::test]
async fn names_are_completed_and_replies_show_what_they_answer() {
    let Some(browser) = Browser::open("en").await else { return };
    browser.page.goto(&room().await).await.unwrap();
    browser.say("Anna", "hello").await;
    browser.find(".message").await;
    let field = browser.find("#write").await;
    field.send_keys("hey @m").await.unwrap();
    assert_eq!(browser.text("#completion [aria-selected=true]").await, "M\nMira\ncompanion");
    field.send_keys(&Key::Enter.to_string()).await.unwrap();
    browser.until("return document.querySelector('#write').value === 'hey @Mira '").await;
    browser.js("document.querySelector('.message [data-act=reply]').click()").await;
    field.send_keys(&Key::Enter.to_string()).await.unwrap();
    browser.until("return document.querySelectorAll('.message .quote').length === 2").await;
    assert_eq!(browser.text(".message .mention").await, "@Mira");
    browser.close().await;
}

#[tokio::test]
async fn people_channels_and_a_model_are_added_from_the_page() {
    let Some(browser) = Browser::open("en").await else { return };
    browser.page.goto(&room().await).await.unwrap();
    browser.find(".as button").await;
    browser.click("#add-person").await;
    browser.find("#add-name").await.send_keys("Cleo").await.unwrap();
    browser.click("dialog .primary").await;
    browser.until("return document.querySelector('.as [aria-checked=true]').textContent.includes('Cleo')").await;
    browser.click("#add-channel").await;
    browser.find("#add-name").await.send_keys("garden").await.unwrap();
    browser.click("dialog .primary").await;
    browser.until("return document.querySelector('#channel-name').textContent === '# garden'").await;
    browser.until("return document.querySelector('dialog') === null").await;

    assert!(browser.text("#model").await.contains("Stand-in"));
    browser.click("#model").await;
    browser.click("dialog .row .plain").await;
    browser.until("return document.querySelector('#model-name').value === 'small-talk'").await;
    browser.click("dialog .end .plain").await;
    browser.until("return document.querySelector('.outcome').textContent.startsWith('It works: “Hello!”')").await;
    browser.close().await;
}

#[tokio::test]
async fn a_phone_shows_one_part_at_a_time_in_chinese_without_scrolling_sideways() {
    let Some(browser) = Browser::open("zh-CN").await else { return };
    let page = room().await;
    browser.page.goto(&page).await.unwrap();
    browser.say("Anna", &"a-long-word-that-nobody-can-break".repeat(12)).await;
    browser.say("Anna", "@Mira 在吗？").await;
    browser.until("return document.querySelectorAll('.message.own').length === 1").await;
    assert_eq!(browser.js("return document.documentElement.lang").await, "zh-Hans");
    browser.page.set_window_size(375, 800).await.unwrap();
    browser.until("return innerWidth <= 500").await;
    for pane in ["side", "chat", "mind"] {
        browser.click(&format!(".tabs [data-pane={pane}]")).await;
        let wide = browser.js("return document.documentElement.scrollWidth > innerWidth").await;
        assert_eq!(wide, false, "{pane} is too wide");
        let shown = "return ['side', 'chat', 'mind'].filter((id) => document.getElementById(id).offsetWidth > 0)";
        assert_eq!(browser.js(shown).await, json!([pane]));
    }
    assert!(browser.text("#willingness").await.contains("开口的意愿"));
    browser.close().await;
}
