//! Everything that is kept about a person, readable. Holds nothing that others said, but for what is remembered of them.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, SecondsFormat};
use serde_json::{Map, Value, json};

use crate::error::StoreError;
use crate::forget::person_traces::{self, AuthoredMessage};
use crate::forget::small_tables;
use crate::handle::Store;
use crate::leaving::identifying_trace::IdentifyingTrace;
use crate::leaving::target::ForgetTarget;
use crate::{approvals, memories, sessions, tools};
use kith_core::approval::ApprovalSubject;
use kith_core::chat::{Channel, ChannelId, Millis};

/// Whether anything but the person's wish is kept, in what [`Store::export_person`] gave.
pub fn holds_something(export: &Value) -> bool {
    fn is_empty(value: &Value) -> bool {
        match value {
            Value::Null => true,
            Value::Array(values) => values.iter().all(is_empty),
            Value::Object(fields) => fields.values().all(is_empty),
            _ => false,
        }
    }
    // The wish is told to every partition, and the number is the question.
    let is_told_anyway = |name: &str| name == "person" || name == "wish";
    let mut fields = export.as_object().into_iter().flatten();
    fields.any(|(name, value)| !is_told_anyway(name) && !is_empty(value))
}

pub(crate) fn export(
    store: &Store,
    target: &ForgetTarget,
    known: Vec<Channel>,
) -> Result<Value, StoreError> {
    let user = target.user;
    let traces = person_traces::find_traces(store, target, 0)?;
    let known = known.into_iter().map(|channel| (channel.id, channel));
    let places = ChannelNames(known.collect());
    let mut messages = Vec::new();
    for own_message in &traces.messages {
        messages.push(export_message(store, &places, own_message)?);
    }
    let reactions = traces.reactions.iter().map(|(channel, message, emoji, at)| {
        json!({ "channel": places.describe_channel(*channel), "message": message, "emoji": emoji, "at": format_time(*at) })
    });
    let mentions = traces.mentions.iter().map(
        |(channel, message, at)| json!({ "channel": places.describe_channel(*channel), "message": message, "at": format_time(*at) }),
    );
    let trace = build_trace(target, &traces);
    let choices = store.overrides().wait()?;
    let choices = choices
        .iter()
        .filter(|set| set.by == Some(user) && target.covers_place(set.place));
    Ok(json!({
        "person": user,
        "names": traces.names,
        "wish": store.load_preferences().wait()?.get(user),
        "messages": messages,
        "reactions": reactions.collect::<Vec<_>>(),
        "mentions": mentions.collect::<Vec<_>>(),
        "remembered": export_memory(store, target, &trace)?,
        "memories": export_memories(store, target, build_trace(target, &traces), &places)?,
        "summed_up": export_parts(store, target, &trace, &places, ("summaries", "text", "text"), split_sentences)?,
        "to_be_done": export_parts(store, target, &trace, &places, ("todos", "list", "step"), |list| list.lines().collect())?,
        "waited_for": export_intentions(store, target, (&traces, &trace), &places)?,
        "moderation": export_moderation(store, target, &places)?,
        "sessions": sessions::find_for_person(store, target, build_trace(target, &traces)).wait()?,
        "calls": export_calls(store, target, &places)?,
        "stickers": export_stickers(store, target, &places)?,
        "set_by_hand": choices
            .map(|set| json!({ "place": set.place, "choice": set.choice, "at": format_time(set.at) }))
            .collect::<Vec<_>>(),
    }))
}

fn build_trace(target: &ForgetTarget, traces: &person_traces::PersonTraces) -> IdentifyingTrace {
    let names: Vec<String> = traces.names.iter().cloned().collect();
    IdentifyingTrace::new(target.user, &names, Default::default(), Vec::new())
}

fn export_message(
    store: &Store,
    places: &ChannelNames,
    message: &AuthoredMessage,
) -> Result<Value, StoreError> {
    let why = store
        .find_decision_reason(message.channel, message.id)
        .wait()?;
    let mut shown = Map::new();
    shown.insert("channel".into(), places.describe_channel(message.channel));
    shown.insert("id".into(), json!(message.id));
    shown.insert("at".into(), format_time(message.at));
    shown.insert("text".into(), json!(message.text));
    if let Some(decision) = why.decision {
        shown.insert("decision".into(), json!(decision));
    }
    if let Some(turn) = why.turn {
        shown.insert("turn".into(), json!(turn));
    }
    Ok(Value::Object(shown))
}

/// Lines of core memory and data of tools that name them.
fn export_memory(
    store: &Store,
    target: &ForgetTarget,
    trace: &IdentifyingTrace,
) -> Result<Vec<Value>, StoreError> {
    let scope = target.clone();
    let (blocks, kept) = store
        .read(move |conn| {
            let target = &scope;
            Ok((
                small_tables::find_core_memory(conn, target)?,
                small_tables::find_covered_rows(
                    conn,
                    "tool_data",
                    ("scope", &["key", "value"]),
                    target,
                )?,
            ))
        })
        .wait()?;
    let lines = blocks
        .iter()
        .flat_map(|(scope, label, text)| text.lines().map(move |line| (scope, label, line)));
    let told = lines.filter(|(.., line)| trace.redact(line).is_some());
    // A line stands in each version of its block.
    let told: BTreeSet<_> = told.collect();
    let told = told
        .into_iter()
        .map(|(scope, label, line)| json!({ "scope": scope, "block": label, "line": line }));
    let sought = |text: &str| small_tables::redact_person(target, trace, text);
    let kept = kept.iter().filter(|row| row.tells(&sought)).map(|row| {
        let mut texts = row.texts();
        json!({ "scope": row.place.scope(), "key": texts.next(), "value": texts.next() })
    });
    Ok(told.chain(kept).collect())
}

/// What is remembered one by one that is about them, said by them, or has them in it; with the messages it was taken from.
fn export_memories(
    store: &Store,
    target: &ForgetTarget,
    trace: IdentifyingTrace,
    places: &ChannelNames,
) -> Result<Vec<Value>, StoreError> {
    let target = target.clone();
    let found = store
        .read(move |conn| memories::find_for_person(conn, &target, &trace))
        .wait()?;
    let told = found.into_iter().map(|entry| {
        let content = entry.content;
        json!({
            "id": entry.id, "kind": content.kind, "channel": places.describe_channel(content.channel),
            "person": content.person, "said_by": content.said_by, "text": content.text,
            "at": format_time(content.at), "due": content.due.map(format_time),
            "origin": content.origin, "sources": content.sources, "superseded_by": entry.superseded_by,
        })
    });
    Ok(told.collect())
}

fn split_sentences(text: &str) -> Vec<&str> {
    let sentences = text.split_inclusive(['.', '!', '?', '。', '！', '？', '\n']);
    sentences.map(str::trim).collect()
}

/// Parts of a channel's texts in a table that name them, each as a field of this name.
fn export_parts(
    store: &Store,
    target: &ForgetTarget,
    trace: &IdentifyingTrace,
    places: &ChannelNames,
    (table, column, field): (&'static str, &'static str, &str),
    split: fn(&str) -> Vec<&str>,
) -> Result<Vec<Value>, StoreError> {
    let covered = target.clone();
    let rows = store.read(move |conn| {
        small_tables::find_covered_rows(conn, table, ("channel", &[column]), &covered)
    });
    let mut told = Vec::new();
    for row in rows.wait()? {
        let Some(channel) = row.place.channel() else {
            continue;
        };
        for part in row
            .texts()
            .flat_map(split)
            .filter(|part| trace.redact(part).is_some())
        {
            told.push(json!({ "channel": places.describe_channel(channel), field: part }));
        }
    }
    Ok(told)
}

/// What the companion waits for that names them, waits for them, or came by what they wrote.
fn export_intentions(
    store: &Store,
    target: &ForgetTarget,
    (traces, trace): (&person_traces::PersonTraces, &IdentifyingTrace),
    places: &ChannelNames,
) -> Result<Vec<Value>, StoreError> {
    let mut told = Vec::new();
    for channel in places.0.keys().filter(|channel| target.covers(**channel)) {
        for intention in store.find_intentions(*channel).wait()? {
            let wrote = |id| {
                traces
                    .messages
                    .iter()
                    .any(|wrote| wrote.channel == *channel && wrote.id == id)
            };
            let is_theirs = intention.person == Some(target.user)
                || intention
                    .came
                    .and_then(|came| came.message)
                    .is_some_and(wrote)
                || trace.redact(&intention.note).is_some()
                || intention
                    .word
                    .as_deref()
                    .is_some_and(|word| trace.redact(word).is_some());
            if is_theirs {
                let (made, expires) = (format_time(intention.made), format_time(intention.expires));
                let channel = places.describe_channel(*channel);
                told.push(json!({ "channel": channel, "note": intention.note, "made": made, "expires": expires }));
            }
        }
    }
    Ok(told)
}

/// What the companion wanted done about them, and what they decided on. Whom that was about is not theirs to know.
fn export_moderation(
    store: &Store,
    target: &ForgetTarget,
    places: &ChannelNames,
) -> Result<Vec<Value>, StoreError> {
    let all = approvals::find_for_person(store, target).wait()?;
    let told = all.iter().filter_map(|known| {
        let ApprovalSubject::Deed(action) = &known.wanted else { return None };
        let about_them = action.user == target.user;
        let reason = about_them.then_some(&action.reason);
        let (at, channel) = (format_time(known.made), places.describe_channel(action.channel));
        let (kind, state) = (action.deed, known.state);
        Some(json!({
            "about_them": about_them, "deed": kind, "reason": reason, "state": state, "channel": channel, "at": at
        }))
    });
    Ok(told.collect())
}

/// The calls of tools that waited for somebody's decision and that they asked for, or decided on. What exactly others asked
/// for is not theirs to know.
fn export_calls(
    store: &Store,
    target: &ForgetTarget,
    places: &ChannelNames,
) -> Result<Vec<Value>, StoreError> {
    let all = approvals::find_for_person(store, target).wait()?;
    let told = all.iter().filter_map(|known| {
        let ApprovalSubject::Call(proposed) = &known.wanted else {
            return None;
        };
        let params = proposed
            .is_related_to(target.user)
            .then_some(&proposed.call.params);
        let (at, channel) = (
            format_time(known.made),
            places.describe_channel(proposed.channel),
        );
        let (name, state) = (&proposed.call.name, known.state);
        Some(
            json!({ "tool": name, "params": params, "state": state, "channel": channel, "at": at }),
        )
    });
    Ok(told.collect())
}

/// Pictures of theirs that a moderator keeps.
fn export_stickers(
    store: &Store,
    target: &ForgetTarget,
    places: &ChannelNames,
) -> Result<Vec<Value>, StoreError> {
    let target = target.clone();
    let all = store
        .read(move |conn| tools::find_stickers_of_person(conn, &target))
        .wait()?;
    let told = all.iter().map(|kept| {
        let (channel, at) = (places.describe_channel(kept.channel), format_time(kept.at));
        json!({ "name": kept.name, "channel": channel, "message": kept.message, "at": at })
    });
    Ok(told.collect())
}

struct ChannelNames(BTreeMap<ChannelId, Channel>);

impl ChannelNames {
    fn describe_channel(&self, id: ChannelId) -> Value {
        match self.0.get(&id) {
            Some(channel) => json!({ "id": id, "name": channel.name, "guild": channel.guild }),
            None => json!({ "id": id }),
        }
    }
}

fn format_time(at: Millis) -> Value {
    json!(
        DateTime::from_timestamp_millis(at)
            .map(|time| time.to_rfc3339_opts(SecondsFormat::Secs, true))
    )
}
