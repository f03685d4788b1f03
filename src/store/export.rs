//! Everything that is kept about a person, readable. Holds nothing that others said, but for what is remembered of them.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, SecondsFormat};
use serde_json::{Value, json};

use crate::error::StoreError;
use crate::forget::person_traces::{self, AuthoredMessage, PersonRecords};
use crate::forget::small_tables;
use crate::handle::Store;
use crate::leavers::identifying_trace::IdentityMatcher;
use crate::leavers::target::ForgetTarget;
use crate::sql::{SqlConnection, SqlResult};
use crate::{approvals, memories, sessions, tools};
use kith_core::approval::{ApprovalRequest, ApprovalSubject};
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

/// What is looked for, and how it is shown.
struct PersonExport<'s> {
    store: &'s Store,
    target: ForgetTarget,
    traces: PersonRecords,
    trace: IdentityMatcher,
    places: BTreeMap<ChannelId, Channel>,
}

pub(crate) fn export(
    store: &Store,
    target: ForgetTarget,
    known: Vec<Channel>,
) -> Result<Value, StoreError> {
    let traces = person_traces::find_traces(store, &target, 0)?;
    let it = PersonExport {
        store,
        trace: build_trace(&target, &traces),
        target,
        traces,
        places: known
            .into_iter()
            .map(|channel| (channel.id, channel))
            .collect(),
    };
    it.export_all()
}

fn build_trace(target: &ForgetTarget, traces: &PersonRecords) -> IdentityMatcher {
    let names: Vec<String> = traces.names.iter().cloned().collect();
    IdentityMatcher::new(target.user, &names, Default::default(), Vec::new())
}

impl PersonExport<'_> {
    fn export_all(&self) -> Result<Value, StoreError> {
        let Self {
            store,
            target,
            traces,
            ..
        } = self;
        let messages = traces
            .messages
            .iter()
            .map(|wrote| self.export_message(wrote));
        let messages = messages.collect::<Result<Vec<_>, _>>()?;
        let reactions = traces.reactions.iter().map(|(channel, message, emoji, at)| {
            json!({ "channel": self.describe_channel(*channel), "message": message, "emoji": emoji, "at": format_time(*at) })
        });
        let mentions = traces.mentions.iter().map(
            |(channel, message, at)| json!({ "channel": self.describe_channel(*channel), "message": message, "at": format_time(*at) }),
        );
        let choices = store.overrides().wait()?;
        let choices = choices
            .iter()
            .filter(|set| set.by == Some(target.user) && target.covers_place(set.place));
        Ok(json!({
            "person": target.user,
            "names": traces.names,
            "wish": store.load_preferences().wait()?.get(target.user),
            "messages": messages,
            "reactions": reactions.collect::<Vec<_>>(),
            "mentions": mentions.collect::<Vec<_>>(),
            "remembered": self.export_memory()?,
            "memories": self.export_memories()?,
            "summed_up": self.export_parts(("summaries", "text", "text"), split_sentences)?,
            "to_be_done": self.export_parts(("todos", "list", "step"), |list| list.lines().collect())?,
            "waited_for": self.export_intentions()?,
            "moderation": self.export_moderation()?,
            "sessions": self.read(sessions::find_for_person)?,
            "calls": self.export_calls()?,
            "stickers": self.export_stickers()?,
            "set_by_hand": choices
                .map(|set| json!({ "place": set.place, "choice": set.choice, "at": format_time(set.at) }))
                .collect::<Vec<_>>(),
        }))
    }

    fn read<T: Send + 'static>(
        &self,
        work: fn(&SqlConnection, &ForgetTarget, &IdentityMatcher) -> SqlResult<T>,
    ) -> Result<T, StoreError> {
        let (target, trace) = (self.target.clone(), build_trace(&self.target, &self.traces));
        self.store
            .read(move |conn| work(conn, &target, &trace))
            .wait()
    }

    fn export_message(&self, message: &AuthoredMessage) -> Result<Value, StoreError> {
        let why = self
            .store
            .find_decision_reason(message.channel, message.id)
            .wait()?;
        let mut shown = json!({
            "channel": self.describe_channel(message.channel), "id": message.id, "at": format_time(message.at),
            "text": message.text,
        });
        if let Some(decision) = why.decision {
            shown["decision"] = json!(decision);
        }
        if let Some(turn) = why.turn {
            shown["turn"] = json!(turn);
        }
        Ok(shown)
    }

    /// Lines of core memory and data of tools that name them.
    fn export_memory(&self) -> Result<Vec<Value>, StoreError> {
        let (blocks, kept) = self.read(|conn, target, _| {
            let texts: (&str, &[&str]) = ("scope", &["key", "value"]);
            let kept = small_tables::find_covered_rows(conn, "tool_data", texts, target)?;
            Ok((small_tables::find_core_memory(conn, target)?, kept))
        })?;
        let lines = blocks
            .iter()
            .flat_map(|(scope, label, text)| text.lines().map(move |line| (scope, label, line)));
        let told = lines.filter(|(.., line)| self.trace.redact(line).is_some());
        // A line stands in each version of its block.
        let told: BTreeSet<_> = told.collect();
        let told = told
            .into_iter()
            .map(|(scope, label, line)| json!({ "scope": scope, "block": label, "line": line }));
        let sought = |text: &str| small_tables::redact_person(&self.target, &self.trace, text);
        let kept = kept.iter().filter(|row| row.tells(&sought)).map(|row| {
            let mut texts = row.texts();
            json!({ "scope": row.place.scope(), "key": texts.next(), "value": texts.next() })
        });
        Ok(told.chain(kept).collect())
    }

    /// What is remembered one by one that is about them, said by them, or has them in it; with the messages it was taken from.
    fn export_memories(&self) -> Result<Vec<Value>, StoreError> {
        let told = self.read(memories::find_for_person)?.into_iter().map(|entry| {
            let content = entry.content;
            json!({
                "id": entry.id, "kind": content.kind, "channel": self.describe_channel(content.channel),
                "person": content.person, "said_by": content.said_by, "text": content.text,
                "at": format_time(content.at), "due": content.due.map(format_time),
                "origin": content.origin, "sources": content.sources, "superseded_by": entry.superseded_by,
            })
        });
        Ok(told.collect())
    }

    /// Parts of a channel's texts in a table that name them, each as a field of this name.
    fn export_parts(
        &self,
        (table, column, field): (&'static str, &'static str, &str),
        split: fn(&str) -> Vec<&str>,
    ) -> Result<Vec<Value>, StoreError> {
        let covered = self.target.clone();
        let rows = self.store.read(move |conn| {
            small_tables::find_covered_rows(conn, table, ("channel", &[column]), &covered)
        });
        let mut told = Vec::new();
        for row in rows.wait()? {
            let Some(channel) = row.place.channel() else {
                continue;
            };
            let parts = row.texts().flat_map(split);
            for part in parts.filter(|part| self.trace.redact(part).is_some()) {
                told.push(json!({ "channel": self.describe_channel(channel), field: part }));
            }
        }
        Ok(told)
    }

    /// What the companion waits for that names them, waits for them, or came by what they wrote.
    fn export_intentions(&self) -> Result<Vec<Value>, StoreError> {
        let mut told = Vec::new();
        for channel in self
            .places
            .keys()
            .filter(|channel| self.target.covers(**channel))
        {
            let wrote = |id| {
                let mut messages = self.traces.messages.iter();
                messages.any(|wrote| wrote.channel == *channel && wrote.id == id)
            };
            let names = |text: &str| self.trace.redact(text).is_some();
            for it in self.store.find_intentions(*channel).wait()? {
                let is_theirs = it.person == Some(self.target.user)
                    || it.came.and_then(|came| came.message).is_some_and(wrote)
                    || names(&it.note)
                    || it.word.as_deref().is_some_and(names);
                if is_theirs {
                    told.push(json!({
                        "channel": self.describe_channel(*channel), "note": it.note, "made": format_time(it.made),
                        "expires": format_time(it.expires),
                    }));
                }
            }
        }
        Ok(told)
    }

    fn find_proposals(&self) -> Result<Vec<ApprovalRequest>, StoreError> {
        self.read(|conn, target, _| approvals::find_for_person(conn, target))
    }

    /// What the companion wanted done about them, and what they decided on. Whom that was about is not theirs to know.
    fn export_moderation(&self) -> Result<Vec<Value>, StoreError> {
        let all = self.find_proposals()?;
        let told = all.iter().filter_map(|known| {
            let ApprovalSubject::Deed(action) = &known.wanted else {
                return None;
            };
            let about_them = action.user == self.target.user;
            let reason = about_them.then_some(&action.reason);
            Some(json!({
                "about_them": about_them, "deed": action.deed, "reason": reason, "state": known.state,
                "channel": self.describe_channel(action.channel), "at": format_time(known.made),
            }))
        });
        Ok(told.collect())
    }

    /// The calls of tools that waited for somebody's decision and that they asked for, or decided on. What exactly others
    /// asked for is not theirs to know.
    fn export_calls(&self) -> Result<Vec<Value>, StoreError> {
        let all = self.find_proposals()?;
        let told = all.iter().filter_map(|known| {
            let ApprovalSubject::Call(proposed) = &known.wanted else {
                return None;
            };
            let is_theirs = proposed.is_related_to(self.target.user);
            let params = is_theirs.then_some(&proposed.call.params);
            Some(json!({
                "tool": proposed.call.name, "params": params, "state": known.state,
                "channel": self.describe_channel(proposed.channel), "at": format_time(known.made),
            }))
        });
        Ok(told.collect())
    }

    fn export_stickers(&self) -> Result<Vec<Value>, StoreError> {
        let all = self.read(|conn, target, _| tools::find_stickers_of_person(conn, target))?;
        let told = all.iter().map(|kept| {
            let (channel, at) = (self.describe_channel(kept.channel), format_time(kept.at));
            json!({ "name": kept.name, "channel": channel, "message": kept.message, "at": at })
        });
        Ok(told.collect())
    }

    fn describe_channel(&self, id: ChannelId) -> Value {
        match self.places.get(&id) {
            Some(channel) => json!({ "id": id, "name": channel.name, "guild": channel.guild }),
            None => json!({ "id": id }),
        }
    }
}

fn split_sentences(text: &str) -> Vec<&str> {
    let sentences = text.split_inclusive(['.', '!', '?', '。', '！', '？', '\n']);
    sentences.map(str::trim).collect()
}

fn format_time(at: Millis) -> Value {
    json!(
        DateTime::from_timestamp_millis(at)
            .map(|time| time.to_rfc3339_opts(SecondsFormat::Secs, true))
    )
}
