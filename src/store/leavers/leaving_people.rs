//! People who are being forgotten, or were a moment ago, and how they are known. The companion may still have them in
//! mind, so that what it saves then is cleaned before it is written.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

use serde_json::Value;

use crate::leavers::identifying_trace::IdentityMatcher;
use crate::leavers::target::ForgetTarget;
use crate::recent_erasures::ON_ITS_WAY;
use crate::sql::{SqlConnection, SqlResult};
use crate::text_index::is_said_by_others;
use kith_core::channel::SavedChannelState;
use kith_core::chat::{ChannelId, Millis, UserId};
use kith_core::quotes::{QuotedWords, extract_distinctive_words};
use kith_system::clock;

/// How somebody is known by who leaves. What they wrote is erased by now.
#[derive(Clone)]
pub struct ForgottenIdentity {
    pub target: ForgetTarget,
    trace: Arc<IdentityMatcher>,
    words: Arc<BTreeSet<String>>,
}

impl ForgottenIdentity {
    pub fn new(target: &ForgetTarget, trace: IdentityMatcher, words: BTreeSet<String>) -> Self {
        Self {
            target: target.clone(),
            trace: Arc::new(trace),
            words: Arc::new(words),
        }
    }

    /// A text of the companion that does not tell of them; none if it does not as it is.
    pub fn redact(&self, conn: &SqlConnection, text: &str) -> SqlResult<Option<String>> {
        let mut words = Vec::new();
        for word in extract_distinctive_words(text).filter(|word| self.words.contains(word)) {
            if !is_said_by_others(conn, &word)? {
                words.push(word);
            }
        }
        let unquoted = QuotedWords::new(words).redact(text);
        let untold = self.trace.redact(unquoted.as_deref().unwrap_or(text));
        Ok(untold.or(unquoted))
    }
}

/// For so long what is saved may still tell of somebody who was forgotten.
const STILL_IN_MIND: Millis = 10_000;
/// How many people are kept so.
const MOST: usize = 64;

pub struct PendingErasure {
    pub user: UserId,
    /// Where something of theirs may have been seen.
    reach: BTreeSet<ChannelId>,
    begun: ClockReading,
    /// When they were forgotten, by the time of day as it went on from when they asked; none while they are.
    ended: Option<Millis>,
    /// How to know them, once that is found out and as long as it is needed.
    pub names: Option<ForgottenIdentity>,
}

impl PendingErasure {
    pub fn is_leaving(&self) -> bool {
        self.ended.is_none()
    }

    /// Whether what was begun then, or is kept as of then, may tell of them. Where the clock was set forward meanwhile, or
    /// the machine slept, what is under way has a later time than it would have.
    pub fn can_be_told_of(&self, at: Millis) -> bool {
        let moved = self.begun.moved_since().max(0);
        self.ended
            .is_none_or(|ended| at <= ended.saturating_add(STILL_IN_MIND + moved))
    }

    /// Whether a turn that started then may have been shown something of theirs.
    pub fn can_be_in(&self, channel: ChannelId, started: Millis) -> bool {
        self.can_be_told_of(started) && self.reach.contains(&channel)
    }
}

struct ClockReading {
    time_of_day: Millis,
    monotonic: Instant,
}

impl ClockReading {
    fn now() -> Self {
        Self {
            time_of_day: clock::now(),
            monotonic: clock::monotonic(),
        }
    }

    /// How far the time of day was moved since then.
    fn moved_since(&self) -> Millis {
        let passed = Millis::try_from(self.monotonic.elapsed().as_millis());
        (clock::now() - self.time_of_day).saturating_sub(passed.unwrap_or(Millis::MAX))
    }
}

pub(crate) fn begin_leaving(
    people: &mut Vec<PendingErasure>,
    user: UserId,
    reach: BTreeSet<ChannelId>,
) {
    people.retain(|person| person.user != user);
    if people.len() >= MOST {
        people.remove(0);
    }
    people.push(PendingErasure {
        user,
        reach,
        begun: ClockReading::now(),
        ended: None,
        names: None,
    });
}

pub(crate) fn set_known_names(
    people: &mut [PendingErasure],
    user: UserId,
    names: ForgottenIdentity,
) {
    if let Some(person) = people.iter_mut().find(|person| person.user == user) {
        person.names = Some(names);
    }
}

/// What was said and noted of those who left long before `now` is saved: how to know them is forgotten, too.
pub fn drop_old_names(people: &mut [PendingErasure], now: Millis) {
    let is_past = |person: &&mut PendingErasure| {
        !person.is_leaving() && !person.can_be_told_of(now.saturating_sub(ON_ITS_WAY))
    };
    people
        .iter_mut()
        .filter(is_past)
        .for_each(|person| person.names = None);
}

pub fn is_anybody_leaving(people: &[PendingErasure]) -> bool {
    people.iter().any(PendingErasure::is_leaving)
}

pub(crate) fn end_leaving(people: &mut [PendingErasure], user: UserId, now: Millis) {
    if let Some(person) = people.iter_mut().find(|person| person.user == user) {
        person.ended = Some(now);
    }
}

/// A channel's state, saved `at`, without those who leave.
pub fn redact_channel_state<'a>(
    people: &[PendingErasure],
    channel: ChannelId,
    at: Millis,
    state: &'a str,
) -> Cow<'a, str> {
    let mut state = Cow::Borrowed(state);
    for person in people.iter().filter(|person| person.can_be_in(channel, at)) {
        if let Some(cleaned) = remove_from_channel_state(&state, person.user) {
            state = Cow::Owned(cleaned);
        }
    }
    state
}

/// A channel's state without a person, as the core forgets them; None if they are not in it.
pub(crate) fn remove_from_channel_state(json: &str, user: UserId) -> Option<String> {
    if !json.contains(&quote_id(user)) {
        return None;
    }
    let mut state = serde_json::from_str::<SavedChannelState>(json).ok();
    state.iter_mut().for_each(|state| state.forget_person(user));
    let forgotten = state.and_then(|state| serde_json::to_string(&state).ok());
    // An id may still stand where it means somebody else's part, or in a state the core cannot read.
    remove_person(forgotten.as_deref().unwrap_or(json), user).or(forgotten)
}

pub(crate) fn quote_id(user: UserId) -> String {
    format!("\"{user}\"")
}

/// JSON text without a person: what has their id is left out of its list, elsewhere nobody's id stands in its place.
/// None if they are not in it, or if it is no JSON.
pub(crate) fn remove_person(json: &str, user: UserId) -> Option<String> {
    if !json.contains(&quote_id(user)) {
        return None;
    }
    let mut value: Value = serde_json::from_str(json).ok()?;
    remove_id(&mut value, &user.to_string());
    Some(value.to_string())
}

fn remove_id(value: &mut Value, id: &str) {
    match value {
        Value::Array(items) => {
            items.retain(|item| item.get("id").and_then(Value::as_str) != Some(id));
            items.iter_mut().for_each(|item| remove_id(item, id));
        }
        Value::Object(fields) => fields.values_mut().for_each(|field| remove_id(field, id)),
        Value::String(text) if text == id => *text = UserId(0).to_string(),
        Value::String(_) | Value::Number(_) | Value::Bool(_) | Value::Null => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_is_taken_out_of_json_and_the_rest_stays() {
        let state = r#"{"seen":7,"people":[{"id":"42","to":"1"},{"id":"1","to":"42"}],"pending":["42",0.25]}"#;
        let wanted = r#"{"seen":7,"people":[{"id":"1","to":"0"}],"pending":["0",0.25]}"#;
        assert_eq!(remove_person(state, UserId(42)).as_deref(), Some(wanted));
        assert_eq!(remove_person(state, UserId(2)), None);
        assert_eq!(remove_person("\"42\" and no JSON", UserId(42)), None);
    }

    #[test]
    fn what_is_saved_late_is_cleaned_where_they_were_and_only_for_a_while() {
        let mut leaving = Vec::new();
        let (here, elsewhere) = (ChannelId(1), ChannelId(2));
        begin_leaving(&mut leaving, UserId(42), [here].into());
        let saved = |leaving: &[PendingErasure], channel, at| {
            redact_channel_state(leaving, channel, at, r#"["42"]"#).into_owned()
        };
        assert_eq!(saved(&leaving, here, 1_000_000), r#"["0"]"#);
        assert_eq!(saved(&leaving, elsewhere, 0), r#"["42"]"#);
        end_leaving(&mut leaving, UserId(42), 5_000);
        assert_eq!(saved(&leaving, here, 15_000), r#"["0"]"#);
        // A little later: two clocks are read, and each is rounded.
        assert_eq!(saved(&leaving, here, 15_100), r#"["42"]"#);
        let clock_set = 1_800_000;
        leaving[0].begun.time_of_day -= clock_set;
        assert_eq!(saved(&leaving, here, 15_000 + clock_set), r#"["0"]"#);
    }
}
