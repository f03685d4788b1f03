//! Where it may not answer: asleep, past its budget, where it only observes, where it is off.

use crate::turn::HI;
use crate::turn::sim::{Answer, Sim, policy};
use kith_core::chat::{ChannelId, SECOND};
use kith_core::event::{BudgetState, Event};
use kith_core::persona::{DailyRoutine, Persona, PersonaSchedule};
use kith_core::policy::{ChannelMode, ChannelPolicy};
use kith_core::talkativeness::Talkativeness;
use std::sync::Arc;

#[test]
fn asleep_it_answers_nobody_but_puts_a_small_reaction_there() {
    let day = [DailyRoutine {
        from: "00:00".into(),
        to: "24:00".into(),
        doing: String::new(),
        asleep: true,
        opens: false,
    }];
    let asleep = DailyRoutine {
        to: "23:59".into(),
        ..day[0].clone()
    };
    let schedule = Some(PersonaSchedule {
        timezone: chrono_tz::UTC,
        day: vec![asleep],
    });
    let persona = Arc::new(Persona {
        schedule,
        name: "Juno".into(),
        ..Persona::default()
    });
    let mut sim = Sim::new(ChannelPolicy {
        persona,
        ..policy()
    });
    let id = sim.says("Anna", "@Juno hi");
    sim.wait(5 * SECOND);
    sim.expect(&format!(
        "0.8 react 💤 on {id}
         0.8 beat #1: refused(asleep)",
    ));
}

#[test]
fn past_the_soft_bar_only_direct_address_is_answered_and_past_the_hard_bar_nobody() {
    let chatty = ChannelPolicy {
        talkativeness: Talkativeness::Level(1.0),
        ..policy()
    };
    let mut sim = Sim::new(chatty).answer(Answer::Says(HI));
    sim.event(Event::Budget(BudgetState::Soft));
    sim.says("Anna", "anyone up for a game?");
    sim.wait(20 * SECOND);
    assert!(sim.log.contains("refused(budget)"), "{}", sim.log);
    sim.says("Anna", "@Juno you?");
    sim.wait(5 * SECOND);
    assert!(sim.log.contains("say #1: hey"), "{}", sim.log);
    sim.event(Event::Budget(BudgetState::Hard));
    let id = sim.says("Anna", "@Juno again?");
    sim.wait(5 * SECOND);
    assert!(
        sim.log.contains(&format!("react 💤 on {id}")),
        "{}",
        sim.log
    );
}

#[test]
fn an_observed_channel_is_scored_and_never_answered() {
    let mut sim = Sim::new(ChannelPolicy {
        mode: ChannelMode::Observe,
        ..policy()
    });
    sim.says("Anna", "@Juno hi");
    sim.wait(5 * SECOND);
    sim.expect("0.8 beat #1: refused(observe)");
}

#[test]
fn a_channel_that_is_off_keeps_nothing() {
    let mut sim = Sim::new(ChannelPolicy {
        mode: ChannelMode::Off,
        ..policy()
    });
    sim.says("Anna", "@Juno hi");
    sim.wait(60 * SECOND);
    sim.expect("");
    assert!(
        sim.core
            .channel_state(ChannelId(1))
            .is_some_and(|state| state.timeline().is_empty())
    );
}
