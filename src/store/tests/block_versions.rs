//! Versions of core memory's blocks: what can be undone, when a line was written, and that nothing forgotten stays in one.

use kith_core::chat::DAY;

use super::*;

const SCOPE: &str = "guild:77";

fn write(store: &Store, text: &str, at: i64) {
    let block = StoredBlock {
        label: "people".into(),
        text: text.into(),
        limit: 600,
        updated_at: at,
    };
    store.put_core_memory(SCOPE, block).wait().expect("put");
}

fn text(store: &Store) -> String {
    let blocks = store.load_core_memory(SCOPE).wait().expect("read");
    blocks[0].text.clone()
}

fn versions(store: &Store) -> Vec<kith_store::BlockVersion> {
    let find = store.find_block_versions(SCOPE, "people");
    find.wait().expect("read")
}

#[test]
fn a_line_keeps_its_date_as_long_as_it_stands() {
    let store = memory();
    write(&store, "Anna sings", 0);
    write(&store, "Anna sings\nBo cooks", 5);
    write(&store, "Cy draws\nBo cooks\n Anna sings", 7);
    let dates = store.load_line_dates(SCOPE).wait().expect("read");
    let wanted = vec![Some(7), Some(5), None];
    assert_eq!(dates, [("people".to_owned(), wanted)]);
    assert_eq!(store.load_line_dates("other").wait(), Ok(vec![]));
}

#[test]
fn an_edit_is_undone_to_what_was_said_before_with_its_dates() {
    let store = memory();
    write(&store, "Anna sings", 3);
    write(&store, "Anna sings\nBo cooks", 5);
    let undo = || store.undo_block(SCOPE, "people").wait().expect("undone");
    let before = undo().expect("there is a version before");
    assert_eq!((before.number, before.at), (1, 3));
    assert_eq!(text(&store), "Anna sings");
    let dates = store.load_line_dates(SCOPE).wait().expect("read");
    assert_eq!(dates[0].1, [Some(3)]);
    assert_eq!(undo(), None, "nobody knows of anything before");
    assert_eq!(text(&store), "Anna sings");
}

#[test]
fn only_the_newest_versions_are_seen_and_kept() {
    let (_folder, path) = on_disk();
    let store = open(&path);
    (1..=30).for_each(|day| write(&store, &format!("line {day}"), day * DAY));
    let seen: Vec<i64> = versions(&store).iter().map(|it| it.at / DAY).collect();
    assert_eq!(seen, (19..=30).rev().collect::<Vec<_>>());
    drop(store);
    let count = "UPDATE core_memory SET max_chars = (SELECT count(*) FROM core_memory_versions)";
    change_tables(&path, count, count);
    let blocks = open(&path).load_core_memory(SCOPE).wait().expect("read");
    assert_eq!(blocks[0].limit, 12);
}

#[test]
fn whoever_is_forgotten_is_in_no_version() {
    let (_folder, path) = on_disk();
    let store = open(&path);
    let channel = group_channel(TALK, Some(GuildId(77)), "talk");
    store_all(
        &store,
        vec![
            ChatEvent::Channel(channel),
            says(TALK, 1, person(5, "Mirabelle"), "I whistle"),
        ],
    );
    write(&store, "Bo cooks\nMirabelle whistles", 3);
    write(&store, "Bo cooks\nMirabelle whistles\nCy draws", 5);
    write(&store, "Bo cooks\nCy draws", 7);
    store.scrub().wait().expect("scrubbed");
    assert!(!files_with(&path, "Mirabelle whistles").is_empty());
    let export = store.export_person(UserId(5), None).wait();
    let remembered = export.expect("exported")["remembered"].clone();
    let line =
        serde_json::json!([{ "scope": SCOPE, "block": "people", "line": "Mirabelle whistles" }]);
    assert_eq!(remembered, line, "once");
    let forget = store.forget_person(UserId(5), None, 900_000);
    forget.wait().expect("forgotten");
    assert_eq!(files_with(&path, "Mirabelle"), [] as [&str; 0]);
    assert!(
        versions(&store).is_empty(),
        "nothing can be undone to what told of her"
    );
}

#[test]
fn a_scope_that_is_erased_takes_its_versions() {
    let store = memory();
    write(&store, "Bo cooks", 3);
    let erase = store.erase_places(vec![TALK], Some(GuildId(77)), 9);
    erase.wait().expect("erased");
    assert!(versions(&store).is_empty());
}

#[test]
fn what_a_block_said_before_is_erased_and_what_it_says_stays() {
    let store = memory();
    write(&store, "Anna sings", 3);
    write(&store, "Bo cooks", 5);
    let forgotten = store.forget_earlier_versions(SCOPE, "people").wait();
    forgotten.expect("forgotten");
    let kept: Vec<String> = versions(&store).into_iter().map(|kept| kept.text).collect();
    assert_eq!(kept, ["Bo cooks"]);
    assert_eq!(text(&store), "Bo cooks");
    assert_eq!(store.undo_block(SCOPE, "people").wait(), Ok(None));
}
