//! What it takes while nothing happens.

use crate::discord::fake_discord::{ANNA, GENERAL, World};
use crate::discord::town::{Town, on, say};
use crate::discord::wakes::assert_rests;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connected_and_idle_it_wakes_less_than_once_a_second() {
    let town = Town::of(World::small(), "", &on(GENERAL), |_| say("hello")).await;
    town.fake.says(GENERAL, ANNA, "@Juno hello");
    town.post(GENERAL, 0).await;
    assert_rests(town.house.process_id()).await;
}
