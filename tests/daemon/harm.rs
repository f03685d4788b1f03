//! What would bring the process down, or keep it from ending.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::house::House;
use super::*;

/// Each of these once ended the process, or kept a core busy and the process from ending.
const HOSTILE: [&str; 5] =
    [r"(\x. x x)(\x. x x)", r"f = \x. f x; f 1", "1 << 100000000000000", "9^9^9^9^9", "99999999999!"];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_a_model_calculates_the_daemon_goes_on_and_ends_when_it_is_told_to() {
    let asked = AtomicUsize::new(0);
    let url = model(move |user| match user.contains("you called calculate") {
        true => "<turn><send_message>done</send_message></turn>".into(),
        false => {
            let expression = HOSTILE[asked.fetch_add(1, Ordering::Relaxed) % HOSTILE.len()].replace('<', "&lt;");
            format!("<turn><calculate>{expression}</calculate></turn>")
        }
    })
    .await;
    let mut house = House::open(&settings(&url, "tools = [\"default\", \"calculate\"]")).await;
    for number in 1..=HOSTILE.len() {
        house.says(&format!("@Juno sum {number}")).await;
        let answered = |history: &[Value]| (history.iter().filter(|line| own(line)).count() == number).then_some(());
        house.until("an answer", answered).await;
    }
    assert_eq!(house.ends_on("TERM"), Some(0));
}
