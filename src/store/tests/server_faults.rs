//! What a server says went wrong, and what is tried again after it.

use std::sync::atomic::{AtomicU32, Ordering};

use super::*;
use crate::Store;

/// How often a change runs that fails in this way, and how often the one that is committed with it.
fn count_runs(fault: PostgresFault) -> (u32, u32) {
    let store = Store::open_in_memory().expect("opened");
    let (go, held) = std::sync::mpsc::channel::<()>();
    let (begin, begun) = std::sync::mpsc::channel::<()>();
    let pause = store.write(move |_| {
        let _ = begin.send(());
        // Until the two behind it are queued.
        let _ = held.recv();
        Ok(())
    });
    begun.recv().expect("it runs");
    let (failed, behind) = (Arc::new(AtomicU32::new(0)), Arc::new(AtomicU32::new(0)));
    let (first, second) = (failed.clone(), behind.clone());
    let failing = store.write::<()>(move |_| {
        first.fetch_add(1, Ordering::SeqCst);
        Err(PostgresError::new(fault, "cut").into())
    });
    let neighbour = store.write(move |_| {
        second.fetch_add(1, Ordering::SeqCst);
        Ok(())
    });
    drop(go);
    let _ = (pause.wait(), failing.wait(), neighbour.wait());
    (failed.load(Ordering::SeqCst), behind.load(Ordering::SeqCst))
}

#[test]
fn what_may_be_stored_already_is_never_run_again_nor_are_its_neighbours() {
    assert_eq!(count_runs(PostgresFault::InDoubt), (1, 0));
    assert_eq!(count_runs(PostgresFault::Unreachable), (2, 0));
    assert_eq!(count_runs(PostgresFault::Refused), (2, 1));
}

#[test]
fn a_session_that_the_server_ends_for_any_reason_counts_as_a_cut_link() {
    for (code, severity, kind) in [
        (
            SqlState::OUT_OF_MEMORY,
            Severity::Error,
            PostgresFault::Refused,
        ),
        (
            SqlState::OUT_OF_MEMORY,
            Severity::Fatal,
            PostgresFault::Unreachable,
        ),
        (
            SqlState::INTERNAL_ERROR,
            Severity::Panic,
            PostgresFault::Unreachable,
        ),
        (
            SqlState::T_R_SERIALIZATION_FAILURE,
            Severity::Fatal,
            PostgresFault::Unreachable,
        ),
        (
            SqlState::ADMIN_SHUTDOWN,
            Severity::Error,
            PostgresFault::Unreachable,
        ),
        (
            SqlState::INVALID_PASSWORD,
            Severity::Fatal,
            PostgresFault::Refused,
        ),
    ] {
        let found = classify(&code, Some(severity));
        assert_eq!(found, kind, "{} {severity:?}", code.code());
    }
}
