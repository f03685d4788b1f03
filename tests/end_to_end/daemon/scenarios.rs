//! Tools of the host's own in whole turns: one that asks a site, a server that dies in the middle of a call, programs
//! that misbehave, and a tool that is told what happens to sessions.

use axum::Json;
use axum::extract::RawQuery;
use axum::routing::get;

use super::kith_process::whole_server;
use super::*;

/// A site that answers like wttr.in; what it is asked is checked by its answer.
async fn site() -> String {
    let day = |date: &str| json!({ "date": date, "mintempC": "4", "maxtempC": "13", "hourly": vec![json!({ "chanceofrain": "20", "weatherDesc": [{"value": "Rain"}] }); 8] });
    let answer = move |RawQuery(query): RawQuery| async move {
        let is_asked_well = query.as_deref() == Some("format=j1&lang=zh");
        Json(json!({
            "current_condition": [{ "temp_C": if is_asked_well { "12" } else { "-99" }, "FeelsLikeC": "10", "humidity": "80", "windspeedKmph": "15", "weatherDesc": [{"value": "Cloudy"}] }],
            "nearest_area": [{ "areaName": [{"value": "Berlin"}], "country": [{"value": "Germany"}] }],
            "weather": [day("2026-03-01"), day("2026-03-02")],
        }))
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let app = axum::Router::new().route("/Berlin", get(answer));
    tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
    url
}

fn said(words: &'static str) -> impl FnMut(&[Value]) -> Option<()> {
    move |history| {
        history
            .iter()
            .any(|line| own(line) && text(line).contains(words))
            .then_some(())
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn asked_for_the_weather_it_asks_the_site_and_answers_in_the_second_round() {
    let url = model(|user| match user.contains("Berlin, Germany: 12 °C") {
        true => "<turn><send_message>12 degrees in Berlin</send_message></turn>".into(),
        false => "<turn><get_weather>Berlin</get_weather></turn>".into(),
    });
    let (url, site) = (url.await, site().await);
    let weather = include_str!("../../../prompts/tools/weather.toml");
    let weather = weather.replace("https://wttr.in", &site).replace(
        "[get_weather.http]\n",
        "[get_weather.http]\nallow_private = [\"127.0.0.1\"]\n",
    );
    let kith = settings(&url, "tool_paths = [\"weather.toml\"]");
    let kith =
        KithProcess::furnished(&[("kith.toml", &kith), ("weather.toml", &weather)], &[]).await;
    kith.says("@Juno is it warm in Berlin?").await;
    kith.until("the weather", said("12 degrees in Berlin"))
        .await;
    let turn = kith.ended_turn(1).await;
    assert_eq!(
        turn["report"]["rounds"].as_array().map(Vec::len),
        Some(2),
        "{turn:#}"
    );
}

/// The most memory its process has held so far, in bytes.
fn peak_memory(kith: &KithProcess) -> u64 {
    let folder = kith.dir.path().canonicalize().unwrap();
    let mut processes = std::fs::read_dir("/proc")
        .unwrap()
        .flatten()
        .map(|entry| entry.path());
    let process = processes
        .find(|one| std::fs::read_link(one.join("cwd")).is_ok_and(|cwd| cwd == folder))
        .unwrap();
    let status = std::fs::read_to_string(process.join("status")).unwrap();
    let peak = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .unwrap();
    peak.split_whitespace()
        .next()
        .unwrap()
        .parse::<u64>()
        .unwrap()
        << 10
}

/// A server with one tool, whose process ends when it is called.
const MORTAL: &str = r#"
while read -r line; do
    id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
    reply() { printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$1"; }
    case "$line" in
        *'"initialize"'*) reply '{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"stub","version":"1"}}' ;;
        *'"tools/list"'*) reply '{"tools":[{"name":"look","description":"Looks it up.","inputSchema":{"type":"object"}}]}' ;;
        *'"tools/call"'*) exit 1 ;;
    esac
done
"#;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_dies_in_the_middle_of_a_call_is_told_and_the_turn_answers() {
    let url = model(
        |user| match user.contains("library went away during the call") {
            true => "<turn><send_message>the library is closed</send_message></turn>".into(),
            false => "<turn><library_look/></turn>".into(),
        },
    )
    .await;
    let kith = settings(&url, "tool_paths = [\"library.toml\"]");
    let library = "[library.mcp]\nargv = [\"sh\", \"./library.sh\"]\n";
    let files = [
        ("kith.toml", kith.as_str()),
        ("library.toml", library),
        ("library.sh", MORTAL),
    ];
    let kith = KithProcess::furnished(&files, &[]).await;
    kith.until_logged("an MCP server is there").await;
    kith.says("@Juno is the book there?").await;
    kith.until("the answer", said("the library is closed"))
        .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_that_can_see_is_shown_the_picture_a_server_answers_with() {
    let png = "iVBORw0KGgpJRU5ErkJggg==";
    let url = whole_server(move |body| {
        let prompt = body.to_string();
        let is_shown = prompt.contains(&format!("data:image/png;base64,{png}"))
            && prompt.contains("Image from library_look:");
        let answer = match prompt.contains("you called library_look") {
            true if is_shown => "<turn><send_message>a cat</send_message></turn>",
            true => "<turn><send_message>nothing to see</send_message></turn>",
            false => "<turn><library_look/></turn>",
        };
        Ok(answer.into())
    })
    .await;
    let kith = settings(&url, "tool_paths = [\"library.toml\"]");
    let kith = kith.replace("name = \"scripted\"", "name = \"scripted\"\nvision = true");
    let picture = format!(
        r#"reply '{{"content":[{{"type":"image","data":"{png}","mimeType":"image/png"}}]}}'"#
    );
    let files = [
        ("kith.toml", kith.as_str()),
        (
            "library.toml",
            "[library.mcp]\nargv = [\"sh\", \"./library.sh\"]\n",
        ),
        ("library.sh", &MORTAL.replace("exit 1", &picture)),
    ];
    let kith = KithProcess::furnished(&files, &[]).await;
    kith.until_logged("an MCP server is there").await;
    kith.says("@Juno what is on the cover?").await;
    kith.until("the answer", said("a cat")).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn programs_that_misbehave_are_error_results_and_the_turn_goes_on_with_nothing_left_running()
{
    let kinds = [
        ("flood", "yes 0123456789012345678901234567890123456789"),
        ("line", "head -c 300000000 /dev/zero | tr '\\\\0' x"),
        (
            "endless",
            "echo $$ > pid; sleep 300 & echo $! > child; wait",
        ),
        (
            "forks",
            "for i in 1 2 3 4 5 6 7 8; do (sleep 300 & echo $! >> child); done; sleep 300",
        ),
        ("half", "printf '{\\\"content\\\": \\\"x'; exit 0"),
        (
            "deep",
            "printf '{\\\"content\\\": '; head -c 200000 /dev/zero | tr '\\\\0' '['",
        ),
        ("gone", "exit 3"),
    ];
    let definitions: String = kinds
        .iter()
        .map(|(name, script)| {
            // Who never ends is given the time to write down what it began.
            let limit = if script.contains("sleep") { 5 } else { 1 };
            format!("[{name}]\ndescription = \"x\"\ntime_out_seconds = {limit}\ncommand = {{ argv = [\"sh\", \"-c\", \"{script}\"] }}\n")
        })
        .collect();
    let calls: String = kinds.iter().map(|(name, _)| format!("<{name}/>")).collect();
    let url = model(move |user| match user.contains("you called gone") {
        true => "<turn><send_message>none of them works</send_message></turn>".into(),
        false => format!("<turn>{calls}</turn>"),
    })
    .await;
    let kith = settings(&url, "tool_paths = [\"bad.toml\"]");
    let kith =
        KithProcess::furnished(&[("kith.toml", &kith), ("bad.toml", &definitions)], &[]).await;
    let before = peak_memory(&kith);
    kith.says("@Juno try them all").await;
    kith.until("the answer", said("none of them works")).await;
    let grown = peak_memory(&kith) - before;
    assert!(grown < 64 << 20, "{grown} bytes more");
    let turn = kith.ended_turn(1).await;
    for (name, call) in kinds
        .iter()
        .zip(turn["report"]["rounds"][0]["calls"].as_array().unwrap())
    {
        assert!(call["result"]["is_error"] == true, "{}: {call:#}", name.0);
    }
    let mut written = vec![];
    for file in ["endless/pid", "endless/child", "forks/child"] {
        let text = std::fs::read_to_string(kith.dir.path().join("data/tools").join(file)).unwrap();
        written.extend(text.split_whitespace().map(str::to_owned));
    }
    assert_eq!(written.len(), 10);
    for process in written {
        let state = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        assert!(
            state.is_empty() || state.contains(") Z "),
            "{process} still runs: {state}"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tool_is_told_of_sessions_that_open_and_of_a_list_that_is_not_looked_at() {
    let url = kith_process::model_server(move |_, user| {
        let asked = user
            .lines()
            .rfind(|line| line.contains(" Anna: "))
            .unwrap_or_default();
        let rounds = user.matches("you called calculate").count();
        Some(match () {
            () if asked.contains("open") => {
                "<turn><create_session label=\"films\">here</create_session></turn>".into()
            }
            () if !user.contains("you called todo") => "<turn><todo>[>] add</todo></turn>".into(),
            () if rounds < 4 => "<turn><calculate>2 + 2</calculate></turn>".into(),
            () => "<turn><send_message>added</send_message></turn>".to_owned(),
        })
    })
    .await;
    let kith = settings(
        &url,
        "tools = [\"default\", \"create_session\", \"todo\", \"calculate\"]\ntool_paths = [\"ear.toml\"]",
    );
    let ear = "[ear]\ndescription = \"x\"\n[ear.command]\nargv = [\"sh\", \"-c\", \"cat >> heard; echo >> heard\"]\n\
               on_session = [\"branch\", \"tree\", \"switch\", \"todo_reminder\"]\n";
    let mut kith = KithProcess::furnished(&[("kith.toml", &kith), ("ear.toml", ear)], &[]).await;
    kith.says("@Juno add it all up").await;
    kith.until("the sum", said("added")).await;
    kith.says("@Juno open a thread about films").await;
    for _ in 0..600 {
        if kith.ask(json!({"ask": "sessions"})).await["sessions"]
            .as_array()
            .is_some_and(|all| !all.is_empty())
        {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    kith.stop();
    let heard =
        std::fs::read_to_string(kith.dir.path().join("data/tools/ear/heard")).unwrap_or_default();
    for event in ["branch", "tree", "switch", "todo_reminder"] {
        assert!(
            heard.contains(&format!("\"name\":\"{event}\"")),
            "{event}: {heard}\n{}",
            kith.log()
        );
    }
}
