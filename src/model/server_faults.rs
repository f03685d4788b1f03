//! What a failure of a model server is: whether it may be tried again (429, 5xx …), and the sentence for people: what
//! happened, where, and how to mend it. What a server says about itself is quoted shortly, on one line, and without
//! secrets.

use std::time::Duration;

use super::endpoint::ModelEndpoint;
use super::fault::{BrokenAnswer, FailedCallCost, InputRefusal, ModelFault, TimeLimit};
use super::refusal_wording::{RefusalTopic, classify_refusal, contains_any};
use super::retry::RetryKind;
use super::server_error_text::{ServerError, parse_error_text};
use super::settings::Provider;
use super::time_limits::TimeLimits;
use kith_language::{LocalizedMessage, model_faults};

impl ModelFault {
    /// There is no connection, or it broke. `error` is the transport's.
    pub fn from_transport_error(
        endpoint: &ModelEndpoint,
        error: &reqwest::Error,
        limits: &TimeLimits,
    ) -> Self {
        let host = &endpoint.host;
        let message = if error.is_connect() && error.is_timeout() {
            let seconds = limits.connect.as_secs_f32();
            model_faults::not_taken(host, seconds.to_string())
        } else if error.is_connect() {
            let why = describe_root_cause(error);
            let quoted = endpoint.quote(&why);
            // What rustls says of an answer that is no TLS.
            if contains_any(&why, &["InvalidContentType", "MessageTooLarge"]) {
                model_faults::without_tls(host)
            } else if endpoint.is_proxied() {
                model_faults::behind_proxy(host, quoted)
            } else {
                model_faults::unreachable(host, quoted)
            }
        } else if error.is_builder() {
            let why = endpoint.quote(&describe_root_cause(error));
            return Self::new_permanent(model_faults::request_impossible(host, why));
        } else {
            let why = endpoint.quote(&describe_root_cause(error));
            model_faults::connection_broke(host, why)
        };
        let work = if error.is_connect() {
            FailedCallCost::NotBegun
        } else {
            FailedCallCost::Unknown
        };
        Self {
            retry: RetryKind::BackOff,
            call_cost: work,
            server_unhealthy: true,
            ..Self::new_permanent(message)
        }
    }

    /// A time limit ended the try. Not tried again: a person has waited long enough.
    pub fn from_timeout(endpoint: &ModelEndpoint, limit: TimeLimit, limits: &TimeLimits) -> Self {
        let ModelEndpoint { name, host, .. } = endpoint;
        let message = match limit {
            TimeLimit::FirstToken => {
                model_faults::nothing_written(host, name, format_seconds(limits.first_token))
            }
            TimeLimit::Idle => model_faults::fell_silent(host, name, format_seconds(limits.idle)),
            TimeLimit::Total => model_faults::not_done(host, name, format_seconds(limits.total)),
        };
        Self::new_after_start(message).mark_server_unhealthy()
    }

    /// The server took the connection and said nothing when it was asked about itself.
    pub fn from_silent_server(endpoint: &ModelEndpoint, wait: Duration) -> Self {
        Self::new_permanent(model_faults::no_answer(
            &endpoint.host,
            format_seconds(wait),
        ))
    }

    /// The server answered with an HTTP status that is no success. `body` is the beginning of what it said.
    pub fn from_status(
        endpoint: &ModelEndpoint,
        status: u16,
        body: &str,
        after: Option<Duration>,
    ) -> Self {
        let error = parse_error_text(body).unwrap_or_default();
        let said = match endpoint.quote(&error.text) {
            text if text.is_empty() => status.to_string(),
            text => format!("{status}: \"{text}\""),
        };
        let kind = classify_error(status, &error);
        let message = match kind {
            Some(kind) => describe_refusal(endpoint, kind, &said),
            None => describe_status(endpoint, status, &said, after),
        };
        let passes = matches!(status, 408 | 425 | 429 | 500..) && kind.is_none() && status != 501;
        let retry = match after {
            _ if !passes => RetryKind::Never,
            Some(wait) => RetryKind::After(wait),
            None => RetryKind::BackOff,
        };
        let call_cost = if is_refusal_status(status) {
            FailedCallCost::NotBegun
        } else {
            FailedCallCost::Unknown
        };
        // What is wrong with one question says nothing about the next.
        let server_unhealthy = match kind {
            Some(RefusalTopic::AccountSpent | RefusalTopic::KeyRefused) => true,
            Some(RefusalTopic::PromptTooLong | RefusalTopic::Filtered) => false,
            _ => !matches!(status, 400 | 422),
        };
        Self {
            message,
            retry,
            call_cost,
            server_unhealthy,
            refusal: Some(Box::new(InputRefusal {
                kind,
                status,
                error,
            })),
        }
    }

    /// The server sends us elsewhere; keys are not carried to places nobody named.
    pub fn from_redirect(endpoint: &ModelEndpoint, status: u16, location: &str) -> Self {
        let place = endpoint.quote(location);
        let said = format!("{status}: {place}");
        Self::new_permanent(model_faults::redirected(&endpoint.host, said))
    }

    pub fn from_broken_answer(endpoint: &ModelEndpoint, how: BrokenAnswer) -> Self {
        let ModelEndpoint { name, host, .. } = endpoint;
        match how {
            BrokenAnswer::Html(text) => {
                Self::new_permanent(model_faults::web_page(host, endpoint.quote(&text)))
                    .mark_server_unhealthy()
            }
            // A server that is just coming up, or a proxy in between, may have written it.
            BrokenAnswer::NotJson(text) => Self {
                retry: RetryKind::BackOff,
                ..Self::new_after_start(model_faults::not_json(host, endpoint.quote(&text)))
                    .mark_server_unhealthy()
            },
            BrokenAnswer::Error(error) => Self::from_error_object(endpoint, error),
            BrokenAnswer::Cut => Self {
                retry: RetryKind::BackOff,
                ..Self::new_after_start(model_faults::cut_off(host)).mark_server_unhealthy()
            },
            BrokenAnswer::Endless(bytes) => {
                Self::new_after_start(model_faults::endless(bytes.to_string(), host, name))
            }
            BrokenAnswer::Empty { finish } => Self {
                retry: RetryKind::Once,
                ..Self::new_after_start(model_faults::empty_answer(
                    endpoint.quote(&finish),
                    host,
                    name,
                ))
            },
            BrokenAnswer::OnlyThoughts => Self {
                retry: RetryKind::Once,
                ..Self::new_after_start(model_faults::only_thoughts(host, name))
            },
            BrokenAnswer::Filtered { finish } => Self {
                refusal: Some(Box::new(InputRefusal {
                    kind: Some(RefusalTopic::Filtered),
                    status: 0,
                    error: ServerError::default(),
                })),
                ..Self::new_after_start(model_faults::filtered(endpoint.quote(&finish), host))
            },
            BrokenAnswer::Declined(text) => {
                Self::new_after_start(model_faults::declined(host, name, endpoint.quote(&text)))
            }
            BrokenAnswer::NoVectors(why) => {
                Self::new_after_start(model_faults::no_vectors(host, name, why))
                    .mark_server_unhealthy()
            }
        }
    }

    /// The server failed lately, and is left alone for so long.
    pub fn from_resting_server(endpoint: &ModelEndpoint, wait: Duration) -> Self {
        let ModelEndpoint { name, host, .. } = endpoint;
        let seconds = (wait.as_secs() + 1).to_string();
        Self::new_permanent(model_faults::left_alone(host, name, seconds))
    }

    /// The provider has no way to vectors that is known here.
    pub fn from_unknown_embeddings(endpoint: &ModelEndpoint) -> Self {
        Self::new_permanent(model_faults::no_embeddings(&endpoint.host))
    }

    /// The server sent an error object where an answer should be.
    fn from_error_object(endpoint: &ModelEndpoint, error: ServerError) -> Self {
        let ModelEndpoint { name, host, .. } = endpoint;
        let code = &*error.code;
        let status = code.parse().unwrap_or(0);
        let kind = classify_error(status, &error);
        let refused = kind.is_some()
            || is_refusal_status(status)
            || contains_any(code, &["rate_limit", "overloaded", "unavailable"]);
        let passing_words = [
            "rate_limit",
            "overloaded",
            "server_error",
            "api_error",
            "unavailable",
        ];
        let passes = matches!(status, 429 | 500..600) || contains_any(code, &passing_words);
        let passes = passes && kind.is_none();
        let (code, text) = (endpoint.quote(code), endpoint.quote(&error.text));
        let said = if code.is_empty() {
            format!("\"{text}\"")
        } else {
            format!("{code} \"{text}\"")
        };
        let message = match kind {
            Some(kind) => describe_refusal(endpoint, kind, &said),
            None => model_faults::error_object(host, name, said),
        };
        Self {
            retry: if passes {
                RetryKind::BackOff
            } else {
                RetryKind::Never
            },
            call_cost: if refused {
                FailedCallCost::NotBegun
            } else {
                FailedCallCost::MayHaveBegun
            },
            server_unhealthy: passes || kind == Some(RefusalTopic::AccountSpent),
            refusal: Some(Box::new(InputRefusal {
                kind,
                status,
                error,
            })),
            ..Self::new_permanent(message)
        }
    }
}

/// What a refusal is about: by its words, and where they say nothing, by its status, for LiteLLM tells of a spent budget
/// as of a wrong key, and others of a wrong key as of a bad request.
fn classify_error(status: u16, error: &ServerError) -> Option<RefusalTopic> {
    let by_status = match status {
        402 => Some(RefusalTopic::AccountSpent),
        401 | 403 => Some(RefusalTopic::KeyRefused),
        413 => Some(RefusalTopic::PromptTooLong),
        _ => None,
    };
    classify_refusal(&format!("{} {}", error.code, error.text)).or(by_status)
}

/// A refusal that its words say most about.
fn describe_refusal(endpoint: &ModelEndpoint, kind: RefusalTopic, said: &str) -> LocalizedMessage {
    let ModelEndpoint { name, host, .. } = endpoint;
    match kind {
        RefusalTopic::AccountSpent => model_faults::account_spent(host, said),
        RefusalTopic::PromptTooLong => model_faults::prompt_too_long(host, name, said),
        RefusalTopic::NoToolCalls => model_faults::no_tool_calls(host, name, said),
        RefusalTopic::Filtered => model_faults::filter_refused(host, said),
        RefusalTopic::KeyRefused => describe_key_refusal(endpoint, said),
        RefusalTopic::ModelUnknown if endpoint.provider == Provider::Ollama => {
            model_faults::model_not_pulled(host, name, said)
        }
        RefusalTopic::ModelUnknown => model_faults::model_unknown(host, name, said),
    }
}

/// The server does not take the key, or wants one.
fn describe_key_refusal(endpoint: &ModelEndpoint, said: &str) -> LocalizedMessage {
    let ModelEndpoint {
        host, key_variable, ..
    } = endpoint;
    match (key_variable.is_empty(), endpoint.key.is_empty()) {
        // The key's places in the settings are not meant for an address that a person typed.
        (true, true) => model_faults::key_wanted_there(host, said),
        (true, false) => model_faults::key_refused_there(host, said),
        (false, true) => model_faults::key_wanted(host, said, key_variable),
        (false, false) => model_faults::key_refused(host, said, key_variable),
    }
}

/// A refusal that its status says most about.
fn describe_status(
    endpoint: &ModelEndpoint,
    status: u16,
    said: &str,
    after: Option<Duration>,
) -> LocalizedMessage {
    let host = &endpoint.host;
    match (status, after) {
        (404, _) => describe_refusal(endpoint, RefusalTopic::ModelUnknown, said),
        (429, Some(wait)) => model_faults::slow_down_for(host, said, format_seconds(wait)),
        (429, None) => model_faults::slow_down(host, said),
        (408 | 425 | 500.., _) => model_faults::server_failed(host, said),
        _ => model_faults::request_refused(host, said),
    }
}

/// Whether a server that answers with this HTTP status has refused the request before a model began: every fault of the
/// request, a missing feature, a server that is too busy, and a gateway that did not reach its server: else an outage of
/// minutes would eat the budget of a day. Behind a failure of the server itself and a gateway that waited in vain (500,
/// 504, 524) a model may have worked.
fn is_refusal_status(status: u16) -> bool {
    matches!(status, 400..=499 | 501..=503 | 520..=523 | 525..=530)
}

/// Seconds as people write them: 30, 0.3.
fn format_seconds(time: Duration) -> String {
    ((time.as_secs_f64() * 1_000.0).round() / 1_000.0).to_string()
}

fn describe_root_cause(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(next) = cause.source() {
        cause = next;
    }
    let text = cause.to_string();
    // The system's number for the error helps nobody.
    text.split(" (os error")
        .next()
        .unwrap_or_default()
        .to_owned()
}
