//! `kith replay --live-in`: somebody new in a recorded chat.

use super::{Case, line, log};
use kith_core::talkativeness::Talkativeness;
use kith_replay::ReplaySource;

#[test]
fn somebody_new_lives_in_and_what_it_says_stays_in_the_chat() {
    let talk = (1..=60).map(|at| match at {
        3 => line(at * 20, "tom", "juno: are you there?"),
        _ if at % 3 == 0 => line(at * 20, "joe", "and then we took the late train home again"),
        _ => line(at * 20, "tom", "anybody up for noodles?"),
    });
    let mut case = Case::new(&log(&talk.collect::<Vec<_>>()));
    let ReplaySource::Logs { me, policy, .. } = &mut case.options.source else {
        unreachable!()
    };
    policy.names = vec!["Juno".into()];
    policy.talkativeness = Talkativeness::Level(1.0);
    *me = Some("nobody".into());
    let heard_alone = case.run().0.speaks;
    let ReplaySource::Logs { me, .. } = &mut case.options.source else {
        unreachable!()
    };
    *me = None;
    let (summary, decisions) = case.run();
    let [table] = summary.live_in.as_slice() else {
        panic!("one table for each log")
    };
    assert!(table.lines() == 60 && !table.own.is_empty(), "{table}");
    assert_eq!(summary.messages, 60 + 1 + table.own.len() as u64);
    assert_eq!(decisions.len(), 60);
    let thirds = [(0, 1), (1, 2), (2, 3)].map(|(from, to)| table.rate(from, to));
    assert!((thirds.iter().sum::<f64>() / 3.0 - table.rate(0, 3)).abs() < 1e-9);
    assert!(table.calls >= table.own.len() as u64);
    assert!(
        heard_alone > table.own.len() as u64 && table.rate(0, 1) > table.rate(2, 3),
        "who hears itself and is not heeded falls silent: {heard_alone}, {table}"
    );
    let told = table.to_string();
    assert!(told.contains("     41 "), "{told}");
    assert!(told.contains("the median member writes 50."), "{told}");
}
