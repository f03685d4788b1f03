//! What people decide about themselves: being forgotten, seeing what is kept, staying out of it.

use kith_core::preference::PersonPreference;

use super::*;

fn ids(command_test: &CommandTest, channel: ChannelId) -> Vec<u64> {
    command_test
        .store
        .load_history(channel, None, 9)
        .wait()
        .unwrap()
        .iter()
        .map(|line| line.message.id.0)
        .collect()
}

#[test]
fn forget_me_erases_this_guild_or_everything_and_says_so() {
    let command_test = command_test();
    let (answer, changes) = command_test.ask(
        &caller(CallerRole::Member, TALK),
        CommandRequest::ForgetMe(RequestScope::Here),
    );
    assert!(
        shown(&answer).starts_with("Forgotten in this server: 2 messages,"),
        "{answer:?}"
    );
    let gone = |channel, ids: &[u64]| {
        DaemonChange::ForgetMessages(channel, ids.iter().copied().map(MessageId).collect())
    };
    let told = [
        DaemonChange::ForgetPerson(ANNA, Some(vec![TALK, LOG])),
        gone(TALK, &[1]),
        gone(LOG, &[1]),
    ];
    assert_eq!(changes[..3], told);
    assert_eq!(
        (
            ids(&command_test, TALK),
            ids(&command_test, FAR),
            ids(&command_test, LETTER)
        ),
        (vec![2], vec![1, 2], vec![1, 2])
    );
    let (answer, changes) = command_test.ask(
        &caller(CallerRole::Member, TALK),
        CommandRequest::ForgetMe(RequestScope::All),
    );
    assert!(
        shown(&answer).starts_with("Forgotten everywhere: 3 messages,"),
        "{answer:?}"
    );
    assert_eq!(
        changes[..3],
        [
            DaemonChange::ForgetPerson(ANNA, None),
            gone(FAR, &[1]),
            gone(LETTER, &[1, 2])
        ]
    );
    assert_eq!(
        (ids(&command_test, FAR), ids(&command_test, LETTER)),
        (vec![2], vec![]),
        "a direct message goes whole"
    );
    let (answer, _) = command_test.ask(
        &caller(CallerRole::Member, TALK),
        CommandRequest::ForgetMe(RequestScope::All),
    );
    assert!(shown(&answer).contains("no message of yours"), "{answer:?}");
}

#[test]
fn forget_me_tells_of_copies_made_before_in_the_callers_language_whatever_was_there() {
    let command_test = command_test();
    for (language, told) in [
        (Language::EN, "Backups and exports that were made before"),
        (Language::ZH, "备份和导出文件里"),
    ] {
        for extent in [RequestScope::Here, RequestScope::All] {
            let me = Caller {
                language,
                ..caller(CallerRole::Member, TALK)
            };
            let (answer, _) = command_test.ask(&me, CommandRequest::ForgetMe(extent));
            assert!(shown(&answer).contains(told), "{answer:?}");
        }
    }
}

#[test]
fn what_was_logged_of_a_forgotten_person_goes_too() {
    let command_test = command_test();
    let (_, changes) = command_test.ask(
        &caller(CallerRole::Member, TALK),
        CommandRequest::ForgetMe(RequestScope::Here),
    );
    assert_eq!(
        changes.last(),
        Some(&DaemonChange::DeleteLogEntries(vec![
            turn_of(TALK),
            turn_of(LOG)
        ]))
    );
}

#[test]
fn an_export_in_a_guild_holds_that_guild_and_in_a_direct_message_everything() {
    let command_test = command_test();
    let export = |at| match command_test
        .ask(&caller(CallerRole::Member, at), CommandRequest::ExportMe)
        .0
    {
        CommandAnswer::File { name, bytes, .. } => {
            assert_eq!(name, "kith-export.json");
            let text = String::from_utf8(bytes).unwrap();
            serde_json::from_str::<serde_json::Value>(&text).unwrap();
            text
        }
        other => panic!("{other:?}"),
    };
    let holds = |text: &str| [TALK, LOG, FAR, LETTER].map(|of| text.contains(&secret_of(of)));
    assert_eq!(holds(&export(TALK)), [true, true, false, false]);
    assert_eq!(holds(&export(LETTER)), [true; 4]);
}

#[test]
fn a_further_partition_exports_what_it_has_and_is_silent_where_it_has_nothing() {
    let command_test = command_test();
    let further = Partition::new(2, 4).unwrap();
    let export = |user: UserId, wait_minutes| {
        let caller = Caller {
            user,
            ..caller(CallerRole::Member, LETTER)
        };
        let facts = DaemonFacts {
            partition: further,
            wait_minutes,
            ..facts(LETTER)
        };
        command_test
            .ask_with(&caller, CommandRequest::ExportMe, facts)
            .0
    };
    // How often may be asked, the first one counts.
    match export(ANNA, Some(3)) {
        CommandAnswer::File { name, bytes, .. } => {
            assert_eq!(name, "kith-export-3.json");
            assert!(String::from_utf8(bytes).unwrap().contains(&secret_of(FAR)));
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(export(UserId(987), None), CommandAnswer::Nothing);
}

#[test]
fn a_wish_is_kept_and_told_and_who_is_ignored_is_erased_at_once() {
    let command_test = command_test();
    let me = caller(CallerRole::Member, TALK);
    let wish = || {
        command_test
            .store
            .load_preferences()
            .wait()
            .unwrap()
            .get(ANNA)
    };
    let (_, changes) =
        command_test.ask(&me, CommandRequest::OptOut(PersonPreference::DontRemember));
    assert_eq!(
        (changes, wish()),
        (
            vec![DaemonChange::OptOut(ANNA, PersonPreference::DontRemember)],
            PersonPreference::DontRemember
        )
    );
    assert_eq!(ids(&command_test, FAR), [1, 2]);
    let (_, changes) = command_test.ask(&me, CommandRequest::OptOut(PersonPreference::Ignore));
    assert_eq!(
        changes[..2],
        [
            DaemonChange::OptOut(ANNA, PersonPreference::Ignore),
            DaemonChange::ForgetPerson(ANNA, None)
        ]
    );
    assert_eq!(
        (wish(), ids(&command_test, FAR), ids(&command_test, LETTER)),
        (PersonPreference::Ignore, vec![2], vec![])
    );
    let (_, changes) = command_test.ask(&me, CommandRequest::OptOut(PersonPreference::Remember));
    assert_eq!(
        (changes, wish()),
        (
            vec![DaemonChange::OptOut(ANNA, PersonPreference::Remember)],
            PersonPreference::Remember
        )
    );
}

#[test]
fn who_had_enough_erased_is_asked_to_wait_but_a_wish_to_be_ignored_holds_at_once() {
    let command_test = command_test();
    let me = caller(CallerRole::Member, TALK);
    let enough = || DaemonFacts {
        wait_minutes: Some(4),
        ..facts(TALK)
    };
    let (answer, changes) =
        command_test.ask_with(&me, CommandRequest::ForgetMe(RequestScope::Here), enough());
    assert!(
        matches!(&answer, CommandAnswer::Refused(sentence) if sentence.contains("in 4 min")),
        "{answer:?}"
    );
    assert_eq!(changes, []);
    let (answer, changes) = command_test.ask_with(
        &me,
        CommandRequest::OptOut(PersonPreference::Ignore),
        enough(),
    );
    assert!(
        matches!(&answer, CommandAnswer::Refused(sentence) if sentence.contains("ignored")),
        "{answer:?}"
    );
    assert_eq!(
        changes,
        [DaemonChange::OptOut(ANNA, PersonPreference::Ignore)]
    );
    assert_eq!(
        command_test
            .store
            .load_preferences()
            .wait()
            .unwrap()
            .get(ANNA),
        PersonPreference::Ignore
    );
    assert_eq!(ids(&command_test, TALK), [1, 2], "nothing is erased yet");
}
