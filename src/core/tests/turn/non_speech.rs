//! What costs one more question and is not posted: silence put into words, placeholders, denials of being an AI.

use crate::turn::message_guard::{HEY, asked, message, says, small};
use crate::turn::sim::{Sim, policy};
use kith_core::chat::SECOND;
use kith_core::persona::{Persona, PersonaVoice};
use kith_core::policy::{ChannelPolicy, ContextBudget};
use kith_core::report::TurnOutcome;
use std::sync::Arc;

/// What it said and how often it was asked, where it answers `line` with these messages.
fn answers(line: &str, messages: &[&str]) -> (Vec<String>, usize) {
    let mut sim = messages.iter().fold(Sim::new(policy()), |sim, text| {
        sim.answer(says(&message(text)))
    });
    sim.says("Anna", "morning all");
    sim.says("Ben", line);
    sim.wait(9 * SECOND);
    assert!(!sim.log.contains('⚠'), "{}", sim.log);
    let said = sim
        .log
        .lines()
        .filter_map(|line| Some(line.split_once("say #")?.1.split_once(": ")?.1.to_owned()));
    (said.collect(), sim.asked.len())
}

#[test]
fn a_message_that_says_that_nothing_is_said_is_asked_about_once_and_never_posted() {
    for text in [
        "no reply needed",
        "I will stay silent.",
        "There is no need for me to respond.",
        "不用回复",
    ] {
        assert_eq!(
            answers("@Juno are you up?", &[text, text]),
            (vec![], 2),
            "{text}"
        );
    }
    let sim = asked(policy(), &[&message("no reply needed"), HEY]);
    assert!(
        sim.asked[1].1.contains("to say nothing use stay_silent"),
        "{}",
        sim.asked[1].1
    );
    assert!(sim.log.contains("say #1: hey Ben"), "{}", sim.log);
    for text in ["NO_REPLY", "[no response]"] {
        assert_eq!(answers("@Juno are you up?", &[text]), (vec![], 1), "{text}");
    }
}

#[test]
fn to_somebody_who_speaks_of_replies_it_is_an_answer() {
    for (line, text) in [
        ("@Juno do i have to reply to her?", "no reply needed"),
        (
            "@Juno should i say something or stay quiet?",
            "i would stay quiet",
        ),
        ("@Juno 他回复你了吗", "没回复"),
        ("@Juno 我用不用回复他", "不用回复"),
    ] {
        assert_eq!(answers(line, &[text]), (vec![text.to_owned()], 1), "{line}");
    }
}

#[test]
fn what_a_called_message_holds_is_said_and_a_word_for_nothing_beside_no_call_only_to_who_asked() {
    assert_eq!(
        answers("@Juno how many are left?", &["none"]),
        (vec!["none".to_owned()], 1)
    );
    for text in ["none", "no", "nothing", "pass", "无", "…", "..."] {
        let said = (vec![text.to_owned()], 1);
        assert_eq!(answers("@Juno i am home again", &[text]), said);
    }
    assert_eq!(
        answers("@Juno 还剩什么？", &["无"]),
        (vec!["无".to_owned()], 1)
    );
}

#[test]
fn what_stands_where_a_message_should_costs_one_round_and_is_not_posted() {
    for text in ["[message]", "your message here", "你的消息"] {
        assert_eq!(
            answers("@Juno are you up?", &[text, "hey Ben"]),
            (vec!["hey Ben".to_owned()], 2),
            "{text}"
        );
    }
}

#[test]
fn what_a_host_wrote_into_their_own_templates_is_no_message_either() {
    let frame = "# Rules of the house\nNobody under this roof ever mentions the cellar.\nWho is here now: {{ channel }}\n";
    let own_templates: Arc<[(String, String)]> = [("user.j2".to_owned(), frame.to_owned())].into();
    let own = || ChannelPolicy {
        own_templates: own_templates.clone(),
        ..policy()
    };
    for text in [
        "Nobody under this roof ever mentions the cellar.",
        "hey Ben! nobody under this roof ever mentions the cellar, ok?",
        "# Rules of the house\nhey",
        "Who is here now: Ben",
    ] {
        let sim = asked(own(), &[&message(text), HEY]);
        assert!(sim.log.contains("say #1: hey Ben\n"), "{text}: {}", sim.log);
        let sim = asked(policy(), &[&message(text), HEY]);
        assert!(
            !sim.log.contains("say #1: hey Ben\n"),
            "without that template it is anybody's line: {}",
            sim.log
        );
    }
}

#[test]
fn the_name_it_was_called_by_is_taken_off_where_it_calls_itself_so() {
    let said = |name: &str, line: &str, text: &str| {
        let policy = ChannelPolicy {
            names: vec![name.into()],
            ..policy()
        };
        let mut sim = Sim::new(policy).answer(says(&message(text)));
        sim.says("Ben", line);
        sim.wait(9 * SECOND);
        sim.log
    };
    assert!(said("Juno", "junooo, are you up?", "Junooo, yes i am").contains("say #1: yes i am\n"));
    assert!(said("阿柚", "柚子，你起了吗？", "柚子，我起了").contains("say #1: 我起了\n"));
    assert!(
        said("阿柚", "阿柚，你吃什么？", "柚子，苹果，都行").contains("say #1: 柚子，苹果，都行\n")
    );
}

/// What Ben is told who says this, where the model answers so.
fn told(policy: ChannelPolicy, line: &str, answers: &[&str]) -> Sim {
    let mut sim = answers
        .iter()
        .fold(Sim::new(policy), |sim, answer| sim.answer(says(answer)));
    sim.says("Ben", line);
    sim.wait(9 * SECOND);
    sim
}

#[test]
fn nobody_who_asks_is_told_that_it_is_no_ai() {
    let denial = message("nope, i'm not a robot. just juno");
    let sim = told(
        policy(),
        "@Juno are you a robot?",
        &[&denial, &message("guilty. an ai, no oil needed")],
    );
    assert!(
        sim.log.contains("say #1: guilty. an ai, no oil needed\n"),
        "{}",
        sim.log
    );
    assert!(
        sim.asked[1].1.contains("they ask whether you are an AI"),
        "{}",
        sim.asked[1].1
    );
    let sim = told(policy(), "@Juno are you a robot?", &[&denial, &denial]);
    assert!(
        sim.log.contains("say #1: yes, I'm an AI\n") && !sim.log.contains("say #2"),
        "{}",
        sim.log
    );
    let sim = told(
        policy(),
        "@Juno is that a robot?",
        &[&message("no, that's a toaster")],
    );
    assert!(
        sim.log.contains("say #1: no, that's a toaster\n"),
        "{}",
        sim.log
    );
}

#[test]
fn a_small_model_that_keeps_silent_when_it_is_spoken_to_is_asked_once_more() {
    const SILENT: &str = "<turn><stay_silent>I'm not sure what to say.</stay_silent></turn>";
    let small = || {
        let context = ContextBudget {
            prompt_tokens: 1_500,
            ..ContextBudget::default()
        };
        ChannelPolicy { context, ..small() }
    };
    let sim = told(small(), "@Juno good night", &[SILENT, HEY]);
    assert!(
        sim.log.contains("say #1: hey Ben\n") && sim.asked.len() == 2,
        "{}",
        sim.log
    );
    assert!(
        sim.asked[1].1.contains("somebody spoke to you and waits"),
        "{}",
        sim.asked[1].1
    );
    let sim = told(small(), "@Juno good night", &[SILENT, SILENT]);
    assert!(
        !sim.log.contains("say #1") && !sim.log.contains('⚠') && sim.asked.len() == 2,
        "{}",
        sim.log
    );
    assert!(
        matches!(sim.reports[0].outcome, TurnOutcome::Silent(_)),
        "{:?}",
        sim.reports[0].outcome
    );
    let sim = told(policy(), "@Juno good night", &[SILENT, HEY]);
    assert_eq!(sim.asked.len(), 1, "a large one means it: {}", sim.log);
}

#[test]
fn another_model_is_asked_where_one_knows_only_the_prompt() {
    let mut sim = Sim::new(policy())
        .answer(says(&message("# Now")))
        .answer(says(&message("# Now")))
        .answer(says(HEY));
    sim.spares = 1;
    sim.says("Ben", "@Juno are you up?");
    sim.wait(9 * SECOND);
    assert!(
        sim.log.contains("next model") && sim.log.contains("say #1: hey Ben"),
        "{}",
        sim.log
    );
}

#[test]
fn a_line_of_the_personas_examples_is_taken_for_a_copy() {
    let voice = PersonaVoice {
        examples: vec!["ah no. not the bottom bracket".into()],
        ..PersonaVoice::default()
    };
    let persona = Arc::new(Persona {
        name: "Juno".into(),
        voice,
        ..Persona::default()
    });
    let sim = asked(
        ChannelPolicy {
            persona,
            ..policy()
        },
        &[&message("ah no, not the bottom bracket"), HEY],
    );
    assert!(
        sim.log.contains("say #1: hey Ben") && sim.asked.len() == 2,
        "{}",
        sim.log
    );
}
