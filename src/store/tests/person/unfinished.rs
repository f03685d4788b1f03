//! Somebody is being forgotten when the process ends, or the disk fails: whoever opens the database next finishes it.

use super::*;

/// What may be the last that is not done any more, in the order of things.
const CUTS: [&str; 7] = [
    "INSERT ON former_authors",
    "UPDATE ON meta WHEN NEW.value LIKE '%xylophonequartz%'",
    "DELETE ON messages",
    "UPDATE ON turns",
    "UPDATE ON messages",
    "DELETE ON people",
    "DELETE ON meta",
];

/// Nothing of this kind can be written any more, until `mends`.
fn breaks(path: &Path, what: &str) {
    let in_file = format!("CREATE TRIGGER cut BEFORE {what} BEGIN SELECT RAISE(ABORT, 'cut off'); END");
    let (event, condition) = what.split_once(" WHEN ").unwrap_or((what, "true"));
    let on_server = format!(
        "CREATE FUNCTION cut_off() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'cut off'; END $$;
         CREATE TRIGGER cut BEFORE {event} FOR EACH ROW WHEN ({condition}) EXECUTE FUNCTION cut_off()"
    );
    change_tables(path, &in_file, &on_server);
}

fn mends(path: &Path) {
    change_tables(path, "DROP TRIGGER cut", "DROP FUNCTION cut_off() CASCADE");
}

/// Mira wants to be forgotten, and it is cut off there. Nobody else says what she said.
fn cut_off_forgetting(path: &Path, what: &str) -> bool {
    let store = create_filled_store(path);
    let others = "she is right about the pineapples";
    store_all(&store, vec![edited(TALK, 4, others)]);
    drop(store);
    breaks(path, what);
    let forgotten = open(path).forget_person(UserId(MIRA), None, AT).wait();
    mends(path);
    forgotten.is_err()
}

#[test]
fn whoever_was_being_forgotten_when_the_process_ended_is_forgotten_by_the_next() {
    let mut cuts = 0;
    for what in CUTS {
        let (_folder, path) = on_disk();
        cuts += usize::from(cut_off_forgetting(&path, what));
        let store = open(&path);
        store.finish_forgetting().wait().expect("finished");
        assert_eq!(left_of_mira(&path), [] as [&str; 0], "cut off at {what}");
        let said = texts(&store.load_history(TALK, None, 9).wait().expect("read")).join(" ");
        assert!(said.contains("pineapples it is"), "others' stays: {said}");
        let again = store.finish_forgetting().wait();
        assert_eq!(again, Ok(0), "it is done once: {what}");
    }
    // On a server the last of it comes later where other tests read the database just then.
    assert!(cuts >= CUTS.len() - 2, "else this test shows nothing");
}

#[test]
fn what_is_noted_of_who_is_not_remembered_goes_also_where_the_process_ended_before_it() {
    for what in ["UPDATE ON core_memory", "DELETE ON meta"] {
        let (_folder, path) = on_disk();
        let store = open(&path);
        store_all(
            &store,
            vec![says(TALK, 1, mira(), "I collect xylophonequartz")],
        );
        let noted = StoredBlock {
            label: "people".into(),
            text: "Bob cooks\nsomebody has xylophonequartz".into(),
            limit: 600,
            // So long before she said it that it goes behind the message, not with it.
            updated_at: -2 * kith_core::chat::DAY,
        };
        let noted = store.put_core_memory(format!("channel:{TALK}"), noted);
        noted.wait().expect("put");
        let wish = store.set_preference(UserId(MIRA), PersonPreference::DontRemember, 5);
        wish.wait().expect("set");
        drop(store);
        breaks(&path, what);
        let cut_off = open(&path).forget_unremembered(AT).wait();
        mends(&path);
        assert!(cut_off.is_err(), "else this test shows nothing");
        let finished = open(&path).finish_forgetting().wait();
        assert_eq!(finished, Ok(0), "nobody was to be forgotten");
        let left = crate::leaks::find_rows(&path, b"xylophonequartz").expect("read");
        assert!(left.is_empty(), "cut off at {what}: {left:?}");
    }
}

#[test]
fn what_failed_is_finished_as_well_when_they_ask_again() {
    let (_folder, path) = on_disk();
    assert!(cut_off_forgetting(&path, "UPDATE ON turns"));
    let store = open(&path);
    forget(&store, Some(vec![FAR]));
    assert_eq!(left_of_mira(&path), [] as [&str; 0]);
}

#[test]
fn what_they_said_after_they_asked_is_kept_when_it_is_finished() {
    let (_folder, path) = on_disk();
    assert!(cut_off_forgetting(&path, "UPDATE ON turns"));
    let store = open(&path);
    let late = AT as u64 / 1_000;
    let own = [
        says(TALK, late - 1, mira(), "this was on its way"),
        says(TALK, late + 1, mira(), "hello again"),
    ];
    store_all(&store, own.to_vec());
    assert_eq!(store.finish_forgetting().wait(), Ok(1));
    let lines = store.load_history(TALK, None, 99).wait().expect("read");
    assert!(texts(&lines).contains(&"hello again"), "{lines:?}");
    assert!(!texts(&lines).contains(&"this was on its way"), "{lines:?}");
    let people = store.people().wait().expect("read");
    assert!(people.iter().any(|person| person.id == UserId(MIRA)));
}
