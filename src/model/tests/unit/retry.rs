//! The tests of `retry.rs`, of what nobody outside its crate can see.

use super::*;

fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
    pairs
        .iter()
        .map(|(name, value)| (HeaderName::from_static(name), value.parse().unwrap()))
        .collect()
}

#[test]
fn waits_double_within_bounds_and_are_the_same_for_the_same_seed() {
    for tries in 1..30 {
        let whole = FIRST_WAIT
            .saturating_mul(1 << (tries - 1).min(16))
            .min(LONGEST_WAIT);
        let wait = compute_retry_wait(tries, 7);
        assert!(wait >= whole / 2 && wait < whole, "{tries}: {wait:?}");
        assert_eq!(wait, compute_retry_wait(tries, 7));
    }
    assert_ne!(compute_retry_wait(1, 7), compute_retry_wait(1, 8));
}

#[test]
fn the_server_may_say_seconds_milliseconds_or_a_date() {
    assert_eq!(
        parse_retry_after(&headers(&[("retry-after", "2")])),
        Some(Duration::from_secs(2))
    );
    assert_eq!(
        parse_retry_after(&headers(&[("retry-after", "0.25")])),
        Some(Duration::from_millis(250))
    );
    let both = headers(&[("retry-after", "9"), ("retry-after-ms", "150")]);
    assert_eq!(parse_retry_after(&both), Some(Duration::from_millis(150)));
    let unusable = headers(&[("retry-after", "9"), ("retry-after-ms", "-1")]);
    assert_eq!(parse_retry_after(&unusable), Some(Duration::from_secs(9)));
    let dates = [
        ("date", "Sun, 06 Nov 1994 08:49:37 GMT"),
        ("retry-after", "Sun, 06 Nov 1994 08:50:07 GMT"),
    ];
    assert_eq!(
        parse_retry_after(&headers(&dates)),
        Some(Duration::from_secs(30))
    );
    let past = [
        ("date", "Sun, 06 Nov 1994 08:49:37 GMT"),
        ("retry-after", "Sun, 06 Nov 1994 08:00:00 GMT"),
    ];
    assert_eq!(parse_retry_after(&headers(&past)), Some(Duration::ZERO));
    assert_eq!(
        parse_retry_after(&headers(&[("retry-after", "soon")])),
        None
    );
    assert_eq!(parse_retry_after(&headers(&[("retry-after", "-3")])), None);
    assert_eq!(parse_retry_after(&headers(&[])), None);
}
