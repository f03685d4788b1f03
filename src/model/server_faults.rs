//! What a failure of a model server is: whether it may be tried again (429, 5xx …), and the sentence for people: what
//! happened, where, and how to mend it. What a server says about itself is quoted shortly, on one line, and without
//! secrets.

use std::time::Duration;

use super::endpoint::ModelEndpoint;
use super::fault::{BrokenAnswer, FailedCallCost, ModelFault, TimeLimit};
use super::refusal_wording::{contains_any, is_account_spent, is_prompt_too_long};
use super::retry::RetryKind;
use super::server_error_text::parse_error_text;
use super::settings::Provider;
use super::time_limits::TimeLimits;

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
            format!(
                "The model server {host} did not take a connection within {seconds} s: check model.base_url and the \
                 network, or raise model.connect_seconds."
            )
        } else if error.is_connect() {
            let why = endpoint.quote(&describe_root_cause(error));
            let cure = if why == NO_TLS {
                "write http:// in place of https://"
            } else if endpoint.is_proxied() {
                "look at the proxy in model.proxy"
            } else {
                "start it"
            };
            format!(
                "The model server {host} cannot be reached ({why}): {cure}, or correct model.base_url."
            )
        } else if error.is_builder() {
            let why = endpoint.quote(&describe_root_cause(error));
            return Self::new_permanent(format!(
                "The request to {host} cannot be made ({why}): correct model.base_url, model.api_key or model.headers."
            ));
        } else {
            let why = endpoint.quote(&describe_root_cause(error));
            format!(
                "The connection to {host} broke ({why}): look at the server or a proxy in between."
            )
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
            TimeLimit::FirstToken => format!(
                "{name} at {host} wrote nothing for {} s: raise model.first_token_seconds if it is that slow, or look \
                 at the server.",
                as_rounded_seconds(limits.first_token)
            ),
            TimeLimit::Idle => format!(
                "{name} at {host} fell silent for {} s in the middle of its answer: look at the server, or raise \
                 model.idle_seconds.",
                as_rounded_seconds(limits.idle)
            ),
            TimeLimit::Total => format!(
                "{name} at {host} was not done after {} s: ask for less with model.max_tokens, or raise \
                 model.total_seconds.",
                as_rounded_seconds(limits.total)
            ),
        };
        Self::new_after_start(message).mark_server_unhealthy()
    }

    /// The server took the connection and said nothing when it was asked about itself.
    pub fn from_silent_server(endpoint: &ModelEndpoint, wait: Duration) -> Self {
        let (host, seconds) = (&endpoint.host, as_rounded_seconds(wait));
        Self::new_permanent(format!(
            "{host} did not answer within {seconds} s: look at the server, or correct model.base_url."
        ))
    }

    /// The server answered with an HTTP status that is no success. `body` is the beginning of what it said.
    pub fn from_status(
        endpoint: &ModelEndpoint,
        status: u16,
        body: &str,
        after: Option<Duration>,
    ) -> Self {
        let ModelEndpoint { name, host, .. } = endpoint;
        let (code, text) = parse_error_text(body).unwrap_or_default();
        let said = match endpoint.quote(&text) {
            text if text.is_empty() => status.to_string(),
            text => format!("{status}: \"{text}\""),
        };
        let words = format!("{code} {text}").to_lowercase();
        let used_up = status == 402 || is_account_spent(&words);
        let too_large = !used_up && (status == 413 || is_prompt_too_long(&words));
        let no_tools = contains_any(
            &words,
            &[
                "support tools",
                "support tool use",
                "--enable-auto-tool-choice",
                "--jinja",
            ],
        );
        let message = match () {
            // LiteLLM tells of a spent budget as of a wrong key.
            () if used_up => describe_spent_account(endpoint, &said),
            () if matches!(status, 401 | 403) => describe_key_refusal(endpoint, &said),
            () if too_large => describe_long_prompt(endpoint, &said),
            () if no_tools => {
                format!(
                    "{name} at {host} takes no tool calls ({said}): set model.protocol to \"xml\"."
                )
            }
            () => describe_status(endpoint, status, &said, after),
        };
        let passes =
            matches!(status, 408 | 425 | 429 | 500..) && !used_up && !too_large && status != 501;
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
        let server_unhealthy = used_up || !too_large && !matches!(status, 400 | 413 | 422);
        // Servers say in many ways that a model cannot see, or that they cannot read a picture.
        let may_concern_images = matches!(status, 400 | 404 | 413 | 415 | 422 | 500) && !used_up;
        let may_be_the_schema = !too_large
            && (matches!(status, 400 | 422)
                || contains_any(&words, &["response_format", "grammar", "schema"]));
        Self {
            message,
            retry,
            call_cost,
            server_unhealthy,
            may_concern_images,
            may_be_the_schema,
        }
    }

    /// The server sends us elsewhere; keys are not carried to places nobody named.
    pub fn from_redirect(endpoint: &ModelEndpoint, status: u16, location: &str) -> Self {
        let place = endpoint.quote(location);
        Self::new_permanent(format!(
            "{} sends requests on to another address ({status}: {place}): put the right one into model.base_url.",
            endpoint.host
        ))
    }

    /// The answer went wrong.
    pub fn from_broken_answer(endpoint: &ModelEndpoint, how: BrokenAnswer) -> Self {
        let ModelEndpoint { name, host, .. } = endpoint;
        match how {
            BrokenAnswer::Html(text) => Self::new_permanent(format!(
                "{host} answered with a web page (\"{}\"): model.base_url must be the address of the API, mostly \
                 ending in /v1.",
                endpoint.quote(&text)
            ))
            .mark_server_unhealthy(),
            // A server that is just coming up, or a proxy in between, may have written it.
            BrokenAnswer::NotJson(text) => Self {
                retry: RetryKind::BackOff,
                ..Self::new_after_start(format!(
                    "{host} sent what is not JSON (\"{}\"): check model.provider and model.base_url.",
                    endpoint.quote(&text)
                ))
                .mark_server_unhealthy()
            },
            BrokenAnswer::Error { code, text } => Self::from_error_object(endpoint, &code, &text),
            BrokenAnswer::Cut => Self {
                retry: RetryKind::BackOff,
                ..Self::new_after_start(format!(
                    "The connection to {host} ended before the answer did (no finish_reason, no end mark): look at \
                     the server or a proxy in between."
                ))
                .mark_server_unhealthy()
            },
            BrokenAnswer::Endless(bytes) => Self::new_after_start(format!(
                "{name} at {host} did not stop writing and was cut after {bytes} bytes: set model.stop, or choose \
                 another model."
            )),
            BrokenAnswer::Empty { finish } => Self {
                retry: RetryKind::Once,
                ..Self::new_after_start(format!(
                    "{name} at {host} answered with nothing (finish_reason: {}): try again, or choose another model.",
                    endpoint.quote(&finish)
                ))
            },
            BrokenAnswer::OnlyThoughts => Self {
                retry: RetryKind::Once,
                ..Self::new_after_start(format!(
                    "{name} at {host} spent its whole answer on thinking: raise model.max_tokens, or let it think less."
                ))
            },
            BrokenAnswer::Filtered { finish } => Self::new_after_start(format!(
                "The filter of {host} ended the answer (finish_reason: {}): choose another model, or change the filter \
                 with the provider.",
                endpoint.quote(&finish)
            )),
            BrokenAnswer::Declined(text) => Self::new_after_start(format!(
                "{name} at {host} declined to answer (\"{}\"): choose another model, or look at the persona.",
                endpoint.quote(&text)
            )),
            BrokenAnswer::NoVectors(why) => Self::new_after_start(format!(
                "{name} at {host} was asked for vectors and sent none that can be used ({why}): name an embedding model \
                 in roles.embedding."
            ))
            .mark_server_unhealthy(),
        }
    }

    /// The server failed lately, and is left alone for so long.
    pub fn from_resting_server(endpoint: &ModelEndpoint, wait: Duration) -> Self {
        let ModelEndpoint { name, host, .. } = endpoint;
        let seconds = wait.as_secs() + 1;
        Self::new_permanent(format!(
            "{name} at {host} failed lately and is left alone for {seconds} s more."
        ))
    }

    /// The provider has no way to vectors that is known here.
    pub fn from_unknown_embeddings(endpoint: &ModelEndpoint) -> Self {
        Self::new_permanent(format!(
            "{} makes no vectors as OpenAI's /embeddings or Ollama's /api/embed do: name another model in roles.embedding.",
            endpoint.host
        ))
    }

    /// The server sent an error object where an answer should be.
    fn from_error_object(endpoint: &ModelEndpoint, code: &str, text: &str) -> Self {
        let ModelEndpoint { name, host, .. } = endpoint;
        let words = format!("{code} {text}").to_lowercase();
        let status = code
            .parse()
            .ok()
            .filter(|status| (400..600).contains(status));
        let used_up = status == Some(402) || is_account_spent(&words);
        let too_large = !used_up && (status == Some(413) || is_prompt_too_long(&words));
        let refused = used_up
            || too_large
            || status.is_some_and(is_refusal_status)
            || contains_any(code, &["rate_limit", "overloaded", "unavailable"]);
        let passing_words = [
            "rate_limit",
            "overloaded",
            "server_error",
            "api_error",
            "unavailable",
        ];
        let passes = status.is_some_and(|status: u16| status == 429 || status >= 500)
            || contains_any(code, &passing_words);
        let passes = passes && !used_up && !too_large;
        let (code, text) = (endpoint.quote(code), endpoint.quote(text));
        let said = if code.is_empty() {
            format!("\"{text}\"")
        } else {
            format!("{code} \"{text}\"")
        };
        let message = match () {
            () if used_up => describe_spent_account(endpoint, &said),
            () if too_large => describe_long_prompt(endpoint, &said),
            () => format!(
                "{name} at {host} ended with the error {said}: look at the server, or hold [model] in the settings \
                 against what it allows."
            ),
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
            server_unhealthy: passes || used_up,
            ..Self::new_permanent(message)
        }
    }
}

/// The server does not take the key, or wants one.
fn describe_key_refusal(endpoint: &ModelEndpoint, said: &str) -> String {
    let ModelEndpoint {
        host, key_variable, ..
    } = endpoint;
    match (key_variable.is_empty(), endpoint.key.is_empty()) {
        // The key's places in the settings are not meant for an address that a person typed.
        (true, lacks_key) => {
            let what = if lacks_key {
                "wants a key"
            } else {
                "refused the key"
            };
            format!("{host} {what} ({said}): give the right one together with the address.")
        }
        (false, true) => format!(
            "{host} wants a key ({said}): set model.api_key_file or the variable {key_variable}."
        ),
        (false, false) => format!(
            "{host} refused the key ({said}): check model.api_key, model.api_key_file or the variable {key_variable}."
        ),
    }
}

/// A refusal that its status says most about.
fn describe_status(
    endpoint: &ModelEndpoint,
    status: u16,
    said: &str,
    after: Option<Duration>,
) -> String {
    let ModelEndpoint { name, host, .. } = endpoint;
    match status {
        404 if endpoint.provider == Provider::Ollama => {
            format!(
                "Ollama at {host} does not have the model {name} ({said}): get it with: ollama pull {name}"
            )
        }
        404 => format!(
            "{host} does not know the model {name} or this address ({said}): check model.name, and that \
             model.base_url ends as the server wants it, mostly in /v1."
        ),
        429 => match after {
            Some(wait) => format!(
                "{host} asks to slow down ({said}): wait {} s, or raise the limit with the provider.",
                as_rounded_seconds(wait)
            ),
            None => format!(
                "{host} asks to slow down ({said}): wait, or raise the limit with the provider."
            ),
        },
        408 | 425 | 500.. => {
            format!(
                "{host} failed ({said}): look at the server, or wait until the provider is well again."
            )
        }
        _ => format!(
            "{host} refused the request ({said}): hold [model] in the settings against what it allows."
        ),
    }
}

fn describe_spent_account(endpoint: &ModelEndpoint, said: &str) -> String {
    format!(
        "{} says the account is used up ({said}): top it up with the provider, or choose another model.",
        endpoint.host
    )
}

fn describe_long_prompt(endpoint: &ModelEndpoint, said: &str) -> String {
    format!(
        "The prompt is larger than {} at {} can hold ({said}): lower model.context_tokens.",
        endpoint.name, endpoint.host
    )
}

/// Whether a server that answers with this HTTP status has refused the request before a model began: every fault of the
/// request, a missing feature, a server that is too busy, and a gateway that did not reach its server: else an outage of
/// minutes would eat the budget of a day. Behind a failure of the server itself and a gateway that waited in vain (500,
/// 504, 524) a model may have worked.
fn is_refusal_status(status: u16) -> bool {
    matches!(status, 400..=499 | 501..=503 | 520..=523 | 525..=530)
}

/// Seconds as people write them: 30, 0.3.
fn as_rounded_seconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1_000.0).round() / 1_000.0
}

fn describe_root_cause(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(next) = cause.source() {
        cause = next;
    }
    let text = cause.to_string();
    // What rustls says of an answer that is no TLS.
    if contains_any(&text, &["InvalidContentType", "MessageTooLarge"]) {
        return NO_TLS.to_owned();
    }
    // The system's number for the error helps nobody.
    text.split(" (os error")
        .next()
        .unwrap_or_default()
        .to_owned()
}

/// What is wrong with a server that was asked for TLS and answered in plain HTTP.
const NO_TLS: &str = "it speaks no TLS there";
