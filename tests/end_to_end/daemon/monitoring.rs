//! Numbers and health for programs that watch over it, over a real socket.

use kith_testkit::assert_has;
use kith_testkit::monitoring::{MONITORED, probe, probe_as, probe_raw, until_probed};

use crate::daemon::kith_process::{KithProcess, model, run_to_the_end, settings};
use crate::daemon::own;
use crate::daemon::wakeups::assert_idle;

/// What a line of the metrics says after its name and labels.
fn value(metrics: &str, name: &str) -> f64 {
    let found = metrics.lines().find_map(|line| {
        let rest = line.strip_prefix(name)?;
        rest.strip_prefix(' ')?.parse().ok()
    });
    found.unwrap_or_else(|| panic!("no {name} in\n{metrics}"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_it_did_is_counted_and_nothing_of_it_tells_of_people() {
    let url = model(|_| "<turn><send_message>hi marmalade</send_message></turn>".into()).await;
    let price = "[model.price]\nprompt = 100.0\ncompletion = 500.0\n";
    let kith = KithProcess::open(&(settings(&url, "") + price + MONITORED)).await;
    kith.says("@Juno hello brambleknocker").await;
    kith.until_true("an answer with its turn", |history| {
        let is_told = |line: &serde_json::Value| own(line) && line["turn"].is_string();
        history.iter().any(is_told)
    })
    .await;
    let (status, metrics) = probe(&kith, "/metrics").await;
    assert_eq!(status, 200);
    assert!(metrics.ends_with("# EOF\n"), "{metrics}");
    for (name, wanted) in [
        ("kith_messages_received_total{author=\"person\"}", 1.0),
        ("kith_messages_sent_total", 1.0),
        ("kith_turns_total{outcome=\"acted\"}", 1.0),
        (
            "kith_model_calls_total{role=\"turn\",outcome=\"answered\"}",
            1.0,
        ),
        (
            "kith_model_tokens_total{role=\"turn\",kind=\"prompt\"}",
            1_000.0,
        ),
        (
            "kith_model_tokens_total{role=\"turn\",kind=\"completion\"}",
            20.0,
        ),
        ("kith_model_cost_total{role=\"turn\"}", 0.11),
        ("kith_outbox_pending", 0.0),
        ("kith_queue_length{queue=\"unwritten_reports\"}", 0.0),
        ("kith_budget_tokens_spent", 1_020.0),
        ("kith_budget_tokens", 500_000.0),
        ("kith_ready", 1.0),
    ] {
        let found = value(&metrics, name);
        assert!((found - wanted).abs() < 1e-9, "{name}: {found}\n{metrics}");
    }
    assert!(value(&metrics, "kith_store_append_seconds_count") >= 1.0);
    assert!(value(&metrics, "kith_tasks") >= 1.0);
    if cfg!(target_os = "linux") {
        assert!(value(&metrics, "process_resident_memory_bytes") > 1e6);
    }
    for word in [
        "brambleknocker",
        "marmalade",
        "Anna",
        "lounge",
        "channel=",
        "Juno",
    ] {
        assert!(!metrics.contains(word), "{word} in\n{metrics}");
    }
    assert_eq!(probe(&kith, "/healthz").await, (200, "ok\n".into()));
    assert_eq!(probe(&kith, "/readyz").await, (200, "ok\n".into()));
    assert_eq!(probe(&kith, "/").await.0, 404);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_somebody_holds_is_told_in_a_word_until_it_is_let_go() {
    let url = model(|_| "<turn><stay_silent/></turn>".into()).await;
    let kith = KithProcess::open(&(settings(&url, "") + MONITORED)).await;
    until_probed(&kith, "/readyz", 200, "ok\n").await;
    let lock = kith.database().lock();
    until_probed(&kith, "/readyz", 503, "store\n").await;
    assert_eq!(probe(&kith, "/healthz").await, (200, "ok\n".into()));
    drop(lock);
    until_probed(&kith, "/readyz", 200, "ok\n").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn watched_over_and_idle_it_wakes_less_than_once_a_second() {
    let url = model(|_| "<turn><stay_silent/></turn>".into()).await;
    let kith = KithProcess::open(&(settings(&url, "") + MONITORED)).await;
    until_probed(&kith, "/readyz", 200, "ok\n").await;
    assert_idle(kith.process_id()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn under_a_name_of_another_machine_it_tells_nothing() {
    let url = model(|_| "<turn><stay_silent/></turn>".into()).await;
    let kith = KithProcess::open(&(settings(&url, "") + MONITORED)).await;
    for (host, wanted) in [
        (Some("rebound.example"), 421),
        (Some("localhost:1"), 200),
        (Some("kith:9465"), 200),
        (Some("10.1.2.3:9465"), 200),
        (None, 200),
    ] {
        let (status, told) = probe_as(&kith, "/metrics", host).await;
        assert_eq!(status, wanted, "{host:?}");
        assert_eq!(told.contains("kith_ready"), wanted == 200, "{told}");
    }
    // Without a name at all.
    let told = probe_raw(&kith, "GET /metrics HTTP/1.0\r\n\r\n").await;
    assert!(
        told.starts_with("HTTP/1.0 200 ") && told.contains("kith_ready"),
        "{told}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_taken_port_is_told_with_the_setting_and_an_open_address_is_refused() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let run = |listen: &str| {
        let table = format!("[metrics]\nlisten = \"{listen}\"\n");
        let text = settings("http://127.0.0.1:9/v1", "") + &table;
        std::fs::write(folder.path().join("kith.toml"), text).unwrap();
        run_to_the_end(folder.path())
    };
    let (code, told) = run(&address.to_string());
    assert_eq!(code, Some(1), "{told}");
    assert_has(&told, ["metrics.listen"]);
    let (code, told) = run("0.0.0.0:9464");
    assert_eq!(code, Some(1), "{told}");
    assert_has(&told, ["which other machines can reach"]);
}
