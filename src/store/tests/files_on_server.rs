//! What was erased leaves the files of a server's tables, too, and nobody waits long for who else reads them.

use super::*;

const SECRET: &str = "brambleknocker";

/// A store on a server of its own, whose files are looked through, in which somebody said something and was forgotten
/// while another session was at `held`.
fn forget_beside(held: &str) -> Option<(PostgresServer, PostgresSchema, Store, HeldSession)> {
    let server = PostgresServer::start_or_skip()?;
    let schema = server.make_schema();
    let store = open(Path::new(&schema.url));
    store_all(&store, vec![said(TALK, 1, SECRET), said(OTHER, 2, "hm")]);
    assert!(!server.find_files(SECRET).is_empty(), "it was there");
    let session = server.hold(&held.replace("SCHEMA", &schema.name));
    let forgotten = store.forget_person(UserId(1), None, 1_000_000).wait();
    let erased = forgotten.expect("forgotten").messages.len();
    assert_eq!(erased, 2);
    Some((server, schema, store, session))
}

/// How many times everything has still to be written anew.
fn count_unfinished(server: &PostgresServer, schema: &PostgresSchema) -> String {
    let count = "SELECT count(*) FROM SCHEMA.meta WHERE key LIKE 'forgetting.%'";
    server.run_sql(&count.replace("SCHEMA", &schema.name))
}

#[test]
fn a_table_that_somebody_reads_for_long_is_not_waited_for_and_is_written_anew_later() {
    let Some((server, schema, store, session)) =
        forget_beside("SELECT count(*) FROM SCHEMA.messages")
    else {
        return;
    };
    store_all(&store, vec![said(TALK, 3, "it goes on")]);
    store.finish_rewriting().wait().expect("tried");
    assert_eq!(count_unfinished(&server, &schema), "1");
    drop(session);
    store.finish_rewriting().wait().expect("written");
    assert_eq!(count_unfinished(&server, &schema), "0");
    assert!(server.find_files(SECRET).is_empty());
}

#[test]
fn what_an_older_transaction_may_still_read_is_written_anew_until_it_is_gone() {
    let Some((server, schema, store, session)) = forget_beside("SELECT 1 FROM pg_class") else {
        return;
    };
    assert_eq!(count_unfinished(&server, &schema), "1");
    assert!(!server.find_files(SECRET).is_empty(), "it may be read");
    drop(store);
    drop(session);
    let store = open(Path::new(&schema.url));
    store.finish_forgetting().wait().expect("finished");
    assert_eq!(count_unfinished(&server, &schema), "0");
    assert!(server.find_files(SECRET).is_empty());
}
