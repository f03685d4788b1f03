//! Taking back what the companion said, and forgetting single messages.

use super::*;

#[test]
fn only_its_own_messages_are_taken_back() {
    let command_test = command_test();
    let moderator = caller(CallerRole::Moderator, TALK);
    let (answer, changes) = command_test.ask(&moderator, CommandRequest::TakeBack(MessageId(1)));
    assert!(is_refused(&answer) && changes.is_empty(), "that was Anna");
    let (answer, changes) = command_test.ask(&moderator, CommandRequest::TakeBack(MessageId(3)));
    assert!(
        is_refused(&answer) && changes.is_empty(),
        "nobody knows whose that is"
    );
    let (_, changes) = command_test.ask(&moderator, CommandRequest::TakeBack(MessageId(2)));
    assert_eq!(changes, [DaemonChange::TakeBack(TALK, vec![MessageId(2)])]);
    let (_, changes) = command_test.ask(
        &caller(CallerRole::Moderator, LOG),
        CommandRequest::TakeBackTurn(turn_of(TALK)),
    );
    assert_eq!(changes, [DaemonChange::TakeBack(TALK, vec![MessageId(2)])]);
}

#[test]
fn a_turn_whose_lines_are_gone_has_nothing_to_take_back() {
    let command_test = command_test();
    command_test.append(ChatEvent::Delete {
        channel: TALK,
        ids: vec![MessageId(2)],
        at: NOW,
    });
    let (answer, _) = command_test.ask(
        &caller(CallerRole::Moderator, TALK),
        CommandRequest::TakeBackTurn(turn_of(TALK)),
    );
    assert!(is_refused(&answer), "{answer:?}");
}

#[test]
fn a_member_has_their_own_message_forgotten_with_the_log_that_quotes_it_and_it_never_comes_back() {
    let command_test = command_test();
    let (answer, changes) = command_test.ask(
        &caller(CallerRole::Member, TALK),
        CommandRequest::ForgetMessage(MessageId(1)),
    );
    assert!(!is_refused(&answer), "{answer:?}");
    let wanted = [
        DaemonChange::ForgetMessages(TALK, vec![MessageId(1)]),
        DaemonChange::DeleteLogEntries(vec![turn_of(TALK)]),
    ];
    assert_eq!(changes, wanted);
    command_test.says(TALK, 1, ANNA, "my secret again");
    let left = command_test
        .store
        .load_history(TALK, None, 9)
        .wait()
        .unwrap();
    assert_eq!(
        left.iter()
            .map(|line| line.message.id.0)
            .collect::<Vec<_>>(),
        [2]
    );
    let turn = command_test
        .store
        .turn(turn_of(TALK))
        .wait()
        .unwrap()
        .unwrap();
    assert!(!format!("{turn:?}").contains("xylophone"), "{turn:?}");
}

#[test]
fn a_member_cannot_have_others_messages_forgotten_and_a_moderator_can() {
    let command_test = command_test();
    command_test.says(TALK, 5, BEN, "hm");
    let (answer, changes) = command_test.ask(
        &caller(CallerRole::Member, TALK),
        CommandRequest::ForgetMessage(MessageId(5)),
    );
    assert!(is_refused(&answer) && changes.is_empty());
    let (_, changes) = command_test.ask(
        &caller(CallerRole::Moderator, TALK),
        CommandRequest::ForgetMessage(MessageId(5)),
    );
    assert_eq!(
        changes,
        [DaemonChange::ForgetMessages(TALK, vec![MessageId(5)])]
    );
}

#[test]
fn a_message_nobody_stored_is_buried_for_a_moderator_only() {
    let command_test = command_test();
    let (answer, changes) = command_test.ask(
        &caller(CallerRole::Member, TALK),
        CommandRequest::ForgetMessage(MessageId(7)),
    );
    assert_eq!(
        (answer, changes),
        (
            CommandAnswer::Text("Nothing of that message is kept.".into()),
            vec![]
        )
    );
    command_test.ask(
        &caller(CallerRole::Moderator, TALK),
        CommandRequest::ForgetMessage(MessageId(7)),
    );
    command_test.says(TALK, 7, BEN, "found by looking back");
    assert_eq!(
        command_test
            .store
            .load_history(TALK, None, 9)
            .wait()
            .unwrap()
            .len(),
        2
    );
}
