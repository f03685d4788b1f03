//! What is copied: every table that holds rows of its own, with its columns and the order in which its rows are read. What
//! the full-text index holds is made anew by the engine's own rules.

/// What a column holds, the same in every engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    Whole,
    Real,
    Text,
    Bytes,
}

/// A table that is copied row by row.
#[derive(Debug)]
pub struct MigratedTable {
    pub name: &'static str,
    /// The columns that tell a row from all others, with an index on them in both engines but for `rowid`.
    pub key: &'static str,
    columns: &'static str,
}

/// The keys of `meta` that are the engine's own, as the terms of a list.
const OWN_KEYS: &str = "'lock', 'migration', 'words.format'";

/// The table whose texts stand in the full-text index.
pub const INDEXED: &str = "messages";

/// The tables whose rows the engine numbers, with the column.
pub const NUMBERED: [(&str, &str); 5] = [
    ("outbox", "rowid"),
    ("model_usage", "rowid"),
    ("sessions", "id"),
    ("memories", "id"),
    ("vector_models", "id"),
];

/// Tables of one row, or of rows that every database has: they tell nothing of whether anything was stored.
pub const NEVER_EMPTY: [&str; 2] = ["counter", "meta"];

/// In their order: what a trigger empties with another table stands behind that.
pub const TABLES: &[MigratedTable] = &[
    MigratedTable {
        name: "meta",
        key: "key",
        columns: "key text, value text",
    },
    MigratedTable {
        name: "counter",
        key: "arrival",
        columns: "arrival whole",
    },
    MigratedTable {
        name: "channels",
        key: "id",
        columns: "id whole, guild whole, name text, topic text, kind whole, parent whole",
    },
    MigratedTable {
        name: "people",
        key: "id",
        columns: "id whole, name text, kind whole",
    },
    MigratedTable {
        name: "messages",
        key: "arrival",
        columns: "arrival whole, channel whole, id whole, at whole, author whole, author_name text, author_kind whole, reply_to whole, mentions text, edited whole, nonce text, text text",
    },
    MigratedTable {
        name: "tombstones",
        key: "channel, id",
        columns: "channel whole, id whole, arrival whole, at whole",
    },
    MigratedTable {
        name: "erased_places",
        key: "place",
        columns: "place text, at whole",
    },
    MigratedTable {
        name: "reactions",
        key: "channel, message, user, emoji",
        columns: "channel whole, message whole, user whole, emoji text, arrival whole, at whole, user_name text, user_kind whole",
    },
    MigratedTable {
        name: "read_positions",
        key: "channel",
        columns: "channel whole, message whole",
    },
    MigratedTable {
        name: "guild_read_positions",
        key: "guild",
        columns: "guild whole, message whole",
    },
    MigratedTable {
        name: "channel_states",
        key: "channel",
        columns: "channel whole, state text, saved_at whole",
    },
    MigratedTable {
        name: "intents",
        key: "channel, id",
        columns: "channel whole, id whole, made whole, after whole, expires whole, person whole, name text, word text, silence whole, time whole, note text, fired text, reminder text",
    },
    MigratedTable {
        name: "outbox",
        key: "rowid",
        columns: "rowid whole, nonce text, turn whole, part whole, channel whole, action text, cursor whole, journaled_at whole, state whole, message whole, answers text",
    },
    MigratedTable {
        name: "decisions",
        key: "arrival",
        columns: "arrival whole, message_decision text, report text, turn whole",
    },
    MigratedTable {
        name: "turns",
        key: "turn",
        columns: "turn whole, channel whole, started whole, ended whole, report text, prompts text",
    },
    MigratedTable {
        name: "turn_signatures",
        key: "turn",
        columns: "turn whole, channel whole, told bytes, shown bytes",
    },
    MigratedTable {
        name: "model_usage",
        key: "rowid",
        columns: "rowid whole, at whole, model text, channel whole, function text, calls whole, prompt whole, cached whole, completion whole, cost real",
    },
    MigratedTable {
        name: "log_messages",
        key: "log, message, turn",
        columns: "log whole, message whole, turn whole, at whole",
    },
    MigratedTable {
        name: "core_memory",
        key: "scope, label",
        columns: "scope text, label text, text text, max_chars whole, updated_at whole",
    },
    MigratedTable {
        name: "todos",
        key: "channel",
        columns: "channel whole, list text, at whole",
    },
    MigratedTable {
        name: "summaries",
        key: "channel",
        columns: "channel whole, since whole, until whole, text text, started whole",
    },
    MigratedTable {
        name: "tool_data",
        key: "scope, key",
        columns: "scope text, key text, value text, at whole",
    },
    MigratedTable {
        name: "stickers",
        key: "channel, message",
        columns: "guild whole, name text, channel whole, message whole, at whole, author whole, ending text, file bytes",
    },
    MigratedTable {
        name: "manual_overrides",
        key: "place, about",
        columns: "place text, about text, choice text, chosen_by whole, at whole",
    },
    MigratedTable {
        name: "preferences",
        key: "person",
        columns: "person bytes, preference text, at whole",
    },
    MigratedTable {
        name: "forgotten",
        key: "person, channel",
        columns: "person bytes, channel whole, until whole",
    },
    MigratedTable {
        name: "proposals",
        key: "id",
        columns: "id whole, turn whole, call whole, channel whole, subject text, made whole, expires whole, state text, is_open whole, decided_by whole, decider text, decided whole, answered text, log whole, message whole, reported whole",
    },
    MigratedTable {
        name: "sessions",
        key: "id",
        columns: "id whole, guild whole, channel whole, source whole, parent_channel whole, parent whole, turn whole, cursor whole, made whole, label text, opening text, config text, sources text, summary text",
    },
    MigratedTable {
        name: "memories",
        key: "id",
        columns: "id whole, kind whole, channel whole, person whole, said_by whole, text text, at whole, due whole, confidence real, importance real, origin whole, superseded_by whole, uses whole, used_at whole",
    },
    MigratedTable {
        name: "memory_people",
        key: "memory, person",
        columns: "memory whole, person whole",
    },
    MigratedTable {
        name: "memory_sources",
        key: "channel, message, memory",
        columns: "channel whole, message whole, memory whole, author whole",
    },
    MigratedTable {
        name: "consolidated",
        key: "channel",
        columns: "channel whole, until whole",
    },
    MigratedTable {
        name: "core_memory_versions",
        key: "scope, label, number",
        columns: "scope text, label text, number whole, at whole, text text, dates text",
    },
    MigratedTable {
        name: "departed_members",
        key: "guild, person",
        columns: "guild whole, person whole, checked whole, absent_since whole",
    },
    MigratedTable {
        name: "former_authors",
        key: "person, channel, name",
        columns: "person whole, channel whole, name text, first whole, last whole",
    },
    MigratedTable {
        name: "vector_models",
        key: "id",
        columns: "id whole, name text, dimensions whole",
    },
    MigratedTable {
        name: "message_vectors",
        key: "channel, arrival, model",
        columns: "channel whole, arrival whole, model whole, vector bytes",
    },
    MigratedTable {
        name: "vector_coverage",
        key: "channel, model",
        columns: "channel whole, model whole, first whole, last whole",
    },
];

impl MigratedTable {
    /// The columns with their kinds, in the order of the list.
    pub fn columns(&self) -> impl Iterator<Item = (&'static str, ColumnKind)> {
        self.columns.split(", ").map(|column| {
            let (name, kind) = column.split_once(' ').unwrap_or((column, ""));
            let kind = match kind {
                "whole" => ColumnKind::Whole,
                "real" => ColumnKind::Real,
                "bytes" => ColumnKind::Bytes,
                _ => ColumnKind::Text,
            };
            (name, kind)
        })
    }

    /// The names of the columns as a statement lists them.
    pub fn column_list(&self) -> String {
        let names: Vec<&str> = self.columns().map(|(name, _)| name).collect();
        names.join(", ")
    }

    /// Where the columns of the key stand among all.
    pub fn key_places(&self) -> Vec<usize> {
        let place = |key: &str| self.columns().position(|(name, _)| name == key);
        self.key.split(", ").filter_map(place).collect()
    }

    /// Which rows are copied, as a condition.
    pub fn condition(&self) -> String {
        match self.name {
            "meta" => format!("key NOT IN ({OWN_KEYS})"),
            _ => "1 = 1".into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use rusqlite::Connection;

    use super::*;
    use crate::migration::mark;
    use crate::sqlite::schema;

    type Shape = BTreeMap<String, Vec<(String, ColumnKind)>>;

    fn listed() -> Shape {
        let columns = |table: &MigratedTable| {
            let columns = table.columns().filter(|(name, _)| *name != "rowid");
            columns.map(|(name, kind)| (name.into(), kind)).collect()
        };
        TABLES
            .iter()
            .map(|table| (table.name.into(), columns(table)))
            .collect()
    }

    fn kind_of(declared: &str) -> ColumnKind {
        match declared {
            "INTEGER" | "bigint" => ColumnKind::Whole,
            "REAL" | "double" => ColumnKind::Real,
            "TEXT" | "text" => ColumnKind::Text,
            "BLOB" | "bytea" => ColumnKind::Bytes,
            other => panic!("a column of kind {other}"),
        }
    }

    #[test]
    fn every_table_and_column_of_a_file_is_copied() {
        let mut conn = Connection::open_in_memory().expect("opened");
        schema::migrate(&mut conn).expect("made");
        let mut made = Shape::new();
        for table in schema::list_tables(&conn).expect("listed") {
            let mut find = conn
                .prepare("SELECT name, type FROM pragma_table_info(?1)")
                .expect("prepared");
            let columns = find.query_map([&table], |row| {
                let declared: String = row.get(1)?;
                Ok((row.get(0)?, kind_of(&declared)))
            });
            let columns = columns.expect("asked").map(|column| column.expect("read"));
            made.insert(table.clone(), columns.collect());
        }
        assert_eq!(listed(), made);
    }

    #[test]
    fn every_table_and_column_of_a_server_is_copied() {
        let schema = concat!(
            include_str!("../postgres/schema.sql"),
            include_str!("../postgres/turn_signatures.sql")
        );
        let mut made = Shape::new();
        for table in schema.split("\nCREATE TABLE ").skip(1) {
            let (name, rest) = table.split_once(" (").expect("columns");
            let body = &rest[..rest.find(");").expect("an end")];
            let parts = body.split([',', '\n']).map(str::trim);
            let columns = parts.filter_map(|part| {
                let (column, declared) = part.trim().split_once(' ')?;
                let kind = declared.split(' ').next()?;
                let is_column = column.starts_with(|c: char| c.is_ascii_lowercase() || c == '"');
                // The order of rows, and the mark of the last commit, are the server's own.
                let is_own = column == "rowid" || (name, column) == ("counter", "mark");
                let is_column = is_column && !is_own;
                is_column.then(|| (column.trim_matches('"').into(), kind))
            });
            let columns: Vec<(String, &str)> = columns.collect();
            if name == "words" {
                continue;
            }
            let columns = columns
                .into_iter()
                .map(|(name, kind)| (name, kind_of(kind)));
            made.insert(name.into(), columns.collect());
        }
        assert_eq!(listed(), made);
    }

    #[test]
    fn every_numbered_table_goes_on_with_its_numbers() {
        let schema = include_str!("../postgres/schema.sql");
        let made = schema.matches("AS IDENTITY").count();
        assert_eq!(made, NUMBERED.len());
    }

    #[test]
    fn every_row_has_its_place_and_the_mark_is_no_row() {
        for table in TABLES {
            let key = table.key.split(", ").count();
            assert_eq!(table.key_places().len(), key, "{}", table.name);
        }
        assert!(OWN_KEYS.contains(&format!("'{}'", mark::KEY)));
    }
}
