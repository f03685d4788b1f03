//! Tools that a channel has only where its settings name them.

use std::sync::Arc;

use kith_core::call::ToolResult;
use kith_core::chat::ChannelId;
use kith_core::persona::Language;
use kith_tools::{DEFAULT_TOOLS, ServerInfo, ToolContext, ToolHost, ToolRegistry};
use serde_json::{Value, json};

use crate::registry::{call, context};

async fn run(name: &str, params: Value, context: &ToolContext) -> ToolResult {
    ToolRegistry::load_builtin()
        .run(call(name, params), context.clone())
        .await
}

#[test]
fn an_optional_tool_is_told_only_where_it_is_named() {
    let registry = ToolRegistry::load_builtin();
    let names = |list: &[&str]| -> Vec<String> {
        let list: Vec<String> = list.iter().map(ToString::to_string).collect();
        registry
            .select(&list, Language::EN)
            .into_iter()
            .map(|spec| spec.name)
            .collect()
    };
    assert!(!names(&[DEFAULT_TOOLS]).contains(&"calculate".to_owned()));
    assert_eq!(
        names(&[DEFAULT_TOOLS, "calculate"]).len(),
        names(&[DEFAULT_TOOLS]).len() + 1
    );
    assert_eq!(names(&["calculate", "react"]), ["react", "calculate"]);
}

#[tokio::test]
async fn dice_fall_on_their_faces_and_a_choice_is_one_of_the_options() {
    let context = context(Language::EN);
    for _ in 0..50 {
        let roll: u32 = run("roll_dice", json!({"dice": "d6"}), &context)
            .await
            .content
            .parse()
            .unwrap();
        assert!((1..=6).contains(&roll));
        let several = run("roll_dice", json!({"dice": "2d6 - 1"}), &context)
            .await
            .content;
        let (dice, sum) = several.split_once(" -1 = ").unwrap();
        let dice: i32 = dice
            .split(" + ")
            .map(|die| die.parse::<i32>().unwrap())
            .sum();
        assert_eq!(dice - 1, sum.parse::<i32>().unwrap());
        let options = ["soup", "面条"];
        assert!(
            options.contains(
                &&*run("random_choice", json!({ "options": options }), &context)
                    .await
                    .content
            )
        );
    }
    for dice in ["six", "0d6", "d1", "1000d6", "d", "2d6+x", "99999999999d2"] {
        assert!(
            run("roll_dice", json!({ "dice": dice }), &context)
                .await
                .is_error,
            "{dice}"
        );
    }
    assert!(
        run("random_choice", json!({"options": []}), &context)
            .await
            .is_error
    );
}

struct Guild;

impl ToolHost for Guild {
    fn server(&self, _: ChannelId) -> Option<ServerInfo> {
        Some(ServerInfo {
            name: "the shed".into(),
            channels: vec!["food".into(), "lounge".into()],
        })
    }

    fn list_emoji(&self, _: ChannelId) -> Vec<Arc<str>> {
        vec!["kneel".into()]
    }
}

#[tokio::test]
async fn the_server_and_its_emoji_are_told_where_there_is_one() {
    let guild = ToolContext {
        host: Arc::new(Guild),
        ..context(Language::EN)
    };
    let told = run("server_info", json!({}), &guild).await;
    assert_eq!(told.content, "server: the shed\nchannels: #food #lounge");
    assert_eq!(
        run("list_emoji", json!({}), &guild).await.content,
        ":kneel:"
    );
    let alone = context(Language::EN);
    assert!(run("server_info", json!({}), &alone).await.is_error);
    assert_eq!(
        run("list_emoji", json!({}), &alone).await.content,
        "it has none of its own"
    );
}
