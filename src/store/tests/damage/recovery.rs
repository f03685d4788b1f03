//! What can be read of a damaged database is recovered into a new one.

use super::*;

/// It is a database like any other: complete, found in, and written on; nothing lies beside it.
fn assert_works(path: &Path, kind: &str) {
    let store = open(path);
    assert_eq!(store.check().wait(), Ok(()), "{kind}");
    assert!(find(&store, "gardens").len() > 1, "{kind}");
    let stored = store_all(&store, vec![said_now()]);
    assert!(
        stored[0].new && stored[0].arrival > MESSAGES,
        "{kind}: {stored:?}"
    );
    assert!(
        !store_all(&store, vec![said(TALK, 7, "back again")])[0].new,
        "{kind}: what was deleted stays deleted"
    );
    drop(store);
    let left: Vec<_> = std::fs::read_dir(path.parent().unwrap())
        .unwrap()
        .map(|file| file.unwrap().file_name())
        .collect();
    assert!(
        left.iter()
            .all(|name| !name.to_string_lossy().contains(".copy")),
        "{kind}: {left:?}"
    );
}

#[test]
fn what_can_be_read_of_a_damaged_database_is_got_out_of_it() {
    /// What it is called, what is written where, and how many messages may be lost by it.
    type Damage = (&'static str, Vec<(usize, Vec<u8>)>, u64);
    let (_folder, whole) = filled();
    let before = dump(&whole).expect("read");
    let bytes = std::fs::read(&whole).expect("read");
    let leaves = pages(&whole, "messages", "leaf");
    let damages: [Damage; 6] = [
        ("header", vec![(0, vec![9; 24]), (32, vec![9; 30])], 0),
        (
            "an index",
            vec![(page(&whole, "messages_by_id", "internal"), vec![9; PAGE])],
            0,
        ),
        (
            "full text",
            vec![(page(&whole, "words_data", "leaf"), vec![9; PAGE])],
            0,
        ),
        ("a page of messages", vec![(leaves[10], vec![0; PAGE])], 60),
        (
            "three pages of messages",
            [5, 15, 20]
                .map(|leaf| (leaves[leaf], vec![0; PAGE]))
                .to_vec(),
            240,
        ),
        (
            "keys and values",
            vec![(page(&whole, "meta", "leaf"), vec![0; PAGE])],
            0,
        ),
    ];
    for (kind, damages, most_lost) in damages {
        let (_folder, path) = copied(&whole);
        let mut bytes = bytes.clone();
        for (at, new) in &damages {
            bytes[*at..at + new.len()].copy_from_slice(new);
        }
        std::fs::write(&path, &bytes).expect("written");
        Store::open(&path)
            .err()
            .unwrap_or_else(|| panic!("{kind}: it starts"));
        let found = recover(&path).unwrap_or_else(|error| panic!("{kind}: {error}"));
        assert_eq!(
            std::fs::read(&found.kept).expect("kept"),
            bytes,
            "{kind}: the damaged one is kept as it was"
        );
        let messages = |all: &BTreeMap<String, Vec<String>>| all["messages"].len() as u64;
        let after = dump(&path).expect("read");
        let lost = messages(&before) - messages(&after);
        assert!(lost <= most_lost, "{kind}: {lost} messages lost");
        assert_eq!(
            found.incomplete.contains(&"messages".to_owned()),
            most_lost > 0,
            "{kind}: {found:?}"
        );
        assert_eq!(
            found.lost_preferences(),
            if kind == "keys and values" {
                vec!["meta"]
            } else {
                vec![]
            },
            "{kind}"
        );
        assert_works(&path, kind);
    }
}

#[test]
fn vectors_come_along_or_where_some_are_lost_all_are_made_anew() {
    const MODEL: &str = "small-embedder";
    let (_folder, whole) = on_disk();
    let store = open(&whole);
    let lines = (1..=400).map(|id| said(TALK, id, &text_of(id)));
    store_all(&store, lines.collect());
    let made = vectors::embed_all(&store, MODEL, &[TALK], 100);
    drop(store);
    let count = |path: &Path| -> usize {
        let conn = rusqlite::Connection::open(path).expect("opened");
        let count = "SELECT count(vector) FROM message_vectors";
        conn.query_row(count, [], |row| row.get::<_, i64>(0))
            .expect("counted") as usize
    };
    let all = count(&whole);
    assert_eq!(all, made.concat().len());

    let (_folder, path) = copied(&whole);
    let found = recover(&path).expect("recovered");
    assert_eq!(found.incomplete, [""; 0]);
    let left = vectors::embed_all(&open(&path), MODEL, &[TALK], 100);
    assert_eq!((count(&path), left.len()), (all, 0), "none is made twice");

    let (_folder, path) = copied(&whole);
    let mut bytes = std::fs::read(&path).expect("read");
    let leaf = pages(&path, "message_vectors", "leaf")[3];
    bytes[leaf..leaf + PAGE].fill(0);
    std::fs::write(&path, bytes).expect("written");
    let found = recover(&path).expect("recovered");
    assert_eq!(found.incomplete, ["message_vectors"]);
    assert_eq!(count(&path), 0, "{found:?}");
    vectors::embed_all(&open(&path), MODEL, &[TALK], 100);
    assert_eq!(count(&path), all);
}

#[test]
fn nothing_is_recovered_from_what_is_in_use_or_holds_nothing() {
    let (_folder, path) = filled();
    let store = open(&path);
    assert!(matches!(recover(&path), Err(StoreError::InUse { .. })));
    drop(store);
    std::fs::write(&path, vec![3; 20 * PAGE]).expect("written");
    let error = recover(&path).expect_err("nothing is there").to_string();
    assert!(error.contains("is damaged"), "{error}");
    assert_eq!(
        std::fs::read(&path).expect("read"),
        vec![3; 20 * PAGE],
        "it is left as it is"
    );
}
