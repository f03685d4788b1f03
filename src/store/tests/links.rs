//! What only a server can do: be somebody else's already, and cut its links.

use super::*;
use kith_language::Language;

#[test]
fn a_second_store_is_refused_as_long_as_the_first_is_open() {
    let (_folder, path) = on_disk();
    let Some(address) = find_address(&path) else {
        return;
    };
    let first = Store::open_server(&address).expect("opened");
    let second = Store::open_server(&address).map(drop);
    assert!(
        matches!(second, Err(StoreError::InUse { .. })),
        "{second:?}"
    );
    drop(first);
    Store::open_server(&address).expect("free again");
}

#[test]
fn what_is_stored_while_links_are_cut_is_stored_once_and_in_order() {
    // One of its own: all of its links are cut.
    let Some(server) = PostgresServer::start_or_skip() else {
        return;
    };
    let path = PathBuf::from(server.make_schema().url);
    let store = open(&path);
    let mut last = 0;
    for id in 1..=40 {
        let stored = store.append(vec![said(TALK, id, "over a bad link")]);
        if id % 8 == 0 {
            server.cut_links();
        }
        let arrival = stored.wait().expect("stored")[0].arrival;
        assert!(arrival > last, "{arrival} after {last}");
        last = arrival;
    }
    let history = store.load_history(TALK, None, 99).wait().expect("read");
    let ids: Vec<u64> = history.iter().map(|line| line.message.id.0).collect();
    assert_eq!(ids, (1..=40).collect::<Vec<u64>>());
}

/// What one model call took.
fn one_call() -> ModelSpend {
    let day = chrono::NaiveDate::from_ymd_opt(2026, 5, 1).expect("a day");
    spent(day, "small", TALK, "chat", TokenUsage::default())
}

#[test]
fn what_was_committed_without_an_answer_is_not_stored_again() {
    // One of its own: it is told to wait for a standby that does not exist, so that a commit is made and not answered.
    let Some(server) = PostgresServer::start_or_skip() else {
        return;
    };
    let schema = server.make_schema();
    let store = open(Path::new(&schema.url));
    server.run_sql("ALTER SYSTEM SET synchronous_standby_names = 'nobody'");
    server.run_sql("SELECT pg_reload_conf()");
    let is_waiting = || {
        let waiting = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'kith' AND wait_event = 'SyncRep'";
        server.run_sql(waiting) == "1"
    };
    let mut stored = Vec::new();
    while !is_waiting() {
        // The server takes its new settings when it comes to it: until then a commit is answered.
        stored.push(store.save_spend(one_call()));
    }
    server.cut_links();
    server.run_sql("ALTER SYSTEM RESET synchronous_standby_names");
    server.run_sql("SELECT pg_reload_conf()");
    let calls = stored.len();
    for answer in stored {
        answer.wait().expect("stored");
    }
    let rows = server.run_sql(&format!("SELECT count(*) FROM {}.model_usage", schema.name));
    assert_eq!(rows, calls.to_string());
}

#[test]
fn what_the_server_gave_up_while_it_committed_is_stored_by_a_second_try() {
    let Some(server) = PostgresServer::shared() else {
        return;
    };
    let schema = server.make_schema();
    let store = open(Path::new(&schema.url));
    // The first commit ends its own session. A sequence goes on whatever becomes of a transaction.
    server.run_sql(&format!(
        "SET search_path TO {};
         CREATE SEQUENCE tries;
         CREATE FUNCTION give_up() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
             IF nextval('tries') = 1 THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF;
             RETURN NULL;
         END $$;
         CREATE CONSTRAINT TRIGGER give_up AFTER INSERT ON model_usage DEFERRABLE INITIALLY DEFERRED
             FOR EACH ROW EXECUTE FUNCTION give_up()",
        schema.name
    ));
    store.save_spend(one_call()).wait().expect("stored");
    let told = server.run_sql(&format!(
        "SET search_path TO {}; SELECT count(*), max(last_value) FROM model_usage, tries",
        schema.name
    ));
    assert_eq!(told, "1|2", "one call is kept, and it took two commits");
}

#[test]
fn a_server_that_is_not_there_is_named_without_the_password() {
    let address = "postgres://kith:hunter2@127.0.0.1:1/talk"
        .parse()
        .expect("an address");
    let error = Store::open_server(&address)
        .map(drop)
        .expect_err("nobody is there");
    assert!(matches!(error, StoreError::Unreachable { .. }), "{error:?}");
    let told = error.to_string();
    assert!(
        told.contains("postgres://127.0.0.1/talk") && !told.contains("hunter2"),
        "{told}"
    );
}

#[test]
fn a_message_with_a_character_of_number_0_is_stored() {
    let store = memory();
    store_all(&store, vec![said(TALK, 1, "a\0b")]);
    let history = store.load_history(TALK, None, 9).wait().expect("read");
    let is_kept = ["a\u{FFFD}b", "a\0b"].contains(&&*history[0].message.text);
    assert!(is_kept, "{:?}", history[0].message.text);
}

#[test]
fn what_only_a_file_can_do_says_so_in_every_language() {
    let (_folder, path) = on_disk();
    if find_address(&path).is_none() {
        return;
    }
    let error = StoreError::OnlyInFile { path };
    let message = error.to_message();
    let told = message.in_language(Language::from_code("zh").expect("known"));
    assert_ne!(told, error.to_string());
}

#[test]
fn what_was_stored_is_there_when_the_store_is_opened_again() {
    let (_folder, path) = on_disk();
    let store = open(&path);
    store_all(&store, (1..200).map(|id| said(TALK, id, "hm")).collect());
    memories::remember_much(&store);
    drop(store);
    let store = open(&path);
    let search = kith_store::MemorySearch {
        channels: vec![TALK],
        limit: 99,
        ..kith_store::MemorySearch::default()
    };
    assert_eq!(store.find_memories(search).wait().expect("found").len(), 99);
}
