//! Calls with small faults: a wrong parameter that may be left out, one nobody knows, a call written twice, a word where
//! an emoji belongs.

use std::sync::Arc;

use kith_core::call::{ToolAnnotations, ToolKind, ToolResult, ToolSpec};
use kith_core::chat::SECOND;
use kith_core::persona::{Language, Persona};
use kith_core::policy::ChannelPolicy;
use kith_core::schema::{Param, ParamType, Schema};

use crate::turn::sim::{Answer, Sim, policy};

fn says(text: &str) -> Answer {
    Answer::Says(text.to_owned().leak())
}

fn asked(sim: &mut Sim) {
    sim.says("Anna", "@Juno hi");
    sim.wait(5 * SECOND);
}

#[test]
fn a_message_goes_out_whatever_stands_in_reply_to_and_the_line_is_read_where_it_can_be() {
    for (reply_to, is_read) in [
        ("line 1", true),
        ("[1]", true),
        ("#1", true),
        ("1 Anna", true),
        ("1:", true),
        ("第1行", true),
        ("message 1", true),
        ("1>7", true),
        ("N/A", false),
        ("none", false),
        ("false", false),
        ("Anna", false),
        ("the last one", false),
        ("11月23日 周一 05:24", false),
        ("true", false),
        ("2 hours", false),
    ] {
        let call = format!("<turn><send_message reply_to=\"{reply_to}\">hey</send_message></turn>");
        let mut sim = Sim::new(policy()).answer(says(&call));
        asked(&mut sim);
        let expected = if is_read {
            "say #1 (to 101): hey"
        } else {
            "say #1: hey"
        };
        assert!(
            sim.log.contains(expected) && sim.asked.len() == 1,
            "{reply_to}: {}",
            sim.log
        );
    }
    for (reply_to, is_read) in [
        ("[1]", true),
        ("1.0", true),
        ("false", false),
        ("{\"line\": 1}", true),
        ("null", false),
    ] {
        let call = format!(
            "{{\"actions\": [{{\"name\": \"send_message\", \"params\": {{\"text\": \"hey\", \"reply_to\": {reply_to}}}}}]}}"
        );
        let mut sim = Sim::new(policy()).answer(says(&call));
        asked(&mut sim);
        let expected = if is_read {
            "say #1 (to 101): hey"
        } else {
            "say #1: hey"
        };
        assert!(
            sim.log.contains(expected) && sim.asked.len() == 1,
            "{reply_to}: {}",
            sim.log
        );
    }
}

#[test]
fn what_was_not_used_is_told() {
    let mut sim = Sim::new(policy()).answer(says(
        "<turn><send_message mood=\"happy\">hey</send_message></turn>",
    ));
    asked(&mut sim);
    let notes = sim.reports[0].notes.join("\n");
    assert!(notes.contains("there is no parameter `mood`"), "{notes}");
}

/// A tool that answers, with a parameter that may be left out.
fn with_tool(read_only: bool) -> ChannelPolicy {
    let param = Param {
        name: "days".into(),
        kind: ParamType::Integer,
        ..Param::default()
    };
    let tool = ToolSpec {
        name: "weather".into(),
        kind: ToolKind::Tool,
        annotations: ToolAnnotations {
            read_only,
            ..ToolAnnotations::default()
        },
        schema: Schema {
            params: vec![param],
        },
        ..ToolSpec::default()
    };
    let mut policy = policy();
    policy.tools = policy.tools.iter().cloned().chain([tool]).collect();
    policy
}

const DONE: &str = "<turn><stay_silent>done</stay_silent></turn>";

#[test]
fn the_model_reads_beside_a_result_which_parameters_did_not_count() {
    let mut sim = Sim::new(with_tool(true))
        .answer(says("<turn><weather days=\"some\" city=\"Cork\"/></turn>"))
        .answer(says(DONE));
    sim.results.insert("weather", ToolResult::ok("rain"));
    asked(&mut sim);
    let prompt = &sim.asked[1].1;
    assert!(
        prompt.contains("rain") && prompt.contains("there is no parameter `city`"),
        "{prompt}"
    );
    assert!(
        prompt.contains("parameter `days` must be a whole number"),
        "{prompt}"
    );
}

#[test]
fn what_changes_something_is_not_done_with_a_parameter_that_was_not_understood() {
    let mut sim = Sim::new(with_tool(false))
        .answer(says("<turn><weather days=\"some\"/></turn>"))
        .answer(says(DONE));
    asked(&mut sim);
    assert!(!sim.log.contains("run weather"), "{}", sim.log);
    assert!(
        sim.asked[1].1.contains("must be a whole number"),
        "{}",
        sim.asked[1].1
    );
}

#[test]
fn the_same_call_twice_in_one_answer_runs_once() {
    for text in [
        "<turn><get_time/><get_time/></turn>",
        "<turn><weather days=\"2\"/><weather days=\"2.0\"/><get_time/></turn>",
        "<turn><core_memory_append>a</core_memory_append><core_memory_append>a</core_memory_append><get_time/></turn>",
    ] {
        let mut sim = Sim::new(with_tool(true))
            .answer(says(text))
            .answer(says(DONE));
        asked(&mut sim);
        for tool in ["get_time", "weather", "core_memory_append"] {
            assert!(
                sim.log.matches(&format!("run {tool}")).count() <= 1,
                "{text}: {}",
                sim.log
            );
        }
        assert_eq!(sim.asked.len(), 2, "{text}: {}", sim.log);
    }
    let mut sim = Sim::new(with_tool(true)).answer(says(
        "<turn><weather days=\"1\"/><weather days=\"2\"/></turn>",
    ));
    asked(&mut sim);
    assert_eq!(
        sim.log.matches("run weather").count(),
        2,
        "two questions are two\n{}",
        sim.log
    );
    let mut sim = Sim::new(policy()).answer(says(
        "<turn><react to=\"1\">👍</react><react to=\"1\">👍</react></turn>",
    ));
    asked(&mut sim);
    assert_eq!(sim.log.matches("react 👍").count(), 1, "{}", sim.log);
}

#[test]
fn a_word_is_no_reaction_and_whoever_waits_gets_a_message() {
    let mut sim = Sim::new(policy())
        .answer(says("<turn><react to=\"1\">hahaha</react></turn>"))
        .answer(says("<turn><send_message>hahaha</send_message></turn>"));
    asked(&mut sim);
    assert!(
        !sim.log.contains("react hahaha") && sim.log.contains("say #1: hahaha"),
        "{}",
        sim.log
    );
    assert!(
        sim.asked[1].1.contains("to say something use send_message"),
        "{}",
        sim.asked[1].1
    );
    let mut sim =
        Sim::new(policy()).answer(says("<turn><react to=\"line 1\">haha 😂😂</react></turn>"));
    asked(&mut sim);
    assert!(
        sim.log.contains("react 😂 on 101"),
        "the emoji in it is meant\n{}",
        sim.log
    );
}

#[test]
fn what_the_model_is_told_stands_in_the_language_of_its_prompt() {
    let persona = Arc::new(Persona {
        name: "Juno".into(),
        language: Language::ZH,
        ..Persona::default()
    });
    let mut sim = Sim::new(ChannelPolicy {
        persona,
        ..policy()
    })
    .answer(says(
        "<turn><order_pizza/><react to=\"1\">哈哈</react><react/></turn>",
    ))
    .answer(says("<turn><send_message>用户：在吗</send_message></turn>"))
    .answer(says(DONE));
    asked(&mut sim);
    let shown = &sim.asked[1].1;
    for told in [
        "这里没有“order_pizza”",
        "emoji 必须是一个表情",
        "缺少参数 `to`",
    ] {
        assert!(shown.contains(told), "{told}: {shown}");
    }
    assert!(
        sim.asked[2].1.contains("这写成了别人说的话"),
        "{}",
        sim.asked[2].1
    );
    for english in ["there is no", "must be", "not sent", "missing"] {
        assert!(
            !shown.contains(english) && !sim.asked[2].1.contains(english),
            "{english}: {shown}"
        );
    }
}
