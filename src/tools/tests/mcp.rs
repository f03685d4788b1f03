//! Servers of the Model Context Protocol: a small one of our own that goes wrong in every way, one by HTTP, and a real one.
//! Whatever a server does, a call gets a result and nothing of it is left running.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use kith_core::call::{ToolExposure, ToolResult};
use kith_core::persona::Language;
use kith_core::redactor::Redactor;
use kith_core::secret::Secret;
use kith_tools::custom::mcp::{McpDefinition, McpServer, McpServerStatus, McpServers, McpTimeouts};
use kith_tools::{DEFAULT_TOOLS, ToolOrigin, ToolRegistry, ToolSecrets};
use serde_json::{Value, json};

use crate::registry::{call, context};

/// A server in a few lines of shell. What it lists stands in `tools`, in its own folder; its first argument says how it
/// goes wrong from the start.
const STUB: &str = r#"
echo $$ >pid
sleep 300 >/dev/null 2>&1 & echo $! >child
case "$1" in
    silent) sleep 300 ;;
    flood) yes '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}' ;;
    line) head -c 100000000 /dev/zero | tr '\0' x; sleep 300 ;;
    dead) echo "no such thing as $TOKEN" >&2; exit 3 ;;
    garbage) echo 'Welcome to my server!'; echo '{"jsonrpc":'; printf '\377\376\n'; echo '[]' ;;
esac
[ -f tools ] || printf '%s\n' '{"name":"say","description":"Says it\nagain.","inputSchema":{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]},"annotations":{"readOnlyHint":true,"title":"Say"}},{"name":"doThing","inputSchema":{"type":"object"}}' >tools
while read -r line; do
    id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
    reply() { printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$1"; }
    text() { reply "{\"content\":[{\"type\":\"text\",\"text\":\"$1\"}]}"; }
    case "$line" in
        *'"initialize"'*) reply '{"protocolVersion":"2025-06-18","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"stub","version":"1"}}' ;;
        *'"tools/list"'*) reply "{\"tools\":[$(cat tools)]}" ;;
        *'"tools/call"'*'"say"'*) case "$line" in
            *'"die"'*) exit 1 ;;
            *'"hang"'*) ;;
            *'"garbage"'*) echo 'oops'; echo '{"jsonrpc":"2.0","id":'; text 'after all' ;;
            *'"wrong"'*) reply '{"isError":true,"content":[{"type":"text","text":"there is no such town"}]}' ;;
            *'"refuse"'*) printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":"bad %s"}}\n' "$id" "$TOKEN" ;;
            *'"all"'*) reply '{"content":[{"type":"text","text":"one"},{"type":"image","data":"AAAA","mimeType":"image/png"},{"type":"resource_link","name":"notes","uri":"file:///n"},{"type":"resource","resource":{"uri":"file:///t","text":"two"}}],"structuredContent":{"n":1}}' ;;
            *'"structure"'*) reply '{"content":[],"structuredContent":{"n":[1,2]}}' ;;
            *'"environment"'*) text "$(env | sort | tr '\n' ' ' | tr -d '"')" ;;
            *'"large"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"' "$id"; head -c 1000000 /dev/zero | tr '\0' x; echo '"}]}}' ;;
            *'"grow"'*) echo '{"name":"new","inputSchema":{"type":"object"}}' >tools
                echo '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}'; text grown ;;
            *) text 'you said it' ;;
        esac ;;
        *'"tools/call"'*) text 'done' ;;
    esac
done
"#;

/// Servers in folders of their own.
struct House {
    folder: tempfile::TempDir,
    servers: McpServers,
}

impl House {
    async fn of(stubs: &[(&str, &str)]) -> Self {
        Self::with(stubs, |_| {}).await
    }

    async fn with(stubs: &[(&str, &str)], change: impl Fn(&mut McpServer)) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("stub.sh"), STUB).expect("written");
        let seconds = Duration::from_secs;
        let pace = McpTimeouts {
            connect: seconds(3),
            first: seconds(0),
            longest_wait: seconds(1),
            stable_after: seconds(60),
        };
        let mut house = Self {
            folder,
            servers: McpServers::new(pace),
        };
        let servers = stubs.iter().map(|(name, fault)| {
            let mut server = house.server(name, fault);
            change(&mut server);
            server
        });
        house
            .servers
            .set_servers(servers.collect(), &secrets(), &house.root());
        house
    }

    fn root(&self) -> Arc<Path> {
        self.folder.path().into()
    }

    fn server(&self, name: &str, fault: &str) -> McpServer {
        let argv = ["sh", "./stub.sh", fault].map(str::to_owned).to_vec();
        let mcp = McpDefinition {
            argv,
            ..McpDefinition::default()
        };
        McpServer {
            name: name.into(),
            folder: self.folder.path().into(),
            mcp,
            ..McpServer::default()
        }
    }

    /// As soon as a server has tools.
    async fn there(&self) -> ToolRegistry {
        self.until("a server with tools", |servers| !servers.tools().is_empty())
            .await;
        self.registry()
    }

    fn registry(&self) -> ToolRegistry {
        let (registry, taken) = ToolRegistry::with_tools(self.servers.tools());
        assert_eq!(taken, []);
        registry
    }

    async fn until(&self, what: &str, is_so: impl Fn(&McpServers) -> bool) {
        let mut news = self.servers.status_changes();
        let waited = tokio::time::timeout(Duration::from_secs(30), async {
            while !is_so(&self.servers) {
                news.changed().await.expect("kept");
            }
        });
        assert!(
            waited.await.is_ok(),
            "{what}: {:?}",
            self.servers.statuses()
        );
    }

    /// A process that a server wrote down.
    fn process(&self, server: &str, file: &str) -> u32 {
        let text = std::fs::read_to_string(self.folder.path().join(server).join(file))
            .expect("written down");
        text.trim().parse().expect("a number")
    }
}

fn secrets() -> ToolSecrets {
    ToolSecrets::from([
        ("token".to_owned(), Secret::new("hunter2-hunter2")),
        ("other".to_owned(), Secret::new("unasked")),
    ])
}

fn is_running(process: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    !status.is_empty() && !status.contains(") Z ")
}

async fn ends(process: u32) {
    for _ in 0..300 {
        if !is_running(process) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("{process} is still running");
}

async fn ask(registry: &ToolRegistry, name: &str, params: Value) -> ToolResult {
    let secrets = Arc::new(secrets());
    let redactor = Redactor::new(secrets.values());
    registry
        .run(
            call(name, params),
            kith_tools::ToolContext {
                secrets,
                redactor,
                ..context(Language::EN)
            },
        )
        .await
}

async fn say(registry: &ToolRegistry, text: &str) -> ToolResult {
    ask(registry, "stub_say", json!({ "text": text })).await
}

#[tokio::test]
async fn a_server_s_tools_are_offered_under_its_name() {
    let house = House::of(&[("stub", "")]).await;
    let registry = house.there().await;
    let specs = registry.chosen(&[DEFAULT_TOOLS.to_owned()], Language::EN);
    let ours: Vec<_> = specs
        .iter()
        .filter(|spec| spec.name.starts_with("stub_"))
        .collect();
    let names: Vec<&str> = ours.iter().map(|spec| spec.name.as_str()).collect();
    assert_eq!(names, ["stub_say", "stub_do_thing"]);
    assert_eq!(
        (
            ours[0].description.as_str(),
            ours[0].annotations.title.as_str()
        ),
        ("Says it again.", "Say")
    );
    assert!(
        ours[0].annotations.read_only
            && ours[0].annotations.idempotent
            && !ours[1].annotations.read_only
    );
    assert!(ours[0].schema.params[0].required && ours[1].schema.params.is_empty());
    assert_eq!(
        registry.origin("stub_say"),
        Some(&ToolOrigin::Server("stub".into()))
    );
    let missing = ask(&registry, "stub_say", json!({})).await;
    assert_eq!(
        missing.content,
        "stub_say: parameter `text` is missing: give text"
    );
    assert_eq!(
        ask(&registry, "stub_do_thing", json!({})).await.content,
        "done"
    );
}

#[tokio::test]
async fn results_are_text_for_the_model_and_structure_for_people() {
    let house = House::of(&[("stub", "")]).await;
    let registry = house.there().await;
    let all = say(&registry, "all").await;
    assert_eq!(
        all.content,
        "one\n[a picture: image/png]\n[notes: file:///n]\n[file:///t]\ntwo"
    );
    assert_eq!(
        all.details,
        Some(json!({ "server": "stub", "structured": { "n": 1 } }))
    );
    assert_eq!(say(&registry, "structure").await.content, r#"{"n":[1,2]}"#);
    let wrong = say(&registry, "wrong").await;
    assert!(
        wrong.is_error && wrong.content == "there is no such town",
        "{wrong:?}"
    );
    assert_eq!(
        say(&registry, "garbage").await.content,
        "after all",
        "what is no message is passed over"
    );
    let large = say(&registry, "large").await;
    assert!(
        large.content.len() < 5_000 && large.content.contains("[cut: the first 4000 of"),
        "{}",
        large.content.len()
    );
}

#[tokio::test]
async fn a_server_that_dies_during_a_call_is_told_of_and_comes_back() {
    let house = House::of(&[("stub", "")]).await;
    let registry = house.there().await;
    let before = house.process("stub", "pid");
    let died = say(&registry, "die").await;
    assert!(
        died.is_error && died.content.starts_with("stub went away during the call"),
        "{died:?}"
    );
    house
        .until("it is back", |servers| {
            servers.statuses()[0].1 == McpServerStatus::Ready
                && house.process("stub", "pid") != before
        })
        .await;
    assert_eq!(
        say(&registry, "hello").await.content,
        "you said it",
        "the same registry goes on"
    );
    ends(before).await;
}

#[tokio::test]
async fn while_a_server_is_away_its_tools_answer_so_at_once() {
    let house = House::of(&[("stub", "")]).await;
    let registry = house.there().await;
    std::fs::write(house.folder.path().join("stub.sh"), "exit 1").expect("written");
    say(&registry, "die").await;
    house
        .until("away", |servers| {
            matches!(servers.statuses()[0].1, McpServerStatus::Unavailable(_))
        })
        .await;
    let begun = kith_system::clock::monotonic();
    let away = say(&registry, "hello").await;
    assert!(
        away.is_error && away.content.starts_with("stub is not there right now"),
        "{away:?}"
    );
    assert!(begun.elapsed() < Duration::from_secs(1));
    assert!(
        !house.servers.tools().is_empty(),
        "they do not come and go in prompts"
    );
    std::fs::write(house.folder.path().join("stub.sh"), STUB).expect("written");
    house
        .until("back", |servers| {
            servers.statuses()[0].1 == McpServerStatus::Ready
        })
        .await;
    assert_eq!(say(&registry, "hello").await.content, "you said it");
}

#[tokio::test]
async fn a_call_without_an_answer_ends_and_the_next_one_works() {
    let house = House::with(&[("stub", "")], |server| {
        server.time_out = Some(Duration::from_millis(300))
    })
    .await;
    let registry = house.there().await;
    let hung = say(&registry, "hang").await;
    assert!(
        hung.is_error && hung.content == "stub_say took longer than 0.3 s and was stopped",
        "{hung:?}"
    );
    assert_eq!(say(&registry, "hello").await.content, "you said it");
}

#[tokio::test]
async fn broken_servers_hold_nobody_up_and_leave_nothing_running() {
    let begun = kith_system::clock::monotonic();
    let house = House::of(&[
        ("silent", "silent"),
        ("flood", "flood"),
        ("line", "line"),
        ("dead", "dead"),
        ("stub", "garbage"),
    ])
    .await;
    assert!(
        begun.elapsed() < Duration::from_secs(1),
        "starting waits for none"
    );
    let registry = house.there().await;
    assert_eq!(
        say(&registry, "hello").await.content,
        "you said it",
        "one whose start is garbage works all the same"
    );
    house
        .until("all known", |servers| {
            servers
                .statuses()
                .iter()
                .all(|(_, standing)| *standing != McpServerStatus::Starting)
        })
        .await;
    for (name, standing) in house.servers.statuses() {
        match name.as_str() {
            "stub" => assert_eq!(standing, McpServerStatus::Ready),
            _ => assert!(
                matches!(standing, McpServerStatus::Unavailable(_)),
                "{name}: {standing:?}"
            ),
        }
    }
    let processes = ["silent", "flood", "line", "stub"]
        .map(|name| (house.process(name, "pid"), house.process(name, "child")));
    let House {
        servers,
        folder: _folder,
    } = house;
    servers.stop().await;
    for (server, child) in processes {
        ends(server).await;
        ends(child).await;
    }
}

#[tokio::test]
async fn two_hundred_tools_of_a_larger_server_are_taken_and_have_to_be_found() {
    let house = House::of(&[]).await;
    let folder = house.folder.path().join("stub");
    std::fs::create_dir(&folder).expect("made");
    let large = "x".repeat(40_000);
    let many: Vec<String> = (0..250)
        .map(|n| json!({ "name": format!("tool-{n}"), "description": "y".repeat(5_000), "inputSchema": { "type": "object",
            "properties": { "a": { "type": "string", "description": "z".repeat(5_000), "default": if n == 7 { &large } else { "" } } } } }).to_string())
        .collect();
    std::fs::write(folder.join("tools"), many.join(",")).expect("written");
    let mut house = house;
    let server = house.server("stub", "");
    house
        .servers
        .set_servers(vec![server], &secrets(), &house.root());
    let registry = house.there().await;
    assert_eq!(house.servers.tools().len(), 200);
    assert_eq!(
        registry.origin("stub_tool_7"),
        None,
        "its schema is too large"
    );
    let specs = registry.chosen(&[DEFAULT_TOOLS.to_owned()], Language::EN);
    let shown = specs
        .iter()
        .filter(|spec| spec.offer == ToolExposure::Always)
        .count();
    assert!(
        (10..20).contains(&shown),
        "so long descriptions leave room for few: {shown}"
    );
    let longest = specs.iter().map(|spec| {
        spec.description.len()
            + spec
                .schema
                .params
                .iter()
                .map(|param| param.description.len())
                .sum::<usize>()
    });
    assert!(longest.max() <= Some(1_300));
}

#[tokio::test]
async fn a_change_of_its_tools_is_asked_about() {
    let house = House::of(&[("stub", "")]).await;
    let registry = house.there().await;
    say(&registry, "grow").await;
    house
        .until("the new tool", |servers| {
            servers.tools().iter().any(|tool| tool.name() == "stub_new")
        })
        .await;
    assert_eq!(house.servers.tools().len(), 1);
}

#[tokio::test]
async fn only_named_tools_variables_and_secrets_reach_a_server() {
    let house = House::with(&[("stub", "")], |server| {
        server.mcp.tools = vec!["say".into(), "nothing".into()];
        server.mcp.inherited = [("LANG".to_owned(), "C".to_owned())].into();
        server.mcp.secrets = [("TOKEN".to_owned(), "token".to_owned())].into();
    })
    .await;
    let registry = house.there().await;
    assert_eq!(house.servers.tools().len(), 1);
    let told = say(&registry, "environment").await.content;
    let names: Vec<&str> = told
        .split(' ')
        .filter_map(|part| Some(part.split_once('=')?.0))
        .collect();
    let known = [
        "HOME", "KITH_RUN", "LANG", "OLDPWD", "PATH", "PWD", "SHLVL", "TOKEN", "_",
    ];
    assert!(names.iter().all(|name| known.contains(name)), "{told}");
    assert!(
        told.contains("TOKEN=<redacted>") && !told.contains("unasked"),
        "{told}"
    );
    let refused = say(&registry, "refuse").await;
    assert!(
        refused.is_error && refused.content == "stub: bad <redacted>",
        "{refused:?}"
    );
}

#[tokio::test]
async fn a_server_that_is_no_longer_wanted_ends_and_the_others_go_on() {
    let mut house = House::of(&[("stub", ""), ("twin", "")]).await;
    house
        .until("both", |servers| servers.tools().len() == 4)
        .await;
    let (stays, goes, child) = (
        house.process("stub", "pid"),
        house.process("twin", "pid"),
        house.process("twin", "child"),
    );
    let server = house.server("stub", "");
    house
        .servers
        .set_servers(vec![server.clone()], &secrets(), &house.root());
    ends(goes).await;
    ends(child).await;
    assert!(
        is_running(stays) && house.servers.tools().len() == 2,
        "it was not even started anew"
    );
    let changed = McpServer {
        mcp: McpDefinition {
            tools: vec!["say".into()],
            ..server.mcp.clone()
        },
        ..server
    };
    house
        .servers
        .set_servers(vec![changed], &secrets(), &house.root());
    house
        .until("the changed one", |servers| servers.tools().len() == 1)
        .await;
    ends(stays).await;
}

/// A server of two lines on loopback, as HTTP speaks it; it wants a secret.
async fn over_http(listener: tokio::net::TcpListener) {
    use axum::Json;
    use axum::http::{HeaderMap, StatusCode};
    use axum::response::IntoResponse;
    let answer = |headers: HeaderMap, Json(asked): Json<Value>| async move {
        if headers
            .get("authorization")
            .and_then(|value| value.to_str().ok())
            != Some("Bearer hunter2-hunter2")
        {
            return StatusCode::UNAUTHORIZED.into_response();
        }
        let result = match asked["method"].as_str().unwrap_or_default() {
            "initialize" => {
                json!({ "protocolVersion": "2025-06-18", "capabilities": { "tools": {} }, "serverInfo": { "name": "web", "version": "1" } })
            }
            "tools/list" => {
                json!({ "tools": [{ "name": "time", "inputSchema": { "type": "object" } }] })
            }
            "tools/call" => json!({ "content": [{ "type": "text", "text": "noon" }] }),
            _ => return StatusCode::ACCEPTED.into_response(),
        };
        Json(json!({ "jsonrpc": "2.0", "id": asked["id"], "result": result })).into_response()
    };
    axum::serve(
        listener,
        axum::Router::new().route("/mcp", axum::routing::post(answer)),
    )
    .await
    .expect("served");
}

#[tokio::test]
async fn a_server_by_http_is_listed_called_lost_and_found_again() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
        .await
        .expect("bound");
    let address = listener.local_addr().expect("an address");
    let served = tokio::spawn(over_http(listener));
    let headers = [(
        "Authorization".to_owned(),
        "Bearer {{ secret.token }}".to_owned(),
    )]
    .into();
    let mut house = House::of(&[]).await;
    let web = McpDefinition {
        url: Some(format!("http://{address}/mcp")),
        headers,
        ..McpDefinition::default()
    };
    let unknown = McpDefinition {
        headers: Default::default(),
        ..web.clone()
    };
    let servers = vec![
        McpServer {
            name: "web".into(),
            mcp: web,
            ..McpServer::default()
        },
        McpServer {
            name: "unknown".into(),
            mcp: unknown,
            ..McpServer::default()
        },
    ];
    house
        .servers
        .set_servers(servers, &secrets(), &house.root());
    let registry = house.there().await;
    assert_eq!(ask(&registry, "web_time", json!({})).await.content, "noon");
    house
        .until("the other is refused", |servers| {
            matches!(servers.statuses()[1].1, McpServerStatus::Unavailable(_))
        })
        .await;
    served.abort();
    let _ = served.await;
    house.until("it is noticed", |_| true).await;
    let mut lost = ask(&registry, "web_time", json!({})).await;
    for _ in 0..50 {
        if lost.is_error {
            break;
        }
        // A connection that is kept open may still be answered.
        tokio::time::sleep(Duration::from_millis(20)).await;
        lost = ask(&registry, "web_time", json!({})).await;
    }
    assert!(lost.is_error, "{lost:?}");
    let listener = tokio::net::TcpListener::bind(address)
        .await
        .expect("bound again");
    let served = tokio::spawn(over_http(listener));
    house
        .until("away", |servers| {
            servers.statuses()[0].1 == McpServerStatus::Ready
        })
        .await;
    let mut found = ask(&registry, "web_time", json!({})).await;
    for _ in 0..200 {
        if !found.is_error {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
        found = ask(&registry, "web_time", json!({})).await;
    }
    assert_eq!(found.content, "noon");
    served.abort();
}

/// `KITH_MCP_SERVER` holds the command of the protocol's own reference server, `@modelcontextprotocol/server-everything`.
#[tokio::test]
#[expect(
    clippy::disallowed_methods,
    reason = "where the server is, is the environment's to say"
)]
async fn the_reference_server_is_listed_called_killed_and_back_again() {
    let Ok(command) = std::env::var("KITH_MCP_SERVER") else {
        println!("skipped: KITH_MCP_SERVER names no MCP server");
        return;
    };
    let house = House::with(&[("everything", "")], |server| {
        server.mcp.argv = command.split_whitespace().map(str::to_owned).collect();
        server.mcp.tools = vec![
            "echo".into(),
            "get-sum".into(),
            "get-structured-content".into(),
            "get-tiny-image".into(),
            "trigger-long-running-operation".into(),
        ];
    })
    .await;
    let registry = house.there().await;
    let names: Vec<String> = house
        .servers
        .tools()
        .iter()
        .map(|tool| tool.name().to_owned())
        .collect();
    assert!(
        names.contains(&"everything_echo".to_owned()) && names.len() == 5,
        "{names:?}"
    );
    let sum = ask(&registry, "everything_get_sum", json!({ "a": "2", "b": 3 })).await;
    assert!(!sum.is_error && sum.content.contains('5'), "{sum:?}");
    let structured = ask(
        &registry,
        "everything_get_structured_content",
        json!({ "location": "Chicago" }),
    )
    .await;
    assert!(
        structured
            .details
            .is_some_and(|details| details["structured"].is_object()),
        "{}",
        structured.content
    );
    let picture = ask(&registry, "everything_get_tiny_image", json!({})).await;
    assert!(
        picture.content.contains("[a picture: image/png]"),
        "{}",
        picture.content
    );

    let before = server_process(&house);
    let long = ask(
        &registry,
        "everything_trigger_long_running_operation",
        json!({ "duration": 20, "steps": 2 }),
    );
    let kill = async {
        tokio::time::sleep(Duration::from_millis(500)).await;
        let killed = std::process::Command::new("kill")
            .args(["-9", &before.to_string()])
            .status()
            .expect("killed");
        assert!(killed.success());
    };
    let (lost, ()) = tokio::join!(long, kill);
    assert!(
        lost.is_error
            && lost
                .content
                .starts_with("everything went away during the call"),
        "{lost:?}"
    );
    for _ in 0..200 {
        let again = ask(
            &registry,
            "everything_echo",
            json!({ "message": "still there?" }),
        )
        .await;
        if !again.is_error {
            assert!(again.content.contains("still there?"), "{again:?}");
            assert_ne!(server_process(&house), before);
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("it did not come back: {:?}", house.servers.statuses());
}

/// The process whose working folder is the reference server's.
fn server_process(house: &House) -> u32 {
    let folder = house
        .folder
        .path()
        .join("everything")
        .canonicalize()
        .expect("a folder");
    let all = std::fs::read_dir("/proc").expect("processes").flatten();
    let mut running = all.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let found = running
        .find(|id| std::fs::read_link(format!("/proc/{id}/cwd")).is_ok_and(|cwd| cwd == folder));
    found.expect("it is running")
}
