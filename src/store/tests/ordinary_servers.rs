//! Databases as they are found: of a role without rights, with settings of their own, beside tables of other programs.

use super::*;
use kith_store::{DatabasePlace, read_usage};

/// A database of a plain role of its own.
fn plain(name: &str) -> Option<(&'static PostgresServer, PostgresSchema)> {
    let server = PostgresServer::shared()?;
    Some((server, server.make_plain_schema(name)))
}

#[test]
fn a_schema_of_any_name_is_used_and_tables_of_others_in_it_stay_as_they_are() {
    let Some((server, schema)) = plain("Kith-2") else {
        return;
    };
    server.run_sql("CREATE TABLE \"Kith-2\".spatial_ref_sys (id bigint)");
    let store = open(Path::new(&schema.url));
    store_all(&store, vec![said(TALK, 1, "hm")]);
    let options = |table: &str| {
        let read = "SELECT reloptions FROM pg_class WHERE oid = '\"Kith-2\".TABLE'::regclass";
        server.run_sql(&read.replace("TABLE", table))
    };
    assert_eq!(options("spatial_ref_sys"), "");
    assert_eq!(
        options("messages"),
        "{autovacuum_vacuum_threshold=0,autovacuum_vacuum_scale_factor=0}"
    );
}

#[test]
fn where_nothing_can_be_written_it_says_so_and_where_it_can_again_the_next_change_is_stored() {
    let Some((server, schema)) = plain("watched") else {
        return;
    };
    let store = open(Path::new(&schema.url));
    store.check_writable().wait().expect("it can be written");
    server.run_sql("REVOKE UPDATE ON watched.counter FROM watched");
    let refused = store.check_writable().wait();
    assert!(
        matches!(refused, Err(StoreError::Refused { .. })),
        "{refused:?}"
    );
    server.run_sql("GRANT UPDATE ON watched.counter TO watched");
    store_all(&store, vec![said(TALK, 1, "hm")]);
}

#[test]
fn a_database_that_is_set_to_be_read_only_takes_nothing_and_says_so() {
    let Some((server, schema)) = plain("frozen") else {
        return;
    };
    let store = open(Path::new(&schema.url));
    server.run_sql("ALTER ROLE frozen SET default_transaction_read_only = on");
    end_sessions(server, "frozen");
    let refused = store.check_writable().wait();
    assert!(
        matches!(refused, Err(StoreError::ReadOnly { .. })),
        "{refused:?}"
    );
}

#[test]
fn what_a_newer_version_spent_is_not_read_by_one_that_does_not_know_its_tables() {
    let Some((server, schema)) = plain("future") else {
        return;
    };
    drop(open(Path::new(&schema.url)));
    let place = DatabasePlace::Server(Box::new(schema.url.parse().expect("an address")));
    let day = chrono::NaiveDate::from_ymd_opt(2026, 6, 1).expect("a day");
    read_usage(&place, day, day).expect("nothing was spent");
    server.run_sql("UPDATE future.kith_format SET version = version + 1");
    let refused = read_usage(&place, day, day);
    assert!(
        matches!(refused, Err(StoreError::Newer { .. })),
        "{refused:?}"
    );
}

/// What is set for a role holds in its next session.
fn end_sessions(server: &PostgresServer, role: &str) {
    let end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'ROLE'";
    server.run_sql(&end.replace("ROLE", role));
}

#[test]
fn what_is_acknowledged_is_on_the_disk_and_nothing_is_cut_short_or_slow_whatever_is_set_for_the_role()
 {
    let Some((server, schema)) = plain("hasty") else {
        return;
    };
    let settings = [
        ("synchronous_commit", "off", "on"),
        ("statement_timeout", "60000", "0"),
        ("lock_timeout", "60000", "0"),
        ("idle_in_transaction_session_timeout", "60000", "0"),
        ("idle_session_timeout", "60000", "0"),
        ("jit", "on", "off"),
        ("default_toast_compression", "pglz", "lz4"),
        ("max_parallel_workers_per_gather", "2", "0"),
    ];
    for (name, set, _) in settings {
        server.run_sql(&format!("ALTER ROLE hasty SET {name} = {set}"));
    }
    let store = open(Path::new(&schema.url));
    // What a session that writes has set is seen within it.
    server.run_sql(
        "SET search_path TO hasty; SET ROLE hasty; CREATE TABLE seen (name text, setting text);
         CREATE FUNCTION look() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
             INSERT INTO seen SELECT name, setting FROM pg_settings; RETURN NEW;
         END $$;
         CREATE TRIGGER look BEFORE INSERT ON meta FOR EACH ROW EXECUTE FUNCTION look()",
    );
    store.set_meta("k", "v").wait().expect("set");
    for (name, _, held) in settings {
        let read = format!("SELECT setting FROM hasty.seen WHERE name = '{name}'");
        assert_eq!(server.run_sql(&read), held, "{name}");
    }
}
