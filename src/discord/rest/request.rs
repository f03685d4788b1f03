//! One request to Discord as plain data: what is asked, how urgent it is, and whether it may be asked twice.

use std::time::Duration;

use reqwest::Method;
use serde_json::Value;

use super::ability::DiscordAbility;
use super::route::RestRoute;
use kith_core::chat::Millis;

/// How long Discord waits for the first answer to an interaction.
const CALLBACK_DUE: Duration = Duration::from_millis(2_900);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RetrySafety {
    /// Done twice is the same as done once.
    Idempotent,
    /// Discord knows the second one by its nonce.
    ByNonce,
    /// It would happen twice.
    Once,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RequestPriority {
    /// Goes even when Discord has refused so much that everything else stops: answers to commands, the way to the
    /// gateway.
    Vital,
    /// What people wait for.
    Speech,
    /// The log channel, looking back: never takes more than half of what may be asked in a second.
    Background,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileUpload {
    pub name: String,
    pub bytes: Vec<u8>,
}

#[derive(Clone, Debug)]
pub struct RestRequest {
    pub(super) method: Method,
    pub(super) route: RestRoute,
    pub(super) query: Vec<(&'static str, String)>,
    pub(super) json: Option<Value>,
    pub(super) uploads: Vec<FileUpload>,
    pub(super) reason: Option<String>,
    pub(super) safety: RetrySafety,
    pub(super) priority: RequestPriority,
    pub(super) timeout: Option<Duration>,
    pub(super) expires_at: Option<Millis>,
    pub(super) trial_ability: Option<DiscordAbility>,
}

impl RestRequest {
    fn new(method: Method, route: RestRoute, safety: RetrySafety) -> Self {
        let (query, json, uploads, reason, timeout) = (Vec::new(), None, Vec::new(), None, None);
        Self {
            method,
            route,
            query,
            json,
            uploads,
            reason,
            safety,
            priority: RequestPriority::Speech,
            timeout,
            expires_at: None,
            trial_ability: None,
        }
    }

    pub fn get(route: RestRoute) -> Self {
        Self::new(Method::GET, route, RetrySafety::Idempotent)
    }

    /// Puts: the same however often.
    pub fn put(route: RestRoute) -> Self {
        Self::new(Method::PUT, route, RetrySafety::Idempotent)
    }

    /// Changes: the same however often.
    pub fn patch(route: RestRoute) -> Self {
        Self::new(Method::PATCH, route, RetrySafety::Idempotent)
    }

    /// Deletes: the same however often, but the second time it is [`super::RestError::NotFound`].
    pub fn delete(route: RestRoute) -> Self {
        Self::new(Method::DELETE, route, RetrySafety::Idempotent)
    }

    /// Makes something new: never made again once it may have been accepted, unless [`RestRequest::safety`] says otherwise.
    pub fn post(route: RestRoute) -> Self {
        Self::new(Method::POST, route, RetrySafety::Once)
    }

    /// Answers an interaction: vital, and worth nothing when it comes too late.
    pub fn post_callback(interaction: u64, token: &str) -> Self {
        Self::post(RestRoute::interaction_callback(interaction, token))
            .priority(RequestPriority::Vital)
            .timeout(CALLBACK_DUE)
    }

    pub fn json(mut self, body: Value) -> Self {
        self.json = Some(body);
        self
    }

    /// With this file, too. Files go up as `files[0]`, `files[1]` and so on beside the body.
    pub fn upload(mut self, file: FileUpload) -> Self {
        self.uploads.push(file);
        self
    }

    pub fn query(mut self, name: &'static str, value: impl ToString) -> Self {
        self.query.push((name, value.to_string()));
        self
    }

    pub fn reason(mut self, reason: impl Into<String>) -> Self {
        self.reason = Some(reason.into());
        self
    }

    pub fn safety(mut self, safety: RetrySafety) -> Self {
        self.safety = safety;
        self
    }

    pub fn priority(mut self, priority: RequestPriority) -> Self {
        self.priority = priority;
        self
    }

    /// Given up after this long, whatever it waits for.
    pub fn timeout(mut self, limit: Duration) -> Self {
        self.timeout = Some(limit);
        self
    }

    /// Not made any more from this time of day on, whatever it waited for: a machine that sleeps does not count the wait.
    pub fn expires_at(mut self, at: Millis) -> Self {
        self.expires_at = Some(at);
        self
    }

    /// Made although an ability is known to be refused there, to learn whether it still is.
    pub fn trial_ability(mut self, ability: DiscordAbility) -> Self {
        self.trial_ability = Some(ability);
        self
    }
}
