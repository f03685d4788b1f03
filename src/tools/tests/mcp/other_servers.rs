//! Other servers than our small one: a large one, one by HTTP, and the reference server.

use super::*;

#[tokio::test]
async fn two_hundred_tools_of_a_larger_server_are_taken_and_have_to_be_found() {
    let test = McpTest::of(&[]).await;
    let folder = test.folder.path().join("stub");
    std::fs::create_dir(&folder).expect("made");
    let large = "x".repeat(40_000);
    let many: Vec<String> = (0..250)
        .map(|n| json!({ "name": format!("tool-{n}"), "description": "y".repeat(5_000), "inputSchema": { "type": "object",
            "properties": { "a": { "type": "string", "description": "z".repeat(5_000), "default": if n == 7 { &large } else { "" } } } } }).to_string())
        .collect();
    std::fs::write(folder.join("tools"), many.join(",")).expect("written");
    let mut test = test;
    let server = test.server("stub", "");
    test.servers
        .set_servers(vec![server], &secrets(), &test.root());
    let registry = test.there().await;
    assert_eq!(test.servers.tools().len(), 200);
    assert_eq!(
        registry.origin("stub_tool_7"),
        None,
        "its schema is too large"
    );
    let specs = registry.select(&[DEFAULT_TOOLS.to_owned()], Language::EN);
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
async fn one_tool_that_is_none_costs_nothing_but_itself() {
    let test = McpTest::of(&[]).await;
    let folder = test.folder.path().join("stub");
    std::fs::create_dir(&folder).expect("made");
    let tools = r#"{"name":"bad","inputSchema":"text"},{"name":7},{"name":"say","inputSchema":{"type":"object"}}"#;
    std::fs::write(folder.join("tools"), tools).expect("written");
    let mut test = test;
    let server = test.server("stub", "");
    test.servers
        .set_servers(vec![server], &secrets(), &test.root());
    let registry = test.there().await;
    assert_eq!(registry.origin("stub_bad"), None);
    let said = ask(&registry, "stub_say", json!({})).await;
    assert_eq!(said.content, "you said it");
}

#[tokio::test]
async fn a_picture_in_a_result_is_handed_on_as_a_file() {
    let test = McpTest::of(&[("stub", "")]).await;
    let registry = test.there().await;
    let heard = Arc::new(std::sync::Mutex::new(Vec::new()));
    let kept = heard.clone();
    let news = ToolNewsSender::from_listener(move |item| kept.lock().unwrap().push(item));
    let context = kith_tools::ToolContext {
        news,
        ..context(Language::EN)
    };
    let picture = call("stub_say", json!({ "text": "picture" }));
    let result = registry.run(picture, context).await;
    assert_eq!(result.content, "[a picture: image/png]");
    let expected = ToolNewsItem::Picture([0, 1, 2].as_slice().into());
    assert_eq!(*heard.lock().unwrap(), [expected]);
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
    let mut test = McpTest::of(&[]).await;
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
    test.servers.set_servers(servers, &secrets(), &test.root());
    let registry = test.there().await;
    assert_eq!(ask(&registry, "web_time", json!({})).await.content, "noon");
    test.until("the other is refused", |servers| {
        matches!(servers.statuses()[1].1, McpServerStatus::Unavailable(_))
    })
    .await;
    served.abort();
    let _ = served.await;
    test.until("it is noticed", |_| true).await;
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
    test.until("away", |servers| {
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
        kith_testkit::say_skipped("KITH_MCP_SERVER names no MCP server");
        return;
    };
    let test = McpTest::with(&[("everything", "")], |server| {
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
    let registry = test.there().await;
    let names: Vec<String> = test
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

    let before = server_process(&test);
    kill_during_call(&registry, before).await;
    for _ in 0..200 {
        let again = ask(
            &registry,
            "everything_echo",
            json!({ "message": "still there?" }),
        )
        .await;
        if !again.is_error {
            assert!(again.content.contains("still there?"), "{again:?}");
            assert_ne!(server_process(&test), before);
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("it did not come back: {:?}", test.servers.statuses());
}

async fn kill_during_call(registry: &ToolRegistry, process: u32) {
    let long = ask(
        registry,
        "everything_trigger_long_running_operation",
        json!({ "duration": 20, "steps": 2 }),
    );
    let kill = async {
        tokio::time::sleep(Duration::from_millis(500)).await;
        let killed = std::process::Command::new("kill")
            .args(["-9", &process.to_string()])
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
}

/// The process whose working folder is the reference server's.
fn server_process(test: &McpTest) -> u32 {
    let folder = test
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
