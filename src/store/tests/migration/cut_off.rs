//! A migration that is cut off: at any page, by a link, by a change of what it copies.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use super::*;

/// Ends a migration at the first progress of which `is_end` says so, as the end of the process would; answers whether it came
/// so far.
fn cut_at(
    from: &DatabasePlace,
    to: &DatabasePlace,
    mut is_end: impl FnMut(MigrationProgress) -> bool,
) -> bool {
    let run = AssertUnwindSafe(|| {
        try_to_move(from, to, &mut |progress| {
            if is_end(progress) {
                resume_unwind(Box::new("cut"));
            }
        })
    });
    match catch_unwind(run) {
        Ok(done) => {
            done.expect("moved");
            false
        }
        Err(_) => true,
    }
}

fn is_copied(progress: MigrationProgress, table: &str) -> bool {
    progress.step == MigrationStep::Copying && progress.table == table
}

#[test]
fn cut_off_behind_every_page_it_goes_on_there_and_ends_with_the_same_rows() {
    let Some(test) = MigrationTest::new() else {
        return;
    };
    let (first, second) = (test.file("first.db"), test.file("second.db"));
    fill_every_table(&first);
    let schema = test.server.make_schema();
    for (from, to) in [
        (in_file(&first), on_server(&schema)),
        (on_server(&schema), in_file(&second)),
    ] {
        let (mut attempts, mut ends) =
            (0, vec![MigrationStep::Completing, MigrationStep::Comparing]);
        let mut seen = Vec::new();
        while cut_at(&from, &to, |progress| match progress.step {
            MigrationStep::Copying => {
                seen.push((progress.table, progress.rows));
                true
            }
            step => ends.pop_if(|end| *end == step).is_some(),
        }) {
            attempts += 1;
            assert!(attempts < 100, "it never ends: {seen:?}");
            let opened = try_to_open(&to).map(drop);
            let is_refused = matches!(opened, Err(StoreError::Unfinished { .. }));
            assert!(is_refused, "attempt {attempts}: {opened:?}");
        }
        let pages = |table: &str| seen.iter().filter(|(seen, _)| *seen == table).count();
        assert!(pages("messages") > 1, "of messages there are more pages");
        assert_eq!(pages("channels"), 1, "no page is copied twice");
        assert_eq!(attempts, seen.len() + 2);
    }
    assert_eq!(read_rows(&second), read_rows(&first));
}

#[test]
fn a_new_database_on_a_server_is_made_as_a_whole_or_not_at_all() {
    let Some(test) = MigrationTest::new() else {
        return;
    };
    let schema = test.server.make_schema();
    drop(try_to_open(&on_server(&schema)).expect("made"));
    // A table of the first format and one of a later one: whoever is killed between them could not go on.
    let name = &schema.name;
    let made_by = test.server.run_sql(&format!(
        "SELECT count(DISTINCT xmin::text) FROM pg_attribute WHERE attnum = 1
         AND attrelid IN ('{name}.messages'::regclass, '{name}.turn_signatures'::regclass)"
    ));
    assert_eq!(made_by, "1");
}

#[test]
fn what_is_changed_in_the_source_between_two_attempts_is_changed_in_the_target() {
    let Some(test) = MigrationTest::new() else {
        return;
    };
    let path = test.file("kith.db");
    let lines = (1..200).map(|id| said(TALK, id, "before")).collect();
    store_all(&open_file(&path), lines);
    let schema = test.server.make_schema();
    let (from, to) = (in_file(&path), on_server(&schema));
    assert!(cut_at(&from, &to, |progress| is_copied(progress, "turns")));
    let changes = vec![
        edited(TALK, 7, "after"),
        deleted(TALK, 8),
        said(TALK, 300, "late"),
    ];
    store_all(&open_file(&path), changes);
    let done = move_all(&from, &to);
    assert!(done.is_resumed);
    assert_eq!(done.copied_again, ["counter", "messages", "tombstones"]);
    let store = open_server(&schema);
    assert_eq!(
        (find(&store, "after"), find(&store, "late")),
        (vec![7], vec![300])
    );
    let history = store.load_history(TALK, None, 999).wait().expect("read");
    assert_eq!(history.len(), 199);
}

/// Moves a database, and changes the target once before it is compared.
fn move_with(from: &DatabasePlace, to: &DatabasePlace, change: impl FnOnce()) -> MigrationSummary {
    let mut change = Some(change);
    let done = try_to_move(from, to, &mut |progress| {
        if is_copied(progress, "vector_coverage")
            && let Some(change) = change.take()
        {
            change();
        }
    });
    done.expect("moved")
}

#[test]
fn a_row_that_comes_out_otherwise_is_found_and_its_table_copied_again() {
    let Some(test) = MigrationTest::new() else {
        return;
    };
    let (first, second) = (test.file("first.db"), test.file("second.db"));
    fill_every_table(&first);
    let schema = test.server.make_schema();
    let (file, server) = (in_file(&first), on_server(&schema));
    let done = move_with(&file, &server, || {
        let swap = "UPDATE reactions SET emoji = emoji || 'x'
            WHERE user_kind = (SELECT min(user_kind) FROM reactions); DELETE FROM words WHERE arrival IN
            (SELECT arrival FROM messages LIMIT 1)";
        run(test.server, &schema, swap);
    });
    assert_eq!(
        done.copied_again,
        ["messages", "reactions", "message_vectors"]
    );
    let done = move_with(&server, &in_file(&second), || {
        let conn = rusqlite::Connection::open(&second).expect("opened");
        let swap = "UPDATE people SET name = name || 'x' WHERE id = (SELECT min(id) FROM people)";
        conn.execute(swap, []).expect("changed");
    });
    assert_eq!(done.copied_again, ["people"]);
    assert_eq!(read_rows(&second), read_rows(&first));
}

#[test]
fn a_table_that_never_comes_out_the_same_is_named_and_the_target_stays_closed() {
    let Some(test) = MigrationTest::new() else {
        return;
    };
    let path = test.file("kith.db");
    store_all(
        &open_file(&path),
        vec![said(TALK, 1, "one"), said(TALK, 2, "two")],
    );
    let schema = test.server.make_schema();
    let (from, to) = (in_file(&path), on_server(&schema));
    assert!(cut_at(&from, &to, |progress| is_copied(
        progress, "counter"
    )));
    let lose = "CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN IF new.id = 2 THEN RETURN NULL; END IF; RETURN new; END $$;
        CREATE TRIGGER lose BEFORE INSERT ON messages FOR EACH ROW EXECUTE FUNCTION lose()";
    run(test.server, &schema, lose);
    let error = try_to_move(&from, &to, &mut |_| {}).expect_err("one is lost");
    let wanted = |error: &MigrationError| {
        matches!(
            error,
            MigrationError::Different {
                table: "messages",
                rows_there: 2,
                rows_here: 1,
                ..
            }
        )
    };
    assert!(wanted(&error), "{error:?}");
    let told = error.to_string();
    assert!(
        told.contains("messages") && told.contains("1 rows"),
        "{told}"
    );
    assert!(matches!(
        try_to_open(&to).map(drop),
        Err(StoreError::Unfinished { .. })
    ));
    run(test.server, &schema, "DROP TRIGGER lose ON messages");
    assert_eq!(move_all(&from, &to).messages, 2);
}

#[test]
fn while_links_are_cut_every_page_is_stored_once() {
    // One of its own: all of its links are cut.
    let Some(server) = PostgresServer::start_or_skip() else {
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let (first, second) = (
        folder.path().join("first.db"),
        folder.path().join("second.db"),
    );
    fill_every_table(&first);
    let schema = server.make_schema();
    let (file, on_server) = (in_file(&first), on_server(&schema));
    let mut pages = 0;
    let mut cut = |progress: MigrationProgress| {
        pages += 1;
        if pages % 10 == 0 && progress.step != MigrationStep::Completing {
            server.cut_links();
        }
    };
    for (from, to) in [(&file, &on_server), (&on_server, &in_file(&second))] {
        let done = try_to_move(from, to, &mut cut).expect("moved");
        assert_eq!(done.copied_again, [""; 0]);
    }
    assert_eq!(read_rows(&second), read_rows(&first));
}
