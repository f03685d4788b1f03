//! The text files of a session.

use kith_core::chat::ChannelId;
use kith_core::persona::Language;
use kith_tools::{ToolContext, ToolRegistry};
use serde_json::{Value, json};

use crate::registry::{NOW, call, context};

async fn ask(name: &str, params: Value, context: &ToolContext) -> (String, bool) {
    let registry = ToolRegistry::load_builtin();
    let result = registry.run(call(name, params), context.clone()).await;
    (result.content, result.is_error)
}

#[tokio::test]
async fn files_are_written_read_and_deleted_in_their_own_session_and_go_with_it() {
    let here = context(Language::EN);
    let elsewhere = ToolContext {
        channel: ChannelId(2),
        ..here.clone()
    };
    let file = json!({"path": "./notes/trip.txt", "text": "one\ntwo\n"});
    let written = "notes/trip.txt is written: 8 bytes.";
    assert_eq!(
        ask("write_file", file, &here).await,
        (written.to_owned(), false)
    );
    let path = json!({"path": "notes/trip.txt"});
    let text = ("one\ntwo\n".to_owned(), false);
    assert_eq!(ask("read_file", path.clone(), &here).await, text);
    let listed = ask("list_files", json!({}), &here).await.0;
    assert_eq!(listed, "notes/trip.txt (8 B)");
    let listed = ask("list_files", json!({}), &elsewhere).await.0;
    assert_eq!(listed, "There are no files yet.");
    assert!(ask("read_file", path.clone(), &elsewhere).await.1);
    assert!(!ask("delete_file", path.clone(), &here).await.1);
    assert!(ask("delete_file", path, &here).await.1);
    let last = json!({"path": "last.txt", "text": "x"});
    assert!(!ask("write_file", last, &here).await.1);
    let erased = here.store.erase_places(vec![here.channel], None, NOW);
    erased.await.expect("erased");
    let listed = ask("list_files", json!({}), &here).await.0;
    assert_eq!(listed, "There are no files yet.");
}

#[tokio::test]
async fn a_path_that_leads_elsewhere_and_what_does_not_fit_are_refused() {
    let context = context(Language::EN);
    for path in [
        "../kith.toml",
        "/etc/passwd",
        "a/../../b",
        "a//b",
        "C:\\x",
        "~/x",
        ".env",
        "",
        "a b",
        "a\u{0}b",
        "..",
        "a/..",
        "\u{2025}/x",
        &"x".repeat(60),
    ] {
        let written = ask("write_file", json!({"path": path, "text": "x"}), &context).await;
        assert!(
            written.1 && written.0.contains("is no path here"),
            "{path}: {written:?}"
        );
    }
    let large = json!({"path": "large.txt", "text": "x".repeat(6_001)});
    assert!(ask("write_file", large, &context).await.1);
    let mut written = 0;
    loop {
        let file = json!({"path": format!("{written}.txt"), "text": "x".repeat(6_000)});
        let (told, is_error) = ask("write_file", file, &context).await;
        if is_error {
            assert!(told.contains("no room"), "{told}");
            break;
        }
        written += 1;
    }
    assert_eq!(written, 10);
    let votes = serde_json::Map::from_iter([("votes".to_owned(), json!("x".repeat(6_000)))]);
    let scope = format!("channel:{}", context.channel);
    let kept = context.store.put_tool_data(scope, votes, NOW).await;
    assert_eq!(
        kept.expect("answered"),
        Ok(()),
        "files take no room of other tools"
    );
}
