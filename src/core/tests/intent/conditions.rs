//! Each thing it can wait for wakes it once.

use kith_core::chat::{AuthorKind, ChannelId, HOUR, IntentionId, MINUTE, SECOND};
use kith_core::event::Event;
use kith_core::intent::{IntentTrigger, ScheduledIntent};
use kith_core::report::{SelfTrigger, TurnOutcome};

use crate::intent::sim::{Answer, START, Sim, author};
use crate::intent::{HI, SILENT, policy, waits};

/// Anna asks for something, and it means to come back to it.
fn sim(answer: Answer) -> Sim {
    let mut sim = Sim::new(policy()).answer(answer);
    sim.says("Ben", "i have my exam tomorrow");
    sim.says("Anna", "@Juno ask Ben how it went, would you");
    sim.wait(5 * SECOND);
    assert_eq!(sim.reports.len(), 1, "{}", sim.log);
    assert_eq!(sim.intentions.len(), 1, "{}", sim.log);
    sim.log.clear();
    sim.answers.push_back(Answer::Says(HI));
    sim
}

fn cause(sim: &Sim) -> Option<IntentTrigger> {
    match sim.reports.last()?.wake.own? {
        SelfTrigger::Waited { cause, .. } => Some(cause),
        _ => None,
    }
}

#[test]
fn a_person_who_writes_wakes_it_once_after_their_burst() {
    let mut sim = sim(waits!("person=\"ben\"", "ask how the exam went"));
    sim.says("Anna", "he is not back yet");
    sim.wait(HOUR);
    assert_eq!(
        sim.reports.len(),
        1,
        "somebody else changes nothing\n{}",
        sim.log
    );
    let heard = sim.says("Ben", "hello all");
    sim.wait(SECOND);
    sim.says("Ben", "what a day");
    sim.wait(HOUR);
    assert_eq!(
        (sim.reports.len(), cause(&sim)),
        (2, Some(IntentTrigger::Person)),
        "{}",
        sim.log
    );
    assert_eq!(
        (sim.reports[1].wake.message, sim.reports[1].wake.address),
        (Some(heard), None)
    );
    assert_eq!(sim.reports[1].outcome, TurnOutcome::Acted);
    assert!(sim.intentions.is_empty());
    sim.says("Ben", "i am off again");
    sim.wait(30 * HOUR);
    assert_eq!(sim.reports.len(), 2, "{}", sim.log);
}

#[test]
fn a_word_wakes_it_in_any_case_but_not_inside_another_nor_from_itself() {
    let mut sim = sim(waits!("word=\"Pizza night\"", "bring the garlic bread up"));
    sim.says("Anna", "pizza nights are over");
    sim.hear(1, author("Robo", AuthorKind::Bot), "PIZZA NIGHT!", None);
    sim.wait(MINUTE);
    assert_eq!(sim.reports.len(), 1, "{}", sim.log);
    sim.says("Anna", "so, pizza  NIGHT?");
    sim.wait(MINUTE);
    assert_eq!(cause(&sim), Some(IntentTrigger::Word), "{}", sim.log);
    sim.says("Anna", "pizza night it is");
    sim.wait(MINUTE);
    assert_eq!(sim.reports.len(), 2, "{}", sim.log);
}

#[test]
fn chinese_words_are_found_without_spaces() {
    let mut sim = sim(waits!("word=\"成绩\"", "恭喜他"));
    sim.says("Ben", "我的成绩出来了");
    sim.wait(MINUTE);
    assert_eq!(cause(&sim), Some(IntentTrigger::Word), "{}", sim.log);
}

#[test]
fn minutes_wake_it_at_the_latest_then_however_much_is_said_meanwhile() {
    let mut sim = sim(waits!(
        "person=\"Ben\" minutes=\"20\"",
        "see whether they are fine"
    ));
    for _ in 0..19 {
        sim.wait(MINUTE);
        sim.says("Anna", "still here");
    }
    assert_eq!(sim.reports.len(), 1, "{}", sim.log);
    sim.wait(2 * MINUTE);
    assert_eq!(cause(&sim), Some(IntentTrigger::Time), "{}", sim.log);
    sim.wait(20 * HOUR);
    assert_eq!(sim.reports.len(), 2, "{}", sim.log);
}

#[test]
fn a_time_to_wait_for_is_read_as_a_reminder_reads_it() {
    for (time, minutes) in [
        ("time=\"in 20 minutes\"", 20),
        ("time=\"2h\"", 120),
        ("time=\"tomorrow 9am\"", 21 * 60),
        ("time=\"下周三晚上八点\"", 9 * 24 * 60 + 8 * 60),
        ("minutes=\"90 min\"", 90),
        ("hours=\"3\"", 180),
        ("hours=\"1\" minutes=\"30\"", 30),
    ] {
        let wish =
            format!("<turn><wait_for {time}>x</wait_for><stay_silent>ok</stay_silent></turn>");
        let mut sim = Sim::new(policy())
            .answer(Answer::Says(wish.leak()))
            .answer(Answer::Says(SILENT));
        sim.says("Anna", "@Juno hi");
        sim.wait(5 * SECOND);
        let kept = sim.intentions.values().next().and_then(|kept| kept.time);
        // It waits for a week at most.
        let wanted = (minutes <= 168 * 60).then_some(START + minutes * MINUTE);
        assert_eq!(
            kept.map(|at| at / MINUTE),
            wanted.map(|at| at / MINUTE),
            "{time}"
        );
    }
}

#[test]
fn what_comes_on_the_last_stroke_wakes_it_though_the_clock_is_looked_at_later() {
    for (late, wakes) in [(0, true), (300, true), (5 * MINUTE, false)] {
        let mut sim = Sim::new(policy()).answer(Answer::Says(HI));
        let expires = sim.now + HOUR;
        let last = ScheduledIntent {
            id: IntentionId(7),
            made: sim.now,
            expires,
            time: Some(expires),
            ..ScheduledIntent::default()
        };
        sim.intentions.insert((ChannelId(1), last.id), last);
        sim.restarts(policy());
        sim.now = expires + late;
        sim.event(Event::Tick);
        assert_eq!(sim.asked.len() == 1, wakes, "{late} ms late\n{}", sim.log);
        assert!(
            sim.intentions.is_empty() && sim.core.next_deadline().is_none(),
            "{}",
            sim.log
        );
    }
}

#[test]
fn a_time_of_day_wakes_it_at_that_time_on_the_clock_it_lives_by() {
    use kith_core::persona::{Persona, PersonaSchedule};
    // 12:00 UTC is 13:00 in Berlin.
    let schedule = Some(PersonaSchedule {
        timezone: chrono_tz::Tz::Europe__Berlin,
        day: Vec::new(),
    });
    let persona = std::sync::Arc::new(Persona {
        schedule,
        ..(*policy().persona).clone()
    });
    let mut sim = Sim::new(kith_core::policy::ChannelPolicy {
        persona,
        ..policy()
    })
    .answer(waits!("time=\"13:30\"", "say it is time to go"))
    .answer(Answer::Says(HI));
    sim.says("Anna", "@Juno remind us at half past");
    sim.wait(20 * HOUR);
    assert_eq!(cause(&sim), Some(IntentTrigger::Time), "{}", sim.log);
    assert_eq!(sim.reports[1].started, START + 30 * MINUTE);
    sim.wait(48 * HOUR);
    assert_eq!(sim.reports.len(), 2, "{}", sim.log);
}

#[test]
fn of_several_things_the_first_to_come_wakes_it_and_the_others_do_not() {
    let mut sim = sim(waits!("person=\"Ben\" minutes=\"30\" word=\"exam\"", "ask"));
    sim.wait(31 * MINUTE);
    assert_eq!(cause(&sim), Some(IntentTrigger::Time), "{}", sim.log);
    sim.says("Ben", "the exam was fine");
    sim.wait(HOUR);
    assert_eq!(sim.reports.len(), 2, "{}", sim.log);
}

#[test]
fn it_may_stay_silent_when_it_wakes_and_owes_nobody_anything() {
    let mut sim = sim(waits!("minutes=\"30\"", "ask"));
    sim.answers = [Answer::Says(SILENT)].into();
    sim.wait(HOUR);
    assert_eq!(
        sim.reports[1].outcome,
        TurnOutcome::Silent("it does not fit".into())
    );
    assert_eq!(sim.reports[1].wake.addressed, []);
    assert!(
        sim.log.contains("over: Woke") && !sim.log.contains("react"),
        "{}",
        sim.log
    );
}

#[test]
fn what_never_comes_lapses_without_a_call() {
    let mut sim = sim(waits!("word=\"unicorn\" hours=\"2\"", "laugh"));
    sim.wait(3 * HOUR);
    assert!(
        sim.log.contains("7200.") && sim.log.contains("over: Expired"),
        "{}",
        sim.log
    );
    sim.says("Anna", "unicorn");
    sim.wait(MINUTE);
    assert_eq!((sim.reports.len(), sim.asked.len()), (1, 1), "{}", sim.log);
}

#[test]
fn who_speaks_to_it_meanwhile_gets_one_turn_that_hears_of_both() {
    let mut sim = sim(waits!("person=\"Ben\"", "ask"));
    sim.says("Ben", "@Juno hi");
    sim.wait(HOUR);
    assert_eq!(sim.reports.len(), 2, "{}", sim.log);
    let wake = &sim.reports[1].wake;
    assert!(
        wake.address.is_some() && cause(&sim) == Some(IntentTrigger::Person),
        "{wake:?}"
    );
    assert!(sim.intentions.is_empty());
}

#[test]
fn what_is_said_while_the_turn_still_writes_counts_already() {
    let mut sim = Sim::new(policy())
        .answer(Answer::Starts("<turn><thoughts>hm"))
        .answer(Answer::Says(SILENT));
    sim.says("Ben", "back soon");
    sim.says("Anna", "@Juno wait for Ben");
    sim.wait(2 * SECOND);
    sim.says("Ben", "here i am");
    sim.model_ends("</thoughts><wait_for person=\"Ben\">greet him</wait_for><stay_silent>ok</stay_silent></turn>");
    sim.wait(MINUTE);
    assert_eq!(
        (sim.reports.len(), cause(&sim)),
        (2, Some(IntentTrigger::Person)),
        "{}",
        sim.log
    );
}

#[test]
fn a_message_taken_back_is_not_what_was_waited_for() {
    let mut sim = sim(waits!("person=\"Ben\"", "ask"));
    let id = sim.says("Ben", "oops");
    sim.delete(ChannelId(1), vec![id]);
    sim.wait(MINUTE);
    assert_eq!(sim.reports.len(), 1, "{}", sim.log);
}

#[test]
fn the_model_is_told_what_is_wrong_with_its_wish() {
    for (wish, sentence) in [
        ("<wait_for>something</wait_for>", "say what to wait for"),
        (
            "<wait_for person=\"Nobody\">x</wait_for>",
            "somebody who has written here lately",
        ),
        (
            "<wait_for person=\"Juno\">x</wait_for>",
            "somebody who has written here lately",
        ),
        (
            "<wait_for minutes=\"0\">x</wait_for>",
            r#"write \"in 20 minutes\""#,
        ),
        (
            "<wait_for minutes=\"5\" hours=\"9999\">x</wait_for>",
            "`hours` must be from 1 to 168",
        ),
        (
            "<wait_for minutes=\"300\" hours=\"2\">x</wait_for>",
            "`hours` must be from 6 to 168",
        ),
        (
            "<wait_for time=\"25:00\">x</wait_for>",
            r#"or \"tomorrow 18:30\""#,
        ),
        (
            "<wait_for minutes=\"5\">x</wait_for><wait_for minutes=\"6\">x</wait_for><wait_for minutes=\"7\">x</wait_for>\
             <wait_for minutes=\"8\">x</wait_for>",
            "waiting for 3 things here already",
        ),
    ] {
        let wish: &'static str = format!("<turn>{wish}<stay_silent>ok</stay_silent></turn>").leak();
        let mut sim = Sim::new(policy())
            .answer(Answer::Says(wish))
            .answer(Answer::Says(SILENT));
        sim.says("Anna", "@Juno hi");
        sim.wait(5 * SECOND);
        assert!(
            sim.asked[1].1.contains(sentence),
            "{wish}: {}",
            sim.asked[1].1
        );
    }
}

#[test]
fn what_it_waits_for_already_is_noted_once_and_costs_no_other_call() {
    let wish = "<turn><wait_for minutes=\"5\">x</wait_for><wait_for minutes=\"5\">y</wait_for><stay_silent>ok</stay_silent></turn>";
    let mut sim = Sim::new(policy()).answer(Answer::Says(wish));
    sim.says("Anna", "@Juno hi");
    sim.wait(5 * SECOND);
    assert_eq!(
        (sim.asked.len(), sim.intentions.len()),
        (1, 1),
        "{}",
        sim.log
    );
}
