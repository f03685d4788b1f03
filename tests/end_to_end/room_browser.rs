//! The room's page in a real browser, served by a real `kith` whose stand-in answers: headless Chromium, driven over
//! WebDriver. Skipped where Chromium is missing.

mod accessibility;
mod card_drop;
mod chatting;
mod console;
mod entering;
mod failures;
mod first_minutes;
mod layout;
pub mod memory;
mod panel;
mod sessions;
mod turns_under_way;

use kith_testkit::assert_has;
use kith_testkit::kith_process;

use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::Duration;

use fantoccini::key::Key;
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use kith_process::KithProcess;
use kith_testkit::PATIENCE;
use serde_json::{Value, json};
use tempfile::TempDir;

const DRIVER: &str = "/usr/bin/chromedriver";
const BROWSER: &str = "/usr/bin/chromium";

/// A browser with a profile of its own, and the address of its driver.
pub struct Browser {
    pub page: Client,
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
    pub async fn open(language: &str) -> Option<Self> {
        if !Path::new(DRIVER).exists() || !Path::new(BROWSER).exists() {
            kith_testkit::say_skipped("install chromium and chromium-driver to run this test");
            return None;
        }
        let port = free_port();
        let mut command = Command::new(DRIVER);
        let driver = command
            .arg(format!("--port={port}"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
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
        Some(Self {
            page,
            url,
            driver,
            _profile: profile,
        })
    }

    /// The first element that fits, as soon as it is there.
    pub async fn find(&self, css: &str) -> fantoccini::elements::Element {
        let wait = self.page.wait().at_most(PATIENCE);
        wait.for_element(Locator::Css(css))
            .await
            .unwrap_or_else(|error| panic!("no {css}: {error}"))
    }

    pub async fn click(&self, css: &str) {
        // What the page draws anew between finding and clicking is found once more.
        while let Err(error) = self.find(css).await.click().await {
            assert!(
                error.is_stale_element_reference(),
                "cannot click {css}: {error}"
            );
        }
    }

    pub async fn text(&self, css: &str) -> String {
        loop {
            match self.find(css).await.text().await {
                Err(error) if error.is_stale_element_reference() => {}
                text => return text.unwrap(),
            }
        }
    }

    /// What a script answers. One that fails is run again: what the page draws anew is not there for a moment.
    pub async fn js(&self, script: &str) -> Value {
        let end = kith_system::clock::monotonic() + PATIENCE;
        loop {
            match self.page.execute(script, Vec::new()).await {
                Err(error)
                    if error.is_javascript_error() && kith_system::clock::monotonic() < end => {}
                answer => return answer.unwrap(),
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Waits until a script answers with `true`.
    pub async fn until(&self, script: &str) {
        let tries = PATIENCE.as_millis() / 50;
        for _ in 0..tries {
            if self.js(script).await == json!(true) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!(
            "never true: {script}; the page shows:\n{}",
            self.text("body").await
        );
    }

    /// Writes a message as the person with this name.
    async fn say(&self, person: &str, text: &str) {
        let choose = "[...document.querySelectorAll('.as button')].find((one) => one.innerText.includes(arguments[0])).click()";
        self.find(".as button").await;
        self.page
            .execute(choose, vec![json!(person)])
            .await
            .unwrap();
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

    /// A command of the browser's own protocol.
    async fn command(&self, name: &str, parameters: Value) {
        let session = self.page.session_id().await.unwrap().unwrap();
        let command = json!({ "cmd": name, "params": parameters });
        let client = kith_system::tls::loopback_client().build().unwrap();
        let url = format!("{}/session/{session}/goog/cdp/execute", self.url);
        let answer = client.post(url).json(&command).send().await.unwrap();
        assert!(answer.status().is_success(), "{answer:?}");
    }

    /// Light or dark, and nothing moves.
    async fn set_colours(&self, scheme: &str) {
        let features = json!([
            { "name": "prefers-color-scheme", "value": scheme },
            { "name": "prefers-reduced-motion", "value": "reduce" },
        ]);
        self.command(
            "Emulation.setEmulatedMedia",
            json!({ "features": features }),
        )
        .await;
    }

    /// What the browser complained about: errors, failed loads, broken policies.
    async fn complaints(&self) -> Vec<Value> {
        let session = self.page.session_id().await.unwrap().unwrap();
        let client = kith_system::tls::loopback_client().build().unwrap();
        let request = client
            .post(format!("{}/session/{session}/se/log", self.url))
            .json(&json!({ "type": "browser" }));
        let log: Value = request.send().await.unwrap().json().await.unwrap();
        let entries = log["value"].as_array().unwrap();
        entries
            .iter()
            .filter(|entry| entry["level"] != "INFO" && entry["level"] != "DEBUG")
            .cloned()
            .collect()
    }

    pub async fn close(self) {
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

/// A free port of this machine that no other test is told.
pub fn free_port() -> u16 {
    free_neighbours(1)
}

/// The first of so many free ports in a row, which no other test is told. They are below those that systems give to who
/// asks for any (Linux from 32,768 on), or another socket could take one before it is used.
pub fn free_neighbours(count: u16) -> u16 {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    // Two runs of the tests on a machine begin at different ones.
    let begin = u16::try_from(std::process::id() % 200).unwrap() * 100;
    let is_free = |port: u16| TcpListener::bind(("127.0.0.1", port)).is_ok();
    loop {
        let offset = begin.wrapping_add(NEXT.fetch_add(count, Ordering::Relaxed));
        let first = 10_000 + offset % 22_000;
        if (first..first + count).all(is_free) {
            return first;
        }
    }
}

/// A `kith` without a model, with nothing that takes time.
async fn start_kith() -> KithProcess {
    let settings = format!(
        r#"
[room]
listen = "127.0.0.1:{}"
[model]
provider = "none"
[heartbeat]
burst_wait_seconds = 0.1
address_wait_seconds = 0.05
[pacing]
characters_per_second = 400.0
"#,
        free_port()
    );
    KithProcess::open(&settings).await
}

/// A browser in the room of such a `kith`; none where no browser is installed.
async fn open_room() -> Option<(Browser, KithProcess)> {
    let browser = Browser::open("en").await?;
    let kith = start_kith().await;
    browser.page.goto(&kith.entry).await.unwrap();
    Some((browser, kith))
}

/// A `kith` that, told to note something, wants to write what somebody has to approve.
async fn start_kith_that_asks_for_approval() -> KithProcess {
    let model = kith_process::model(|user| {
        let asks = user.contains("note it") && !user.contains("has to approve") && !user.contains("approved that you");
        let note = "<turn><core_memory_append label=\"people\">&lt;b&gt;tea&lt;/b&gt;</core_memory_append></turn>";
        if asks { note.into() } else { "<turn><send_message>as you like</send_message></turn>".into() }
    })
    .await;
    let asks = "[tool.core_memory_append]\napproval = true\n";
    let settings = kith_process::settings(&model, asks);
    let settings = format!("persona = \"juno.toml\"\n{settings}");
    let files = [
        ("kith.toml", settings.as_str()),
        (
            "juno.toml",
            "name = \"Juno\"\nidentity = \"a gardener\"\n[core_memory.people]\n",
        ),
    ];
    KithProcess::furnished(&files, &[]).await
}

/// By keyboard and by mouse.
async fn edit_react_and_delete(browser: &Browser) {
    browser
        .find("#write")
        .await
        .send_keys(&Key::Up.to_string())
        .await
        .unwrap();
    let field = browser.find(".editing textarea").await;
    field.send_keys(" really").await.unwrap();
    field.send_keys(&Key::Enter.to_string()).await.unwrap();
    browser
        .until("return document.querySelectorAll('.edited').length === 1")
        .await;
    browser.click(".message.own .text").await;
    browser.click(".message.own [data-act=react]").await;
    browser.click(".picker button").await;
    browser
        .until("return document.querySelector('.message.own .reactions')?.textContent === '👍1'")
        .await;
    browser.click(".message .text").await;
    browser.click(".message [data-act=delete]").await;
    browser.click(".message .sure").await;
    browser
        .until("return !document.querySelector('.log').textContent.includes('the rest')")
        .await;
}

#[tokio::test]
async fn people_chat_see_why_it_spoke_open_its_turn_and_lose_nothing_on_reload() {
    let Some((browser, _kith)) = open_room().await else {
        return;
    };

    browser
        .say("Anna", "@Cleo did you see <b>that</b> & the rest?")
        .await;
    browser.find(".badge.silent").await;
    browser.say("Ben", "@Juno what time is it?").await;
    browser.find(".message.own .badge").await;
    browser.find(".turn.acted").await;
    let said = browser.messages().await;
    assert_eq!(
        said[..2],
        [
            "@Cleo did you see <b>that</b> & the rest?",
            "@Juno what time is it?"
        ]
    );
    assert!(said[2].starts_with("(stand-in) "), "{said:?}");
    assert_has(browser.text("#model").await, ["Stand-in"]);

    // The companion's mind: the score against the threshold, every term as a signed bar.
    browser.find(".gauge .mark").await;
    browser.find(".term.for .beam").await;
    browser.find(".term.against .beam").await;
    browser
        .until(
            "return document.querySelector('.headline')?.textContent === 'answered: Ben asked it'",
        )
        .await;

    // Why it kept silent at the first message, at which it still waited for its author when Ben spoke to it.
    browser.click(".badge.silent").await;
    browser
        .until(
            "return document.querySelector('.headline').textContent.startsWith('keeps silent: ')",
        )
        .await;
    browser.click("#back-to-now").await;

    // The turn: why it woke, the exact prompt, the raw output, a tool's result.
    browser.click(".turn summary").await;
    browser.find(".turn .system").await;
    let turn = browser
        .js("return document.querySelector('.turn').textContent")
        .await;
    for part in [
        "Ben spoke to it (a mention)",
        "You are Juno",
        "Ben: @Juno what time is it?",
        "<thoughts>",
        "get_time",
    ] {
        assert!(turn.as_str().unwrap().contains(part), "no {part} in {turn}");
    }

    edit_react_and_delete(&browser).await;

    // A draft and everything said survive a reload.
    let before = browser.messages().await;
    assert_eq!(before[0], "@Juno what time is it? really (edited)");
    let field = browser.find("#write").await;
    field.send_keys("half a thou").await.unwrap();
    browser.page.refresh().await.unwrap();
    browser.find(".message").await;
    assert_eq!(browser.messages().await, before);
    browser.find(".message.own .reactions").await;
    browser.find(".turn.acted").await;
    browser
        .until("return document.querySelector('#write').value === 'half a thou'")
        .await;
    browser.close().await;
}

/// A `kith` whose companion has a task worked on that calculates and then waits.
async fn start_kith_with_slow_task() -> KithProcess {
    let model = kith_process::model_server(|system, user| {
        let sums = "<turn><thoughts>first the sum</thoughts><calculate>20 + 22</calculate></turn>";
        let answer = match (
            system.starts_with("You work on one task"),
            user.contains("you called calculate"),
        ) {
            (true, false) => sums,
            (true, true) => "<turn><slow/></turn>",
            (false, _) => "<turn><task>Look it up.</task></turn>",
        };
        Some(answer.into())
    })
    .await;
    let tool = "[slow]\ndescription = \"takes for ever\"\ntime_out_seconds = 60\n\
                [slow.command]\nargv = [\"sh\", \"./slow.sh\"]\n";
    let script = "echo '{\"progress\": \"half <b>way</b>\"}'\n\
                  echo '{\"publish\": {\"name\": \"chart\", \"data\": [3, \"<b>\"]}}'\nsleep 600\n";
    let settings = kith_process::settings(
        &model,
        "tool_paths = [\"slow.toml\"]\ntools = [\"default\", \"task\", \"calculate\"]",
    );
    let files = [
        ("kith.toml", settings.as_str()),
        ("slow.toml", tool),
        ("slow.sh", script),
    ];
    KithProcess::furnished(&files, &[]).await
}
