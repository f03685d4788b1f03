//! What somebody writes in two halves is answered once, and typing is told to be over when there is nothing to be typed.

use crate::daemon::kith_process::{KithProcess, model, settings};
use crate::daemon::stopping::live_until;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_notice_that_it_types_ends_with_a_turn_that_says_nothing() {
    let url = model(|_| "<turn><stay_silent>nothing to add</stay_silent></turn>".into()).await;
    let kith = KithProcess::open(&settings(&url, "")).await;
    let events = live_until(&kith, |event| event["type"] == "turn_finished").await;
    let of = |kind: &str| events.iter().rposition(|event| event["type"] == kind);
    let (typing, ended) = (
        of("typing").expect("it was called"),
        of("typing_ended").expect("it is over"),
    );
    assert!(typing < ended, "{events:#?}");
    assert_eq!(events[typing]["user"], events[ended]["user"]);
    assert_eq!(events[typing]["channel"], events[ended]["channel"]);
}
