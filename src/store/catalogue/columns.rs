//! The columns of a table: what they hold for the engines, and what they mean.

use super::Table;

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
pub(super) const TYPES: &[(&str, &str, &str, ColumnKind, ColumnRole)] = {
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

    pub fn key_places(&self) -> Vec<usize> {
        let place = |key: &str| self.columns().position(|column| column.name == key);
        self.key().split(", ").filter_map(place).collect()
    }
}
