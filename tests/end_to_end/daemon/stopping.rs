//! What runs is shown while it runs, and ends where somebody ends it.

use futures_util::StreamExt;
use kith_testkit::assert_has;

use super::kith_process::{KithProcess, settings, whole_server};
use super::*;

const TOOL: &str = r#"
[slow]
description = "takes for ever"
time_out_seconds = 60
[slow.command]
argv = ["sh", "./slow.sh"]
"#;

/// Tells how far it is, leaves the ids of its processes in its folder, and does not end by itself.
const SCRIPT: &str = r#"
cat > /dev/null
sleep 600 &
echo '{"progress": "half <b>way</b>"}'
echo '{"publish": {"name": "chart", "data": {"votes": [3, 4]}}}'
echo "$$ $!" > pids
wait
"#;

/// A `kith` whose model hands over a task; who works on it calls the slow tool first and then gets no answer any more.
async fn start_kith(tool_first: bool) -> KithProcess {
    let url = whole_server(move |body| {
        let message = |at: usize| {
            body["messages"][at]["content"]
                .as_str()
                .unwrap_or_default()
                .to_owned()
        };
        let (system, user) = (message(0), message(1));
        let inner = match (
            system.starts_with("You work on one task"),
            user.contains("and now?"),
        ) {
            (true, _) if tool_first => "<slow/>",
            (true, _) if user.contains("you called calculate") => return Err(0),
            (true, _) => "<calculate>20 + 22</calculate>",
            (false, true) => "<send_message>now I am here</send_message>",
            (false, false) => "<task>Look it up.</task>",
        };
        Ok(format!("<turn>{inner}</turn>"))
    })
    .await;
    let more = "tool_paths = [\"slow.toml\"]\ntools = [\"default\", \"task\", \"calculate\"]";
    let kith = settings(&url, more);
    KithProcess::furnished(
        &[
            ("kith.toml", &kith),
            ("slow.toml", TOOL),
            ("slow.sh", SCRIPT),
        ],
        &[],
    )
    .await
}

/// Everything told live, until `last` says that an event is the last one.
pub async fn live_until(kith: &KithProcess, last: impl Fn(&Value) -> bool) -> Vec<Value> {
    let client = kith_system::tls::loopback_client().build().unwrap();
    let mut stream = client
        .get(format!("{}/api/live", kith.url))
        .bearer_auth(&kith.token)
        .send()
        .await
        .unwrap()
        .bytes_stream();
    let (mut text, mut events) = (String::new(), Vec::new());
    let listening = async {
        loop {
            text.push_str(
                std::str::from_utf8(&stream.next().await.expect("the stream ended").unwrap())
                    .unwrap(),
            );
            while let Some(end) = text.find("\n\n") {
                let event: String = text.drain(..end + 2).collect();
                let Some(data) = event.lines().find_map(|line| line.strip_prefix("data: ")) else {
                    continue;
                };
                events.push(serde_json::from_str::<Value>(data).unwrap());
                match events.last() {
                    Some(event) if event["type"] == "hello" => {
                        drop(kith.says("@Juno look it up").await)
                    }
                    Some(event) if last(event) => return,
                    _ => {}
                }
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(30), listening)
        .await
        .expect("it was never told");
    events
}

async fn tokens_today(kith: &KithProcess) -> u64 {
    kith.ask(json!({"ask": "model"})).await["tokens_today"]
        .as_u64()
        .unwrap()
}

fn runs(pid: &str) -> bool {
    // One that ended and was not looked after yet does not run any more.
    let state = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    state
        .rsplit(')')
        .next()
        .is_some_and(|rest| !rest.is_empty() && !rest.trim_start().starts_with('Z'))
}

/// The ids of the slow tool's processes, once it runs.
async fn read_pids(kith: &KithProcess) -> String {
    let pids = kith.dir.path().join("data/tools/slow/pids");
    loop {
        match std::fs::read_to_string(&pids) {
            Ok(pids) if pids.ends_with('\n') => return pids,
            _ => tokio::time::sleep(Duration::from_millis(20)).await,
        }
    }
}

/// The turn whose task tells three things while it runs.
async fn assert_task_is_told_live(kith: &KithProcess) -> Value {
    let events = live_until(kith, |event| event["name"] == "chart").await;
    let started = events
        .iter()
        .find(|event| event["type"] == "turn_started")
        .unwrap();
    let turn = started["turn"].clone();
    let news: Vec<&Value> = events
        .iter()
        .filter(|event| event["type"] == "tool_news")
        .collect();
    let told = |number: u32, of: Value| {
        let mut whole = json!({"type": "tool_news", "turn": turn, "channel": "10", "number": number, "tool": "task"});
        whole
            .as_object_mut()
            .unwrap()
            .extend(of.as_object().unwrap().clone());
        whole
    };
    assert_eq!(*news[0], told(1, json!({"text": "round 1: slow"})));
    assert_eq!(*news[1], told(2, json!({"text": "half <b>way</b>"})));
    assert_eq!(
        *news[2],
        told(3, json!({"name": "chart", "data": {"votes": [3, 4]}}))
    );
    turn
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_task_is_told_live_and_one_that_is_stopped_half_way_leaves_nothing_running() {
    let kith = start_kith(true).await;
    let turn = assert_task_is_told_live(&kith).await;
    // Who comes later finds the same.
    let running = kith.ask(json!({"ask": "turn", "id": turn})).await;
    assert_eq!(running["running"], true);
    assert_eq!(
        running["news"].as_array().map(Vec::len),
        Some(3),
        "{running:#}"
    );

    let pids = read_pids(&kith).await;
    assert!(pids.split_whitespace().all(runs), "{pids}");
    kith.ask(json!({"ask": "stop_turn", "id": turn})).await;
    while pids.split_whitespace().any(runs) {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    // Its report is on its way to the store.
    let over = loop {
        match kith.try_ask(json!({"ask": "turn", "id": turn})).await {
            Ok(over) => break over,
            Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
        }
    };
    assert_eq!(
        (&over["running"], over["news"].as_array().map(Vec::len)),
        (&json!(false), Some(0))
    );
    assert_eq!(
        over["report"]["outcome"],
        json!({"silent": "somebody stopped it"}),
        "{over:#}"
    );
    let call = &over["report"]["rounds"][0]["calls"][0];
    let result = call["result"]["content"].as_str().unwrap();
    assert!(result.starts_with("stopped before it answered"), "{result}");
    let notes = over["report"]["notes"].to_string();
    assert_has(&notes, ["task got as far as: half <b>way</b>"]);
    assert_eq!(
        tokens_today(&kith).await,
        2 * 1_020,
        "the turn's call and the task's, both of which had ended"
    );
    let refused = kith
        .try_ask(json!({"ask": "stop_turn", "id": turn}))
        .await
        .unwrap_err();
    assert_has(&refused, ["that turn does not run, or not any more"]);
    kith.says("@Juno and now?").await;
    kith.until_answers(1).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tool_that_a_person_stops_ends_and_its_turn_goes_on_with_what_the_model_is_told() {
    let url = model(
        |user| match user.contains("a person stopped slow half-way") {
            true => "<turn><send_message>then not</send_message></turn>".into(),
            false => "<turn><slow/></turn>".into(),
        },
    )
    .await;
    let settings = settings(&url, "tool_paths = [\"slow.toml\"]");
    let files = [
        ("kith.toml", settings.as_str()),
        ("slow.toml", TOOL),
        ("slow.sh", SCRIPT),
    ];
    let kith = KithProcess::furnished(&files, &[]).await;
    let events = live_until(&kith, |event| event["name"] == "chart").await;
    let turn = &events.last().unwrap()["turn"];
    let calls = json!([{"call": 1, "tool": "slow"}]);
    let told = |event: &&Value| event["type"] == "running_calls";
    assert_eq!(events.iter().find(told).unwrap()["calls"], calls);
    let running = kith.ask(json!({"ask": "turn", "id": turn})).await;
    assert_eq!(running["calls"], calls, "{running:#}");

    let pids = read_pids(&kith).await;
    let stop = json!({"ask": "stop_call", "turn": turn, "call": 1});
    kith.ask(stop.clone()).await;
    let refused = kith.try_ask(stop).await.unwrap_err();
    assert_has(&refused, ["that call does not run"]);
    while pids.split_whitespace().any(runs) {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let said = kith.until_answers(1).await;
    assert_eq!(text(&said), "then not");
}

/// The lines that systemd is told. A thread of its own reads them, for who tells waits while nobody listens.
#[cfg(target_os = "linux")]
fn hear_notices(socket: std::os::unix::net::UnixDatagram) -> std::sync::mpsc::Receiver<String> {
    let (tell, heard) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut buffer = [0; 256];
        while let Ok(read) = socket.recv(&mut buffer) {
            let text = std::str::from_utf8(&buffer[..read]).unwrap();
            if text.lines().any(|line| tell.send(line.to_owned()).is_err()) {
                return;
            }
        }
    });
    heard
}

/// What systemd is told from now on, up to a notice.
#[cfg(target_os = "linux")]
fn read_notices(notices: &std::sync::mpsc::Receiver<String>, last: &str) -> Vec<String> {
    let mut heard = Vec::new();
    while heard.last().is_none_or(|notice: &String| notice != last) {
        let next = notices.recv_timeout(kith_testkit::PATIENCE);
        heard.push(next.expect("nothing more is told"));
    }
    heard
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn systemd_is_told_when_people_can_come_that_it_is_alive_and_that_it_stops() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notify");
    let notices = hear_notices(std::os::unix::net::UnixDatagram::bind(&path).unwrap());
    let url = model(|_| "<turn><silence/></turn>".into()).await;
    let environment = [
        ("NOTIFY_SOCKET", path.to_str().unwrap()),
        ("WATCHDOG_USEC", "20000"),
    ];
    let mut kith = KithProcess::open_with(&settings(&url, ""), &environment).await;
    let heard = read_notices(&notices, "WATCHDOG=1");
    assert_eq!(heard.first().map(String::as_str), Some("READY=1"));
    assert_eq!(kith.ends_on("TERM"), Some(0));
    let heard = read_notices(&notices, "STOPPING=1");
    assert!(!heard.iter().any(|notice| notice == "READY=1"), "{heard:?}");
}
