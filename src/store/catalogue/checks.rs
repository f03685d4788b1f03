//! Holds the catalogue against freshly made databases of both engines, and its losses against its columns.

use std::collections::BTreeSet;

use kith_testkit::postgres::PostgresServer;
use rusqlite::Connection;

use super::columns::TYPES;
use super::*;
use crate::handle::Store;
use crate::sqlite::schema;
use crate::values::ReadRow;

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
