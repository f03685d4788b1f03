//! A message on its way that repeats what is deleted is given up, and whatever of it was said after all is kept without its
//! words, also by the next process, which knows nothing of what was deleted.

use super::*;
use kith_core::quotes::ERASED;

const WORD: &str = "xylophonequartz";

fn answer(nonce: &str, channel: ChannelId, text: &str) -> OutgoingAction {
    OutgoingAction {
        channel,
        action: VisibleAction::Send {
            text: text.into(),
            reply_to: None,
            with: None,
        },
        ..outgoing(nonce, 1)
    }
}

/// The companion's line, said at that time, as the platform tells of it.
fn own_line(id: u64, at: i64) -> ChatEvent {
    let ChatEvent::Message(mut line) = own(id) else {
        panic!("a message")
    };
    line.at = at;
    line.text = format!("a {WORD}, nice").into();
    ChatEvent::Message(line)
}

/// Anna's word waits in two answers, of which one is for another server, and a third does not repeat it.
fn filled_store(path: &Path) -> Store {
    let store = open(path);
    store_all(
        &store,
        vec![
            ChatEvent::Channel(group_channel(TALK, Some(GuildId(5)), "talk")),
            ChatEvent::Channel(group_channel(OTHER, Some(GuildId(6)), "other")),
            said(TALK, 1, &format!("i bought a {WORD} today")),
        ],
    );
    for action in [
        answer("quotes", TALK, &format!("a {WORD}, nice")),
        answer("other", TALK, "hello there"),
        answer("elsewhere", OTHER, &format!("a {WORD}, nice")),
    ] {
        store.journal(action).wait().expect("journaled");
    }
    store
}

fn pending(store: &Store) -> Vec<String> {
    let pending = store.pending_outbox().wait().expect("read");
    pending.into_iter().map(|action| action.nonce).collect()
}

#[test]
fn an_answer_that_repeats_a_deleted_message_is_not_said_any_more() {
    let (_folder, path) = on_disk();
    let store = filled_store(&path);
    store_all(&store, vec![deleted(TALK, 1)]);
    assert_eq!(
        pending(&store),
        ["other", "elsewhere"],
        "no prompt there can have shown it"
    );
    let again = store.journal(answer("quotes", TALK, "hm")).wait();
    assert_eq!(again, Ok(JournalOutcome::Settled));
}

#[test]
fn what_waited_to_be_journaled_and_repeats_what_was_deleted_meanwhile_is_not_said() {
    let (_folder, path) = on_disk();
    let store = filled_store(&path);
    store_all(&store, vec![deleted(TALK, 1)]);
    let journal = |nonce: &str, channel: ChannelId, at: i64| {
        let action = answer(nonce, channel, &format!("a {WORD}, nice"));
        store.journal(OutgoingAction { at, ..action }).wait()
    };
    assert_eq!(journal("waited", TALK, 0), Ok(JournalOutcome::Settled));
    assert_eq!(
        journal("elsewhere too", OTHER, 0),
        Ok(JournalOutcome::New),
        "no prompt there can have shown it"
    );
    assert_eq!(
        journal("later", TALK, 10_000_000_000_000),
        Ok(JournalOutcome::New),
        "another line, that nobody took from there"
    );
}

#[test]
fn of_what_waited_and_is_not_said_no_word_is_written() {
    let (_folder, path) = on_disk();
    let store = open(&path);
    store_all(
        &store,
        vec![
            ChatEvent::Channel(group_channel(TALK, Some(GuildId(5)), "talk")),
            said(TALK, 1, &format!("i bought a {WORD} today")),
            deleted(TALK, 1),
        ],
    );
    store.scrub().wait().expect("scrubbed");
    let waited = answer("waited", TALK, &format!("a {WORD}, nice"));
    let journaled = store.journal(OutgoingAction { at: 0, ..waited }).wait();
    assert_eq!(journaled, Ok(JournalOutcome::Settled));
    assert_eq!(files_with(&path, WORD), Vec::<String>::new());
}

#[test]
fn what_was_said_of_it_all_the_same_is_kept_without_its_words_by_the_next_process() {
    for forget in [false, true] {
        let (_folder, path) = on_disk();
        let store = filled_store(&path);
        if forget {
            let forgotten = store.forget_person(UserId(1), None, 1_000_000).wait();
            forgotten.expect("forgotten");
        } else {
            store_all(&store, vec![deleted(TALK, 1)]);
        }
        store.drop_outgoing("elsewhere").wait().expect("dropped");
        drop(store);
        let store = open(&path);
        let stored = store_all(&store, vec![own_line(7, 60)]);
        assert_eq!(stored[0].says.as_deref(), Some(ERASED));
        store.scrub().wait().expect("scrubbed");
        assert_eq!(files_with(&path, WORD), Vec::<String>::new());
        let later = store_all(&store, vec![own_line(8, 3_600_000)]);
        assert_eq!(later[0].says, None, "an hour later it is another line");
    }
}

#[test]
fn a_line_of_which_it_is_known_what_it_became_is_kept_as_it_is() {
    let (_folder, path) = on_disk();
    let store = filled_store(&path);
    store_all(&store, vec![deleted(TALK, 1)]);
    drop(store);
    let store = open(&path);
    let settled = store.settle("other", own(9)).wait().expect("settled");
    assert_eq!(settled.says, None);
}
