//! What the room takes while nobody is in it.

use crate::daemon::house::{House, model, settings};
use crate::daemon::wakes::assert_rests;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn idle_it_wakes_less_than_once_a_second() {
    let url = model(|_| "<turn><send_message>hello</send_message></turn>".into()).await;
    let house = House::open(&settings(&url, "")).await;
    assert_rests(house.process_id()).await;
}
