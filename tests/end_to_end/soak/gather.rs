//! Puts together what the checker is told, when a soak is over: from the driver's notes, the fake Discord, the parrot, and
//! the files that the companion leaves.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use kith_core::report::TurnReport;
use rusqlite::{Connection, Row};
use serde_json::Value;

use super::driver::Soak;
use super::parrot::TOKENS_A_CALL;
use super::record::{
    CompanionPost, ForgottenPerson, OpenAction, SaidMessage, SoakRecord, StoredText, word_of,
};
use super::soak_world::quiet_hours;
use super::traces::ErasedTraces;
use crate::discord::fake_discord::{Id, LOG, Message, Millis};
use crate::discord::people::said;

/// The most calls that are under way at once.
const CALLS: u64 = 6;

impl Soak {
    /// The process has ended; nothing happens any more.
    pub fn gather(&self) -> SoakRecord {
        let database = Connection::open(self.test.kith.dir.path().join("data/kith.db")).unwrap();
        let calls = self.parrot.calls().into_iter();
        SoakRecord {
            readers: self.world.readers(),
            direct: self.world.direct(),
            said: self
                .said
                .iter()
                .map(|message| self.with_mark(message))
                .collect(),
            posts: self.posts(),
            log_entries: self.test.fake.posts(LOG).iter().map(said).collect(),
            prompts: self.parrot.prompts(),
            turns: read_turns(&database),
            stored: read_messages(&database),
            tombstones: read_tombstones(&database),
            refused: read_refused(&database),
            open_actions: read_open_actions(&database),
            pauses: self.pauses.clone(),
            quiet_hours: quiet_hours(self.start, self.time.now()),
            wrong_clock: self.wrong_clock.clone(),
            kills: self.kills.clone(),
            troubles: self.troubles.clone(),
            forgotten: self.forgotten_with_traces(&database),
            spent: calls.map(|at| (at, TOKENS_A_CALL)).collect(),
            budgets: self.budgets.clone(),
            lost_with_a_kill: CALLS * TOKENS_A_CALL,
            ended: self.time.now(),
            time: self.time.real_time(),
        }
    }

    fn with_mark(&self, message: &SaidMessage) -> SaidMessage {
        let fake = &self.test.fake;
        SaidMessage {
            is_marked: fake.world(|world| world.is_marked(message.channel, message.id)),
            ..message.clone()
        }
    }

    /// What stands in Discord by the companion. What a post was meant to reply to stands in the request: Discord leaves it
    /// out where that message is gone.
    fn posts(&self) -> Vec<CompanionPost> {
        let requests = self.test.fake.requests("POST /channels/*/messages");
        let replies: HashMap<String, Id> = requests
            .iter()
            .filter_map(|request| {
                let message = request.body["message_reference"]["message_id"].as_str()?;
                Some((nonce_of(&request.body["nonce"])?, message.parse().ok()?))
            })
            .collect();
        let post = |message: &Message| CompanionPost {
            id: message.id,
            channel: message.channel,
            at: message.at.unwrap_or_default(),
            text: message.text.clone(),
            reply_to: message
                .nonce
                .as_ref()
                .and_then(|nonce| replies.get(&nonce_of(nonce)?).copied()),
        };
        self.test.fake.world(|world| {
            let places = self.world.places.iter();
            places
                .flat_map(|place| world.posts(place.channel))
                .map(post)
                .collect()
        })
    }

    /// Those who were forgotten, and what of them is still in a file.
    fn forgotten_with_traces(&self, database: &Connection) -> Vec<ForgottenPerson> {
        let mut traces = ErasedTraces::default();
        for person in &self.forgotten {
            let user = person.user;
            // Who returned is known again, and only what they said before is not.
            let is_back = person.until > person.at && person.until < self.time.now();
            if !is_back {
                let account = self.test.fake.world(|world| world.users[&user].clone());
                traces.add(user, account.name.into_bytes());
                traces.add(user, account.global_name.unwrap_or_default().into_bytes());
                traces.add(user, user.to_string().into_bytes());
                traces.add(user, user.to_be_bytes().to_vec());
            }
            let is_gone =
                |message: &&SaidMessage| message.author == user && message.at <= person.until;
            let said = self.said.iter().filter(is_gone);
            said.for_each(|message| traces.add(user, word_of(message.number).into_bytes()));
        }
        let found = traces.find_in(&self.test.kith.dir.path().join("data"));
        let with_traces = |person: &ForgottenPerson| {
            let theirs = found.iter().filter(|(user, _)| *user == person.user);
            let traces = theirs.map(|(_, trace)| {
                let word = trace.split('"').nth(1).unwrap_or_default();
                format!("{trace}: {:?}", find_columns(database, word))
            });
            ForgottenPerson {
                traces: traces.collect(),
                ..person.clone()
            }
        };
        self.forgotten.iter().map(with_traces).collect()
    }
}

/// The columns of the database that hold a word, and the first text that does: where a trace comes from.
fn find_columns(database: &Connection, word: &str) -> Vec<String> {
    let columns = read_all(
        database,
        "SELECT m.name, c.name FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table'",
        |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)),
    );
    columns
        .into_iter()
        .filter_map(|(table, column)| {
            // As bytes: what an index holds is no text.
            let find = format!(
                "SELECT CAST({column} AS BLOB) FROM {table} WHERE instr(CAST({column} AS BLOB), CAST(?1 AS BLOB))"
            );
            let found: Vec<u8> = database.query_row(&find, [word], |row| row.get(0)).ok()?;
            Some(format!("{table}.{column}: {}", found.escape_ascii()))
        })
        .collect()
}

fn nonce_of(nonce: &Value) -> Option<String> {
    match nonce {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

fn read_all<T>(
    database: &Connection,
    query: &str,
    read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> Vec<T> {
    let mut find = database.prepare(query).unwrap();
    let rows = find.query_map([], read).unwrap();
    rows.map(Result::unwrap).collect()
}

fn id(row: &Row<'_>, column: usize) -> rusqlite::Result<Id> {
    row.get::<_, i64>(column).map(i64::cast_unsigned)
}

fn read_turns(database: &Connection) -> Vec<TurnReport> {
    let turns = read_all(database, "SELECT report FROM turns", |row| {
        row.get::<_, String>(0)
    });
    turns
        .iter()
        .map(|json| serde_json::from_str(json).unwrap())
        .collect()
}

fn read_messages(database: &Connection) -> Vec<StoredText> {
    read_all(database, "SELECT channel, id, text FROM messages", |row| {
        Ok(StoredText {
            channel: id(row, 0)?,
            id: id(row, 1)?,
            text: row.get(2)?,
        })
    })
}

fn read_tombstones(database: &Connection) -> BTreeMap<(Id, Id), Millis> {
    read_all(database, "SELECT channel, id, at FROM tombstones", |row| {
        Ok(((id(row, 0)?, id(row, 1)?), row.get(2)?))
    })
    .into_iter()
    .collect()
}

/// Messages that were refused when they came, or when it was decided on them.
fn read_refused(database: &Connection) -> BTreeSet<Id> {
    let refused = "SELECT id FROM messages JOIN decisions USING (arrival) WHERE coalesce(
        message_decision ->> '$[5].refusal', message_decision ->> '$.refusal', report ->> '$[3].refused') IS NOT NULL";
    read_all(database, refused, |row| id(row, 0))
        .into_iter()
        .collect()
}

fn read_open_actions(database: &Connection) -> Vec<OpenAction> {
    read_all(
        database,
        "SELECT nonce, channel, journaled_at FROM outbox WHERE state = 0",
        |row| {
            Ok(OpenAction {
                nonce: row.get(0)?,
                channel: id(row, 1)?,
                journaled_at: row.get(2)?,
            })
        },
    )
}
