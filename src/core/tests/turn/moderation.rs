//! Deeds about members: who is meant is found by a line's number, whoever spoke must answer for it, and a turn goes on
//! from what came of it.

use kith_core::call::{ToolKind, ToolResult, ToolSpec};
use kith_core::chat::{AuthorKind, Channel, GuildId, SECOND};
use kith_core::event::Event;
use kith_core::moderation::ModerationKind;
use kith_core::policy::ChannelPolicy;
use kith_core::report::TurnOutcome;
use kith_core::schema::{Param, ParamType, Schema};
use kith_core::turn::MOST_VISIBLE;

use crate::turn::sim::{Answer, ME, Sim, author, channel, policy};

const BAN: &str = "<turn><ban_member line=\"1\">spam</ban_member></turn>";

/// What the core is told of a moderation action.
pub(super) fn spec(kind: ModerationKind) -> ToolSpec {
    let param = |name: &str, kind| Param {
        name: name.into(),
        kind,
        required: true,
        ..Param::default()
    };
    let minutes =
        (kind == ModerationKind::TimeoutMember).then(|| param("minutes", ParamType::Integer));
    let params = [param("line", ParamType::Integer)]
        .into_iter()
        .chain(minutes);
    ToolSpec {
        name: kind.name().into(),
        kind: ToolKind::Visible,
        schema: Schema {
            params: params.chain([param("reason", ParamType::String)]).collect(),
        },
        primary: Some("reason".into()),
        ..ToolSpec::default()
    }
}

/// A channel of a guild where all of it is switched on, and Ben has spammed.
fn sim() -> Sim {
    let mut policy: ChannelPolicy = policy();
    policy.tools = policy
        .tools
        .iter()
        .cloned()
        .chain(ModerationKind::ALL.map(spec))
        .collect();
    let mut sim = Sim::new(policy.clone());
    let channel = Channel {
        guild: Some(GuildId(7)),
        ..channel(1)
    };
    sim.event(Event::ChannelSeen {
        channel,
        policy: policy.into(),
    });
    sim.says("Ben", "buy my pills");
    sim
}

fn asks(sim: &mut Sim) {
    sim.says("Anna", "@Juno do something");
    sim.wait(5 * SECOND);
}

#[test]
fn what_is_done_ends_the_turn() {
    let mut sim = sim().answer(Answer::Says(BAN));
    asks(&mut sim);
    let anna = author("Anna", AuthorKind::Person).id.0;
    assert!(
        sim.log
            .contains(&format!("ban_member Ben for [UserId({anna})]")),
        "{}",
        sim.log
    );
    assert_eq!(
        (sim.asked.len(), &sim.reports[0].outcome),
        (1, &TurnOutcome::Acted),
        "{}",
        sim.log
    );
}

#[test]
fn who_asked_can_be_told_that_it_waits_and_need_not() {
    let waits = || Some(ToolResult::pending("not done yet"));
    let said = "<turn><send_message>i asked the moderators</send_message></turn>";
    let mut alone = sim().answer(Answer::Says(BAN)).answer(Answer::Says(said));
    alone.judged = waits();
    asks(&mut alone);
    assert_eq!(alone.asked.len(), 2, "{}", alone.log);
    assert!(
        alone.asked[1].1.contains("not done yet") && alone.log.contains("say #1: i asked"),
        "{}",
        alone.log
    );
    let both = "<turn><ban_member line=\"1\">spam</ban_member><send_message>i asked the moderators</send_message></turn>";
    let mut both = sim().answer(Answer::Says(both));
    both.judged = waits();
    asks(&mut both);
    assert_eq!(
        (both.asked.len(), &both.reports[0].outcome),
        (1, &TurnOutcome::Acted),
        "{}",
        both.log
    );
}

#[test]
fn what_is_refused_comes_back_and_the_turn_still_owes_an_answer() {
    let mut sim = sim()
        .answer(Answer::Says(BAN))
        .answer(Answer::Says("<turn><stay_silent>no</stay_silent></turn>"));
    sim.judged = Some(ToolResult::error("not done: they are an administrator"));
    asks(&mut sim);
    assert!(
        sim.asked[1].1.contains("they are an administrator"),
        "{}",
        sim.asked[1].1
    );
    assert_eq!(
        sim.reports[0].outcome,
        TurnOutcome::Silent("no".into()),
        "nothing was done: {}",
        sim.log
    );
}

#[test]
fn nothing_is_asked_for_twice_while_nobody_knows_what_came_of_it() {
    let mut sim = sim().answer(Answer::Says(BAN));
    sim.judged = None;
    asks(&mut sim);
    sim.says("Cleo", "@Juno hello?");
    sim.wait(5 * SECOND);
    assert_eq!(
        (sim.asked.len(), sim.log.matches("ban_member").count()),
        (1, 1),
        "{}",
        sim.log
    );
}

#[test]
fn everybody_who_spoke_to_it_causes_what_it_does() {
    let mut sim = sim().answer(Answer::Says(BAN));
    sim.says("Mo", "@Juno hi");
    asks(&mut sim);
    let id = |who| author(who, AuthorKind::Person).id;
    let mut both = [id("Mo"), id("Anna")];
    both.sort_unstable();
    assert!(sim.log.contains(&format!("for {both:?}")), "{}", sim.log);
}

#[test]
fn a_call_that_does_not_say_whom_how_long_or_why_reaches_nobody() {
    for (call, told) in [
        (
            "<ban_member line=\"99\">spam</ban_member>",
            "must be a number from the start of a line",
        ),
        ("<ban_member line=\"Ben\">spam</ban_member>", "line"),
        ("<ban_member line=\"1\"> </ban_member>", "reason"),
        (
            "<timeout_member line=\"1\">spam</timeout_member>",
            "minutes",
        ),
        (
            "<timeout_member line=\"1\" minutes=\"40321\">spam</timeout_member>",
            "must be from 1 to 40320",
        ),
        (
            "<timeout_member line=\"1\" minutes=\"0\">spam</timeout_member>",
            "must be from 1 to 40320",
        ),
        (
            "<delete_message line=\"2\">spam</delete_message>",
            "that line is your own",
        ),
        (
            "<kick_member line=\"3\">spam</kick_member>",
            "a webhook wrote that line",
        ),
    ] {
        let text: &'static str = format!("<turn>{call}</turn>").leak();
        let mut sim = sim().answer(Answer::Says(text));
        sim.judged = None;
        let me = kith_core::chat::Author {
            id: ME,
            name: "Juno".into(),
            kind: AuthorKind::Companion,
        };
        sim.hear(1, me, "what is going on", None);
        sim.hear(1, author("News", AuthorKind::Webhook), "it rains", None);
        asks(&mut sim);
        assert!(
            sim.asked.len() > 1 && sim.asked[1].1.contains(told),
            "{call}: {}",
            sim.asked[sim.asked.len() - 1].1
        );
        assert!(!sim.log.contains(" for ["), "{call}: {}", sim.log);
    }
}

#[test]
fn after_as_many_deeds_as_one_turn_may_try_nothing_more_is_said() {
    let bans: String = (0..MOST_VISIBLE)
        .map(|n| format!("<ban_member line=\"1\">spam, line {n}</ban_member>"))
        .collect();
    let mut sim = sim()
        .answer(Answer::Says(format!("<turn>{bans}</turn>").leak()))
        .answer(Answer::Says("that did not work"))
        .answer(Answer::Says("that did not work"));
    sim.judged = Some(ToolResult::error("not done: they are an administrator"));
    sim.says("Anna", "@Juno ban Ben");
    sim.wait(60 * SECOND);
    let why = "it had done too much in this turn to say more";
    let outcome = &sim.reports[0].outcome;
    assert_eq!(*outcome, TurnOutcome::Failed(why.into()), "{}", sim.log);
}
