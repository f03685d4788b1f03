//! A scripted model server on loopback that speaks OpenAI-style and Anthropic's server-sent events and Ollama's JSON
//! lines, and every way of failing that real servers have. What it was asked is kept. It never waits longer than the script says.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::tcp::OwnedWriteHalf;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

#[derive(Clone, Debug)]
pub struct ReceivedRequest {
    /// `POST /v1/chat/completions`.
    pub line: String,
    /// Lower-case names.
    pub headers: HashMap<String, String>,
    /// The body; null where there was none.
    pub body: Value,
}

/// A part of a response's body.
#[derive(Clone, Debug)]
enum Step {
    Bytes(Vec<u8>),
    Wait(Duration),
    /// Says nothing more until the client hangs up.
    Hang,
    /// Hangs up without the end mark of the body.
    HangUp,
    /// The same bytes for ever.
    Endless(Vec<u8>),
}

#[derive(Clone, Debug)]
pub struct Reply {
    status: u16,
    headers: Vec<(String, String)>,
    steps: Vec<Step>,
    /// Nothing is sent at all, not even a head.
    mute: bool,
    /// Makes the body out of that of the request; it stands behind all other steps.
    answer: Option<fn(&Value) -> Value>,
}

impl Reply {
    /// A response with this status and type and no body yet.
    pub fn new(status: u16, content_type: &str) -> Self {
        let headers = vec![("content-type".into(), content_type.into())];
        Self {
            status,
            headers,
            steps: Vec::new(),
            mute: false,
            answer: None,
        }
    }

    /// A stream of server-sent events without any event yet.
    pub fn events() -> Self {
        Self::new(200, "text/event-stream")
    }

    /// A whole OpenAI-style answer, streamed in these pieces.
    pub fn openai(pieces: &[&str]) -> Self {
        let start = Self::events()
            .event(json!({"choices": [{"index": 0, "delta": {"role": "assistant"}}]}));
        let reply = pieces.iter().fold(start, |reply, piece| reply.delta(piece));
        reply.finish("stop").usage(120, 7).done()
    }

    pub fn ollama(pieces: &[&str]) -> Self {
        let start = Self::new(200, "application/x-ndjson");
        let reply = pieces.iter().fold(start, |reply, piece| {
            reply.line(json!({"message": {"role": "assistant", "content": piece}, "done": false}))
        });
        reply.line(json!({
            "message": {"role": "assistant", "content": ""}, "done": true, "done_reason": "stop",
            "prompt_eval_count": 120, "eval_count": 7,
        }))
    }

    /// A stream of Anthropic's events, each with its name before it.
    pub fn anthropic(events: impl IntoIterator<Item = Value>) -> Self {
        events.into_iter().fold(Self::events(), |reply, event| {
            let name = event["type"].as_str().unwrap_or_default();
            reply.bytes(format!("event: {name}\ndata: {event}\n\n"))
        })
    }

    pub fn json(status: u16, body: Value) -> Self {
        Self::new(status, "application/json").bytes(body.to_string())
    }

    /// A JSON document that is made of the body of the request.
    pub fn answered_by(answer: fn(&Value) -> Value) -> Self {
        Self {
            answer: Some(answer),
            ..Self::new(200, "application/json")
        }
    }

    /// Says nothing at all until the client hangs up.
    pub fn mute() -> Self {
        Self {
            mute: true,
            ..Self::new(200, "text/plain")
        }
        .hang()
    }

    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    fn resolve(self, asked: &Value) -> Self {
        match self.answer {
            Some(answer) => self.bytes(answer(asked).to_string()),
            None => self,
        }
    }

    /// Adds bytes as they are.
    pub fn bytes(mut self, bytes: impl AsRef<[u8]>) -> Self {
        self.steps.push(Step::Bytes(bytes.as_ref().to_vec()));
        self
    }

    pub fn event(self, data: Value) -> Self {
        self.bytes(format!("data: {data}\n\n"))
    }

    pub fn line(self, value: Value) -> Self {
        self.bytes(format!("{value}\n"))
    }

    /// Adds a piece of text as an OpenAI-style event.
    pub fn delta(self, text: &str) -> Self {
        self.event(
            json!({"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": null}]}),
        )
    }

    /// Adds the end of an OpenAI-style answer.
    pub fn finish(self, reason: &str) -> Self {
        self.event(json!({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}))
    }

    /// Adds the usage event with its empty choices.
    pub fn usage(self, prompt: u32, completion: u32) -> Self {
        self.event(json!({"choices": [], "usage": {"prompt_tokens": prompt, "completion_tokens": completion}}))
    }

    /// Adds the end mark of OpenAI-style streams.
    pub fn done(self) -> Self {
        self.bytes("data: [DONE]\n\n")
    }

    pub fn wait(mut self, time: Duration) -> Self {
        self.steps.push(Step::Wait(time));
        self
    }

    /// Says nothing more until the client hangs up.
    pub fn hang(mut self) -> Self {
        self.steps.push(Step::Hang);
        self
    }

    pub fn hang_up(mut self) -> Self {
        self.steps.push(Step::HangUp);
        self
    }

    pub fn endless(mut self, bytes: impl AsRef<[u8]>) -> Self {
        self.steps.push(Step::Endless(bytes.as_ref().to_vec()));
        self
    }
}

#[derive(Default)]
struct State {
    script: HashMap<String, VecDeque<Reply>>,
    asked: Vec<ReceivedRequest>,
}

/// The server. It stops when it is dropped.
pub struct FakeModel {
    address: String,
    state: Arc<Mutex<State>>,
    hung_up: Arc<Notify>,
    task: tokio::task::JoinHandle<()>,
}

impl FakeModel {
    /// A server with nothing to say but 404.
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0")
            .await
            .expect("a free port on loopback");
        let address = listener.local_addr().expect("a bound socket").to_string();
        let state = Arc::new(Mutex::new(State::default()));
        let hung_up = Arc::new(Notify::new());
        let task = tokio::spawn({
            let (state, hung_up) = (state.clone(), hung_up.clone());
            async move {
                while let Ok((stream, _)) = listener.accept().await {
                    tokio::spawn(serve(stream, state.clone(), hung_up.clone()));
                }
            }
        });
        Self {
            address,
            state,
            hung_up,
            task,
        }
    }

    /// A server that gives these OpenAI-style replies in order; the last one again and again.
    pub async fn openai(replies: impl IntoIterator<Item = Reply>) -> Self {
        let server = Self::start().await;
        replies
            .into_iter()
            .for_each(|reply| server.on("POST /v1/chat/completions", reply));
        server
    }

    /// An Ollama with one model of 8192 tokens that gives these replies in order; the last one again and again.
    pub async fn ollama(model: &str, replies: impl IntoIterator<Item = Reply>) -> Self {
        let server = Self::start().await;
        let tags = json!({"models": [{"name": model, "modified_at": "2026-01-01T00:00:00Z"}]});
        let show =
            json!({"capabilities": ["completion"], "model_info": {"llama.context_length": 8192}});
        server.on("GET /api/tags", Reply::json(200, tags));
        server.on("POST /api/show", Reply::json(200, show));
        replies
            .into_iter()
            .for_each(|reply| server.on("POST /api/chat", reply));
        server
    }

    /// Adds a reply to requests of this line (`GET /v1/models`); the last one added is given again and again.
    pub fn on(&self, line: &str, reply: Reply) {
        self.lock()
            .script
            .entry(line.to_owned())
            .or_default()
            .push_back(reply);
    }

    pub fn now(&self, line: &str, replies: impl IntoIterator<Item = Reply>) {
        self.lock()
            .script
            .insert(line.to_owned(), replies.into_iter().collect());
    }

    /// `127.0.0.1:port`.
    pub fn host(&self) -> &str {
        &self.address
    }

    /// The base URL of the OpenAI-style API.
    pub fn openai_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// The base URL of Ollama's API.
    pub fn ollama_url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn bodies_at(&self, line: &str) -> Vec<Value> {
        self.asked()
            .into_iter()
            .filter(|asked| asked.line == line)
            .map(|asked| asked.body)
            .collect()
    }

    pub fn asked(&self) -> Vec<ReceivedRequest> {
        self.lock().asked.clone()
    }

    /// The bodies of the chat requests so far, oldest first.
    pub fn chats(&self) -> Vec<Value> {
        let ends = [
            "/chat/completions",
            "/api/chat",
            "/messages",
            ":streamGenerateContent?alt=sse",
        ];
        let chat = |asked: &ReceivedRequest| ends.iter().any(|end| asked.line.ends_with(end));
        self.asked()
            .into_iter()
            .filter(chat)
            .map(|asked| asked.body)
            .collect()
    }

    pub async fn client_hung_up(&self) {
        self.hung_up.notified().await;
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl Drop for FakeModel {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn serve(stream: TcpStream, state: Arc<Mutex<State>>, hung_up: Arc<Notify>) {
    let (reader, writer) = stream.into_split();
    let mut reader = BufReader::new(reader);
    let Some(asked) = read_request(&mut reader).await else {
        return;
    };
    let body = asked.body.clone();
    let reply = {
        let mut state = state
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        let line = asked.line.clone();
        state.asked.push(asked);
        match state.script.get_mut(&line) {
            Some(replies) if replies.len() > 1 => replies.pop_front(),
            Some(replies) => replies.front().cloned(),
            None => None,
        }
    };
    let unknown = || {
        Reply::json(
            404,
            json!({"error": {"message": "no such path", "code": null}}),
        )
    };
    let gone = async {
        // The client sends nothing more; reading ends when it hangs up.
        while matches!(reader.read(&mut [0; 64]).await, Ok(count) if count > 0) {}
    };
    tokio::select! {
        _ = play(reply.unwrap_or_else(unknown).resolve(&body), writer) => {}
        () = gone => hung_up.notify_one(),
    }
}

async fn read_request(reader: &mut (impl AsyncBufReadExt + Unpin)) -> Option<ReceivedRequest> {
    let mut first = String::new();
    reader.read_line(&mut first).await.ok()?;
    let line = first.trim_end().strip_suffix(" HTTP/1.1")?.to_owned();
    let mut headers = HashMap::new();
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).await.ok()?;
        let Some((name, value)) = header.trim_end().split_once(": ") else {
            break;
        };
        headers.insert(name.to_lowercase(), value.to_owned());
    }
    let length = headers
        .get("content-length")
        .and_then(|length| length.parse().ok())
        .unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body).await.ok()?;
    Some(ReceivedRequest {
        line,
        headers,
        body: serde_json::from_slice(&body).unwrap_or_default(),
    })
}

async fn play(reply: Reply, mut writer: OwnedWriteHalf) -> std::io::Result<()> {
    if !reply.mute {
        let mut head = format!(
            "HTTP/1.1 {} Scripted\r\ntransfer-encoding: chunked\r\nconnection: close\r\n",
            reply.status
        );
        reply
            .headers
            .iter()
            .for_each(|(name, value)| head.push_str(&format!("{name}: {value}\r\n")));
        writer.write_all(format!("{head}\r\n").as_bytes()).await?;
    }
    for step in reply.steps {
        match step {
            Step::Bytes(bytes) => chunk(&mut writer, &bytes).await?,
            Step::Wait(time) => tokio::time::sleep(time).await,
            Step::Hang => std::future::pending().await,
            Step::HangUp => return Ok(()),
            Step::Endless(bytes) => loop {
                chunk(&mut writer, &bytes).await?;
            },
        }
    }
    writer.write_all(b"0\r\n\r\n").await
}

async fn chunk(writer: &mut OwnedWriteHalf, bytes: &[u8]) -> std::io::Result<()> {
    if bytes.is_empty() {
        return Ok(());
    }
    writer
        .write_all(format!("{:x}\r\n", bytes.len()).as_bytes())
        .await?;
    writer.write_all(bytes).await?;
    writer.write_all(b"\r\n").await
}
