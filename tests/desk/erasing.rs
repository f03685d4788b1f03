//! What people decide about themselves: being forgotten, seeing what is kept, staying out of it.

use kith::core::people::Wish;

use super::*;

fn ids(house: &House, channel: ChannelId) -> Vec<u64> {
    house.store.history(channel, None, 9).wait().unwrap().iter().map(|line| line.message.id.0).collect()
}

#[test]
fn forget_me_erases_this_guild_or_everything_and_says_so() {
    let house = house();
    let (answer, changes) = house.ask(&asker(Who::Member, TALK), Request::ForgetMe(Extent::Here));
    assert!(shown(&answer).starts_with("Forgotten in this server: 2 messages,"), "{answer:?}");
    let gone = |channel, ids: &[u64]| Change::Forgot(channel, ids.iter().copied().map(MessageId).collect());
    let told = [Change::ForgotPerson(ANNA, Some(vec![TALK, LOG])), gone(TALK, &[1]), gone(LOG, &[1])];
    assert_eq!(changes[..3], told);
    assert_eq!((ids(&house, TALK), ids(&house, FAR), ids(&house, LETTER)), (vec![2], vec![1, 2], vec![1, 2]));
    let (answer, changes) = house.ask(&asker(Who::Member, TALK), Request::ForgetMe(Extent::All));
    assert!(shown(&answer).starts_with("Forgotten everywhere: 3 messages,"), "{answer:?}");
    assert_eq!(changes[..3], [Change::ForgotPerson(ANNA, None), gone(FAR, &[1]), gone(LETTER, &[1, 2])]);
    assert_eq!((ids(&house, FAR), ids(&house, LETTER)), (vec![2], vec![]), "a direct message goes whole");
    let (answer, _) = house.ask(&asker(Who::Member, TALK), Request::ForgetMe(Extent::All));
    assert!(shown(&answer).contains("no message of yours"), "{answer:?}");
}

#[test]
fn what_was_logged_of_a_forgotten_person_goes_too() {
    let house = house();
    let (_, changes) = house.ask(&asker(Who::Member, TALK), Request::ForgetMe(Extent::Here));
    assert_eq!(changes.last(), Some(&Change::Unlog(vec![turn_of(TALK), turn_of(LOG)])));
}

#[test]
fn an_export_in_a_guild_holds_that_guild_and_in_a_direct_message_everything() {
    let house = house();
    let export = |at| match house.ask(&asker(Who::Member, at), Request::ExportMe).0 {
        Answer::File { name, bytes, .. } => {
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
fn a_wish_is_kept_and_told_and_who_is_ignored_is_erased_at_once() {
    let house = house();
    let me = asker(Who::Member, TALK);
    let wish = || house.store.wishes().wait().unwrap().of(ANNA);
    let (_, changes) = house.ask(&me, Request::OptOut(Wish::DontRemember));
    assert_eq!((changes, wish()), (vec![Change::OptOut(ANNA, Wish::DontRemember)], Wish::DontRemember));
    assert_eq!(ids(&house, FAR), [1, 2]);
    let (_, changes) = house.ask(&me, Request::OptOut(Wish::Ignore));
    assert_eq!(changes[..2], [Change::OptOut(ANNA, Wish::Ignore), Change::ForgotPerson(ANNA, None)]);
    assert_eq!((wish(), ids(&house, FAR), ids(&house, LETTER)), (Wish::Ignore, vec![2], vec![]));
    let (_, changes) = house.ask(&me, Request::OptOut(Wish::Remember));
    assert_eq!((changes, wish()), (vec![Change::OptOut(ANNA, Wish::Remember)], Wish::Remember));
}

#[test]
fn who_had_enough_erased_is_asked_to_wait_but_a_wish_to_be_ignored_holds_at_once() {
    let house = house();
    let me = asker(Who::Member, TALK);
    let enough = || Facts { asked_enough: Some(4), ..facts(TALK) };
    let (answer, changes) = house.ask_with(&me, Request::ForgetMe(Extent::Here), enough());
    assert!(matches!(&answer, Answer::Refused(sentence) if sentence.contains("in 4 min")), "{answer:?}");
    assert_eq!(changes, []);
    let (answer, changes) = house.ask_with(&me, Request::OptOut(Wish::Ignore), enough());
    assert!(matches!(&answer, Answer::Refused(sentence) if sentence.contains("ignored")), "{answer:?}");
    assert_eq!(changes, [Change::OptOut(ANNA, Wish::Ignore)]);
    assert_eq!(house.store.wishes().wait().unwrap().of(ANNA), Wish::Ignore);
    assert_eq!(ids(&house, TALK), [1, 2], "nothing is erased yet");
}
