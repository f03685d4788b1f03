//! Somebody alone with the companion, where nobody reads along without speaking, as in the local room.

use kith_core::chat::{HOUR, MINUTE, SECOND};
use kith_core::persona::Language;
use kith_core::policy::ChannelPolicy;
use kith_core::report::DirectAddress;
use kith_core::talkativeness::Talkativeness;
use kith_core::willingness::explain_decision;

use crate::turn::HI;
use crate::turn::sim::{Sim, policy};

/// Nothing is said unasked, so that only what is taken as address is answered.
fn room() -> ChannelPolicy {
    ChannelPolicy {
        only_speakers: true,
        talkativeness: Talkativeness::Hourly(0.0),
        ..policy()
    }
}

/// What becomes of a line: whether it is answered, and as what.
fn answered(sim: &mut Sim, who: &str, text: &str) -> Option<DirectAddress> {
    let before = sim.reports.len();
    sim.says(who, text);
    sim.wait(30 * SECOND);
    (sim.reports.len() > before)
        .then(|| sim.reports.last().and_then(|report| report.wake.address))
        .flatten()
}

#[test]
fn hello_to_an_empty_room_is_said_to_the_companion_and_answered() {
    let mut sim = Sim::new(room());
    sim.always = Some(HI);
    assert_eq!(
        answered(&mut sim, "Anna", "hello"),
        Some(DirectAddress::Alone),
        "{}",
        sim.log
    );
    assert_eq!(
        answered(&mut sim, "Anna", "nice day today"),
        Some(DirectAddress::Alone),
        "{}",
        sim.log
    );
    let told = explain_decision(&sim.decisions[0], Language::EN);
    assert!(
        told.starts_with("answers the only one here: it is said to it alone (+"),
        "{told}"
    );
    let mut elsewhere = Sim::new(ChannelPolicy {
        only_speakers: false,
        ..room()
    });
    assert_eq!(
        answered(&mut elsewhere, "Anna", "hello"),
        None,
        "others may read along\n{}",
        elsewhere.log
    );
}

#[test]
fn with_a_second_person_it_is_a_group_until_they_have_been_gone_for_an_hour() {
    let mut sim = Sim::new(room());
    sim.always = Some(HI);
    assert!(answered(&mut sim, "Anna", "hello").is_some(), "{}", sim.log);
    assert_eq!(answered(&mut sim, "Ben", "hi anna"), None, "{}", sim.log);
    assert_eq!(
        answered(&mut sim, "Anna", "how was the exam"),
        None,
        "{}",
        sim.log
    );
    sim.wait(50 * MINUTE);
    assert_eq!(
        answered(&mut sim, "Anna", "still there?"),
        None,
        "{}",
        sim.log
    );
    sim.wait(HOUR);
    assert!(answered(&mut sim, "Anna", "hm").is_some(), "{}", sim.log);
}

#[test]
fn where_a_line_comes_each_hour_nobody_is_gone_after_an_hour() {
    let mut sim = Sim::new(room());
    sim.always = Some(HI);
    assert!(answered(&mut sim, "Anna", "hello").is_some(), "{}", sim.log);
    for (who, text) in [
        ("Ben", "i need to tell you something anna"),
        ("Anna", "of course"),
        ("Ben", "i think me and tom are done"),
    ] {
        sim.wait(HOUR);
        assert_eq!(answered(&mut sim, who, text), None, "{}", sim.log);
    }
}

#[test]
fn who_calls_somebody_else_or_asked_for_quiet_is_left_alone() {
    let mut sim = Sim::new(room());
    sim.always = Some(HI);
    assert!(answered(&mut sim, "Anna", "hello").is_some(), "{}", sim.log);
    assert_eq!(
        answered(&mut sim, "Anna", "be quiet please"),
        None,
        "{}",
        sim.log
    );
    assert_eq!(
        answered(&mut sim, "Anna", "so where was i"),
        None,
        "{}",
        sim.log
    );
    assert_eq!(
        answered(&mut sim, "Anna", "Juno, you can talk again"),
        Some(DirectAddress::Name),
        "{}",
        sim.log
    );
    assert_eq!(
        answered(&mut sim, "Anna", "as i said"),
        Some(DirectAddress::Alone),
        "{}",
        sim.log
    );
}
