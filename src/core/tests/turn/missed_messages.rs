//! What was missed: a look back after an absence, gaps, and a context that was started afresh.

use kith_core::chat::{AuthorKind, ChannelId, HOUR, MINUTE, MessageId, Millis, SECOND};
use kith_core::event::{ChatEvent, Event};
use kith_core::policy::{ChannelMode, ChannelPolicy};
use kith_core::report::{Refusal, TurnOutcome};
use kith_core::talkativeness::Talkativeness;

use crate::turn::HI;
use crate::turn::sim::{Answer, Sim, author, policy};

const DEN: ChannelId = ChannelId(1);

fn lines(sim: &Sim) -> Vec<u64> {
    sim.core
        .channel_state(DEN)
        .map(|state| {
            state
                .timeline()
                .messages()
                .map(|said| said.message.id.0)
                .collect()
        })
        .unwrap_or_default()
}

/// Feeds a message of an absence: ids grow with time, a second each.
fn missed(sim: &mut Sim, id: u64, at: Millis, text: &str) {
    let who = ["Anna", "Ben", "Cleo"][id as usize % 3];
    sim.hear_late(
        1,
        MessageId(id),
        at,
        author(who, AuthorKind::Person),
        text,
        None,
    );
}

#[test]
fn a_night_of_missed_messages_is_one_beat_and_one_turn() {
    let mut sim = Sim::new(ChannelPolicy {
        talkativeness: Talkativeness::Level(0.0),
        ..policy()
    })
    .answer(Answer::Says(HI));
    sim.says("Anna", "good night all");
    sim.wait(12 * HOUR);
    sim.log.clear();
    sim.decisions.clear();
    let now = sim.now;
    sim.event(Event::BackfillRunning {
        channel: DEN,
        until: now + MINUTE,
    });
    // 500 messages of the night; live ones come in meanwhile, with larger ids and before the older ones.
    for number in 0..500u64 {
        let at = now - 592 * MINUTE + number as Millis * 71 * SECOND;
        let text = if number % 17 == 0 {
            "@Juno are you there?"
        } else {
            "and so the night goes on and on"
        };
        missed(&mut sim, 1_000 + number, at, text);
        if number % 100 == 50 {
            let live = sim.now;
            missed(&mut sim, 2_000 + number, live, "oh it is back");
            sim.wait(2 * SECOND);
        }
    }
    sim.event(Event::Gap {
        channel: DEN,
        before: MessageId(1_000),
    });
    sim.event(Event::BackfillRunning {
        channel: DEN,
        until: sim.now,
    });
    sim.wait(MINUTE);
    sim.expect(
        "43210.0 beat #1: addressed
         43210.0 typing #1
         43210.0 ask #1 Normal
         43210.0 say #1: hey
         43210.0 end #1: Acted",
    );
    let addressed = sim
        .decisions
        .iter()
        .filter(|decision| decision.address.is_some());
    let (stale, fresh): (Vec<_>, Vec<_>) =
        addressed.partition(|decision| decision.refusal == Some(Refusal::Stale));
    assert_eq!((stale.len(), fresh.len()), (29, 1), "every one is reported");
    assert_eq!(sim.reports[0].wake.addressed, [fresh[0].message]);
    let shown = lines(&sim);
    assert!(shown.is_sorted() && shown.len() > 200, "{shown:?}");
}

#[test]
fn a_live_message_during_a_look_back_waits_for_it_and_not_for_ever() {
    let mut sim = Sim::new(policy()).answer(Answer::Says(HI));
    sim.event(Event::BackfillRunning {
        channel: DEN,
        until: sim.now + MINUTE,
    });
    sim.says("Anna", "@Juno hi");
    sim.wait(2 * MINUTE);
    assert!(
        sim.log.starts_with(" 60.0 beat #1: addressed"),
        "{}",
        sim.log
    );
}

#[test]
fn a_capped_look_back_shows_its_gap_between_what_was_known_and_what_came() {
    let mut sim = Sim::new(policy()).answer(Answer::Says(HI));
    sim.says("Anna", "known before");
    let now = sim.now;
    // In whatever order it is told.
    sim.event(Event::Gap {
        channel: DEN,
        before: MessageId(500),
    });
    missed(&mut sim, 900, now, "came in live");
    missed(&mut sim, 500, now, "first after the gap");
    missed(&mut sim, 501, now, "second after it");
    sim.event(Event::Gap {
        channel: DEN,
        before: MessageId(500),
    });
    sim.says("Ben", "@Juno what did i miss?");
    let order = [
        "known before",
        "some messages are missing",
        "first after the gap",
        "second after it",
        "came in live",
    ];
    let in_order = |prompt: &str| {
        let places: Vec<usize> = order.iter().filter_map(|text| prompt.find(text)).collect();
        assert!(
            places.len() == order.len() && places.is_sorted(),
            "{prompt}"
        );
        assert_eq!(
            prompt.matches("some messages are missing").count(),
            1,
            "{prompt}"
        );
    };
    sim.wait(5 * SECOND);
    in_order(&sim.asked[0].1);

    sim.restarts(policy());
    sim.answers.push_back(Answer::Says(HI));
    sim.says("Ben", "@Juno and after a restart?");
    sim.wait(5 * SECOND);
    in_order(&sim.asked[1].1);
}

#[test]
fn a_gap_before_everything_known_is_none() {
    let mut sim = Sim::new(policy()).answer(Answer::Says(HI));
    sim.event(Event::Gap {
        channel: DEN,
        before: MessageId(1),
    });
    let first = sim.says("Anna", "@Juno hi");
    sim.event(Event::Gap {
        channel: DEN,
        before: first,
    });
    sim.wait(5 * SECOND);
    assert!(!sim.asked[0].1.contains("missing"), "{}", sim.asked[0].1);
}

#[test]
fn a_context_started_afresh_shows_nothing_from_before_not_even_after_a_restart() {
    let mut sim = Sim::new(policy())
        .answer(Answer::Says(HI))
        .answer(Answer::Says(HI))
        .answer(Answer::Says(HI));
    sim.says("Anna", "@Juno the secret word is rosebud");
    sim.wait(5 * SECOND);
    let own = sim.own_line();
    sim.event(Event::ContextReset {
        channel: DEN,
        after: own,
    });
    sim.wait(MINUTE);
    assert_eq!(sim.asked.len(), 1, "nobody is woken\n{}", sim.log);
    sim.hear(
        1,
        author("Ben", AuthorKind::Person),
        "hm, what was that…",
        Some(own),
    );
    sim.says("Ben", "@Juno what did she say?");
    sim.wait(5 * SECOND);
    let hidden = |prompt: &str| {
        !prompt.contains("rosebud") && !prompt.contains("Anna") && !prompt.contains("hey")
    };
    assert!(
        hidden(&sim.asked[1].1) && sim.asked[1].1.contains("what did she say"),
        "{}",
        sim.asked[1].1
    );
    let state = sim
        .core
        .channel_state(DEN)
        .map(|state| state.state().begins_after);
    assert_eq!(state, Some(Some(own)));

    // The store still has everything, and gives its tail back.
    let old = sim
        .core
        .channel_state(DEN)
        .and_then(|state| state.timeline().messages().next().cloned())
        .expect("there")
        .message;
    sim.restarts(policy());
    sim.event(Event::Chat(ChatEvent::Message(kith_core::chat::Message {
        id: own,
        text: "rosebud".into(),
        ..old
    })));
    sim.says("Cleo", "@Juno hello");
    sim.wait(5 * SECOND);
    assert!(
        hidden(&sim.asked[2].1.replace("Juno: hey", "")),
        "{}",
        sim.asked[2].1
    );
}

#[test]
fn a_fresh_start_ends_the_running_turn_and_what_was_asked_before_it_is_reported_as_stale() {
    let mut sim = Sim::new(policy()).answer(Answer::Starts("<turn><thoughts>rosebud"));
    sim.says("Anna", "@Juno the secret word is rosebud");
    sim.wait(2 * SECOND);
    let last = sim.says("Ben", "go on");
    sim.event(Event::ContextReset {
        channel: DEN,
        after: last,
    });
    assert_eq!(
        sim.reports[0].outcome,
        TurnOutcome::Silent("a moderator started the context afresh".into())
    );
    sim.log.clear();
    let asked = sim.says("Cleo", "@Juno hi");
    sim.event(Event::ContextReset {
        channel: DEN,
        after: asked,
    });
    sim.wait(10 * SECOND);
    assert!(
        sim.log.contains("refused(stale)") && !sim.log.contains("ask"),
        "{}",
        sim.log
    );
}

#[test]
fn what_was_said_while_it_only_observed_is_never_answered_later() {
    let mut sim = Sim::new(ChannelPolicy {
        mode: ChannelMode::Observe,
        ..policy()
    });
    sim.says("Anna", "@Juno hi");
    sim.wait(5 * SECOND);
    sim.settle(policy());
    sim.wait(MINUTE);
    sim.expect("0.8 beat #1: refused(observe)");
}

#[test]
fn what_nobody_said_to_it_is_not_taken_up_when_the_moment_is_over() {
    let chatty = || {
        Sim::new(ChannelPolicy {
            talkativeness: Talkativeness::Level(1.0),
            ..policy()
        })
        .answer(Answer::Says(HI))
    };
    let asked = "does anybody here know whether the shop is open on sundays at all?";
    for (minutes, outcome) in [(1, "willing"), (20, "refused(stale)")] {
        let mut sim = chatty();
        sim.wait(HOUR);
        let at = sim.now - minutes * MINUTE;
        missed(&mut sim, 1_000, at, asked);
        sim.wait(MINUTE);
        assert!(
            sim.log.contains(outcome),
            "{minutes} minutes ago: {}",
            sim.log
        );
    }
}
