//! What the database holds: of each table its columns, and what happens to its rows when a person, a place or a message is
//! erased, or when they are old. The tables of both engines, copies, erasing and listing all follow from it, so that a
//! table or a column is added here and nowhere else.

mod chat;
#[cfg(test)]
mod checks;
mod columns;
mod creation;
mod notes;
mod people;
mod turns;

pub(crate) use columns::{Column, ColumnKind, ColumnRole};

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

#[derive(Debug)]
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
