//! What a model writes in the place of speech, or in the history's own format, does not reach people: plain text as well
//! as messages, in every protocol.

use std::sync::Arc;

use kith_core::call::{ToolKind, ToolResult, ToolSpec};
use kith_core::chat::SECOND;
use kith_core::persona::{Persona, PersonaVoice};
use kith_core::policy::ContextBudget;
use kith_core::policy::{ChannelPolicy, OutputProtocol};
use kith_core::report::TurnOutcome;
use kith_core::schema::{Param, ParamType, Schema};
use kith_core::talkativeness::Talkativeness;

use crate::turn::sim::{Answer, Sim, policy};

fn says(text: &str) -> Answer {
    Answer::Says(text.to_owned().leak())
}

fn small() -> ChannelPolicy {
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
fn asked(policy: ChannelPolicy, answers: &[&str]) -> Sim {
    let mut sim = answers
        .iter()
        .fold(Sim::new(policy), |sim, answer| sim.answer(says(answer)));
    sim.says("Anna", "morning all");
    sim.says("Ben", "@Juno are you up?");
    sim.wait(9 * SECOND);
    sim
}

fn message(text: &str) -> String {
    format!("<turn><send_message>{text}</send_message></turn>")
}

const HEY: &str = "<turn><send_message>hey Ben</send_message></turn>";

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
    for text in ["(stays silent)", "*Juno says nothing*", "【沉默】", "……"] {
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
            "it only refused as an assistant would",
        ),
        (
            "抱歉，我无法协助处理这个请求。",
            "it only refused as an assistant would",
        ),
        (
            "I should respond to Ben in a friendly way.",
            "it only talked about what to say",
        ),
        (
            "The user is asking whether Juno is up.",
            "it only talked about what to say",
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
        ("Anna: hi Juno", "it only wrote lines of others"),
        ("12 Ben: are you up?", "it only wrote lines of others"),
        ("**Anna:** lol", "it only wrote lines of others"),
        ("# Now", "it only copied its instructions"),
        ("看到第七本…（还有22字）", "it only copied its instructions"),
        ("your message, or one", "it only copied its instructions"),
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
        TurnOutcome::Silent("it only wrote lines of others".into())
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
fn a_word_for_nothing_is_said_to_who_asked_something_and_to_nobody_else() {
    assert_eq!(
        answers("@Juno how many are left?", &["none"]),
        (vec!["none".to_owned()], 1)
    );
    assert_eq!(answers("@Juno i am home again", &["none"]), (vec![], 1));
    assert_eq!(
        answers("@Juno 还剩什么？", &["无"]),
        (vec!["无".to_owned()], 1)
    );
    assert_eq!(answers("@Juno 我到家了", &["无"]), (vec![], 1));
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
