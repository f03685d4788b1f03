//! What a model writes in the place of speech, or in the history's own format, does not reach people: plain text as well
//! as messages, in every protocol.

use kith_core::call::{ToolKind, ToolResult, ToolSpec};
use kith_core::chat::SECOND;
use kith_core::policy::{ChannelPolicy, OutputProtocol};
use kith_core::report::TurnOutcome;
use kith_core::schema::{Param, ParamType, Schema};
use kith_core::talkativeness::Talkativeness;

use crate::turn::sim::{Answer, Sim, policy};

pub(super) fn says(text: &str) -> Answer {
    Answer::Says(text.to_owned().leak())
}

pub(super) fn small() -> ChannelPolicy {
    ChannelPolicy {
        plain_text_is_speech: true,
        ..policy()
    }
}

fn native() -> ChannelPolicy {
    ChannelPolicy {
        protocol: OutputProtocol::Native,
        ..policy()
    }
}

/// What Ben is told after Anna and he have spoken, where the model answers so.
pub(super) fn asked(policy: ChannelPolicy, answers: &[&str]) -> Sim {
    let mut sim = answers
        .iter()
        .fold(Sim::new(policy), |sim, answer| sim.answer(says(answer)));
    sim.says("Anna", "morning all");
    sim.says("Ben", "@Juno are you up?");
    sim.wait(9 * SECOND);
    sim
}

pub(super) fn message(text: &str) -> String {
    format!("<turn><send_message>{text}</send_message></turn>")
}

pub(super) const HEY: &str = "<turn><send_message>hey Ben</send_message></turn>";

#[test]
fn silence_in_words_is_silence_and_costs_no_repair() {
    for text in [
        "(stays silent)",
        "*stays silent*",
        "No response needed.",
        "I should stay silent here, since they are talking to each other.",
        "（保持沉默）",
        "我应该保持沉默，他们在聊自己的事",
        "...",
    ] {
        for policy in [small(), policy(), native()] {
            let sim = asked(policy, &[text]);
            assert!(
                !sim.log.contains("say #1") && !sim.log.contains('⚠'),
                "{text}: {}",
                sim.log
            );
            assert_eq!(sim.asked.len(), 1, "{text}: {}", sim.log);
            assert!(
                matches!(sim.reports[0].outcome, TurnOutcome::Silent(_)),
                "{text}: {:?}",
                sim.reports[0].outcome
            );
        }
    }
    for text in ["(stays silent)", "*Juno says nothing*", "【沉默】"] {
        let sim = asked(policy(), &[&message(text)]);
        assert!(
            !sim.log.contains("say #1") && !sim.log.contains('⚠') && sim.asked.len() == 1,
            "{text}: {}",
            sim.log
        );
    }
}

#[test]
fn refusals_and_talk_about_speaking_cost_one_round_and_are_never_posted() {
    let texts = [
        (
            "I'm sorry, but I can't assist with that.",
            "its answer was refused: it only refused as an assistant would",
        ),
        (
            "抱歉，我无法协助处理这个请求。",
            "its answer was refused: it only refused as an assistant would",
        ),
        (
            "I should respond to Ben in a friendly way.",
            "its answer was refused: it only talked about what to say",
        ),
        (
            "The user is asking whether Juno is up.",
            "its answer was refused: it only talked about what to say",
        ),
    ];
    for (text, reason) in texts {
        let sim = asked(small(), &[text, HEY]);
        assert!(
            sim.log.contains("say #1: hey Ben") && sim.asked.len() == 2,
            "{text}: {}",
            sim.log
        );
        assert!(
            sim.reports[0]
                .notes
                .iter()
                .any(|note| note.starts_with("held back")),
            "{:?}",
            sim.reports[0].notes
        );
        let sim = asked(small(), &[text, text, text]);
        assert!(
            !sim.log.contains("say #1") && sim.asked.len() == 2,
            "{text}: {}",
            sim.log
        );
        assert_eq!(
            sim.reports[0].outcome,
            TurnOutcome::Failed(reason.into()),
            "{text}"
        );
        assert!(sim.log.contains("react ⚠️"), "{text}: {}", sim.log);
    }
    let sim = asked(policy(), &[&message(texts[0].0), HEY]);
    assert!(
        sim.log.contains("say #1: hey Ben") && !sim.log.contains("assist"),
        "{}",
        sim.log
    );
    let sim = asked(small(), &["sorry, can't make it tonight"]);
    assert!(
        sim.log.contains("say #1: sorry, can't make it tonight"),
        "{}",
        sim.log
    );
}

#[test]
fn beside_native_calls_plain_text_is_never_posted() {
    for policy in [
        native(),
        ChannelPolicy {
            plain_text_is_speech: true,
            ..native()
        },
    ] {
        let sim = asked(
            policy.clone(),
            &["hey Ben, up and about", "hey Ben, up and about"],
        );
        assert!(!sim.log.contains("say #1"), "{}", sim.log);
        let reason = "it wrote text and called no tool, twice";
        assert_eq!(
            sim.reports[0].outcome,
            TurnOutcome::Failed(reason.into()),
            "{}",
            sim.log
        );
        let mut sim = Sim::new(policy)
            .answer(says("hey Ben, up and about"))
            .answer(Answer::Calls(
                "",
                &[("send_message", "{\"text\": \"up and about\"}")],
            ));
        sim.says("Ben", "@Juno are you up?");
        sim.wait(9 * SECOND);
        assert!(sim.log.contains("say #1: up and about"), "{}", sim.log);
    }
}

#[test]
fn the_historys_own_format_is_taken_off_in_every_protocol() {
    for text in [
        "13 Juno: hey you",
        "**Juno:** hey you",
        "Juno：hey you",
        "[14:05] Juno: hey you",
    ] {
        let json = format!(
            "{{\"actions\": [{{\"name\": \"send_message\", \"params\": {{\"text\": \"{text}\"}}}}]}}"
        );
        for (policy, answer) in [
            (policy(), message(text)),
            (
                ChannelPolicy {
                    protocol: OutputProtocol::Json,
                    ..policy()
                },
                json.clone(),
            ),
            (native(), json),
            (small(), text.to_owned()),
        ] {
            let sim = asked(policy, &[&answer]);
            assert!(
                sim.log.contains("say #1: hey you\n") && sim.asked.len() == 1,
                "{answer}: {}",
                sim.log
            );
        }
    }
    const ARGUMENTS: &str = "{\"text\": \"13 Juno: hey you\\n14 Ben: lol\\n15 Juno: haha\"}";
    let mut sim = Sim::new(native()).answer(Answer::Calls("", &[("send_message", ARGUMENTS)]));
    sim.says("Ben", "@Juno are you up?");
    sim.wait(9 * SECOND);
    assert!(
        sim.log.contains("say #1: hey you\n") && !sim.log.contains("haha"),
        "{}",
        sim.log
    );
}

#[test]
fn a_line_in_a_members_name_and_the_prompts_frame_cost_one_round_and_are_never_posted() {
    let texts = [
        (
            "Anna: hi Juno",
            "its answer was refused: it only wrote lines of others",
        ),
        (
            "12 Ben: are you up?",
            "its answer was refused: it only wrote lines of others",
        ),
        (
            "**Anna:** lol",
            "its answer was refused: it only wrote lines of others",
        ),
        (
            "# Now",
            "its answer was refused: it only copied its instructions",
        ),
        (
            "看到第七本…（还有22字）",
            "its answer was refused: it only copied its instructions",
        ),
        (
            "your message, or one",
            "its answer was refused: it only copied its instructions",
        ),
    ];
    for (text, reason) in texts {
        let sim = asked(policy(), &[&message(text), HEY]);
        assert!(
            sim.log.contains("say #1: hey Ben") && sim.asked.len() == 2,
            "{text}: {}",
            sim.log
        );
        assert!(sim.asked[1].1.contains("not sent:"), "{}", sim.asked[1].1);
        let sim = asked(policy(), &[&message(text), &message(text), &message(text)]);
        assert!(
            !sim.log.contains("say #1") && sim.asked.len() == 2,
            "{text}: {}",
            sim.log
        );
        assert_eq!(
            sim.reports[0].outcome,
            TurnOutcome::Failed(reason.into()),
            "{text}"
        );
        let sim = asked(small(), &[text, HEY]);
        assert!(
            sim.log.contains("say #1: hey Ben") && sim.asked.len() == 2,
            "{text}: {}",
            sim.log
        );
    }
}

#[test]
fn thoughts_about_a_member_are_no_message() {
    for text in [
        "Thought: Ben is dull\nhey Ben",
        "思考：Ben 真烦\nhey Ben",
        "（内心：Ben真烦）hey Ben",
    ] {
        for (policy, answer) in [(policy(), message(text)), (small(), text.to_owned())] {
            let sim = asked(policy, &[&answer]);
            assert!(
                sim.log.contains("say #1: hey Ben\n") && sim.asked.len() == 1,
                "{text}: {}",
                sim.log
            );
        }
    }
    let text = "Thought: Ben is dull.\nHe always asks.\nhm";
    for (policy, answer) in [(policy(), message(text)), (small(), text.to_owned())] {
        let sim = asked(policy, &[&answer, HEY]);
        assert!(
            sim.log.contains("say #1: hey Ben\n") && sim.asked.len() == 2,
            "{}",
            sim.log
        );
    }
}

#[test]
fn plain_text_is_read_without_what_stands_around_the_message() {
    for text in [
        "Juno says: hey you",
        "Response: hey you",
        "hey you\n\n(Note: I kept it short and casual.)",
        "思考过程：先想想。\n\n最终回答：hey you",
        "Option 1: hey you\nOption 2: nope",
    ] {
        let sim = asked(small(), &[text]);
        assert!(
            sim.log.contains("say #1: hey you\n") && sim.asked.len() == 1,
            "{text}: {}",
            sim.log
        );
        assert_eq!(sim.log.matches("say #1").count(), 1, "{text}: {}", sim.log);
    }
}

#[test]
fn a_text_that_names_only_the_tool_for_silence_is_silence() {
    for text in [
        "stay_silent: 没我的事",
        "我选择 stay_silent。",
        "调用 stay_silent，因为没我的事",
        "等待用户输入。",
    ] {
        for policy in [small(), policy()] {
            let sim = asked(policy, &[text]);
            assert!(
                !sim.log.contains("say #1") && !sim.log.contains('⚠'),
                "{text}: {}",
                sim.log
            );
            assert_eq!(sim.asked.len(), 1, "{text}: {}", sim.log);
        }
    }
}

#[test]
fn an_assistants_introduction_is_no_message() {
    let sim = asked(
        policy(),
        &[&message("我是通义千问，由阿里云开发的大模型。"), HEY],
    );
    assert!(
        sim.log.contains("say #1: hey Ben\n") && !sim.log.contains("阿里云"),
        "{}",
        sim.log
    );
    let sim = asked(policy(), &[&message("hey Ben！有什么可以帮助您的吗？")]);
    assert!(sim.log.contains("say #1: hey Ben！\n"), "{}", sim.log);
}

#[test]
fn where_nobody_waits_what_is_held_back_costs_no_round() {
    let chatty = ChannelPolicy {
        talkativeness: Talkativeness::Level(1.0),
        ..policy()
    };
    let mut sim = Sim::new(chatty).answer(says(&message("Anna: it is")));
    for _ in 0..40 {
        sim.says(
            "Anna",
            "does anybody here know whether the shop is open on sundays at all?",
        );
        sim.wait(90 * SECOND);
        if !sim.reports.is_empty() {
            break;
        }
    }
    assert_eq!(sim.asked.len(), 1, "{}", sim.log);
    assert_eq!(
        sim.reports[0].outcome,
        TurnOutcome::Silent("its answer was refused: it only wrote lines of others".into())
    );
}

#[test]
fn the_name_of_whom_it_answers_is_taken_off_and_that_of_anybody_else_is_not() {
    for text in ["@Ben: i am", "@Ben, i am", "Ben: i am", "Ben\ni am"] {
        let sim = asked(policy(), &[&message(text)]);
        assert!(
            sim.log.contains("say #1: i am\n") && sim.asked.len() == 1,
            "{text}: {}",
            sim.log
        );
    }
    for text in ["Anna: i am", "Anna\ni am"] {
        let sim = asked(policy(), &[&message(text), HEY]);
        assert!(
            sim.log.contains("say #1: hey Ben\n") && !sim.log.contains("i am\n"),
            "{text}: {}",
            sim.log
        );
    }
}

#[test]
fn one_good_message_among_others_is_enough() {
    let two =
        "<turn><send_message>Anna: hi</send_message><send_message>hey Ben</send_message></turn>";
    let sim = asked(policy(), &[two]);
    assert!(
        sim.log.contains("say #1: hey Ben") && !sim.log.contains("say #1: Anna"),
        "{}",
        sim.log
    );
    assert_eq!(sim.asked.len(), 1, "{}", sim.log);
    let two =
        "<turn><send_message>hey Ben</send_message><send_message>Anna: hi</send_message></turn>";
    let sim = asked(policy(), &[two]);
    assert_eq!(
        (sim.log.matches("say #1").count(), sim.asked.len()),
        (1, 1),
        "{}",
        sim.log
    );
}

#[test]
fn a_poll_an_edit_and_a_thread_pass_the_guard_as_well() {
    let text = |name: &str, required| Param {
        name: name.into(),
        required,
        ..Param::default()
    };
    let answers = Param {
        kind: ParamType::Array,
        ..text("answers", true)
    };
    let poll = ToolSpec {
        name: "create_poll".into(),
        kind: ToolKind::Visible,
        schema: Schema {
            params: vec![text("question", true), answers],
        },
        primary: Some("question".into()),
        ..ToolSpec::default()
    };
    let mut policy = policy();
    policy.tools = policy.tools.iter().cloned().chain([poll]).collect();
    let call = |question: &str, answer: &str| {
        format!(
            "{{\"actions\": [{{\"name\": \"create_poll\", \"params\": {{\"question\": \"{question}\", \"answers\": [\"pizza\", \"{answer}\"]}}}}]}}"
        )
    };
    let run = |first: &str| {
        let mut sim = Sim::new(policy.clone())
            .answer(says(first))
            .answer(says(HEY));
        sim.results.insert("create_poll", ToolResult::ok("done"));
        sim.says("Anna", "morning all");
        sim.says("Ben", "@Juno make a poll");
        sim.wait(9 * SECOND);
        sim
    };
    let sim = run(&call("Juno: what to eat?", "13 Juno: soup"));
    let params = &sim.reports[0].rounds[0].calls[0].call.params;
    assert!(
        params["question"] == "what to eat?" && params["answers"][1] == "soup",
        "{params:?}"
    );
    for (question, answer) in [
        ("Anna: what to eat?", "soup"),
        ("what to eat?", "# Now"),
        ("what to eat?", "Ben: soup"),
    ] {
        let sim = run(&call(question, answer));
        assert!(
            !sim.log.contains("run create_poll") && sim.log.contains("say #1: hey Ben"),
            "{}",
            sim.log
        );
    }
}
