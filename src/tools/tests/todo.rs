//! `todo`: a list of at most twenty steps, one of them in progress, kept with its channel.

use kith_core::chat::ChannelId;
use kith_core::persona::Language;
use kith_core::plan::Plan;
use kith_tools::{ToolContext, ToolRegistry};
use proptest::prelude::*;
use serde_json::json;

use crate::registry::{call, context};

async fn todo(context: &ToolContext, list: &str) -> kith_core::call::ToolResult {
    ToolRegistry::load_builtin()
        .run(call("todo", json!({ "list": list })), context.clone())
        .await
}

#[tokio::test]
async fn a_list_is_kept_with_its_channel_and_told_with_its_count() {
    let context = context(Language::EN);
    let told = todo(&context, "[x] find the station\n- [>] ask Anna\nbook it\n").await;
    assert_eq!(
        told.content,
        "[x] find the station\n[>] ask Anna\n[ ] book it\n(1/3 completed)"
    );
    let kept = context.store.load_todos(context.channel).await.unwrap();
    assert_eq!(kept, "[x] find the station\n[>] ask Anna\n[ ] book it");
    assert_eq!(context.store.load_todos(ChannelId(2)).await.unwrap(), "");
    let again = todo(&context, &told.content).await;
    assert_eq!(
        again.content, told.content,
        "as it is shown it can be written"
    );
    assert_eq!(todo(&context, "").await.content, "No todos.");
    assert_eq!(context.store.load_todos(context.channel).await.unwrap(), "");
}

#[tokio::test]
async fn too_many_steps_and_two_in_progress_are_refused_and_change_nothing() {
    let context = context(Language::EN);
    let list = |count: usize| {
        (1..=count)
            .map(|n| format!("[ ] step {n}\n"))
            .collect::<String>()
    };
    assert!(!todo(&context, &list(20)).await.is_error);
    for (list, why) in [
        (list(21), "at most 20 steps, not 21"),
        (
            "[>] a\n[>] b".to_owned(),
            "only one step can be in progress",
        ),
        (
            format!("[ ] a\n[ ] {}", "b".repeat(161)),
            "step 2 is longer than 160 characters",
        ),
    ] {
        let told = todo(&context, &list).await;
        assert!(
            told.is_error && told.content.starts_with(why),
            "{}",
            told.content
        );
    }
    assert_eq!(
        context
            .store
            .load_todos(context.channel)
            .await
            .unwrap()
            .lines()
            .count(),
        20
    );
}

proptest! {
    #[test]
    fn a_list_that_is_read_reads_the_same_again(text in "([-*] )?(\\[[ >xX]?\\] ?)?\\PC{0,40}(\n(\\[[ >x]\\] )?\\PC{0,30}){0,8}") {
        if let Ok(plan) = Plan::parse(&text) {
            let shown = Plan::parse(&plan.to_lines());
            prop_assert!(shown.is_ok_and(|again| again.steps().len() <= plan.steps().len()));
            prop_assert!(plan.shown().lines().count() == plan.steps().len() + 1);
        }
    }
}
