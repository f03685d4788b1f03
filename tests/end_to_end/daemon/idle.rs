//! What the room takes while nobody is in it.

use crate::daemon::kith_process::{KithProcess, model, settings};
use crate::daemon::wakeups::assert_idle;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn idle_it_wakes_less_than_once_a_second() {
    let url = model(|_| "<turn><send_message>hello</send_message></turn>".into()).await;
    let kith = KithProcess::open(&settings(&url, "")).await;
    assert_idle(kith.process_id()).await;
}
