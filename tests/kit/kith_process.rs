//! A real `kith` process with its own data folder, spoken to over its JSON API or living on a fake Discord, and a model
//! server that answers by what it is shown. Everything stays on loopback.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::routing::post;
use memchr::memmem;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::PATIENCE;
use crate::peers;
use crate::test_database::{self, TestDatabase};

/// A running `kith` and its folder.
pub struct KithProcess {
    pub dir: TempDir,
    pub url: String,
    /// The address it printed, which opens the page.
    pub entry: String,
    pub token: String,
    process: Option<Child>,
    http: reqwest::Client,
    log: Arc<Mutex<String>>,
    posts: AtomicU32,
    environment: Vec<(String, String)>,
}

impl KithProcess {
    /// A folder with these settings and a `kith` that runs in it.
    pub async fn open(settings: &str) -> Self {
        Self::open_with(settings, &[]).await
    }

    pub async fn open_with(settings: &str, environment: &[(&str, &str)]) -> Self {
        Self::furnished(&[("kith.toml", settings)], environment).await
    }

    pub async fn furnished(files: &[(&str, &str)], environment: &[(&str, &str)]) -> Self {
        let dir = TempDir::new().unwrap();
        for (name, text) in files {
            let path = dir.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        test_database::give_schema(dir.path(), files, environment);
        let http = kith_system::tls::loopback_client().build().unwrap();
        let environment = environment
            .iter()
            .map(|(name, value)| ((*name).into(), (*value).into()))
            .collect();
        let (log, posts) = (Arc::default(), AtomicU32::new(0));
        let (url, entry, token) = (String::new(), String::new(), String::new());
        let mut kith = Self {
            dir,
            url,
            entry,
            token,
            process: None,
            http,
            log,
            posts,
            environment,
        };
        kith.start();
        kith
    }

    pub fn start(&mut self) {
        self.try_start()
            .unwrap_or_else(|log| panic!("it did not start: {log}"));
    }

    /// The same, where it may not start.
    ///
    /// # Errors
    /// What it logged.
    pub fn try_start(&mut self) -> Result<(), String> {
        let mut child = build_kith_command(self.dir.path())
            .envs(self.environment.iter().cloned())
            .spawn()
            .unwrap();
        let stderr = child.stderr.take().unwrap();
        let log = self.log.clone();
        std::thread::spawn(move || {
            for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                log.lock().unwrap().push_str(&(line + "\n"));
            }
        });
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let Some(first) = lines.next().and_then(Result::ok) else {
            let _ = child.wait();
            return Err(self.log());
        };
        std::thread::spawn(move || lines.count());
        if let Some(at) = first.find("http://") {
            let (url, file) = first[at..]
                .split_once("/?token=")
                .and_then(|(url, rest)| {
                    let mut words = rest.split([' ', ',']);
                    Some((url, words.find(|word| word.ends_with("room.token"))?))
                })
                .unwrap_or_else(|| panic!("no address in {first:?}"));
            let kept = std::fs::read_to_string(self.dir.path().join(file)).unwrap();
            let entry = format!("{url}/?token={}", kept.trim());
            (self.url, self.entry, self.token) = (url.into(), entry, kept.trim().into());
        }
        self.process = Some(child);
        Ok(())
    }

    /// The number the system knows the process by.
    pub fn process_id(&self) -> u32 {
        self.process.as_ref().expect("it runs").id()
    }

    /// Whether it was started and neither killed nor stopped since.
    pub fn is_running(&self) -> bool {
        self.process.is_some()
    }

    /// SIGKILL.
    pub fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            self.assert_it_talks_to_nobody_else(process.id());
            process.kill().unwrap();
            process.wait().unwrap();
        }
    }

    /// Waits until it has ended though nobody told it to.
    pub async fn until_dead(&mut self) {
        let mut process = self.process.take().expect("it runs");
        crate::until(
            || process.try_wait().unwrap().is_some(),
            || format!("it lives on\n{}", self.log()),
        )
        .await;
    }

    /// SIGTERM, and waits until it has ended by itself.
    pub fn stop(&mut self) {
        self.ends_on("TERM");
    }

    /// A signal, and waits until it has ended by itself; answers with the exit code.
    pub fn ends_on(&mut self, signal: &str) -> Option<i32> {
        let mut process = self.process.take()?;
        self.assert_it_talks_to_nobody_else(process.id());
        let signal = format!("-{signal}");
        let sent = Command::new("kill")
            .args([&signal, &process.id().to_string()])
            .status()
            .unwrap();
        assert!(sent.success());
        process.wait().unwrap().code()
    }

    /// No socket of the process leads anywhere but to this machine.
    fn assert_it_talks_to_nobody_else(&self, process: u32) {
        let strangers = peers::beyond_loopback(process);
        assert!(
            strangers.is_empty() || std::thread::panicking(),
            "it talks to {strangers:?}\n{}",
            self.log()
        );
    }

    /// Everything on standard error so far.
    pub fn log(&self) -> String {
        self.log.lock().unwrap().clone()
    }

    /// One request of the JSON API; the status tells whether it was carried out.
    pub async fn try_ask(&self, request: Value) -> Result<Value, String> {
        let refused = |body: Value| body["error"].to_string();
        self.ask_or_refusal(request).await.map_err(refused)
    }

    pub async fn ask_or_refusal(&self, request: Value) -> Result<Value, Value> {
        self.post("api", request).await
    }

    pub async fn ask_console(&self, request: Value) -> Value {
        let shown = request.to_string();
        let answer = self.try_ask_console(request).await;
        answer.unwrap_or_else(|error| panic!("{shown}: {error}\n{}", self.log()))
    }

    pub async fn try_ask_console(&self, request: Value) -> Result<Value, Value> {
        self.post("api/console", request).await
    }

    pub async fn ask_memory(&self, request: Value) -> Value {
        let shown = request.to_string();
        let answer = self.try_ask_memory(request).await;
        answer.unwrap_or_else(|error| panic!("{shown}: {error}\n{}", self.log()))
    }

    pub async fn try_ask_memory(&self, request: Value) -> Result<Value, Value> {
        self.post("api/memory", request).await
    }

    async fn post(&self, path: &str, request: Value) -> Result<Value, Value> {
        let failed = |error: reqwest::Error| json!({ "error": error.to_string() });
        let sent = self
            .http
            .post(format!("{}/{path}", self.url))
            .bearer_auth(&self.token)
            .json(&request)
            .send()
            .await;
        let response = sent.map_err(failed)?;
        let ok = response.status().is_success();
        let body: Value = response.json().await.map_err(failed)?;
        if ok { Ok(body) } else { Err(body) }
    }

    pub async fn ask(&self, request: Value) -> Value {
        let shown = request.to_string();
        self.try_ask(request)
            .await
            .unwrap_or_else(|error| panic!("{shown}: {error}\n{}", self.log()))
    }

    /// Anna writes in the lounge.
    pub async fn says(&self, text: &str) -> Value {
        let number = self.posts.fetch_add(1, Ordering::Relaxed);
        self.ask(post_of(text, &format!("post {number}"))).await
    }

    /// The newest messages of the lounge, oldest first.
    pub async fn history(&self) -> Vec<Value> {
        let mut pages = Vec::new();
        let mut before = Value::Null;
        loop {
            let page = self
                .ask(json!({"ask": "history", "channel": "10", "before": before, "limit": 200}))
                .await;
            let mut messages = page["messages"].as_array().unwrap().clone();
            before = messages
                .first()
                .map_or(Value::Null, |message| message["id"].clone());
            messages.append(&mut pages);
            pages = messages;
            if page["more"] != true {
                return pages;
            }
        }
    }

    /// Waits until `found` finds something in the history.
    pub async fn until<T>(&self, what: &str, mut found: impl FnMut(&[Value]) -> Option<T>) -> T {
        let end = kith_system::clock::monotonic() + PATIENCE;
        loop {
            let history = self.history().await;
            if let Some(found) = found(&history) {
                return found;
            }
            assert!(
                kith_system::clock::monotonic() < end,
                "never: {what}\n{history:#?}\n{}",
                self.log()
            );
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    pub async fn until_true(&self, what: &str, mut holds: impl FnMut(&[Value]) -> bool) {
        let found = |history: &[Value]| holds(history).then_some(());
        self.until(what, found).await;
    }

    /// Waits until somebody has said this, and nothing else, in the lounge.
    pub async fn until_said(&self, text: &str) {
        let is_it = |line: &Value| line["text"] == text;
        self.until_true(text, |history| history.iter().any(is_it))
            .await;
    }

    /// Waits until the companion has said so many things in the lounge, and answers with the last of them.
    pub async fn until_answers(&self, count: usize) -> Value {
        let is_own = |line: &&Value| line["author"]["kind"] == "companion";
        let find = |history: &[Value]| history.iter().filter(is_own).nth(count - 1).cloned();
        self.until("an answer", find).await
    }

    /// The turns of the lounge that are over, newest first, as soon as there are so many.
    pub async fn ended_turns(&self, count: usize) -> Vec<Value> {
        let end = kith_system::clock::monotonic() + PATIENCE;
        loop {
            let mut turns = self.ask(json!({"ask": "turns", "channel": "10"})).await;
            match turns["turns"].take() {
                Value::Array(turns) if turns.len() >= count => return turns,
                turns => assert!(
                    kith_system::clock::monotonic() < end,
                    "fewer than {count} turns are over: {turns:#}\n{}",
                    self.log()
                ),
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// The newest turn of the lounge with its report and prompts, as soon as so many are over.
    pub async fn ended_turn(&self, count: usize) -> Value {
        let turns = self.ended_turns(count).await;
        self.ask(json!({"ask": "turn", "id": turns[0]["turn"]}))
            .await
    }

    pub async fn until_logged(&self, text: &str) {
        crate::until(
            || self.log().contains(text),
            || format!("never logged: {text}\n{}", self.log()),
        )
        .await;
    }

    /// Its database, as somebody else sees it.
    pub fn database(&self) -> TestDatabase {
        TestDatabase::of(self.dir.path())
    }

    /// Every file in its folder whose bytes hold `text`, and every row that does where its database is on a server.
    pub fn files_with(&self, text: &str) -> Vec<PathBuf> {
        self.files_holding(text.as_bytes())
    }

    /// The same of bytes, which on a server may be a number.
    pub fn files_holding(&self, bytes: &[u8]) -> Vec<PathBuf> {
        let rows = self.database().find_rows(bytes);
        let mut found: Vec<PathBuf> = rows.into_iter().map(PathBuf::from).collect();
        let mut folders = vec![self.dir.path().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if std::fs::read(&path)
                    .is_ok_and(|file| memmem::find(&file, bytes).is_some())
                {
                    found.push(path);
                }
            }
        }
        found
    }
}

impl Drop for KithProcess {
    fn drop(&mut self) {
        self.kill();
        test_database::take_schema(self.dir.path());
    }
}

pub fn post_of(text: &str, nonce: &str) -> Value {
    let nonce: String = nonce.chars().take(60).collect();
    json!({"ask": "post", "channel": "10", "person": "2", "text": text, "client_nonce": nonce})
}

/// Where Cargo has put the program; it tells the tests of the program's own crate.
#[expect(
    clippy::disallowed_methods,
    reason = "only Cargo knows, and says it in the environment"
)]
pub fn binary() -> PathBuf {
    std::env::var_os("CARGO_BIN_EXE_kith")
        .expect("run as a test of the crate `kith`")
        .into()
}

/// The command that runs `kith` in a folder, with nothing of this machine's environment that it could read. It finds the
/// database that the folder has on the server of the tests.
pub fn build_kith_command(dir: &Path) -> Command {
    let mut command = Command::new(binary());
    command
        .current_dir(dir)
        .env_clear()
        .envs(
            TestDatabase::of(dir)
                .url()
                .map(|url| (test_database::VARIABLE, url)),
        )
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Runs `kith` until it ends by itself, and answers with exit code and standard error.
pub fn run_to_the_end(dir: &Path) -> (Option<i32>, String) {
    let mut child = build_kith_command(dir).spawn().unwrap();
    let mut stderr = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut stderr)
        .unwrap();
    (child.wait().unwrap().code(), stderr)
}

/// A model server whose answer is a function of the prompt's user message. Answers with its base URL.
pub async fn model(answer: impl Fn(&str) -> String + Send + Sync + 'static) -> String {
    moody_model(move |user| Some(answer(user))).await
}

/// A model server that may also answer nothing for ever.
pub async fn moody_model(
    answer: impl Fn(&str) -> Option<String> + Send + Sync + 'static,
) -> String {
    model_server(move |_, user| answer(user)).await
}

/// A model server whose answer is a function of the system and the user message.
pub async fn model_server(
    answer: impl Fn(&str, &str) -> Option<String> + Send + Sync + 'static,
) -> String {
    whole_server(move |body| {
        let message = |at: usize| body["messages"][at]["content"].as_str().unwrap_or_default();
        answer(message(0), message(1)).ok_or(0)
    })
    .await
}

/// A model server whose answer is a function of the whole question. Instead of one it may give a status, or 0 for nothing
/// for ever.
pub async fn whole_server(
    answer: impl Fn(&Value) -> Result<String, u16> + Send + Sync + 'static,
) -> String {
    let answer = Arc::new(answer);
    let chat = move |body: String| {
        let answer = answer.clone();
        async move {
            let body: Value = serde_json::from_str(&body).unwrap_or_default();
            let content = match answer(&body) {
                Ok(content) => content,
                Err(0) => return std::future::pending().await,
                Err(status) => {
                    let status = axum::http::StatusCode::from_u16(status).unwrap();
                    return (
                        status,
                        [("content-type", "application/json")],
                        "{\"error\": \"no\"}".to_owned(),
                    );
                }
            };
            let delta = json!({"choices": [{"index": 0, "delta": {"content": content}, "finish_reason": "stop"}]});
            let usage =
                json!({"choices": [], "usage": {"prompt_tokens": 1_000, "completion_tokens": 20}});
            let ok = axum::http::StatusCode::OK;
            (
                ok,
                [("content-type", "text/event-stream")],
                format!("data: {delta}\n\ndata: {usage}\n\ndata: [DONE]\n\n"),
            )
        }
    };
    let router = Router::new().route("/v1/chat/completions", post(chat));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await });
    url
}

/// Settings for a `kith` whose model is at `url`, with nothing that takes time.
pub fn settings(url: &str, more: &str) -> String {
    format!(
        r#"
near_duplicate = 2.0
{more}
[room]
listen = "127.0.0.1:0"
[model]
provider = "openai"
base_url = "{url}"
name = "scripted"
[heartbeat]
burst_wait_seconds = 0.1
address_wait_seconds = 0.05
[pacing]
characters_per_second = 400.0
"#
    )
}
