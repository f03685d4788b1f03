//! The one place that reads the clock. The edge and the rooms that meet the outside world ask it and hand the answer
//! down; `core/`, `tools/` and `memory/` never ask it, so that they run the same in simulated time.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use super::simulated_clock;

/// How far the machine's clock may differ from a server's before it is taken for wrong, in milliseconds: answers take
/// their time.
const TOLERATED: i64 = 60_000;
/// A correction that is this exact stays as it is, in milliseconds: servers tell whole seconds.
const EXACT: i64 = 5_000;
/// What has to be added to the machine's clock, in milliseconds, as it ran when a server last told the time.
static CORRECTION: AtomicI64 = AtomicI64::new(0);
/// By how much that was ahead of the clock that never jumps, in milliseconds.
static AHEAD: AtomicI64 = AtomicI64::new(0);
static STARTED: LazyLock<Instant> = LazyLock::new(monotonic);

/// The time of day, in milliseconds since 1970, UTC. May jump when somebody sets the machine's clock, or when a server
/// tells that it is wrong.
pub fn now() -> i64 {
    let machine = read_machine_clock();
    machine.saturating_add(correction_at(machine))
}

/// How far the machine's clock is behind, in milliseconds; 0 as long as nobody says that it is wrong, and when it has been
/// set since.
pub fn correction() -> i64 {
    correction_at(read_machine_clock())
}

fn correction_at(machine: i64) -> i64 {
    let jumped = measure_ahead(machine).saturating_sub(AHEAD.load(Ordering::Relaxed));
    correction_after_jump(CORRECTION.load(Ordering::Relaxed), jumped)
}

/// What is left of a correction when the machine's clock has jumped by so much: nothing, where it was set right. A machine
/// that slept jumps as well, by anything.
fn correction_after_jump(correction: i64, jumped: i64) -> i64 {
    let left = jumped.saturating_sub(correction).saturating_abs();
    match left < correction.saturating_abs() / 2 {
        true => 0,
        false => correction,
    }
}

fn measure_ahead(machine: i64) -> i64 {
    let running = STARTED.elapsed().as_millis();
    machine.saturating_sub(i64::try_from(running).unwrap_or(i64::MAX))
}

/// It is `at` by the clock of a server whose times everything else goes by; where the machine's differs by far, its own
/// is corrected: a line would be too old to be answered as soon as it is written.
pub fn record_server_time(at: i64) {
    let machine = read_machine_clock();
    let wanted = compute_correction(at.saturating_sub(machine), correction_at(machine));
    AHEAD.store(measure_ahead(machine), Ordering::Relaxed);
    CORRECTION.store(wanted, Ordering::Relaxed);
}

fn compute_correction(behind: i64, before: i64) -> i64 {
    match behind.saturating_sub(before).saturating_abs() {
        ..=EXACT => before,
        _ if behind.saturating_abs() <= TOLERATED => 0,
        _ => behind,
    }
}

#[expect(clippy::disallowed_methods, reason = "this is the place")]
fn read_machine_clock() -> i64 {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    let real = i64::try_from(since.as_millis()).unwrap_or(i64::MAX);
    real.saturating_add(simulated_clock::read_shift())
}

/// A point in time to measure a duration from; never jumps.
#[expect(clippy::disallowed_methods, reason = "this is the place")]
pub fn monotonic() -> Instant {
    Instant::now()
}

/// How long to sleep at most before looking at the time of day again; none: until it is due. Only a simulated clock asks
/// for it, for its hours pass between two looks.
pub fn longest_sleep() -> Option<Duration> {
    simulated_clock::longest_sleep()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_correction_goes_when_the_machines_clock_is_set_and_stays_when_it_slept() {
        for correction in [-1_200_000, 1_200_000] {
            assert_eq!(correction_after_jump(correction, 0), correction);
            assert_eq!(correction_after_jump(correction, correction + 30_000), 0);
            assert_eq!(correction_after_jump(correction, -correction), correction);
            assert_eq!(correction_after_jump(correction, 8 * 3_600_000), correction);
        }
        assert_eq!(correction_after_jump(0, 1_000), 0);
    }

    #[test]
    fn a_clock_that_differs_by_far_is_corrected_until_it_is_set() {
        assert_eq!(compute_correction(TOLERATED, 0), 0);
        assert_eq!(compute_correction(-1_200_000, 0), -1_200_000);
        assert_eq!(compute_correction(-1_201_000, -1_200_000), -1_200_000);
        assert_eq!(compute_correction(-1_000, -1_200_000), 0);
        assert_eq!(compute_correction(i64::MIN, i64::MAX), i64::MIN);
    }
}
