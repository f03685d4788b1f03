//! What the prompt says of how it stands between the companion and the channel: counted, in both languages.

use std::sync::Arc;

use kith_core::chat::{ChannelId, DAY, HOUR, MINUTE, SECOND};
use kith_core::context::RecentReception;
use kith_core::persona::{Language, Persona};
use kith_core::policy::ChannelPolicy;

use crate::turn::sim::{Answer, Sim, policy};

fn companion(language: Language) -> Sim {
    let persona = Persona {
        name: "Juno".into(),
        language,
        ..Persona::default()
    };
    Sim::new(ChannelPolicy {
        persona: Arc::new(persona),
        near_duplicate: 2.0,
        ..policy()
    })
}

/// What the next prompt says: a mention of Anna's is answered by "hey".
fn prompt(sim: &mut Sim) -> String {
    asked(sim, "@Juno are you there?")
}

fn asked(sim: &mut Sim, text: &str) -> String {
    sim.answers = [Answer::Says(
        "<turn><send_message>hey</send_message></turn>",
    )]
    .into();
    sim.says("Anna", text);
    sim.wait(5 * SECOND);
    sim.asked.last().expect("it was asked").1.clone()
}

#[test]
fn it_is_told_how_long_ago_it_last_spoke_unless_that_can_be_seen() {
    for (language, told) in [
        (Language::EN, "You last spoke here 3 h ago."),
        (Language::ZH, "你上次在这里说话是 3 小时前。"),
    ] {
        let mut sim = companion(language);
        assert!(
            !prompt(&mut sim).contains(&told[..12]),
            "it has never spoken"
        );
        sim.wait(MINUTE);
        assert!(!prompt(&mut sim).contains(&told[..12]), "that was just now");
        sim.wait(3 * HOUR);
        assert!(prompt(&mut sim).contains(told));
    }
}

#[test]
fn a_good_talk_and_a_request_for_quiet_are_told_in_a_few_words() {
    for (language, good, quiet) in [
        (
            Language::EN,
            "A good talk is going on.",
            "Somebody asked you for quiet not long ago.",
        ),
        (Language::ZH, "正聊得起劲", "刚有人让你安静"),
    ] {
        let mut sim = companion(language);
        assert!(!prompt(&mut sim).contains(good));
        for _ in 0..4 {
            sim.wait(20 * SECOND);
            prompt(&mut sim);
        }
        assert!(prompt(&mut sim).contains(good), "{:?}", sim.asked.last());
        sim.says("Ben", "@Juno please be quiet for a bit");
        sim.wait(MINUTE);
        let told = prompt(&mut sim);
        assert!(told.contains(quiet) && !told.contains(good), "{told}");
        sim.wait(4 * HOUR);
        assert!(!prompt(&mut sim).contains(quiet));
    }
}

#[test]
fn three_lines_that_nobody_took_up_are_noticed_until_somebody_writes_to_it() {
    let mut sim = companion(Language::EN);
    let lately = |sim: &Sim| {
        sim.core
            .channel_state(ChannelId(1))
            .expect("there")
            .rapport(sim.now)
            .recent_feedback
    };
    sim.answers = [Answer::Says(
        "<turn><send_message>one\n\ntwo, or so\n\nand a third</send_message></turn>",
    )]
    .into();
    sim.says("Anna", "@Juno count");
    sim.wait(MINUTE);
    sim.says("Ben", "so, where were we, Anna?");
    sim.wait(20 * MINUTE);
    assert_eq!(lately(&sim), Some(RecentReception::Ignored), "{}", sim.log);
    prompt(&mut sim);
    assert_ne!(lately(&sim), Some(RecentReception::Ignored), "{}", sim.log);
}

#[test]
fn it_is_told_whom_it_knows_for_long_and_who_is_new() {
    for (language, known, new) in [
        (
            Language::EN,
            "Anna (known 3 weeks, talks with you often)",
            "Ben (just met)",
        ),
        (Language::ZH, "Anna（认识 3 周，常和你聊）", "Ben（刚认识）"),
    ] {
        let mut sim = companion(language);
        let first = prompt(&mut sim);
        assert!(
            first.contains("\"Anna\"") && !first.contains(new.trim_start_matches("Ben")),
            "where all are new nobody is: {first}"
        );
        sim.wait(10 * DAY);
        for _ in 0..15 {
            sim.wait(16 * HOUR);
            prompt(&mut sim);
        }
        sim.wait(2 * DAY);
        sim.says("Ben", "hello everybody");
        let told = prompt(&mut sim);
        assert!(told.contains(known) && told.contains(new), "{told}");
        sim.restarts(
            sim.core
                .channel_state(ChannelId(1))
                .expect("there")
                .policy()
                .as_ref()
                .clone(),
        );
        assert!(prompt(&mut sim).contains(known), "also after a restart");
    }
}

#[test]
fn its_energy_and_its_mood_are_told_in_a_few_words() {
    for (language, told) in [
        (
            Language::EN,
            [
                "You have energy to spare.",
                "You are tired of talking.",
                "You are in a good mood.",
            ],
        ),
        (Language::ZH, ["你精神很好。", "你聊累了。", "心情好。"]),
    ] {
        let mut sim = companion(language);
        assert!(prompt(&mut sim).contains(told[0]), "{:?}", sim.asked.last());
        for _ in 0..12 {
            sim.wait(10 * SECOND);
            prompt(&mut sim);
        }
        let last = prompt(&mut sim);
        assert!(last.contains(told[1]) && last.contains(told[2]), "{last}");
    }
}
