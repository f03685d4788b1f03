//! What is not moved, and what nobody can open before it is moved whole.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use kith_language::Language;
use kith_store::{backup, read_usage};

use super::*;

fn refuse(from: &DatabasePlace, to: &DatabasePlace) -> MigrationError {
    try_to_move(from, to, &mut |_| {}).expect_err("refused")
}

/// Leaves the first page of a migration behind.
fn begin(from: &DatabasePlace, to: &DatabasePlace) {
    let run = AssertUnwindSafe(|| try_to_move(from, to, &mut |_| resume_unwind(Box::new("cut"))));
    assert!(catch_unwind(run).is_err());
}

fn make_file(path: &Path) -> DatabasePlace {
    store_all(&open_file(path), vec![said(TALK, 1, "hello")]);
    in_file(path)
}

#[test]
fn a_running_kith_on_either_side_is_told_of() {
    let Some(test) = MigrationTest::new() else {
        return;
    };
    let path = test.file("kith.db");
    let (file, schema) = (make_file(&path), test.server.make_schema());
    let server = on_server(&schema);
    move_all(&file, &server);
    for running in [&file, &server] {
        let _running = try_to_open(running).expect("opened");
        for (from, to) in [(&file, &server), (&server, &file)] {
            let error = migrate(from, to, &mut |_| {}).expect_err("refused");
            let is_in_use = matches!(error, MigrationError::Store(StoreError::InUse { .. }));
            assert!(is_in_use, "{running}: {error:?}");
        }
    }
}

#[test]
fn nobody_opens_a_part_of_a_database() {
    let Some(test) = MigrationTest::new() else {
        return;
    };
    let (path, part) = (test.file("kith.db"), test.file("part.db"));
    let (file, schema) = (make_file(&path), test.server.make_schema());
    begin(&file, &on_server(&schema));
    let whole = test.server.make_schema();
    move_all(&file, &on_server(&whole));
    begin(&on_server(&whole), &in_file(&part));
    let day = chrono::NaiveDate::default();
    for place in [on_server(&schema), in_file(&part)] {
        let refused = [
            try_to_open(&place).map(drop),
            read_usage(&place, day, day).map(drop),
        ];
        for refused in refused {
            let is_part = matches!(refused, Err(StoreError::Unfinished { .. }));
            assert!(is_part, "{place}: {refused:?}");
        }
        let elsewhere = match &place {
            DatabasePlace::File(_) => on_server(&test.server.make_schema()),
            DatabasePlace::Server(_) => in_file(&test.file("new.db")),
        };
        let error = refuse(&place, &elsewhere);
        let is_part = matches!(error, MigrationError::Store(StoreError::Unfinished { .. }));
        assert!(is_part, "{place}: {error:?}");
        let told = error.to_string();
        assert!(told.contains("kith migrate"), "{told}");
        let chinese = Language::from_code("zh").expect("known");
        assert_ne!(error.to_message().in_language(chinese), told);
    }
    let copied = backup(&part, &test.file("copy.db")).map(drop);
    assert!(
        matches!(copied, Err(StoreError::Unfinished { .. })),
        "{copied:?}"
    );
}

#[test]
fn what_holds_anything_is_not_filled() {
    let Some(test) = MigrationTest::new() else {
        return;
    };
    let (path, other) = (test.file("kith.db"), test.file("other.db"));
    let file = make_file(&path);
    let (schema, second) = (test.server.make_schema(), test.server.make_schema());
    move_all(&file, &on_server(&schema));
    let full = [
        (&file, on_server(&schema)),
        (&on_server(&schema), file.clone()),
    ];
    for (from, to) in full {
        let error = refuse(from, &to);
        let is_full = matches!(
            error,
            MigrationError::NotEmpty {
                table: "people" | "messages",
                ..
            }
        );
        assert!(is_full, "{to}: {error:?}");
    }
    begin(&file, &on_server(&second));
    let error = refuse(&make_file(&other), &on_server(&second));
    assert!(
        matches!(error, MigrationError::OtherSource { .. }),
        "{error:?}"
    );
    assert!(error.to_string().contains("kith.db"), "{error}");
    assert_eq!(move_all(&file, &on_server(&second)).messages, 1);
}

#[test]
fn a_file_to_a_file_and_a_server_to_a_server_are_other_programs_work() {
    let Some(test) = MigrationTest::new() else {
        return;
    };
    let (path, new) = (test.file("kith.db"), test.file("new.db"));
    let file = make_file(&path);
    assert_eq!(refuse(&file, &in_file(&new)), MigrationError::BothFiles);
    assert!(!new.exists());
    let servers = [test.server.make_schema(), test.server.make_schema()];
    let [one, other] = servers.each_ref().map(on_server);
    assert_eq!(refuse(&one, &other), MigrationError::BothServers);
    let missing = in_file(&test.file("missing.db"));
    for (from, to) in [(&missing, &one), (&other, &in_file(&new))] {
        let error = refuse(from, to);
        assert!(
            matches!(error, MigrationError::NoDatabase { .. }),
            "{error:?}"
        );
    }
}

#[test]
fn a_database_of_a_later_format_is_left_as_it_is() {
    let Some(test) = MigrationTest::new() else {
        return;
    };
    let path = test.file("kith.db");
    let (file, schema) = (make_file(&path), test.server.make_schema());
    move_all(&file, &on_server(&schema));
    run(test.server, &schema, "UPDATE kith_format SET version = 999");
    let server = on_server(&schema);
    for (from, to) in [(&server, &in_file(&test.file("new.db"))), (&file, &server)] {
        let error = refuse(from, to);
        let is_newer = matches!(error, MigrationError::Store(StoreError::Newer { .. }));
        assert!(is_newer, "{error:?}");
    }
}
