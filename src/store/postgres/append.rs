//! What is stored together: asked for in one round trip and written in another, however much it is. One at a time each
//! message would take five.

use std::collections::HashMap;

use kith_core::chat::{Message, UserId};
use tokio_postgres::types::ToSql;

use super::connection::PostgresConnection;
use super::link::LinkResult;
use super::values::BoundColumn;
use crate::values::{JsonColumn, ToColumn};

const FIND_KNOWN: &str = "SELECT coalesce(m.arrival, t.arrival)
    FROM unnest(?1::bigint[], ?2::bigint[]) WITH ORDINALITY AS asked (channel, id, place)
    LEFT JOIN messages m ON m.channel = asked.channel AND m.id = asked.id
    LEFT JOIN tombstones t ON t.channel = asked.channel AND t.id = asked.id ORDER BY place";
const ADD_MESSAGES: &str =
    "INSERT INTO messages (arrival, channel, id, at, author, author_name, author_kind, reply_to, mentions, text)
    SELECT * FROM unnest(?1::bigint[], ?2::bigint[], ?3::bigint[], ?4::bigint[], ?5::bigint[], ?6::text[], ?7::bigint[],
        ?8::bigint[], ?9::text[], ?10::text[])";
const ADD_WORDS: &str = "INSERT INTO words (arrival, channel, words)
    SELECT arrival, channel, words::tsvector FROM unnest(?1::bigint[], ?2::bigint[], ?3::text[]) AS new (arrival, channel, words)";
const MARK_LATE: &str = "INSERT INTO message_vectors (channel, arrival, model)
    SELECT new.channel, new.arrival, c.model FROM unnest(?1::bigint[], ?2::bigint[], ?3::bigint[]) AS new (arrival, channel, id)
    JOIN vector_coverage c ON c.channel = new.channel AND new.id BETWEEN c.first AND c.last
    ON CONFLICT (channel, arrival, model) DO UPDATE SET vector = excluded.vector";
const ADD_PEOPLE: &str = "INSERT INTO people (id, name, kind)
    SELECT * FROM unnest(?1::bigint[], ?2::text[], ?3::bigint[])
    ON CONFLICT (id) DO UPDATE SET name = excluded.name, kind = excluded.kind
    WHERE people.name <> excluded.name OR people.kind <> excluded.kind";

/// A message that nobody knows yet, with what is stored beside it.
pub(crate) struct NewMessage<'m> {
    pub arrival: i64,
    pub message: &'m Message,
    pub mentions: Option<JsonColumn<&'m [UserId]>>,
    pub words: String,
}

type Column<'a> = Vec<BoundColumn<'a>>;

impl PostgresConnection {
    /// Of each message the arrival number, where it is known or was deleted already.
    pub fn find_known(&self, messages: &[&Message]) -> LinkResult<Vec<Option<i64>>> {
        let channels = bind(messages, |message| &message.channel)?;
        let ids = bind(messages, |message| &message.id)?;
        let find = self.prepare(FIND_KNOWN)?;
        let link = self.link()?;
        let values = to_parameters([&channels, &ids]);
        let found = link.wait(link.client.query(&find.statement, &values));
        let found = self.note_failure(found)?;
        Ok(found.iter().map(|row| row.get(0)).collect())
    }

    pub fn add_messages(&self, new: &[NewMessage<'_>]) -> LinkResult<()> {
        let arrivals = bind(new, |new| &new.arrival)?;
        let channels = bind(new, |new| &new.message.channel)?;
        let ids = bind(new, |new| &new.message.id)?;
        let times = bind(new, |new| &new.message.at)?;
        let authors = bind(new, |new| &new.message.author.id)?;
        let names = bind(new, |new| &new.message.author.name)?;
        let kinds = bind(new, |new| &new.message.author.kind)?;
        let answered = bind(new, |new| &new.message.reply_to)?;
        let mentions = bind(new, |new| &new.mentions)?;
        let texts = bind(new, |new| &new.message.text)?;
        let words = bind(new, |new| &new.words)?;
        // Of each person what they are called last: a statement may change a row once.
        let people: HashMap<UserId, &Message> = new
            .iter()
            .map(|new| (new.message.author.id, new.message))
            .collect();
        let people: Vec<&Message> = people.into_values().collect();
        let person_ids = bind(&people, |message| &message.author.id)?;
        let person_names = bind(&people, |message| &message.author.name)?;
        let person_kinds = bind(&people, |message| &message.author.kind)?;

        let messages_values = to_parameters([
            &arrivals, &channels, &ids, &times, &authors, &names, &kinds, &answered, &mentions,
            &texts,
        ]);
        let word_values = to_parameters([&arrivals, &channels, &words]);
        let late_values = to_parameters([&arrivals, &channels, &ids]);
        let person_values = to_parameters([&person_ids, &person_names, &person_kinds]);
        let add_messages = self.prepare(ADD_MESSAGES)?;
        let add_words = self.prepare(ADD_WORDS)?;
        let mark_late = self.prepare(MARK_LATE)?;
        let add_people = self.prepare(ADD_PEOPLE)?;
        let link = self.link()?;
        let client = &link.client;
        // Sent in this order without waiting in between; the server runs them in it.
        let added = link.wait(async {
            tokio::try_join!(
                client.execute(&add_messages.statement, &messages_values),
                client.execute(&add_words.statement, &word_values),
                client.execute(&mark_late.statement, &late_values),
                client.execute(&add_people.statement, &person_values),
            )
        });
        let (messages, words, late, people) = self.note_failure(added)?;
        self.add_changes(messages + words + late + people);
        Ok(())
    }
}

impl PostgresConnection {
    /// Runs a statement that takes each column of these rows as a list.
    pub fn write_rows<R, const COLUMNS: usize>(
        &self,
        sql: &str,
        rows: &[R],
        columns: [fn(&R) -> &dyn ToColumn; COLUMNS],
    ) -> LinkResult<()> {
        let lists: Vec<Column<'_>> = columns
            .iter()
            .map(|column| bind(rows, column))
            .collect::<LinkResult<_>>()?;
        let write = self.prepare(sql)?;
        let link = self.link()?;
        let values: Vec<_> = lists
            .iter()
            .map(|list| list as &(dyn ToSql + Sync))
            .collect();
        let written = link.wait(link.client.execute(&write.statement, &values));
        self.add_changes(self.note_failure(written)?);
        Ok(())
    }
}

fn bind<'a, R, T: ToColumn + ?Sized + 'a>(
    rows: &'a [R],
    read: impl Fn(&'a R) -> &'a T,
) -> LinkResult<Column<'a>> {
    let bound = rows.iter().map(|row| BoundColumn::from_column(read(row)));
    Ok(bound.collect::<rusqlite::Result<_>>()?)
}

fn to_parameters<'a, const COLUMNS: usize>(
    columns: [&'a Column<'_>; COLUMNS],
) -> [&'a (dyn ToSql + Sync); COLUMNS] {
    columns.map(|column| column as &(dyn ToSql + Sync))
}
