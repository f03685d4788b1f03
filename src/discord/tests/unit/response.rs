//! What an answer of Discord's comes to.

use reqwest::header::{HeaderName, HeaderValue};
use serde_json::json;

use super::*;

fn answer(status: u16, headers: &[(&'static str, &'static str)], body: &str) -> RestResponse {
    let header = |(name, value): &(&'static str, &'static str)| {
        (
            HeaderName::from_static(name),
            HeaderValue::from_static(value),
        )
    };
    RestResponse {
        status: StatusCode::from_u16(status).unwrap(),
        headers: headers.iter().map(header).collect(),
        body: body.as_bytes().to_vec(),
    }
}

fn verdict(status: u16, headers: &[(&'static str, &'static str)], body: &str) -> ResponseVerdict {
    answer(status, headers, body).to_verdict(&Secret::new("very-secret"))
}

#[test]
fn the_body_says_more_exactly_than_the_header_how_long_to_wait() {
    let limited = |seconds, everywhere, shared| ResponseVerdict::Limited {
        wait: Some(Duration::from_secs_f64(seconds)),
        everywhere,
        shared,
    };
    let body = r#"{"message": "…", "retry_after": 0.25, "global": false}"#;
    assert_eq!(
        verdict(429, &[("retry-after", "1")], body),
        limited(0.25, false, false)
    );
    assert_eq!(
        verdict(429, &[("x-ratelimit-scope", "shared")], body),
        limited(0.25, false, true)
    );
    let global = r#"{"message": "…", "retry_after": 2, "global": true}"#;
    assert_eq!(verdict(429, &[], global), limited(2.0, true, false));
    assert_eq!(
        verdict(429, &[("retry-after", "7")], "<html>error 1015</html>"),
        limited(7.0, true, false)
    );
    assert_eq!(
        verdict(429, &[("x-ratelimit-reset-after", "0.5")], "{}"),
        limited(0.5, false, false)
    );
    for body in ["<html>error 1015</html>", "{}", ""] {
        assert_eq!(
            verdict(429, &[], body),
            ResponseVerdict::Limited {
                wait: None,
                everywhere: false,
                shared: false
            }
        );
    }
    let slow = r#"{"message": "…", "code": 20016, "retry_after": 9.5}"#;
    let retry_after = Duration::from_secs_f64(9.5);
    assert_eq!(
        verdict(429, &[], slow),
        ResponseVerdict::Refused(RestError::SlowMode { retry_after })
    );
}

#[test]
fn a_refusal_names_the_field_and_never_the_token() {
    let body = json!({
        "code": 50035, "message": "Invalid Form Body",
        "errors": {"embeds": {"0": {"title": {"_errors": [{"code": "X", "message": "very-secret is too long"}]}}}},
    });
    let said = "50035: Invalid Form Body: embeds.0.title: <redacted> is too long".to_owned();
    assert_eq!(
        verdict(400, &[], &body.to_string()),
        ResponseVerdict::Refused(RestError::Invalid { code: 50035, said })
    );
    let page = verdict(200, &[], "<html>\n very-secret log in </html>");
    assert_eq!(
        page,
        ResponseVerdict::Refused(RestError::Unreadable(
            "200 \"<html> <redacted> log in </html>\"".into()
        ))
    );
}

#[test]
fn headers_that_are_not_numbers_are_no_bucket() {
    let good = [
        ("x-ratelimit-bucket", "abc"),
        ("x-ratelimit-limit", "5"),
        ("x-ratelimit-remaining", "4"),
        ("x-ratelimit-reset-after", "1.5"),
    ];
    let rates = RateLimitHeaders {
        bucket: "abc".into(),
        limit: 5,
        remaining: 4,
        reset_after: Duration::from_millis(1_500),
    };
    assert_eq!(answer(200, &good, "").rate_limit_headers(), Some(rates));
    for (index, wrong) in [(1, "many"), (2, "-1"), (3, "-1"), (3, "NaN"), (3, "1e300")] {
        let mut headers = good;
        headers[index].1 = wrong;
        assert_eq!(
            answer(200, &headers, "").rate_limit_headers(),
            None,
            "{wrong}"
        );
    }
}
