//! Which messages of log channels show which turns, and when they are due.

use super::*;

#[test]
fn log_messages_are_found_by_turn_and_by_age() {
    let store = memory();
    let log = ChannelId(90);
    let post = |message, turns: &[u64], at| {
        store
            .save_log_message(
                log,
                MessageId(message),
                turns.iter().map(|turn| TurnId(*turn)).collect(),
                at,
            )
            .wait()
    };
    for (message, turns, at) in [
        (1, &[4, 5][..], 100),
        (2, &[5], 200),
        (3, &[], 150),
        (4, &[6], 300),
    ] {
        post(message, turns, at).expect("kept");
    }
    let messages = |ids: &[u64]| {
        Ok(ids
            .iter()
            .map(|id| (log, MessageId(*id)))
            .collect::<Vec<_>>())
    };
    assert_eq!(
        store.find_log_messages(vec![TurnId(5), TurnId(4)]).wait(),
        messages(&[1, 2])
    );
    assert_eq!(
        store.find_log_messages(vec![TurnId(0), TurnId(9)]).wait(),
        messages(&[])
    );
    assert_eq!(
        store.find_expired_log_messages(250).wait(),
        messages(&[1, 3, 2])
    );
    store
        .drop_log_messages(vec![(log, MessageId(1)), (log, MessageId(3))])
        .wait()
        .expect("gone");
    assert_eq!(
        store.find_expired_log_messages(999).wait(),
        messages(&[2, 4])
    );
    assert_eq!(
        store.find_log_messages(vec![TurnId(4), TurnId(5)]).wait(),
        messages(&[2])
    );
}

#[test]
fn a_line_knows_its_turn_and_a_turn_its_lines() {
    let store = memory();
    for (nonce, id) in [("7.1", 20), ("7.2.1", 22), ("7.2", 21), ("71.1", 23)] {
        assert_eq!(
            store.journal(outgoing(nonce, 1)).wait(),
            Ok(JournalOutcome::New)
        );
        let ChatEvent::Message(line) = own(id) else {
            unreachable!()
        };
        let line = Message {
            text: format!("line {id}").into(),
            ..line
        };
        store
            .settle(nonce, ChatEvent::Message(line))
            .wait()
            .expect("settled");
    }
    let post = ChatEvent::Posted {
        message: match said(TALK, 30, "x") {
            ChatEvent::Message(message) => message,
            _ => unreachable!(),
        },
        nonce: "7.9".into(),
    };
    store_all(&store, vec![own(31), post]);
    let mut reported = turn(8, TALK, "raw");
    let call = ToolCall::default();
    reported.rounds[0].calls = vec![CallReport {
        call,
        kind: None,
        result: None,
        message: Some(MessageId(31)),
        hindrance: None,
        at: 8,
    }];
    store.save_turn(reported, vec![]).wait().expect("saved");
    let said_by = |id| {
        store
            .find_message_turn(TALK, MessageId(id))
            .wait()
            .expect("read")
            .map(|turn| turn.0)
    };
    assert_eq!(
        [20, 21, 22, 23, 30, 31, 32].map(said_by),
        [Some(7), Some(7), Some(7), Some(71), None, Some(8), None]
    );
    let lines = [20, 21, 22].map(|id| (TALK, MessageId(id)));
    assert_eq!(
        store.find_turn_messages(TurnId(7)).wait(),
        Ok(lines.to_vec())
    );
    assert_eq!(store.find_turn_messages(TurnId(9)).wait(), Ok(vec![]));
}

#[test]
fn an_entry_that_is_found_is_kept_on_record_and_due_where_its_turn_is_not_whole() {
    let store = memory();
    let log = ChannelId(90);
    let prompt = StoredPrompt {
        ask: 1,
        model: "m".into(),
        system: "s".into(),
        user: "u".into(),
        parts: Vec::new(),
    };
    store
        .save_turn(turn(4, TALK, "raw"), vec![prompt])
        .wait()
        .expect("saved");
    store
        .save_log_message(log, MessageId(1), vec![TurnId(9)], 100)
        .wait()
        .expect("kept");
    let found = |message, turns: &[u64]| {
        let turns = turns.iter().map(|turn| TurnId(*turn)).collect();
        store
            .save_found_log_message(log, MessageId(message), turns, 200)
            .wait()
            .expect("kept")
    };
    assert!(!found(1, &[9]), "it is on record as it was");
    assert!(!found(2, &[4]) && !found(3, &[]));
    assert!(
        found(4, &[4, 7]),
        "nobody knows what became of whom turn 7 told"
    );
    let ids = |found: Vec<(ChannelId, MessageId)>| {
        found.into_iter().map(|(_, id)| id.0).collect::<Vec<_>>()
    };
    assert_eq!(
        ids(store.find_expired_log_messages(201).wait().expect("read")),
        [4, 1, 2, 3]
    );
    assert_eq!(
        ids(store
            .find_log_messages(vec![TurnId(4)])
            .wait()
            .expect("read")),
        [2, 4]
    );
}
