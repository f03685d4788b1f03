//! Light damage to the database: it is noticed at the start, with a way out, or it is harmless, which is proven by
//! comparing all that is kept.

mod log_capture;
mod recovery;

use std::collections::BTreeMap;

use kith_store::recover;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use rusqlite::types::ValueRef;

use log_capture::capture_log;

use super::*;

/// More messages than fit on one page of the table, and of each index.
const MESSAGES: u64 = 1_500;
const PAGE: usize = 4_096;
/// How many single bits are flipped, each in a database of its own.
const FLIPS: u32 = 40;

fn text_of(id: u64) -> String {
    match id {
        // Longer than a page, so that it goes on in pages of its own.
        700 => format!("long message {}", "and so on ".repeat(2_000)),
        _ => format!(
            "message {id} about gardens, trains and the weather of day {}",
            id % 365
        ),
    }
}

/// A database as it is after a clean stop, with something on every kind of page.
fn filled() -> (tempfile::TempDir, PathBuf) {
    let (folder, path) = on_disk();
    let store = open(&path);
    for ids in (1..=MESSAGES).collect::<Vec<_>>().chunks(100) {
        store_all(
            &store,
            ids.iter()
                .map(|id| said(TALK, *id, &text_of(*id)))
                .collect(),
        );
    }
    store_all(&store, vec![deleted(TALK, 7)]);
    for number in 0..300 {
        store
            .set_meta(format!("key {number}"), "value ".repeat(20))
            .wait()
            .expect("kept");
    }
    memories::remember_much(&store);
    drop(store);
    // Free pages, as deleting leaves them.
    let conn = rusqlite::Connection::open(&path).expect("opened");
    conn.execute_batch("CREATE TABLE gone AS SELECT text FROM messages LIMIT 500; DROP TABLE gone")
        .expect("made");
    drop(conn);
    (folder, path)
}

/// All rows of all tables, readable.
fn dump(path: &Path) -> rusqlite::Result<BTreeMap<String, Vec<String>>> {
    let conn = rusqlite::Connection::open(path)?;
    let names = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name";
    let tables: Vec<String> = conn
        .prepare(names)?
        .query_map([], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    let mut all = BTreeMap::new();
    // What belongs to the index is compared by what it finds.
    for table in tables
        .into_iter()
        .filter(|table| !table.starts_with("word"))
    {
        let mut rows = conn.prepare(&format!("SELECT * FROM \"{table}\" NOT INDEXED"))?;
        let columns = rows.column_count();
        let rows = rows.query_map([], |row| {
            let cell = |column| match row.get_ref(column)? {
                ValueRef::Text(bytes) => Ok(String::from_utf8_lossy(bytes).into_owned()),
                other => Ok(format!("{other:?}")),
            };
            Ok((0..columns)
                .map(cell)
                .collect::<rusqlite::Result<Vec<_>>>()?
                .join("|"))
        })?;
        all.insert(table, rows.collect::<Result<_, _>>()?);
    }
    let words = "CREATE VIRTUAL TABLE temp.all_words USING fts5vocab(main, words, instance)";
    conn.execute_batch(words)?;
    let mut words = conn.prepare("SELECT term, doc, col, offset FROM temp.all_words")?;
    let word = |row: &rusqlite::Row<'_>| {
        let term = String::from_utf8_lossy(row.get_ref(0)?.as_bytes()?).into_owned();
        Ok(format!(
            "{term} {} {:?} {}",
            row.get::<_, i64>(1)?,
            row.get_ref(2)?,
            row.get::<_, i64>(3)?
        ))
    };
    let words = words
        .query_map([], word)?
        .collect::<rusqlite::Result<Vec<_>>>()?;
    let of = |word: &String| {
        word.split(' ')
            .nth(1)
            .and_then(|doc| doc.parse::<u64>().ok())
    };
    // Those of the messages that the test writes after the damage are left out.
    all.insert(
        "words".into(),
        words
            .into_iter()
            .filter(|word| of(word) <= Some(MESSAGES))
            .collect(),
    );
    Ok(all)
}

/// Where the pages of a table or an index are, by their kind.
fn pages(path: &Path, name: &str, kind: &str) -> Vec<usize> {
    let conn = rusqlite::Connection::open(path).expect("opened");
    let find = "SELECT pageno FROM dbstat WHERE name = ?1 AND pagetype = ?2 ORDER BY pageno";
    let mut find = conn.prepare(find).expect("dbstat");
    let found = find
        .query_map([name, kind], |row| row.get::<_, i64>(0))
        .expect("asked");
    found
        .map(|page| (page.expect("a page") as usize - 1) * PAGE)
        .collect()
}

fn page(path: &Path, name: &str, kind: &str) -> usize {
    let all = pages(path, name, kind);
    assert!(!all.is_empty(), "{name} has no {kind} page");
    all[all.len() / 2]
}

fn position(bytes: &[u8], text: &str) -> usize {
    bytes
        .windows(text.len())
        .position(|window| window == text.as_bytes())
        .expect("it is there")
}

/// What the log says while something is done.
/// What came of starting on a damaged database.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Outcome {
    /// It does not start, and says what to do.
    Refused,
    /// It starts and says what may be missing.
    Told,
    /// It starts, and nothing of what is kept is different.
    Harmless,
    /// It starts, and a letter of what is kept or indexed is another one: no database without checksums can know that.
    Letter,
}

fn start(path: &Path, before: &BTreeMap<String, Vec<String>>) -> Outcome {
    let (opened, said) = capture_log(|| Store::open(path));
    let store = match opened {
        Err(error) => {
            let told = error.to_string();
            let ways = [
                "kith recover",
                "is not a database of Kith",
                "by a newer version",
            ];
            assert!(
                ways.iter().any(|way| told.contains(way)),
                "no way out is told: {told}"
            );
            return Outcome::Refused;
        }
        Ok(store) => store,
    };
    // It works: new things are stored, found and gone again.
    let new = vec![said_now(), deleted(TALK, MESSAGES + 1)];
    let written = store.append(new).wait().map(drop);
    let has_found = find(&store, "gardens").len() > 1;
    // What only a write comes upon is noticed then.
    if let Err(error) = written.and_then(|()| store.check().wait()) {
        assert!(error.to_string().contains("kith recover"), "{error}");
        return Outcome::Refused;
    }
    drop(store);
    if said.contains("may be missing") {
        return Outcome::Told;
    }
    let mut after = dump(path).expect("read");
    let mut before = before.clone();
    for all in [&mut before, &mut after] {
        // What starting and the test write.
        ["counter", "tombstones"]
            .iter()
            .for_each(|table| drop(all.remove(*table)));
        all.get_mut("meta")
            .expect("kept")
            .retain(|row| !row.starts_with("lock"));
    }
    if after == before {
        assert!(has_found, "the index finds");
        return Outcome::Harmless;
    }
    // A letter of the index: a word is found where it does not stand, or is not found where it does.
    let words = [&mut before, &mut after].map(|all| all.remove("words").expect("read"));
    if after == before {
        assert_ne!(words[0], words[1]);
        return Outcome::Letter;
    }
    let rows = |all: BTreeMap<_, Vec<String>>| all.into_values().flatten().collect::<Vec<_>>();
    let (after, before) = (rows(after), rows(before));
    let different: Vec<_> = after
        .iter()
        .zip(&before)
        .filter(|(after, before)| after != before)
        .collect();
    let counts = (after.len(), different.len());
    assert_eq!(
        counts,
        (before.len(), 1),
        "more than a letter is different: {different:?}"
    );
    Outcome::Letter
}

fn said_now() -> ChatEvent {
    said(TALK, MESSAGES + 1, "gardens again")
}

fn copied(from: &Path) -> (tempfile::TempDir, PathBuf) {
    let (folder, path) = on_disk();
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
    for entry in std::fs::read_dir(from.parent().expect("a folder")).expect("read") {
        let entry = entry.expect("an entry").path();
        std::fs::copy(
            &entry,
            path.with_file_name(entry.file_name().expect("a name")),
        )
        .expect("copied");
    }
    (folder, path)
}

/// Changes the bytes of a file.
type Damage = Box<dyn Fn(&mut Vec<u8>)>;

fn set(at: usize, new: &'static [u8]) -> Damage {
    Box::new(move |bytes| bytes[at..at + new.len()].copy_from_slice(new))
}

fn flip(at: usize) -> Damage {
    Box::new(move |bytes| bytes[at] ^= 0xff)
}

fn damage_header() -> Vec<(&'static str, Damage)> {
    vec![
        ("magic", flip(3)),
        ("page size", set(16, &[0x20, 0])),
        ("write version", set(18, &[9])),
        ("read version", set(19, &[9])),
        ("reserved bytes", set(20, &[40])),
        ("shares of pages", set(21, &[1, 2, 3])),
        ("change counter", flip(26)),
        ("number of pages", set(28, &[0, 0, 0, 3])),
        ("first free page", set(32, &[0, 0, 0, 2])),
        ("number of free pages", set(36, &[0, 0, 1, 0])),
        ("schema cookie", flip(43)),
        ("schema format", set(44, &[0, 0, 0, 77])),
        ("text encoding", set(56, &[0, 0, 0, 2])),
        ("older format", set(60, &[0, 0, 0, 3])),
        ("newer format", set(60, &[0, 0, 0, 99])),
        ("application", flip(70)),
        ("unused header", flip(80)),
    ]
}

fn damage_pages(whole: &Path, bytes: &[u8]) -> Vec<(&'static str, Damage)> {
    let at = |name: &str, kind: &str| page(whole, name, kind);
    let leaf = at("messages", "leaf");
    let cell =
        |page: usize| page + usize::from(u16::from_be_bytes([bytes[page + 8], bytes[page + 9]]));
    let (in_text, in_table_sql) = (
        position(bytes, "message 900 about"),
        position(bytes, "CREATE TABLE people"),
    );
    let free = usize::try_from(u32::from_be_bytes([
        bytes[32], bytes[33], bytes[34], bytes[35],
    ]))
    .unwrap();
    assert!(free > 0, "there are free pages");
    vec![
        ("list of tables", flip(in_table_sql + 2)),
        ("kind of a table page", flip(leaf)),
        ("number of cells", set(leaf + 3, &[0xff, 0xff])),
        ("place of a cell", set(leaf + 8, &[0, 1])),
        ("length of a cell", flip(cell(leaf))),
        ("number of a row", flip(cell(leaf) + 2)),
        ("text that is none", set(in_text + 3, &[0xff, 0xfe])),
        ("a letter", set(in_text + 3, b"z")),
        (
            "a page within a table",
            flip(at("messages", "internal") + 9),
        ),
        (
            "key of an index",
            flip(cell(at("messages_by_id", "leaf")) + 4),
        ),
        ("page of an index", flip(at("messages_by_time", "leaf"))),
        (
            "page within an index",
            flip(at("messages_by_id", "internal") + 5),
        ),
        ("a page that goes on", flip(at("messages", "overflow") + 1)),
        ("full-text data", flip(cell(at("words_data", "leaf")) + 40)),
        ("full-text list", flip(at("words_idx", "leaf") + PAGE - 3)),
        ("full-text sizes", flip(cell(at("words_docsize", "leaf")))),
        ("full-text pages", flip(at("words_data", "leaf") + 1)),
        ("free page", set((free - 1) * PAGE + 100, b"whatever")),
        ("key and value", flip(at("meta", "leaf") + 6)),
        (
            "half a page gone",
            Box::new(|bytes| bytes.truncate(bytes.len() - PAGE / 2)),
        ),
        (
            "five pages gone",
            Box::new(|bytes| bytes.truncate(bytes.len() - 5 * PAGE)),
        ),
        (
            "empty page",
            Box::new(move |bytes| bytes[leaf..leaf + PAGE].fill(0)),
        ),
        (
            "nothing but its beginning",
            Box::new(|bytes| bytes.truncate(700)),
        ),
    ]
}

#[test]
fn light_damage_is_noticed_at_the_start_or_is_harmless() {
    let (_folder, whole) = filled();
    let before = dump(&whole).expect("read");
    let bytes = std::fs::read(&whole).expect("read");
    let mut kinds = damage_header();
    kinds.extend(damage_pages(&whole, &bytes));
    let harmless = [
        "change counter",
        "schema cookie",
        "unused header",
        "free page",
    ];
    for (kind, damage) in &kinds {
        let (_folder, path) = copied(&whole);
        let mut bytes = bytes.clone();
        damage(&mut bytes);
        std::fs::write(&path, &bytes).expect("written");
        let expected = match *kind {
            "a letter" => Outcome::Letter,
            kind if harmless.contains(&kind) => Outcome::Harmless,
            _ => Outcome::Refused,
        };
        let outcome = start(&path, &before);
        // Some header bytes mean nothing to this SQLite: then nothing is different, which is proven.
        let is_fine = outcome == expected || outcome == Outcome::Harmless;
        assert!(is_fine, "{kind}: {outcome:?}");
    }
}

#[test]
fn a_damaged_write_ahead_log_is_told_and_a_torn_or_used_up_one_is_not() {
    type Damage = fn(&mut Vec<u8>);
    let (_folder, whole) = filled();
    let store = open(&whole);
    for id in MESSAGES + 10..MESSAGES + 30 {
        store_all(&store, vec![said(TALK, id, &text_of(id))]);
    }
    let log = |path: &Path| PathBuf::from(format!("{}-wal", path.display()));
    let frame = PAGE + 24;
    assert!(
        std::fs::read(log(&whole)).expect("read").len() > 32 + 3 * frame,
        "what was stored is in the log"
    );
    let kinds: [(&str, Damage, bool); 9] = [
        ("nothing", |_| {}, false),
        ("magic", |bytes| bytes[0] ^= 1, true),
        ("salt", |bytes| bytes[17] ^= 1, true),
        ("page size", |bytes| bytes[10] ^= 0xff, true),
        ("first page", |bytes| bytes[32 + 24 + 100] ^= 1, true),
        (
            "salt of a page",
            |bytes| bytes[32 + (PAGE + 24) + 9] ^= 1,
            true,
        ),
        ("last page", |bytes| *bytes.last_mut().unwrap() ^= 1, true),
        ("torn", |bytes| bytes.truncate(bytes.len() - 500), false),
        ("used up", |bytes| bytes.extend([7; 3 * (PAGE + 24)]), false),
    ];
    for (kind, damage, is_told) in kinds {
        let (_folder, path) = copied(&whole);
        let mut bytes = std::fs::read(log(&path)).expect("read");
        damage(&mut bytes);
        std::fs::write(log(&path), &bytes).expect("written");
        let (opened, told) = capture_log(|| Store::open(&path));
        let opened = opened.unwrap_or_else(|error| panic!("{kind}: {error}"));
        assert_eq!(
            told.contains("the write-ahead log"),
            is_told,
            "{kind}: {told}"
        );
        assert_eq!(opened.check().wait(), Ok(()), "{kind}");
        store_all(&opened, vec![said(TALK, 9_000, "and on it goes")]);
    }
    // What is only an index of the log is made anew.
    let (_folder, path) = copied(&whole);
    std::fs::write(format!("{}-shm", path.display()), vec![0x5a; 32 * 1024]).expect("written");
    let opened = open(&path);
    assert_eq!(
        opened
            .load_history(TALK, None, 20)
            .wait()
            .expect("read")
            .len(),
        20
    );
    assert_eq!(
        opened.find_newest_ids(TALK, 1).wait(),
        Ok(vec![MessageId(MESSAGES + 29)])
    );
}

#[test]
fn any_byte_may_be_another_one() {
    let (_folder, whole) = filled();
    let before = dump(&whole).expect("read");
    let bytes = std::fs::read(&whole).expect("read");
    let mut chance = ChaCha8Rng::seed_from_u64(25);
    let mut outcomes: BTreeMap<String, u32> = BTreeMap::new();
    for _ in 0..FLIPS {
        let (_folder, path) = copied(&whole);
        let mut bytes = bytes.clone();
        let at = chance.random_range(0..bytes.len());
        bytes[at] ^= 1 << chance.random_range(0..8);
        std::fs::write(&path, &bytes).expect("written");
        *outcomes
            .entry(format!("{:?}", start(&path, &before)))
            .or_default() += 1;
    }
    assert!(outcomes.len() > 1, "some of it is noticed: {outcomes:?}");
}

#[test]
fn a_large_database_is_looked_through_beside_its_use() {
    let (_folder, path) = filled();
    let free = {
        let conn = rusqlite::Connection::open(&path).expect("opened");
        conn.execute_batch(
            "CREATE TABLE large (x BLOB); INSERT INTO large VALUES (zeroblob(17 * 1024 * 1024))",
        )
        .expect("made");
        page(&path, "large", "overflow")
    };
    let store = open(&path);
    assert!(store.is_unchecked());
    assert_eq!(store.check().wait(), Ok(()));
    drop(store);
    let mut bytes = std::fs::read(&path).expect("read");
    bytes[free..free + 4].copy_from_slice(&[0, 0, 0, 2]);
    std::fs::write(&path, &bytes).expect("written");
    let store = open(&path);
    let error = store.check().wait().expect_err("noticed").to_string();
    assert!(error.contains("kith recover"), "{error}");
}
