//! Every failed action reaches the model: before a message of its answer at once, behind one in the next prompt.

use kith_core::call::{ToolKind, ToolResult, ToolSpec};
use kith_core::chat::{Channel, GuildId, SECOND};
use kith_core::event::Event;
use kith_core::moderation::ModerationKind;
use kith_core::policy::ChannelPolicy;
use kith_core::report::TurnOutcome;

use crate::turn::HI;
use crate::turn::moderation::spec;
use crate::turn::sim::{Answer, Sim, channel, policy};

/// Actions that fail, with what the model is told of each.
const FAILING: &[(&str, &str)] = &[
    ("<wait_for time=\"some day\">x</wait_for>", "in 20 minutes"),
    (
        "<wait_for person=\"Nobody\">x</wait_for>",
        "has written here lately",
    ),
    (
        "<core_memory_append>Ben has a dog</core_memory_append>",
        "the block is full",
    ),
    ("<core_memory_append/>", "parameter `text`"),
    (
        "<ban_member line=\"1\">spam</ban_member>",
        "they are an administrator",
    ),
    ("<ban_member line=\"1\"/>", "`reason`"),
    ("<wave>hello</wave>", "the server of the tool is down"),
    ("<sign>x</sign>", "the ink is dry"),
];

fn sim() -> Sim {
    let mut tools = policy().tools.to_vec();
    let own = |name: &str, kind| ToolSpec {
        name: name.into(),
        kind,
        primary: Some("text".into()),
        ..tools[4].clone()
    };
    let more = [own("wave", ToolKind::Visible), own("sign", ToolKind::Quiet)];
    tools.extend(more);
    tools.push(spec(ModerationKind::BanMember));
    let policy = ChannelPolicy {
        tools: tools.into(),
        ..policy()
    };
    let mut sim = Sim::new(policy.clone());
    let channel = Channel {
        guild: Some(GuildId(7)),
        ..channel(1)
    };
    let policy = policy.into();
    sim.event(Event::ChannelSeen { channel, policy });
    for (tool, why) in [
        ("core_memory_append", "the block is full"),
        ("wave", "the server of the tool is down"),
        ("sign", "the ink is dry"),
    ] {
        sim.results.insert(tool, ToolResult::error(why));
    }
    sim.judged = Some(ToolResult::error("not done: they are an administrator"));
    sim
}

fn answer(inside: &str) -> Answer {
    Answer::Says(format!("<turn>{inside}</turn>").leak())
}

#[test]
fn what_failed_before_a_message_is_told_to_the_model_before_the_message_goes_out() {
    for (action, why) in FAILING {
        let promise = format!("{action}<send_message>sure, done</send_message>");
        let mut sim = sim().answer(answer(&promise)).answer(Answer::Says(HI));
        sim.says("Ben", "@Juno would you?");
        sim.wait(5 * SECOND);
        assert!(!sim.log.contains("sure, done"), "{action}\n{}", sim.log);
        assert!(sim.asked[1].1.contains(why), "{action}: {}", sim.asked[1].1);
        assert!(sim.log.contains("say #1: hey"), "{action}\n{}", sim.log);
    }
}

#[test]
fn what_failed_behind_a_message_is_told_in_the_next_prompt_also_after_a_restart() {
    for (action, why) in FAILING
        .iter()
        .chain(&[("<react to=\"99\">👍</react>", "no such line")])
    {
        let promise = format!("<send_message>sure, will do</send_message>{action}");
        let mut sim = sim().answer(answer(&promise)).answer(Answer::Says(HI));
        sim.says("Ben", "@Juno would you?");
        sim.wait(5 * SECOND);
        assert_eq!(sim.asked.len(), 1, "{action}\n{}", sim.log);
        sim.says("Ben", "@Juno thanks");
        sim.wait(5 * SECOND);
        assert!(sim.asked[1].1.contains(why), "{action}: {}", sim.asked[1].1);
    }
    let mut sim = sim()
        .answer(answer("<send_message>ok</send_message><sign>x</sign>"))
        .answer(Answer::Says(HI))
        .answer(Answer::Says(HI));
    sim.says("Ben", "@Juno would you?");
    sim.wait(5 * SECOND);
    sim.restarts(policy());
    for _ in 0..2 {
        sim.says("Ben", "@Juno thanks");
        sim.wait(60 * SECOND);
    }
    let told = |prompt: usize| sim.asked[prompt].1.contains("was not done: sign");
    assert_eq!((told(1), told(2)), (true, false), "once\n{}", sim.log);
}

#[test]
fn a_model_that_never_mends_it_is_let_speak_in_the_last_round() {
    let mut sim = sim();
    sim.always = Some("<turn><sign>x</sign><send_message>signed</send_message></turn>");
    sim.says("Ben", "@Juno sign it");
    sim.wait(5 * SECOND);
    assert_eq!(sim.log.matches("say #1").count(), 1, "{}", sim.log);
    assert_eq!(sim.reports[0].rounds.len(), 3, "{}", sim.log);
}

#[test]
fn a_hook_that_refuses_a_message_gives_the_model_its_reason_and_one_more_round() {
    for answers in [
        [HI, HI],
        ["<turn><send_message>rude</send_message></turn>", HI],
    ] {
        let mut sim = Sim::new(policy());
        sim.answers.extend(answers.map(Answer::Says));
        sim.refusals = vec!["no swearing here"];
        sim.says("Anna", "@Juno hi");
        sim.wait(5 * SECOND);
        assert!(
            sim.asked[1].1.contains("no swearing here"),
            "{}",
            sim.asked[1].1
        );
        assert!(!sim.asked[1].1.contains("You said"), "{}", sim.asked[1].1);
    }
    let mut sim = Sim::new(policy());
    sim.always = Some("<turn><send_message>rude and ruder</send_message></turn>");
    sim.refusals = vec!["no swearing here"; 9];
    sim.says("Anna", "@Juno hi");
    sim.wait(5 * SECOND);
    assert!(sim.reports[0].rounds.len() <= 3, "{}", sim.log);
    assert!(
        matches!(sim.reports[0].outcome, TurnOutcome::Failed(_)),
        "{}",
        sim.log
    );
    assert!(sim.log.contains("react ⚠️"), "{}", sim.log);
}
