//! The tests of `anthropic.rs`, of what nobody outside its crate can see.

use proptest::prelude::*;

use super::*;
use crate::PromptMessage;

fn texts(blocks: &[Value]) -> Vec<&str> {
    blocks
        .iter()
        .filter_map(|block| block["text"].as_str())
        .collect()
}

fn marked_blocks(text: &str, settled: usize) -> Vec<Value> {
    let request = ModelRequest {
        messages: vec![PromptMessage::from_user(text)],
        stable_bytes: settled,
        ..ModelRequest::default()
    };
    build_blocks(&request, build_image).concat()
}

proptest! {
    #[test]
    fn blocks_hold_the_whole_text_and_stay_the_same_while_it_grows(
        lines in prop::collection::vec("[a-z雪]{0,60}", 1..400), grown in 0usize..400, tail in ".{0,40}",
    ) {
        let history = |count: usize| lines[..count].iter().map(|line| format!("{line}\n")).collect::<String>();
        let (before, after) = (history(grown.min(lines.len())), history(lines.len()));
        let earlier = marked_blocks(&format!("{before}{tail}"), before.len());
        let later = marked_blocks(&format!("{after}{tail}"), after.len());
        prop_assert_eq!(texts(&later).concat(), format!("{after}{tail}"));
        let marks = |blocks: &[Value]| blocks.iter().filter(|block| block.get("cache_control").is_some()).count();
        prop_assert!(marks(&later) <= 1);
        // Up to its mark, the earlier question is the beginning of the later one.
        let marked = earlier.iter().position(|block| block.get("cache_control").is_some()).map_or(0, |at| at + 1);
        prop_assert_eq!(&texts(&earlier)[..marked], &texts(&later)[..marked]);
    }
}
