//! A good answer given twice: asked for once in other words, then said where somebody waits for it; and said at once
//! where somebody else asked.

use kith_core::chat::{AuthorKind, SECOND};
use kith_core::persona::Persona;
use kith_core::policy::ChannelPolicy;
use kith_core::report::TurnOutcome;
use kith_core::talkativeness::Talkativeness;

use crate::turn::HI;
use crate::turn::sim::{Answer, Sim, author, policy};

const SAME: &str =
    "<turn><send_message>honestly the second album is the better one</send_message></turn>";
const LINE: &str = "honestly the second album is the better one";

fn said(sim: &Sim) -> usize {
    sim.log.matches(&format!("say #1: {LINE}")).count()
}

#[test]
fn the_same_answer_to_the_same_person_is_asked_for_once_in_other_words_and_then_said() {
    let mut sim = Sim::new(policy());
    sim.always = Some(SAME);
    sim.says("Anna", "@Juno which album?");
    sim.wait(5 * SECOND);
    sim.log.clear();
    sim.says("Anna", "@Juno sorry, which one again?");
    sim.wait(5 * SECOND);
    sim.expect(&format!(
        "5.0 beat #1: addressed
         5.0 typing #1
         5.0 ask #1 Normal
         5.0 ask #1 Normal
         5.0 say #1: {LINE}
         5.0 end #1: Acted",
    ));
    assert!(
        sim.reports[1]
            .notes
            .iter()
            .any(|note| note.starts_with("held back")),
        "{:?}",
        sim.reports[1].notes
    );
}

#[test]
fn other_words_are_taken_when_they_come() {
    let mut sim = Sim::new(policy())
        .answer(Answer::Says(SAME))
        .answer(Answer::Says(SAME))
        .answer(Answer::Says(
            "<turn><send_message>the second, still</send_message></turn>",
        ));
    sim.says("Anna", "@Juno which album?");
    sim.wait(5 * SECOND);
    sim.says("Anna", "@Juno which one?");
    sim.wait(5 * SECOND);
    assert!(
        sim.asked[2]
            .1
            .contains("you said nearly the same a moment ago"),
        "{}",
        sim.asked[2].1
    );
    assert!(
        said(&sim) == 1 && sim.log.contains("say #1: the second, still"),
        "{}",
        sim.log
    );
}

#[test]
fn somebody_else_who_asks_the_same_is_told_the_same_at_once() {
    for between in ["", "no idea, never heard it"] {
        let mut sim = Sim::new(policy());
        sim.always = Some(SAME);
        sim.says("Anna", "@Juno which album?");
        if !between.is_empty() {
            sim.says("Ben", between);
        }
        sim.wait(5 * SECOND);
        sim.says("Ben", "@Juno which album?");
        sim.wait(5 * SECOND);
        assert_eq!(
            (said(&sim), sim.log.matches("ask #1").count()),
            (2, 2),
            "{}",
            sim.log
        );
    }
}

#[test]
fn whom_a_line_answered_is_told_by_its_reply_mark_first() {
    let reply = "<turn><send_message reply_to=\"1\">honestly the second album is the better one</send_message></turn>";
    let mut sim = Sim::new(policy())
        .answer(Answer::Says(reply))
        .answer(Answer::Says(SAME));
    sim.says("Anna", "@Juno which album…");
    sim.says("Ben", "@Juno and hi");
    sim.wait(5 * SECOND);
    sim.says("Ben", "@Juno which album did you say?");
    sim.wait(5 * SECOND);
    assert_eq!(
        (said(&sim), sim.log.matches("ask #1").count()),
        (1, 2),
        "{}",
        sim.log
    );
    assert!(
        sim.log.contains(&format!("(to 101): {LINE}")),
        "{}",
        sim.log
    );
}

#[test]
fn a_small_models_plain_text_is_treated_the_same() {
    let mut sim = Sim::new(ChannelPolicy {
        plain_text_is_speech: true,
        ..policy()
    });
    sim.always = Some(LINE);
    sim.says("Anna", "@Juno which one?");
    sim.wait(5 * SECOND);
    sim.says("Anna", "@Juno which one?");
    sim.wait(5 * SECOND);
    assert_eq!(
        (said(&sim), sim.log.matches("ask #1").count()),
        (2, 3),
        "{}",
        sim.log
    );
    assert!(!sim.log.contains('⚠'), "{}", sim.log);
}

#[test]
fn where_nobody_waits_it_keeps_silent_at_once_and_says_why() {
    let chatty = ChannelPolicy {
        talkativeness: Talkativeness::Level(1.0),
        ..policy()
    };
    let mut sim = Sim::new(chatty);
    sim.always = Some(SAME);
    sim.says("Anna", "@Juno which album?");
    sim.wait(5 * SECOND);
    let before = sim.reports.len();
    for _ in 0..40 {
        sim.says(
            "Cleo",
            "does anybody here know whether the shop is open on sundays at all?",
        );
        sim.wait(90 * SECOND);
        if sim.reports.len() > before {
            break;
        }
    }
    assert_eq!(
        sim.reports[before].outcome,
        TurnOutcome::Silent("its answer was refused: it only repeated itself".into()),
        "{}",
        sim.log
    );
    assert_eq!(sim.reports[before].rounds.len(), 1);
}

#[test]
fn within_one_turn_nothing_is_said_twice_and_nobody_is_asked_again_for_it() {
    let twice = "<turn><send_message>Hey Ben!</send_message><send_message>hey Ben!</send_message>\
                 <send_message>how was the ferry then, tell me</send_message>\
                 <send_message>how was the ferry then? tell me</send_message></turn>";
    let mut sim = Sim::new(policy()).answer(Answer::Says(twice));
    sim.says("Ben", "@Juno hi");
    sim.wait(5 * SECOND);
    assert_eq!(
        (
            sim.log.matches("say #1").count(),
            sim.log.matches("ask #1").count()
        ),
        (2, 1),
        "{}",
        sim.log
    );
    let calls = &sim.reports[0].rounds[0].calls;
    assert!(
        calls[1]
            .result
            .as_ref()
            .is_some_and(|result| result.is_error),
        "{calls:?}"
    );
}

#[test]
fn a_short_line_may_be_said_again() {
    let mut sim = Sim::new(policy());
    sim.always = Some("<turn><send_message>haha yes</send_message></turn>");
    sim.says("Anna", "@Juno i won!!");
    sim.wait(5 * SECOND);
    sim.says("Anna", "@Juno i lost!!");
    sim.wait(5 * SECOND);
    assert_eq!(
        (
            sim.log.matches("say #1: haha yes").count(),
            sim.asked.len().max(2)
        ),
        (2, 2),
        "{}",
        sim.log
    );
}

#[test]
fn what_one_other_member_said_is_not_copied_and_what_several_say_is_joined() {
    let copy =
        "<turn><send_message>happy birthday dear Cleo, have a good one</send_message></turn>";
    let own = "<turn><send_message>many happy returns, Cleo</send_message></turn>";
    let mut sim = Sim::new(policy())
        .answer(Answer::Says(copy))
        .answer(Answer::Says(own));
    sim.says("Ben", "happy birthday dear Cleo, have a good one!");
    sim.says("Anna", "@Juno say something to Cleo");
    sim.wait(5 * SECOND);
    assert!(
        sim.asked[1].1.contains("the words of somebody else"),
        "{}",
        sim.asked[1].1
    );
    assert!(
        sim.log.contains("say #1: many happy returns") && !sim.log.contains("say #1: happy"),
        "{}",
        sim.log
    );

    let mut sim = Sim::new(policy()).answer(Answer::Says(copy));
    sim.says("Ben", "happy birthday dear Cleo, have a good one!");
    sim.says("Dee", "happy birthday dear Cleo, have a good one");
    sim.says("Anna", "@Juno say something to Cleo");
    sim.wait(5 * SECOND);
    assert!(sim.log.contains("say #1: happy birthday"), "{}", sim.log);
}

#[test]
fn where_nobody_spoke_to_it_a_shorter_copy_of_somebodys_line_is_held_back_too() {
    let copy = "<turn><send_message>there will be others</send_message></turn>";
    let mut sim = Sim::new(policy())
        .answer(Answer::Says(copy))
        .answer(Answer::Says(copy));
    sim.says("Ben", "there will be others");
    sim.says("Ben", "anyone know a good film for tonight?");
    sim.wait(60 * SECOND);
    assert!(sim.log.contains("ask #1"), "it had the chance\n{}", sim.log);
    assert!(!sim.log.contains("say #1"), "{}", sim.log);
    sim.says("Anna", "@Juno will there be others?");
    sim.wait(5 * SECOND);
    assert!(
        sim.log.contains("say #1: there will be others"),
        "who asks may be told so\n{}",
        sim.log
    );
}

#[test]
fn somebodys_line_with_a_few_words_around_it_is_held_back_unless_it_is_quoted() {
    let joins = |lines: &[&'static str], answer: &str| {
        let answer = format!("<turn><send_message>{answer}</send_message></turn>");
        let mut sim = Sim::new(policy());
        sim.always = Some(answer.leak());
        for line in lines {
            sim.says("Ben", line);
        }
        sim.says("Ben", "anyone know a good film for tonight?");
        sim.wait(60 * SECOND);
        assert!(sim.log.contains("ask #1"), "it had the chance\n{}", sim.log);
        sim.log.contains("say #1")
    };
    let mug = "the cat knocked my mug off the shelf";
    for (line, answer) in [
        (mug, "lol the cat knocked my mug off the shelf, a classic"),
        ("我考试过了", "我考试过了！"),
        (
            "房东又把暖气关了，冻死我了",
            "哈哈，房东又把暖气关了，冻死我了，真的",
        ),
    ] {
        assert!(!joins(&[line], answer), "{answer}");
    }
    for (line, answer) in [
        (
            mug,
            "\"the cat knocked my mug off the shelf\" is my favourite so far",
        ),
        (mug, "ben, the cat knocked my mug off the shelf is a poem"),
        (mug, "the cat did what, poor mug"),
        ("我考试过了", "考试过了？太好了"),
    ] {
        assert!(joins(&[line], answer), "{answer}");
    }
}

#[test]
fn neither_a_question_nor_somebodys_news_is_answered_with_the_same_words() {
    let answer = |asked: &'static str, echo: &str| {
        let echo = format!("<turn><send_message>{echo}</send_message></turn>");
        let own = "<turn><send_message>the blue one</send_message></turn>";
        let mut sim = Sim::new(policy())
            .answer(Answer::Says(echo.leak()))
            .answer(Answer::Says(own));
        sim.says("Anna", asked);
        sim.wait(5 * SECOND);
        sim.log
    };
    for (asked, echo) in [
        ("juno, which one", "which one?"),
        ("@Juno red or blue", "red or blue"),
        ("@Juno 火锅还是烤鱼", "火锅还是烤鱼"),
        ("juno i got the job!!", "i got the job!"),
        ("Juno 我睡不着", "我睡不着"),
        ("@Juno 想吃辣的", "我想吃辣的"),
        ("@Juno want something spicy", "i want something spicy"),
        ("Juno 换你你咋办", "Juno 换你你咋办"),
    ] {
        let log = answer(asked, echo);
        assert!(
            log.contains("say #1: the blue one") && !log.contains(&format!("say #1: {echo}")),
            "{log}"
        );
    }
    for (asked, echo) in [
        ("good morning juno", "good morning"),
        ("juno i love you", "i love you"),
        ("Juno 我想你了", "我想你了"),
        ("@Juno 想你了", "我想你了"),
        ("@Juno 想吃辣的", "我也想吃辣的"),
        ("@Juno 喜欢吃辣吗?", "我喜欢吃辣"),
        ("@Juno remember that?", "i remember that"),
        ("@Juno promise", "i promise"),
        ("juno, which one", "which two?"),
    ] {
        let log = answer(asked, echo);
        assert!(log.contains(&format!("say #1: {echo}")), "{log}");
    }
}

#[test]
fn a_name_of_signs_alone_is_in_nobodys_line() {
    let night = "<turn><send_message>good night</send_message></turn>";
    let mut sim = Sim::new(ChannelPolicy {
        names: vec!["Juno".into(), "\u{1f98a}".into()],
        ..policy()
    })
    .answer(Answer::Says(HI))
    .answer(Answer::Says(night));
    sim.says("Anna", "@Juno i am off");
    sim.wait(5 * SECOND);
    let answered = sim.own_line();
    let anna = author("Anna", AuthorKind::Person);
    sim.hear(1, anna, "good night", Some(answered));
    sim.wait(5 * SECOND);
    assert!(sim.log.contains("say #1: good night"), "{}", sim.log);

    let copy = "<turn><send_message>lol the cat knocked my mug off the shelf, a classic</send_message></turn>";
    let mut sim = Sim::new(policy());
    sim.always = Some(copy);
    sim.says("\u{2728}", "the cat knocked my mug off the shelf");
    sim.says("\u{2728}", "anyone know a good film for tonight?");
    sim.wait(60 * SECOND);
    assert!(sim.log.contains("ask #1"), "it had the chance\n{}", sim.log);
    assert!(!sim.log.contains("say #1"), "{}", sim.log);
}

#[test]
fn a_bot_that_spoke_between_asker_and_answer_is_nobody_who_was_answered() {
    let mut sim = Sim::new(ChannelPolicy {
        persona: std::sync::Arc::new(Persona {
            name: "Juno".into(),
            ..Persona::default()
        }),
        ..policy()
    });
    sim.always = Some(SAME);
    sim.says("Anna", "@Juno which album?");
    sim.hear(
        1,
        author("Robo", AuthorKind::Bot),
        "now playing: the second album",
        None,
    );
    sim.wait(5 * SECOND);
    sim.says("Anna", "@Juno which one?");
    sim.wait(5 * SECOND);
    assert_eq!(
        sim.log.matches("ask #1").count(),
        3,
        "Anna was answered before\n{}",
        sim.log
    );
}

#[test]
fn a_short_line_is_not_said_again_while_it_is_among_its_last_three() {
    let short = "<turn><send_message>grand</send_message></turn>";
    let mut sim = Sim::new(policy());
    sim.always = Some(short);
    sim.says("Anna", "@Juno which album?");
    sim.wait(5 * SECOND);
    sim.says("Anna", "@Juno and the other one?");
    sim.wait(5 * SECOND);
    assert_eq!(
        sim.log.matches("ask #1").count(),
        3,
        "asked once for other words: {}",
        sim.log
    );
    let mut sim = Sim::new(policy())
        .answer(Answer::Says(short))
        .answer(Answer::Says(
            "<turn><send_message>it is blue</send_message><send_message>i think</send_message></turn>",
        ))
        .answer(Answer::Says("<turn><send_message>no wait</send_message></turn>"))
        .answer(Answer::Says(short));
    for text in ["@Juno hi", "@Juno which colour?", "@Juno sure?", "@Juno ok"] {
        sim.says("Anna", text);
        sim.wait(20 * SECOND);
    }
    assert_eq!(
        sim.log.matches("say #1: grand").count(),
        2,
        "after three others it may come back: {}",
        sim.log
    );
}

#[test]
fn what_is_refused_twice_is_not_tried_a_third_time() {
    for refused in [
        "<turn><say_it>hi</say_it></turn>",
        "<turn><react to=\"99\">👍</react></turn>",
    ] {
        let mut sim = Sim::new(policy());
        sim.always = Some(refused);
        sim.says("Ben", "@Juno hi");
        sim.wait(30 * SECOND);
        assert_eq!(
            sim.log.matches("ask #1").count(),
            3,
            "{refused}: the answer, one that may mend it, and the last one\n{}",
            sim.log
        );
        assert!(
            sim.log
                .contains("could not be done, and it did nothing else"),
            "{}",
            sim.log
        );
    }
    let mut sim = Sim::new(policy())
        .answer(Answer::Says("<turn><react to=\"99\">👍</react></turn>"))
        .answer(Answer::Says("<turn><react to=\"98\">👍</react></turn>"))
        .answer(Answer::Says(
            "<turn><send_message>hey</send_message></turn>",
        ));
    sim.says("Ben", "@Juno hi");
    sim.wait(30 * SECOND);
    assert!(sim.log.contains("say #1: hey"), "{}", sim.log);
}
