//! Pictures that moderators keep: each goes with its message.

use kith_core::chat::GuildId;
use kith_core::sticker::Sticker;

use super::*;

const GUILD: GuildId = GuildId(5);

fn sticker(message: u64, name: &str) -> Sticker {
    Sticker {
        guild: GUILD,
        name: name.into(),
        channel: TALK,
        message: MessageId(message),
        at: 500_000,
    }
}

fn keep(store: &Store, message: u64, name: &str) -> bool {
    store
        .keep_sticker(sticker(message, name), "png", b"a picture".to_vec())
        .wait()
        .expect("asked")
}

fn names(store: &Store) -> Vec<String> {
    store
        .find_stickers(GUILD)
        .wait()
        .expect("read")
        .into_iter()
        .map(|kept| kept.name)
        .collect()
}

#[test]
fn what_is_kept_is_found_by_its_message_and_no_two_are_called_alike() {
    let store = memory();
    store_all(&store, vec![said(TALK, 1, "a"), said(TALK, 2, "b")]);
    assert!(keep(&store, 1, "Cat"));
    assert!(!keep(&store, 1, "dog"), "one of a message");
    assert!(!keep(&store, 2, "cat"), "the name is taken");
    assert_eq!(
        store.find_sticker(TALK, MessageId(1)).wait(),
        Ok(Some(sticker(1, "Cat")))
    );
    assert_eq!(
        store.find_sticker_file(TALK, MessageId(1)).wait(),
        Ok(Some(("png".into(), b"a picture".to_vec())))
    );
    store
        .drop_sticker(TALK, MessageId(1))
        .wait()
        .expect("dropped");
    assert!(names(&store).is_empty() && keep(&store, 2, "cat"));
}

#[test]
fn nothing_is_kept_of_a_message_that_is_gone_or_was_changed_since_somebody_looked() {
    let store = memory();
    store_all(&store, vec![said(TALK, 1, "a"), said(TALK, 2, "b")]);
    store_all(&store, vec![deleted(TALK, 1), edited(TALK, 2, "c")]);
    assert!(!keep(&store, 1, "one") && !keep(&store, 2, "two") && !keep(&store, 3, "never there"));
}

#[test]
fn it_goes_when_its_message_is_deleted_or_says_something_else_also_long_after_that_was_pruned() {
    let store = memory();
    store_all(&store, (1..=4).map(|id| said(TALK, id, "words")).collect());
    for (message, name) in [(1, "one"), (2, "two"), (3, "three"), (4, "four")] {
        assert!(keep(&store, message, name));
    }
    store_all(
        &store,
        vec![deleted(TALK, 1), edited(TALK, 2, "other words")],
    );
    assert_eq!(names(&store), ["four", "three"]);
    while store.prune(100_000).wait().expect("pruned") > 0 {}
    assert_eq!(names(&store), ["four", "three"]);
    store_all(&store, vec![deleted(TALK, 3)]);
    assert_eq!(names(&store), ["four"]);
    store
        .erase_places(vec![TALK], None, 1)
        .wait()
        .expect("erased");
    assert!(names(&store).is_empty());
}

#[test]
fn it_is_told_to_its_author_and_goes_with_them_and_with_whom_its_name_tells_of() {
    let store = memory();
    let channel = group_channel(TALK, Some(GUILD), "talk");
    let ben = || person(2, "Benedict");
    store_all(
        &store,
        vec![
            ChatEvent::Channel(channel),
            said(TALK, 1, "a"),
            says(TALK, 2, ben(), "b"),
            said(TALK, 3, "c"),
            says(TALK, 4, person(3, "Cleo"), "d"),
        ],
    );
    assert!(
        keep(&store, 1, "cat")
            && keep(&store, 2, "dog")
            && keep(&store, 3, "Benedict asleep")
            && keep(&store, 4, "d")
    );
    let export = store
        .export_person(UserId(2), None)
        .wait()
        .expect("exported");
    assert_eq!(export["stickers"][0]["name"], "dog", "{export:#}");
    assert_eq!(export["stickers"].as_array().map(Vec::len), Some(1));
    store
        .forget_person(UserId(2), None, 600_000)
        .wait()
        .expect("forgotten");
    assert_eq!(names(&store), ["cat", "d"]);
    store
        .forget_person(UserId(1), Some(vec![TALK]), 600_000)
        .wait()
        .expect("forgotten");
    assert_eq!(names(&store), ["d"]);
}
