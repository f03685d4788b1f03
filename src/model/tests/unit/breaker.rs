//! The tests of `breaker.rs`, of what nobody outside its crate can see.

use super::*;

const SECOND: Duration = Duration::from_secs(1);

#[test]
fn after_three_failures_it_rests_and_one_question_tries_it() {
    let (mut breaker, now) = (CircuitBreaker::default(), Instant::now());
    breaker.record_failure(now, None);
    breaker.record_failure(now, None);
    assert_eq!(breaker.readiness(now), BreakerState::Ready);
    breaker.record_failure(now, None);
    assert_eq!(breaker.readiness(now), BreakerState::Resting(FIRST_REST));
    let later = now + FIRST_REST;
    assert_eq!(breaker.readiness(later), BreakerState::Ready);
    breaker.begin_request();
    assert_eq!(
        breaker.readiness(later),
        BreakerState::Resting(Duration::ZERO),
        "one question tries it"
    );
    breaker.record_failure(later, None);
    assert_eq!(
        breaker.readiness(later),
        BreakerState::Resting(2 * FIRST_REST)
    );
    let much_later = later + 2 * FIRST_REST;
    breaker.begin_request();
    breaker.abandon_trial();
    assert_eq!(
        breaker.readiness(much_later),
        BreakerState::Ready,
        "the next question tries it"
    );
    breaker.begin_request();
    breaker.record_answer();
    breaker.record_failure(much_later, None);
    assert_eq!(
        breaker.readiness(much_later),
        BreakerState::Ready,
        "it is trusted again"
    );
}

#[test]
fn what_the_server_asks_for_is_kept_to_at_once_and_within_reason() {
    let (mut breaker, now) = (CircuitBreaker::default(), Instant::now());
    breaker.record_failure(now, Some(7 * SECOND));
    assert_eq!(
        breaker.readiness(now + SECOND),
        BreakerState::AskedToWait(6 * SECOND)
    );
    assert_eq!(breaker.readiness(now + 7 * SECOND), BreakerState::Ready);
    assert_eq!(
        breaker.remaining_pause(now + SECOND),
        6 * SECOND,
        "a short one is waited for"
    );
    breaker.record_failure(now, Some(Duration::from_secs(1 << 40)));
    assert_eq!(
        breaker.readiness(now),
        BreakerState::AskedToWait(LONGEST_ASKED)
    );
    assert_eq!(breaker.remaining_pause(now), Duration::ZERO);
}

#[test]
fn rests_have_an_end_however_often_it_fails() {
    let (mut breaker, now) = (CircuitBreaker::default(), Instant::now());
    (0..100).for_each(|_| breaker.record_failure(now, None));
    assert_eq!(breaker.readiness(now), BreakerState::Resting(LONGEST_REST));
}
