//! Questions to the room that are settled: somebody answered, or who asked has moved on.

use kith_core::chat::{MINUTE, SECOND};
use kith_core::talkativeness::Talkativeness;

use crate::evenings::companion;
use crate::evenings::sim::Sim;

/// How often it is asked for what it would say in the half hour after a question to the room among three friends, at the
/// chattiest level at which nothing is said to it at once, when this comes after it.
fn taken_up(before: [&str; 2], question: &str, after: &[(&str, i64, &str)]) -> usize {
    let asked = |level: f32| {
        let mut sim = companion(Talkativeness::Level(level));
        for (name, line) in ["Ben", "Cleo"].into_iter().zip(before) {
            sim.says(name, line);
            sim.wait(20 * SECOND);
        }
        sim.wait(20 * MINUTE);
        sim.log.clear();
        sim.says("Anna", question);
        sim.wait(21 * SECOND);
        sim
    };
    let shy = |level: &f32| !asked(*level).log.contains("ask");
    let levels: Vec<f32> = (0..=50)
        .map(|step| step as f32 / 50.0)
        .take_while(shy)
        .collect();
    let mut sim: Sim = asked(
        *levels
            .last()
            .expect("the shyest does not answer everything at once"),
    );
    for (name, pause, line) in after {
        sim.wait(pause * SECOND);
        sim.says(name, line);
    }
    let until_now = sim.log.matches("ask").count();
    sim.wait(30 * MINUTE);
    sim.log.matches("ask").count() - until_now
}

const EN: [&str; 2] = ["the shed is dry at last", "and the roof holds"];
const PAINT: &str = "does anybody know what colour i could paint the door of it?";
const ZH: [&str; 2] = ["棚子终于干了", "屋顶也不漏了"];
const DOOR: &str = "大家觉得门刷成什么颜色好？";

#[test]
fn a_question_of_the_room_that_nobody_took_up_is_answered_later() {
    assert_eq!(taken_up(EN, PAINT, &[]), 1);
    assert_eq!(taken_up(ZH, DOOR, &[]), 1);
}

#[test]
fn what_anybody_said_to_it_in_a_word_or_two_settles_a_question_of_the_room() {
    assert_eq!(taken_up(EN, PAINT, &[("Ben", 2, "green")]), 0);
    assert_eq!(taken_up(ZH, DOOR, &[("Ben", 2, "绿色")]), 0);
}

#[test]
fn who_asked_the_room_and_moves_on_wants_no_answer_any_more() {
    assert_eq!(
        taken_up(EN, PAINT, &[("Anna", 2, "ah wait, found it, thanks all")]),
        0
    );
    assert_eq!(taken_up(ZH, DOOR, &[("Anna", 2, "哦我想好了 谢谢大家")]), 0);
}

#[test]
fn a_line_for_somebody_else_answers_no_question_of_the_room() {
    assert_eq!(
        taken_up(EN, PAINT, &[("Ben", 2, "Cleo, did you lock the shed")]),
        1
    );
    assert_eq!(taken_up(ZH, DOOR, &[("Ben", 2, "Cleo，你锁门了没")]), 1);
}
