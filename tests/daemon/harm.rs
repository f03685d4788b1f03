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

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_it_writes_is_for_nobody_else_on_the_machine() {
    use std::os::unix::fs::PermissionsExt;
    let url = model(|_| "<turn><send_message>hi</send_message></turn>".into()).await;
    let house = House::open(&settings(&url, "")).await;
    house.says("@Juno hello").await;
    house.until("an answer", |history| history.iter().any(own).then_some(())).await;
    let mut seen = 0;
    let mut paths = vec![house.dir.path().join("data")];
    while let Some(path) = paths.pop() {
        let about = std::fs::metadata(&path).unwrap();
        assert_eq!(about.permissions().mode() & 0o077, 0, "{}", path.display());
        seen += 1;
        if about.is_dir() {
            paths.extend(std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        }
    }
    assert!(seen >= 4, "the folder, the database, its log and its lock: {seen}");
}
