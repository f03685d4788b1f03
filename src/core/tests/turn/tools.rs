//! Tools in a turn: those that only read run side by side, some are on offer only once they were found, and one may ask
//! for the end.

use kith_core::call::{ToolAnnotations, ToolExposure, ToolKind, ToolResult, ToolSpec};
use kith_core::chat::{AuthorKind, SECOND};
use kith_core::event::Event;
use kith_core::policy::ChannelPolicy;
use kith_core::report::TurnOutcome;

use crate::turn::sim::{Answer, Sim, author, policy};

fn tool(name: &str, read_only: bool, offer: ToolExposure) -> ToolSpec {
    let annotations = ToolAnnotations {
        read_only,
        ..ToolAnnotations::default()
    };
    ToolSpec {
        name: name.into(),
        kind: ToolKind::Tool,
        annotations,
        offer,
        ..ToolSpec::default()
    }
}

fn sim(answers: &[&'static str]) -> Sim {
    sim_with(4, answers)
}

fn sim_with(places: usize, answers: &[&'static str]) -> Sim {
    let mut policy: ChannelPolicy = policy();
    let more = [
        tool("weather", true, ToolExposure::Always),
        tool("news", true, ToolExposure::Always),
        tool("order", false, ToolExposure::Always),
        tool("trains", true, ToolExposure::Found),
        ToolSpec {
            kind: ToolKind::Visible,
            ..tool("poll", false, ToolExposure::Always)
        },
        ToolSpec {
            kind: ToolKind::Quiet,
            ..tool("note", false, ToolExposure::Always)
        },
    ];
    policy.tools = policy.tools.iter().cloned().chain(more).collect();
    let mut sim = Sim::with_places(policy, places);
    for text in answers {
        sim = sim.answer(Answer::Says(text));
    }
    sim
}

fn asked(sim: &mut Sim) {
    sim.says("Anna", "@Juno well?");
    sim.wait(5 * SECOND);
}

const DONE: &str = "<turn><stay_silent>done</stay_silent></turn>";

#[test]
fn tools_that_only_read_run_side_by_side_and_their_results_stand_in_the_order_they_were_asked_for()
{
    let mut sim = sim(&["<turn><weather/><news/></turn>", DONE]);
    sim.slow = vec!["weather", "news"];
    sim.results.insert("weather", ToolResult::ok("rain"));
    sim.results.insert("news", ToolResult::ok("none"));
    asked(&mut sim);
    assert_eq!(sim.running.len(), 2, "{}", sim.log);
    sim.comes("news");
    assert_eq!(
        sim.asked.len(),
        1,
        "one result is still to come: {}",
        sim.log
    );
    sim.comes("weather");
    let prompt = &sim.asked[1].1;
    assert!(
        prompt.find("rain").unwrap() < prompt.find("none").unwrap(),
        "{prompt}"
    );
}

#[test]
fn a_tool_that_changes_something_runs_alone_and_in_its_place() {
    let mut sim = sim(&["<turn><weather/><order/><news/></turn>", DONE]);
    sim.slow = vec!["weather", "order", "news"];
    asked(&mut sim);
    for name in ["weather", "order", "news"] {
        assert_eq!(
            sim.running.keys().collect::<Vec<_>>(),
            [name],
            "{}",
            sim.log
        );
        sim.comes(name);
    }
    assert_eq!(sim.asked.len(), 2, "{}", sim.log);
}

#[test]
fn a_tool_that_has_to_be_found_is_there_once_it_was_and_not_in_the_next_turn() {
    let mut sim = sim(&[
        "<turn><trains/></turn>",
        "<turn><weather/></turn>",
        "<turn><trains/></turn>",
        DONE,
    ]);
    sim.results.insert(
        "weather",
        ToolResult {
            offers: vec!["trains".into()],
            ..ToolResult::ok("there are trains")
        },
    );
    sim.results.insert("trains", ToolResult::ok("every hour"));
    asked(&mut sim);
    assert!(sim.asked[1].1.contains("there is no"), "{}", sim.asked[1].1);
    assert!(sim.asked[3].1.contains("every hour"), "{}", sim.asked[3].1);
    let mut next = sim
        .answer(Answer::Says("<turn><trains/></turn>"))
        .answer(Answer::Says(DONE));
    asked(&mut next);
    assert!(
        next.asked[5].1.contains("there is no"),
        "{}",
        next.asked[5].1
    );
}

#[test]
fn a_tool_may_ask_for_the_end_of_the_turn_and_nothing_written_after_it_is_done() {
    let mut sim = sim(&["<turn><order/><weather/><send_message>hi</send_message></turn>"]);
    sim.results.insert(
        "order",
        ToolResult {
            ends_turn: true,
            ..ToolResult::ok("")
        },
    );
    asked(&mut sim);
    assert_eq!(
        sim.reports[0].outcome,
        TurnOutcome::Silent("order ended the turn".into()),
        "{}",
        sim.log
    );
    assert!(
        sim.asked.len() == 1 && !sim.log.contains("weather") && !sim.log.contains("say"),
        "{}",
        sim.log
    );
}

#[test]
fn who_asked_for_what_waits_for_approval_may_be_told_so_and_is_not_answered_by_it() {
    for name in ["poll", "note"] {
        let call = if name == "poll" {
            "<turn><poll/></turn>"
        } else {
            "<turn><note/></turn>"
        };
        let mut sim = sim(&[
            call,
            "<turn><send_message>I have to ask first</send_message></turn>",
        ]);
        sim.results
            .insert(name, ToolResult::pending("a person has to approve it"));
        asked(&mut sim);
        assert!(
            sim.asked[1].1.contains("a person has to approve it"),
            "{name}: {}",
            sim.log
        );
        assert!(
            sim.log.contains("I have to ask first"),
            "{name}: {}",
            sim.log
        );
    }
}

#[test]
fn a_visible_action_that_went_wrong_has_answered_nobody() {
    let mut sim = sim(&[
        "<turn><poll/></turn>",
        "<turn><send_message>no luck</send_message></turn>",
    ]);
    sim.results
        .insert("poll", ToolResult::error("it went wrong"));
    asked(&mut sim);
    assert!(
        sim.asked[1].1.contains("it went wrong") && sim.log.contains("no luck"),
        "{}",
        sim.log
    );
}

#[test]
fn what_must_not_be_done_twice_is_waited_for_whoever_speaks_and_then_both_are_answered() {
    let mut sim = sim(&[
        "<turn><order/></turn>",
        "<turn><send_message>ordered, Ben</send_message></turn>",
    ]);
    sim.slow = vec!["order"];
    asked(&mut sim);
    sim.says("Ben", "@Juno are you there?");
    sim.wait(5 * SECOND);
    assert_eq!(
        (sim.asked.len(), sim.log.matches("run order").count()),
        (1, 1),
        "{}",
        sim.log
    );
    sim.comes("order");
    sim.wait(5 * SECOND);
    assert!(
        sim.asked[1].1.contains("are you there?"),
        "{}",
        sim.asked[1].1
    );
    assert_eq!(
        (sim.asked.len(), sim.log.matches("run order").count()),
        (2, 1),
        "{}",
        sim.log
    );
}

#[test]
fn a_call_that_is_cut_by_a_new_address_is_told_in_the_next_prompt() {
    let mut sim = sim(&["<turn><weather/><news/></turn>", DONE]);
    sim.slow = vec!["weather"];
    sim.results.insert("news", ToolResult::ok("none"));
    asked(&mut sim);
    sim.says("Ben", "@Juno are you there?");
    sim.wait(5 * SECOND);
    let prompt = &sim.asked[1].1;
    assert!(
        prompt.contains("stopped before it answered") && prompt.contains("none"),
        "{prompt}"
    );
}

#[test]
fn what_was_done_for_who_is_forgotten_is_not_done_again() {
    let mut sim = sim(&["<turn><order/><weather/></turn>", DONE]);
    sim.slow = vec!["weather"];
    sim.results
        .insert("order", ToolResult::ok("two pizzas for Ben"));
    sim.says("Anna", "@Juno order for Ben");
    sim.hear(
        1,
        author("Ben", AuthorKind::Person),
        "the one with tuna",
        None,
    );
    sim.wait(5 * SECOND);
    sim.event(Event::PersonForgotten {
        user: author("Ben", AuthorKind::Person).id,
        channels: None,
    });
    sim.wait(5 * SECOND);
    let prompt = &sim.asked[1].1;
    assert!(
        prompt.contains("order") && prompt.contains("do not call it again"),
        "{prompt}"
    );
    assert!(
        !prompt.contains("pizzas") && !prompt.contains("weather"),
        "{prompt}"
    );
}

#[test]
fn a_tool_that_takes_long_gives_its_place_to_another_channel() {
    let mut sim = sim_with(1, &["<turn><weather/></turn>", DONE, DONE]);
    sim.slow = vec!["weather"];
    asked(&mut sim);
    sim.says_in(2, "Ben", "@Juno and here?");
    sim.wait(4 * SECOND);
    assert_eq!(
        sim.asked.len(),
        1,
        "the place is taken for a while: {}",
        sim.log
    );
    sim.wait(6 * SECOND);
    assert_eq!(sim.asked.len(), 2, "and is free then: {}", sim.log);
    sim.comes("weather");
    sim.wait(SECOND);
    assert_eq!(sim.asked.len(), 3, "{}", sim.log);
}

#[test]
fn who_was_not_speaking_to_it_lends_it_no_authority() {
    let mut sim = sim(&[]);
    let ordered = "<turn><ban_member line=\"1\">spam</ban_member></turn>";
    sim = sim.answer(Answer::Says(ordered));
    sim.says("Anna", "we really should do something, shouldn't we?");
    sim.wait(60 * SECOND);
    assert!(!sim.log.contains("for ["), "{}", sim.log);
}
