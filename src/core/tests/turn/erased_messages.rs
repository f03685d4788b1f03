//! A turn that goes on shows nothing of a message that was deleted or edited meanwhile, whatever it thought, called or
//! found of it.

use kith_core::call::{ToolAnnotations, ToolKind, ToolResult, ToolSpec};
use kith_core::chat::{ChannelId, MessageId, SECOND};

use crate::turn::sim::{Answer, Sim, policy};

const SEARCHES: &str =
    "<turn><thoughts>Ben spoke of a xylophone</thoughts><search>xylophone bench</search></turn>";
const WAITS: &str = "<turn><order>a bench for the xylophone</order></turn>";
const DONE: &str = "<turn><stay_silent>done</stay_silent></turn>";

/// A turn that Anna asked for and in which such calls are made; the first is what Ben said before, in that channel.
fn turn_with(answer: &'static str, channel: u64) -> (Sim, MessageId) {
    let mut policy = policy();
    let tool = |name: &str, read_only| ToolSpec {
        name: name.into(),
        kind: ToolKind::Tool,
        annotations: ToolAnnotations {
            read_only,
            ..ToolAnnotations::default()
        },
        ..ToolSpec::default()
    };
    let more = [tool("search", true), tool("order", false)];
    policy.tools = policy.tools.iter().cloned().chain(more).collect();
    let mut sim = Sim::new(policy)
        .answer(Answer::Says(answer))
        .answer(Answer::Says(DONE));
    let found = "Ben: my xylophone needs a bench";
    for name in ["search", "order"] {
        sim.results.insert(name, ToolResult::ok(found));
    }
    sim.slow = vec!["search", "order"];
    let bens = sim.says_in(channel, "Ben", "my xylophone needs a bench");
    sim.says("Anna", "@Juno what did he say?");
    sim.wait(5 * SECOND);
    assert_eq!(sim.running.len(), 1, "{}", sim.log);
    (sim, bens)
}

fn second_prompt(sim: &Sim) -> &str {
    assert_eq!(sim.asked.len(), 2, "{}", sim.log);
    &sim.asked[1].1
}

#[test]
fn the_next_round_shows_its_calls_without_what_was_deleted_while_they_ran() {
    for (answer, tool) in [(SEARCHES, "search"), (WAITS, "order")] {
        let (mut sim, bens) = turn_with(answer, 1);
        sim.delete(ChannelId(1), vec![bens]);
        sim.comes(tool);
        let prompt = second_prompt(&sim);
        assert!(
            !prompt.contains("xylophone") && prompt.contains(tool),
            "{prompt}"
        );
    }
}

#[test]
fn what_was_found_in_another_channel_goes_with_its_message() {
    let (mut sim, bens) = turn_with(SEARCHES, 2);
    sim.edit(ChannelId(2), bens, "my drum needs a bench");
    sim.comes("search");
    let prompt = second_prompt(&sim);
    assert!(
        !prompt.contains("xylophone") && prompt.contains("search"),
        "{prompt}"
    );
}

#[test]
fn what_other_messages_said_stays_in_its_calls() {
    let (mut sim, _) = turn_with(SEARCHES, 2);
    let other = sim.says_in(2, "Ben", "my drum is fine");
    sim.delete(ChannelId(2), vec![other]);
    sim.comes("search");
    let prompt = second_prompt(&sim);
    assert!(prompt.contains("my xylophone needs a bench"), "{prompt}");
}
