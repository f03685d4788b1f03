//! Lists of what is to be done, and summaries of what was said: kept, and gone with what they tell of.

use kith::core::compaction::Summary;

use super::*;

const AT: i64 = 50_000;

fn list(store: &Store) -> String {
    store.todos(TALK).wait().expect("read")
}

fn summary(since: u64, until: u64, begun: i64) -> Summary {
    Summary { since: MessageId(since), until: MessageId(until), text: "Anna sings.".into(), begun }
}

/// A store with a few lines, a list and a summary of the first three of them.
fn filled() -> Store {
    let store = Store::in_memory().expect("opened");
    let bob = || person(2, "Bob");
    let lines = [
        said(TALK, 1, "the xylophone is at the harbour"),
        says(TALK, 2, bob(), "pineapples forever"),
        said(TALK, 3, "see you on sunday then"),
        says(TALK, 4, bob(), "fine"),
    ];
    store_all(&store, lines.to_vec());
    let steps = "[x] ask Anna\n[>] fetch the xylophone from the harbour\n[ ] buy pineapples".to_owned();
    store.put_todos(TALK, steps, AT).wait().expect("kept");
    assert_eq!(store.put_summary(TALK, summary(1, 3, AT)).wait(), Ok(true));
    store
}

#[test]
fn a_step_that_repeats_a_deleted_message_goes_and_so_does_a_summary_of_it() {
    let store = filled();
    store_all(&store, vec![deleted(TALK, 1)]);
    assert_eq!(list(&store), "[x] ask Anna\n[ ] buy pineapples");
    assert_eq!(store.summary(TALK).wait(), Ok(None));
}

#[test]
fn a_summary_stays_when_a_message_it_does_not_tell_of_goes() {
    let store = filled();
    store_all(&store, vec![deleted(TALK, 4), deleted(OTHER, 2)]);
    assert!(store.summary(TALK).wait().expect("read").is_some());
    store_all(&store, vec![edited(TALK, 2, "never mind")]);
    assert_eq!(store.summary(TALK).wait(), Ok(None));
}

#[test]
fn whoever_is_forgotten_is_in_no_step_and_in_no_summary() {
    let store = filled();
    store.forget_person(UserId(1), None, AT + 1).wait().expect("forgotten");
    assert_eq!(list(&store), "[ ] buy pineapples");
    assert_eq!(store.summary(TALK).wait(), Ok(None));
    let late = "[ ] ask Anna again\n[ ] wash up".to_owned();
    store.put_todos(TALK, late, AT).wait().expect("kept");
    assert_eq!(list(&store), "[ ] wash up", "written by a turn that began before");
    assert_eq!(store.put_summary(TALK, summary(2, 4, AT)).wait(), Ok(false));
}

#[test]
fn a_summary_of_lines_that_were_changed_while_it_was_made_is_not_kept() {
    let store = filled();
    store_all(&store, vec![deleted(TALK, 1)]);
    // Deleted at 1,000,000, begun before.
    assert_eq!(store.put_summary(TALK, summary(1, 3, 999_999)).wait(), Ok(false));
    assert_eq!(store.put_summary(TALK, summary(2, 3, 1_000_001)).wait(), Ok(true));
}

#[test]
fn places_and_old_age_take_lists_and_summaries_along() {
    let store = filled();
    store.prune(AT + 1).wait().expect("pruned");
    assert_eq!((list(&store).as_str(), store.summary(TALK).wait()), ("", Ok(None)));
    let store = filled();
    store.erase_places(vec![TALK], None, Vec::new(), AT).wait().expect("erased");
    assert_eq!((list(&store).as_str(), store.summary(TALK).wait()), ("", Ok(None)));
}

#[test]
fn what_is_to_be_summed_up_is_the_newest_between_two_messages_without_who_wants_to_be_forgotten() {
    let store = filled();
    let between = |after: Option<u64>, before, most| -> Vec<u64> {
        let found = store.between(TALK, after.map(MessageId), MessageId(before), most).wait().expect("read");
        found.into_iter().map(|(id, _)| id.0).collect()
    };
    assert_eq!(between(None, 4, 10), [1, 2, 3]);
    assert_eq!(between(Some(1), 9, 2), [3, 4]);
    store.set_wish(UserId(2), kith::core::people::Wish::DontRemember, 1).wait().expect("wished");
    assert_eq!(between(None, 9, 10), [1, 3]);
}
