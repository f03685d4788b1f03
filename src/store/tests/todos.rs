//! Lists of what is to be done, and summaries of what was said: kept, and gone with what they tell of.

use kith_core::compaction::ChannelSummary;

use super::*;

const AT: i64 = 50_000;

fn list(store: &Store) -> String {
    store.load_todos(TALK).wait().expect("read")
}

fn summary(since: u64, until: u64, begun: i64) -> ChannelSummary {
    ChannelSummary {
        since: MessageId(since),
        until: MessageId(until),
        text: "Anna sings.".into(),
        begun,
    }
}

/// A store with a few lines, a list and a summary of the first three of them.
fn filled() -> Store {
    let store = memory();
    let bob = || person(2, "Bob");
    let lines = [
        said(TALK, 1, "the xylophone is at the harbour"),
        says(TALK, 2, bob(), "pineapples forever"),
        said(TALK, 3, "see you on sunday then"),
        says(TALK, 4, bob(), "fine"),
    ];
    store_all(&store, lines.to_vec());
    let steps =
        "[x] ask Anna\n[>] fetch the xylophone from the harbour\n[ ] buy pineapples".to_owned();
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
    store
        .forget_person(UserId(1), None, AT + 1)
        .wait()
        .expect("forgotten");
    assert_eq!(list(&store), "[ ] buy pineapples");
    assert_eq!(store.summary(TALK).wait(), Ok(None));
    let late = "[ ] ask Anna again\n[ ] wash up".to_owned();
    store.put_todos(TALK, late, AT).wait().expect("kept");
    assert_eq!(
        list(&store),
        "[ ] wash up",
        "written by a turn that began before"
    );
    assert_eq!(store.put_summary(TALK, summary(2, 4, AT)).wait(), Ok(false));
}

#[test]
fn a_summary_of_lines_that_were_changed_while_it_was_made_is_not_kept() {
    let store = filled();
    store_all(&store, vec![deleted(TALK, 1)]);
    // Deleted at 1,000,000, begun before.
    assert_eq!(
        store.put_summary(TALK, summary(1, 3, 999_999)).wait(),
        Ok(false)
    );
    assert_eq!(
        store.put_summary(TALK, summary(2, 3, 1_000_001)).wait(),
        Ok(true)
    );
}

#[test]
fn places_and_old_age_take_lists_and_summaries_along() {
    let store = filled();
    store.prune(AT + 1).wait().expect("pruned");
    assert_eq!(
        (list(&store).as_str(), store.summary(TALK).wait()),
        ("", Ok(None))
    );
    let store = filled();
    store
        .erase_places(vec![TALK], None, AT)
        .wait()
        .expect("erased");
    assert_eq!(
        (list(&store).as_str(), store.summary(TALK).wait()),
        ("", Ok(None))
    );
}

#[test]
fn what_is_to_be_summed_up_is_the_newest_that_is_missing_without_who_wants_to_be_forgotten() {
    let store = filled();
    let missing = |begins_after: Option<u64>, before, most| {
        let found = store
            .find_missing_span(TALK, MessageId(before), begins_after.map(MessageId), most)
            .wait()
            .expect("read");
        let stretch = found?;
        let said: Vec<u64> = stretch.said.into_iter().map(|(id, _)| id.0).collect();
        Some((said, stretch.earlier.is_some()))
    };
    assert_eq!(missing(None, 9, 10), Some((vec![4], true)));
    assert_eq!(missing(None, 3, 10), None, "all of it is summed up");
    assert_eq!(
        missing(Some(1), 9, 2),
        Some((vec![3, 4], false)),
        "of a summary that must not be shown nothing is taken up"
    );
    store
        .set_preference(
            UserId(2),
            kith_core::preference::PersonPreference::DontRemember,
            1,
        )
        .wait()
        .expect("wished");
    assert_eq!(missing(Some(0), 9, 10), Some((vec![], true)));
    store_all(&store, vec![deleted(TALK, 3)]);
    assert_eq!(missing(None, 9, 10), Some((vec![1], false)));
}

#[test]
fn a_summary_of_what_is_no_longer_kept_is_not_taken_up_and_one_of_what_is_gone_is_not_kept() {
    let store = filled();
    store.prune(1_001).wait().expect("pruned");
    let stretch = store
        .find_missing_span(TALK, MessageId(9), None, 10)
        .wait()
        .expect("read")
        .expect("missing");
    assert_eq!(stretch.earlier, None);
    assert_eq!(store.put_summary(TALK, summary(1, 1, AT)).wait(), Ok(false));
}

#[test]
fn of_what_was_summed_up_people_are_handed_the_sentences_that_name_them() {
    let store = filled();
    let text = "Anna sings. Bob likes pineapples!\nBob and Anna fish".to_owned();
    assert_eq!(
        store
            .put_summary(
                TALK,
                ChannelSummary {
                    text,
                    ..summary(1, 3, AT)
                }
            )
            .wait(),
        Ok(true)
    );
    let told = store
        .export_person(UserId(2), None)
        .wait()
        .expect("exported")["summed_up"]
        .clone();
    let texts: Vec<&str> = told
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["text"].as_str().unwrap())
        .collect();
    assert_eq!(texts, ["Bob likes pineapples!", "Bob and Anna fish"]);
}
