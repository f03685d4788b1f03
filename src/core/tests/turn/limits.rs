//! How much one turn may do.

use kith_core::call::{ToolKind, ToolSpec};
use kith_core::chat::SECOND;
use kith_core::policy::ChannelPolicy;
use kith_core::turn::{MOST_CALLS, MOST_THREADS, MOST_VISIBLE};

use crate::turn::sim::{Answer, Sim, policy};

fn turn(inside: impl Iterator<Item = String>) -> Answer {
    Answer::Says(format!("<turn>{}</turn>", inside.collect::<String>()).leak())
}

fn asked(sim: &mut Sim) {
    sim.says("Anna", "@Juno well?");
    sim.wait(60 * SECOND);
}

#[test]
fn of_a_thousand_messages_eight_are_sent_and_the_rest_is_told() {
    let many = (0..1_040).map(|n| {
        format!(
            "<send_message>line number {n} of the flood {}</send_message>",
            n * 7919
        )
    });
    let mut sim = Sim::new(ChannelPolicy {
        near_duplicate: 2.0,
        ..policy()
    })
    .answer(turn(many));
    sim = sim.answer(Answer::Says(
        "<turn><stay_silent>enough</stay_silent></turn>",
    ));
    asked(&mut sim);
    assert_eq!(
        sim.log.matches("say #1").count(),
        MOST_VISIBLE,
        "{}",
        sim.log
    );
    assert_eq!(sim.reports[0].rounds.len(), 1, "nobody is asked to go on");
    let note = sim.reports[0]
        .notes
        .iter()
        .find(|note| note.contains("too many for one turn"))
        .expect("the report tells");
    assert!(note.starts_with("1032 "), "{note}");
    assert!(
        sim.reports[0].rounds[0].calls.len() <= MOST_VISIBLE + 1,
        "the report stays small"
    );
    asked(&mut sim);
    assert!(
        sim.asked[1].1.contains("1032 more were not done"),
        "the model is told in the next prompt"
    );
}

#[test]
fn reactions_and_messages_count_together() {
    let many = (0..1_000).map(|n| {
        format!(
            "<react to=\"1\">{}</react>",
            char::from_u32(0x1f600 + n % 60).unwrap()
        )
    });
    let mut sim = Sim::new(policy()).answer(turn(
        many.chain(["<send_message>hi</send_message>".to_owned()]),
    ));
    asked(&mut sim);
    assert_eq!(
        sim.log.matches("react").count(),
        MOST_VISIBLE,
        "{}",
        sim.log
    );
    assert_eq!(sim.log.matches("say #1").count(), 0, "{}", sim.log);
}

#[test]
fn a_thousand_paragraphs_of_one_message_become_eight_messages_and_as_little_as_can_be_is_lost() {
    let paragraphs = |count: usize, size: usize| {
        let text: Vec<String> = (0..count)
            .map(|n| {
                format!(
                    "{n} {}",
                    "word ".repeat(4)
                        + &(4..size).map(|at| format!("{n}.{at} ")).collect::<String>()
                )
            })
            .collect();
        Answer::Says(
            format!(
                "<turn><send_message>{}</send_message></turn>",
                text.join("\n\n")
            )
            .leak(),
        )
    };
    let mut sim = Sim::new(policy()).answer(paragraphs(100, 4));
    asked(&mut sim);
    assert!(
        sim.log.matches("say #1").count() <= MOST_VISIBLE,
        "{}",
        sim.log
    );
    assert!(
        (0..100).all(|n| sim.log.contains(&format!("{n} word word"))),
        "short ones are put together\n{}",
        sim.log
    );
    assert!(
        !sim.reports[0]
            .notes
            .iter()
            .any(|note| note.contains("too many")),
        "{:?}",
        sim.reports[0].notes
    );

    let mut sim = Sim::new(policy()).answer(paragraphs(1_000, 60));
    asked(&mut sim);
    assert_eq!(sim.log.matches("say #1").count(), MOST_VISIBLE);
    assert!(
        sim.reports[0]
            .notes
            .iter()
            .any(|note| note.contains("too many for one turn"))
    );
}

#[test]
fn two_threads_are_the_most() {
    let opens = ToolSpec {
        name: "create_thread".into(),
        kind: ToolKind::Visible,
        ..ToolSpec::default()
    };
    let opens = ToolSpec {
        schema: kith_core::schema::Schema {
            params: vec![kith_core::schema::Param {
                name: "name".into(),
                required: true,
                ..Default::default()
            }],
        },
        primary: Some("name".into()),
        ..opens
    };
    let mut policy = policy();
    policy.tools = policy.tools.iter().cloned().chain([opens]).collect();
    let many = (0..40).map(|n| format!("<create_thread>topic {n}</create_thread>"));
    let mut sim = Sim::new(policy).answer(turn(many));
    asked(&mut sim);
    assert_eq!(
        sim.log.matches("run create_thread").count(),
        MOST_THREADS,
        "{}",
        sim.log
    );
    assert!(
        sim.reports[0]
            .notes
            .iter()
            .any(|note| note.starts_with("38 more")),
        "{:?}",
        sim.reports[0].notes
    );
}

#[test]
fn calls_nobody_sees_end_somewhere_too() {
    let many = (0..500).map(|n| format!("<core_memory_append>fact {n}</core_memory_append>"));
    let mut sim = Sim::new(policy())
        .answer(turn(many))
        .answer(turn(["<stay_silent/>".to_owned()].into_iter()));
    asked(&mut sim);
    assert_eq!(
        sim.log.matches("run core_memory_append").count(),
        MOST_CALLS,
        "{}",
        sim.log
    );
}
