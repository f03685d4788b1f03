//! When a line of core memory was written, and taking edits back.

use super::*;

#[tokio::test]
async fn each_line_has_the_date_it_was_written_and_each_edit_can_be_undone() {
    let context = with_block("Anna: exam", 100);
    let later = ToolContext {
        now: NOW + HOUR,
        ..context.clone()
    };
    for (context, text) in [(&context, "Bo: cat"), (&later, "Cy: dog")] {
        let params = json!({"label": "people", "text": text});
        run(context, "core_memory_append", params).await;
    }
    let block = async || {
        let blocks = context
            .memory
            .load_core_memory(context.scope(), &context.persona);
        blocks.await.unwrap().swap_remove(0)
    };
    let now = block().await;
    assert_eq!(now.text, "Anna: exam\nBo: cat\nCy: dog");
    assert_eq!(now.dates, [None, Some(NOW), Some(NOW + HOUR)]);
    let (memory, scope) = (&context.memory, context.scope());
    for wanted in ["Anna: exam\nBo: cat", "Anna: exam"] {
        let undone = memory.undo_block(scope, "people").await.unwrap();
        assert_eq!(undone.map(|version| version.text).as_deref(), Some(wanted));
        assert_eq!(block().await.text, wanted);
    }
    assert_eq!(memory.undo_block(scope, "people").await, Ok(None));
    assert_eq!(block().await.dates, [None]);
}
