//! A commit in doubt, a pooler that gives another session, and a transaction that failed at its beginning.

use super::super::schema;
use super::*;

#[test]
fn a_commit_whose_outcome_cannot_be_asked_for_is_in_doubt_and_not_cut_before_it() {
    let address = "postgres://kith@127.0.0.1:1/talk"
        .parse()
        .expect("an address");
    let conn = PostgresConnection::new(&address, ConnectionRole::Writer);
    let cut = PostgresError::new(PostgresFault::Unreachable, "cut");
    let told = conn.find_outcome(cut, "mark", Duration::ZERO);
    let error = told.expect_err("nobody is there");
    assert_eq!(error.kind, PostgresFault::InDoubt);
    assert!(!error.is_link_cut(), "or it would be stored twice");
}

#[test]
fn where_a_pooler_gives_it_another_session_than_the_one_with_the_lock_nothing_is_written() {
    let Some(address) = PostgresAddress::of_new_schema() else {
        return;
    };
    let conn = PostgresConnection::open(&address, ConnectionRole::Writer).expect("opened");
    schema::migrate(&conn, "test".as_ref()).expect("made");
    assert_eq!(conn.begin(), Ok(Some(0)));
    conn.rollback();
    let of_another = ("1".to_owned(), String::new());
    conn.session.replace(Some(of_another));
    let error = conn.begin().expect_err("it is another");
    assert_eq!(error.kind, PostgresFault::Refused);
    assert!(error.reason.contains("pool_mode = session"), "{error}");
}
