//! What the database holds: of each table its columns, and what happens to its rows when a person, a place or a message is
//! erased, or when they are old. The tables of both engines, copies, erasing and listing all follow from it, so that a
//! table or a column is added here and nowhere else.

mod chat;
mod notes;
mod people;
mod turns;

/// What a column holds for the engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ColumnKind {
    Whole,
    Real,
    Text,
    Bytes,
    /// A server's vector of words: its index only.
    WordVector,
}

/// What a column means, as `Table::columns` declares it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ColumnRole {
    /// A number or a code of Kith's own.
    Plain,
    /// A person's id.
    Person,
    /// JSON in which ids of people stand.
    People,
    /// A person's name.
    Name,
    Channel,
    Guild,
    /// `channel:1` or `guild:1`.
    Scope,
    /// A place as JSON.
    Place,
    Moment,
    /// What people or the companion said and did, looked after line by line.
    Record,
    /// What may repeat the words of people: names, settings, reasons.
    Words,
    /// What the companion writes about people in sentences.
    Note,
}

/// The type that stands in a declaration, what SQLite and PostgreSQL call it, and what it means.
const TYPES: &[(&str, &str, &str, ColumnKind, ColumnRole)] = {
    use ColumnKind::{Bytes, Real, Text, Whole};
    const INTEGER: (&str, &str) = ("INTEGER", "bigint");
    const TEXT: (&str, &str) = ("TEXT", "text COLLATE \"C\"");
    &[
        ("INTEGER", INTEGER.0, INTEGER.1, Whole, ColumnRole::Plain),
        ("PERSON", INTEGER.0, INTEGER.1, Whole, ColumnRole::Person),
        ("CHANNEL", INTEGER.0, INTEGER.1, Whole, ColumnRole::Channel),
        ("GUILD", INTEGER.0, INTEGER.1, Whole, ColumnRole::Guild),
        ("MOMENT", INTEGER.0, INTEGER.1, Whole, ColumnRole::Moment),
        ("REAL", "REAL", "double precision", Real, ColumnRole::Plain),
        ("BLOB", "BLOB", "bytea", Bytes, ColumnRole::Plain),
        ("TEXT", TEXT.0, TEXT.1, Text, ColumnRole::Plain),
        ("PEOPLE", TEXT.0, TEXT.1, Text, ColumnRole::People),
        ("NAME", TEXT.0, TEXT.1, Text, ColumnRole::Name),
        ("SCOPE", TEXT.0, TEXT.1, Text, ColumnRole::Scope),
        ("PLACE", TEXT.0, TEXT.1, Text, ColumnRole::Place),
        ("RECORD", TEXT.0, TEXT.1, Text, ColumnRole::Record),
        ("WORDS", TEXT.0, TEXT.1, Text, ColumnRole::Words),
        ("NOTE", TEXT.0, TEXT.1, Text, ColumnRole::Note),
    ]
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Column {
    pub name: &'static str,
    pub kind: ColumnKind,
    pub role: ColumnRole,
}

/// What takes rows away with a place; `?1` is its id, or its scope.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PlaceLoss {
    /// Nothing: it tells of no place, or has to outlive it.
    Kept,
    /// The rows of which this is true of the channel.
    Channel(&'static str),
    /// The rows of which this is true of the guild.
    Guild(&'static str),
    /// The rows of which this is true of the scope of either.
    Scope(&'static str),
    /// See `place_erasure.rs`.
    InSteps,
}

/// What takes rows away with time; `?1` is the moment before which everything is old.
#[derive(Clone, Copy, Debug)]
pub(crate) enum AgeLoss {
    Kept,
    /// The rows of which this is true.
    Rows(&'static str),
    /// A column is emptied of which this is true.
    Emptied(&'static str, &'static str),
    /// See `prune.rs`.
    InSteps,
}

/// What goes when a person is forgotten. Each kind names the column that says where a row belongs: a channel counts where
/// they are forgotten, and but for what is their own also where they may have been seen.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PersonLoss {
    /// The rows with their id in the first column.
    Own(&'static str, &'static str),
    /// Their id is taken out of the first column.
    Unnamed(&'static str, &'static str),
    /// All rows.
    All(&'static str),
    /// What tells of them, as `Table::words` says.
    Telling(&'static str),
    /// Their id is taken out of the JSON in the first column.
    Ids(&'static str, &'static str),
    /// Rows and their people, sources and successors (`memories/forget.rs`).
    Memories,
    /// Requests about them or by them, and the name of who decided (`approvals.rs`).
    Proposals,
    /// Words within JSON, and summaries of where they were (`sessions.rs`).
    Sessions,
    /// Sending is given up (`journal.rs`).
    Outbox,
    /// Values by key: all of the person where nothing else is left of them.
    Meta,
    /// Their name, where nothing else is left of them.
    People,
    /// The names of direct channels, which are theirs.
    DirectNames,
    /// Large tables, a stretch at a time (`forget/`).
    InSteps,
}

/// How words go from a row that tells of what is erased.
#[derive(Clone, Copy, Debug)]
pub(crate) enum WordLoss {
    /// There are none, or they go in a way of their own.
    None,
    /// The row goes. What JSON in it says counts text by text.
    Row(&'static [&'static str]),
    /// The columns that tell are emptied: half of them would be worth nothing.
    Emptied(&'static [&'static str]),
    /// The lines that tell go.
    Lines(&'static str),
    /// The same, and with the last line the row.
    AllLines(&'static str),
    /// The passages that tell are replaced.
    Redacted(&'static [&'static str]),
}

/// What goes when a message is deleted or edited.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TextLoss {
    Kept,
    /// What repeats its text or telling words of it, in rows as old as the column says or younger.
    Repeating(Option<&'static str>),
    /// The same, but only words that nobody else says, for it is kept for long.
    QuotingSince(&'static str),
    /// The same in the rows of which this is true.
    QuotingWhere(&'static str),
    /// See `erase.rs`.
    InSteps,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Table {
    pub name: &'static str,
    /// As SQLite declares them, but that a type says what the column means (`TYPES`).
    pub columns: &'static str,
    /// What follows `CREATE`.
    pub indexes: &'static [&'static str],
    /// The columns by which rows are told apart and read in order, where that is not the primary key.
    pub order: Option<&'static str>,
    /// Which step of formats it came with.
    pub step: usize,
    /// The table with whose rows its own go, by a trigger or by who deletes those.
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "a test holds the losses against it")
    )]
    pub owner: Option<&'static str>,
    pub place: PlaceLoss,
    pub age: AgeLoss,
    pub person: &'static [PersonLoss],
    pub text: TextLoss,
    pub words: WordLoss,
}

/// A table that holds nothing of anybody.
const PLAIN: Table = Table {
    name: "",
    columns: "",
    indexes: &[],
    order: None,
    step: 0,
    owner: None,
    place: PlaceLoss::Kept,
    age: AgeLoss::Kept,
    person: &[],
    text: TextLoss::Kept,
    words: WordLoss::None,
};

/// All tables with rows of their own. What a trigger empties with another table stands behind that. What the full-text
/// index holds is made anew by each engine's own rules.
pub(crate) fn tables() -> impl Iterator<Item = &'static Table> {
    let areas = [chat::TABLES, turns::TABLES, notes::TABLES, people::TABLES];
    areas.into_iter().flatten()
}

/// How many steps led to the newest format.
pub(crate) fn count_steps() -> usize {
    tables().map(|table| table.step + 1).max().unwrap_or(0)
}

/// The columns of all tables that mean this, each with its table.
pub(crate) fn columns_of(role: ColumnRole) -> impl Iterator<Item = (&'static Table, Column)> {
    tables().flat_map(move |table| {
        let columns = table.columns().filter(move |column| column.role == role);
        columns.map(move |column| (table, column))
    })
}

/// Selects all texts of these kinds, a row a text, as the column `text`.
pub(crate) fn select_texts(roles: &[ColumnRole]) -> String {
    let texts = tables().filter_map(|table| {
        let columns = table
            .columns()
            .filter(|column| roles.contains(&column.role));
        let columns: Vec<String> = columns
            .map(|column| format!("coalesce({}, '')", column.name))
            .collect();
        let texts = columns.join(" || ' ' || ");
        (!columns.is_empty()).then(|| format!("SELECT {texts} AS text FROM {}", table.name))
    });
    texts.collect::<Vec<_>>().join(" UNION ALL ")
}

impl Table {
    pub fn columns(&self) -> impl Iterator<Item = Column> + use<> {
        let is_column =
            |part: &&str| !part.starts_with("PRIMARY KEY (") && !part.starts_with("UNIQUE (");
        let rowid = (self.order == Some("rowid")).then_some("rowid INTEGER");
        let declared = self.columns.split(", ").take_while(is_column);
        rowid.into_iter().chain(declared).map(|part| {
            let mut words = part.split(' ');
            let name = words.next().unwrap_or_default();
            let declared = words.next().unwrap_or_default();
            let known = TYPES.iter().find(|known| known.0 == declared);
            let (kind, role) = known.map_or((ColumnKind::Text, ColumnRole::Plain), |known| {
                (known.3, known.4)
            });
            Column { name, kind, role }
        })
    }

    /// The names of the columns as a statement lists them.
    pub fn column_list(&self) -> String {
        let names: Vec<&str> = self.columns().map(|column| column.name).collect();
        names.join(", ")
    }

    pub fn role_of(&self, name: &str) -> Option<ColumnRole> {
        let mut columns = self.columns();
        columns
            .find(|column| column.name == name)
            .map(|column| column.role)
    }

    /// Whether a value must stand in a column.
    pub fn is_required(&self, name: &str) -> bool {
        let declared = self
            .columns
            .split(", ")
            .find_map(|part| part.strip_prefix(name));
        declared.is_some_and(|declared| declared.starts_with(' ') && declared.contains(" NOT NULL"))
    }

    /// The columns that tell a row from all others, as a statement lists them.
    pub fn key(&self) -> &'static str {
        let inline = || {
            self.columns
                .split(", ")
                .find(|part| part.contains(" PRIMARY KEY"))
        };
        let listed = self.columns.split_once("PRIMARY KEY (");
        let listed = listed.and_then(|(_, rest)| Some(rest.split_once(')')?.0));
        let inline = || inline().and_then(|part| part.split(' ').next());
        self.order.or(listed).or_else(inline).unwrap_or_default()
    }

    /// Where the columns of the key stand among all.
    pub fn key_places(&self) -> Vec<usize> {
        let place = |key: &str| self.columns().position(|column| column.name == key);
        self.key().split(", ").filter_map(place).collect()
    }

    /// What makes it in a file.
    pub fn create_in_file(&self) -> String {
        let columns = self.to_engine(|(_, sqlite, ..)| sqlite);
        // Else SQLite would keep the key twice, but where the order of rows says what came first.
        let is_by_key = self.order != Some("rowid") && self.columns.contains("PRIMARY KEY");
        let is_numbered = self
            .columns()
            .next()
            .is_some_and(|first| first.kind == ColumnKind::Whole && first.name == self.key());
        let ending = if is_by_key && !is_numbered {
            " WITHOUT ROWID"
        } else {
            ""
        };
        format!(
            "CREATE TABLE {} ({columns}){ending};\n{}",
            self.name,
            self.create_indexes()
        )
    }

    /// What makes it on a server.
    pub fn create_on_server(&self) -> String {
        let columns = self.to_engine(|(.., postgres, _, _)| postgres);
        let columns = columns.replace("AUTOINCREMENT", "GENERATED BY DEFAULT AS IDENTITY");
        // A server has an index over small letters for it.
        let columns = match columns.split_once(" COLLATE NOCASE") {
            Some((before, after)) => {
                [before, after.split(", UNIQUE (").next().unwrap_or_default()].concat()
            }
            None => columns,
        };
        let rowid = match (self.order, self.columns.contains("PRIMARY KEY")) {
            (Some("rowid"), true) => "rowid bigint GENERATED ALWAYS AS IDENTITY, ",
            (Some("rowid"), false) => "rowid bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, ",
            _ => "",
        };
        let columns = columns
            .replace(" user ", " \"user\" ")
            .replace(" user,", " \"user\",");
        format!(
            "CREATE TABLE {} ({rowid}{columns});\n{}",
            self.name,
            self.create_indexes()
        )
    }

    fn to_engine(
        &self,
        name: impl Fn(&(&str, &'static str, &'static str, ColumnKind, ColumnRole)) -> &'static str,
    ) -> String {
        let words = self.columns.split(' ').map(|word| {
            let bare = word.trim_end_matches(',');
            match TYPES.iter().find(|known| known.0 == bare) {
                Some(known) => word.replacen(bare, name(known), 1),
                None => word.to_owned(),
            }
        });
        words.collect::<Vec<_>>().join(" ")
    }

    fn create_indexes(&self) -> String {
        self.indexes
            .iter()
            .map(|index| format!("CREATE {index};\n"))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use kith_testkit::postgres::PostgresServer;
    use rusqlite::Connection;

    use super::*;
    use crate::Store;
    use crate::sqlite::schema;
    use crate::values::ReadRow;

    /// Table, column and kind, as the catalogue has them.
    fn list_columns() -> BTreeSet<(String, String, String)> {
        let columns = tables().flat_map(|table| {
            let columns = table.columns().filter(|column| column.name != "rowid");
            columns.map(|column| {
                let kind = format!("{:?}", column.kind);
                (table.name.into(), column.name.into(), kind)
            })
        });
        columns.collect()
    }

    fn kind_of(declared: &str) -> String {
        let kind = match declared {
            "INTEGER" | "bigint" => ColumnKind::Whole,
            "REAL" | "double precision" => ColumnKind::Real,
            "TEXT" | "text" => ColumnKind::Text,
            "BLOB" | "bytea" => ColumnKind::Bytes,
            other => panic!("a column of kind {other}"),
        };
        format!("{kind:?}")
    }

    #[test]
    fn a_new_file_has_every_table_and_column_and_no_other() {
        let mut conn = Connection::open_in_memory().expect("opened");
        schema::migrate(&mut conn).expect("made");
        let mut made = BTreeSet::new();
        for table in schema::list_tables(&conn).expect("listed") {
            let find = conn.prepare("SELECT name, type FROM pragma_table_info(?1)");
            let mut find = find.expect("prepared");
            let columns = find.query_map([&table], |row| Ok((row.read(0)?, row.read(1)?)));
            for column in columns.expect("asked") {
                let (name, declared): (String, String) = column.expect("read");
                made.insert((table.clone(), name, kind_of(&declared)));
            }
        }
        assert_eq!(list_columns(), made);
    }

    #[test]
    fn a_new_server_has_every_table_and_column_and_no_other() {
        let Some(server) = PostgresServer::shared() else {
            return;
        };
        let schema = server.make_schema();
        let address = schema.url.parse().expect("an address");
        drop(Store::open_server(&address).expect("made"));
        // The order of rows, the mark of the last commit and the index of words are the server's own.
        let ask = format!(
            "SELECT table_name, column_name, data_type FROM information_schema.columns WHERE table_schema = '{}'
             AND column_name NOT IN ('rowid', 'mark') AND table_name NOT IN ('words', 'word_counts', 'kith_format')",
            schema.name
        );
        let read = server.run_sql(&ask);
        let made = read.lines().map(|line| {
            let parts: Vec<&str> = line.split('|').collect();
            (parts[0].into(), parts[1].into(), kind_of(parts[2]))
        });
        assert_eq!(list_columns(), made.collect());
    }

    #[test]
    fn every_table_has_a_key_and_knows_the_types_and_columns_it_names() {
        for table in tables() {
            let key = table.key().split(", ").count();
            assert_eq!(table.key_places().len(), key, "{}", table.name);
            for part in table
                .columns
                .split(", ")
                .filter(|part| part.contains(' ') && !part.contains('('))
            {
                let declared = part.split(' ').nth(1).unwrap_or_default();
                let is_known = TYPES.iter().any(|known| known.0 == declared);
                assert!(is_known, "{}: {part}", table.name);
            }
            let owner = table
                .owner
                .map(|owner| tables().any(|table| table.name == owner));
            assert_ne!(owner, Some(false), "{}", table.name);
        }
    }

    #[test]
    fn what_holds_words_or_people_says_how_they_are_erased() {
        use ColumnRole::{Name, Note, Person, Record, Words};
        for role in [Person, Name, Record, Words, Note] {
            for (table, column) in columns_of(role) {
                let (table, column) = (table.name, column.name);
                let found = tables().find(|known| known.name == table);
                let found = found.expect("itself");
                let of_owner = found.owner.is_some();
                assert!(
                    of_owner || !found.person.is_empty(),
                    "{table}.{column} outlives its person"
                );
                let is_text = [Record, Words, Note].contains(&role);
                let is_kept = matches!(found.text, TextLoss::Kept);
                assert!(
                    !is_text || of_owner || !is_kept,
                    "{table}.{column} outlives its message"
                );
            }
        }
    }

    #[test]
    fn what_a_loss_names_is_there() {
        let mut conn = Connection::open_in_memory().expect("opened");
        schema::migrate(&mut conn).expect("made");
        let check = |table: &Table, condition: &str| {
            let ask = format!("SELECT 1 FROM {} WHERE {condition}", table.name);
            let asked = conn.prepare(&ask).and_then(|mut find| find.exists([1]));
            assert!(asked.is_ok(), "{ask}: {asked:?}");
        };
        for table in tables() {
            match table.place {
                PlaceLoss::Channel(of) | PlaceLoss::Guild(of) | PlaceLoss::Scope(of) => {
                    check(table, of)
                }
                PlaceLoss::Kept | PlaceLoss::InSteps => {}
            }
            match table.age {
                AgeLoss::Rows(of) | AgeLoss::Emptied(_, of) => check(table, of),
                AgeLoss::Kept | AgeLoss::InSteps => {}
            }
        }
    }
}
