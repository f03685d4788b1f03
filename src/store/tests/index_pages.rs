//! The index of words in a file has a list of what each of its pages begins with: it forgets nobody by itself.

use super::*;

const WORDS: u64 = 3_000;

/// The numbers whose words a page begins with, as far as the list tells them from all others.
fn read_beginnings(path: &Path) -> Vec<u64> {
    let conn = rusqlite::Connection::open(path).expect("opened");
    let mut find = conn
        .prepare("SELECT CAST(term AS TEXT) FROM words_idx")
        .expect("prepared");
    let terms = find
        .query_map([], |row| row.get::<_, String>(0))
        .expect("read");
    // Before each word stands a letter of the index's own.
    let number = |term: rusqlite::Result<String>| term.ok()?.get(2..9)?.parse().ok();
    terms.filter_map(number).collect()
}

#[test]
fn of_the_words_of_who_is_forgotten_no_page_tells_the_beginning() {
    let (_folder, path) = on_disk();
    let store = open(&path);
    let author = |id: u64| person(id % 2, "Anna");
    let wrote = |id: u64| says(TALK, id, author(id), &format!("w{id:07}z"));
    store_all(&store, (1..=WORDS).map(wrote).collect());
    let is_of = |user: u64| move |number: &u64| number % 2 == user;
    let is_told = |user: u64| read_beginnings(&path).iter().any(is_of(user));
    assert!(is_told(0) && is_told(1), "else this test shows nothing");
    // The second time all of the index is in one piece already.
    for user in [0, 1] {
        store
            .forget_person(UserId(user), None, i64::MAX)
            .wait()
            .expect("forgotten");
        assert!(!is_told(user), "of {user}");
    }
}
