//! Sessions on record: kept before they are opened, over restarts, and without a word of whom or what is erased.

use kith_core::chat::{GuildId, SessionId};
use kith_core::session::{
    PromptPiece, Session, SessionConfig, SessionRewording, SessionSource, SessionStart,
};

use super::*;

const THREAD: ChannelId = ChannelId(30);

pub fn session(label: &str, start: SessionStart) -> Session {
    let vars = [("place".to_owned(), "Heidelberg with Annabella".to_owned())].into();
    let host = PromptPiece::Host {
        template: "a guide to {{ place }}".into(),
        vars,
    };
    let prompt = vec![
        host,
        PromptPiece::Model("Annabella wants to see the castle".into()),
    ];
    Session {
        id: SessionId(0),
        guild: GuildId(5),
        channel: None,
        from: TALK,
        parent_channel: TALK,
        parent: None,
        turn: TurnId(1),
        cursor: 7,
        made: 100_000,
        label: label.into(),
        opening: Some("let us plan it".into()),
        config: SessionConfig {
            prompt,
            skills: Some(Vec::new()),
            start,
            ..SessionConfig::default()
        },
        sources: vec![SessionSource {
            channel: TALK,
            after: Some(MessageId(1)),
            upto: MessageId(9),
        }],
        summary: None,
    }
}

pub fn put(store: &Store, session: Session) -> Session {
    store
        .put_session(session)
        .wait()
        .expect("stored")
        .expect("kept")
}

fn kept(store: &Store, id: SessionId) -> Session {
    let all = store.sessions().wait().expect("read");
    all.into_iter()
        .find(|session| session.id == id)
        .expect("there")
}

fn annabella() -> Author {
    person(2, "Annabella")
}

#[test]
fn a_session_is_there_after_a_restart_with_what_is_to_be_said_in_it_in_the_outbox() {
    let (_folder, path) = on_disk();
    let (first, second) = {
        let store = open(&path);
        let first = put(&store, session("trip", SessionStart::Inherit));
        let opening = OutgoingAction {
            nonce: format!("s{}", first.id),
            turn: None,
            part: 0,
            channel: THREAD,
            action: VisibleAction::Send {
                text: "let us plan it".into(),
                reply_to: None,
                with: None,
            },
            cursor: 0,
            at: 100_000,
            answers: Vec::new(),
        };
        store
            .open_session(first.id, THREAD, Some(opening))
            .wait()
            .expect("opened");
        (first, put(&store, session("other", SessionStart::None)))
    };
    let store = open(&path);
    assert_eq!(
        kept(&store, first.id),
        Session {
            channel: Some(THREAD),
            opening: None,
            ..first.clone()
        }
    );
    assert_eq!(
        store
            .find_session(THREAD)
            .wait()
            .expect("read")
            .map(|found| found.id),
        Some(first.id)
    );
    assert_eq!(
        kept(&store, second.id).channel,
        None,
        "nobody knows whether it was opened"
    );
    let pending = store.pending_outbox().wait().expect("read");
    assert_eq!(
        pending
            .iter()
            .map(|outgoing| outgoing.channel)
            .collect::<Vec<_>>(),
        [THREAD]
    );
    assert_eq!(
        store.restore(TALK, 10).wait().expect("read").cursor,
        7,
        "nothing before it asks for it again"
    );
}

#[test]
fn those_below_one_that_is_over_are_its_parents_and_no_number_is_given_twice() {
    let store = memory();
    let top = put(&store, session("a", SessionStart::None));
    let middle = put(
        &store,
        Session {
            parent: Some(top.id),
            ..session("b", SessionStart::None)
        },
    );
    let low = put(
        &store,
        Session {
            parent: Some(middle.id),
            ..session("c", SessionStart::None)
        },
    );
    store.end_session(middle.id).wait().expect("ended");
    assert_eq!(kept(&store, low.id).parent, Some(top.id));
    store.end_session(low.id).wait().expect("ended");
    assert!(put(&store, session("d", SessionStart::None)).id > low.id);
}

#[test]
fn a_summary_goes_with_every_message_it_may_tell_of() {
    let store = memory();
    store_all(
        &store,
        (1..=12)
            .map(|id| said(TALK, id, &format!("the otter number {id}")))
            .collect(),
    );
    let one = put(&store, session("a", SessionStart::Summary));
    let sums = |read_at| {
        store
            .save_session_summary(one.id, "they count otters".into(), read_at)
            .wait()
            .expect("asked")
    };
    assert!(sums(100_000));
    let has = || kept(&store, one.id).summary.is_some();
    store_all(
        &store,
        vec![
            edited(TALK, 12, "later"),
            deleted(TALK, 1),
            deleted(OTHER, 5),
        ],
    );
    assert!(has(), "none of these is part of it");
    store_all(&store, vec![edited(TALK, 4, "the heron")]);
    assert!(!has());
    assert!(!sums(100_000), "it was read before the edit");
    assert!(sums(2_000_000));
    store_all(
        &store,
        vec![ChatEvent::Delete {
            channel: TALK,
            ids: vec![MessageId(5)],
            at: 3_000_000,
        }],
    );
    assert!(!has());
    assert!(sums(4_000_000));
    store.prune(200_000).wait().expect("pruned");
    assert!(!has(), "it is too old to be kept");
}

#[test]
fn who_is_forgotten_is_in_no_word_of_a_session_and_the_hosts_own_words_stay() {
    let (_folder, path) = on_disk();
    let store = open(&path);
    let channel = group_channel(TALK, Some(GuildId(5)), "talk");
    store_all(
        &store,
        vec![
            ChatEvent::Channel(channel),
            says(TALK, 3, annabella(), "to the castle!"),
            said(TALK, 4, "yes"),
        ],
    );
    let one = put(&store, session("Annabella's trip", SessionStart::Summary));
    assert!(
        store
            .save_session_summary(one.id, "somebody wants to see a castle".into(), 200_000)
            .wait()
            .expect("asked")
    );
    let export = store
        .export_person(UserId(2), None)
        .wait()
        .expect("exported");
    let told: Vec<&str> = export["sessions"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|row| row["text"].as_str())
        .collect();
    assert_eq!(
        told,
        [
            "Annabella's trip",
            "Heidelberg with Annabella",
            "Annabella wants to see the castle"
        ]
    );
    store
        .forget_person(UserId(2), None, 300_000)
        .wait()
        .expect("forgotten");
    let left = kept(&store, one.id);
    assert_eq!((left.label.as_str(), left.summary), ("", None));
    let vars = [("place".to_owned(), String::new())].into();
    assert_eq!(
        left.config.prompt,
        [PromptPiece::Host {
            template: "a guide to {{ place }}".into(),
            vars
        }]
    );
    drop(store);
    assert_eq!(files_with(&path, "Annabella"), [""; 0]);
}

#[test]
fn what_quotes_a_text_that_is_deleted_afterwards_goes_whole() {
    let store = memory();
    store_all(&store, vec![said(TALK, 3, "my secret is xylophonists")]);
    let prompt = vec![
        PromptPiece::Model("she is a xylophonist".into()),
        PromptPiece::Model("be kind".into()),
    ];
    let sheet = SessionConfig {
        prompt,
        ..SessionConfig::default()
    };
    let one = put(
        &store,
        Session {
            config: sheet,
            ..session("trip", SessionStart::None)
        },
    );
    store_all(&store, vec![deleted(TALK, 3)]);
    assert_eq!(
        kept(&store, one.id).config.prompt,
        [PromptPiece::Model("be kind".into())]
    );
}

#[test]
fn what_a_person_changes_of_a_session_goes_with_what_it_quotes_too() {
    let store = memory();
    let one = put(&store, session("trip", SessionStart::None));
    // Said long after the session was opened.
    let late = Author::clone(&annabella());
    let mut secret = said(TALK, 3, "my secret is xylophonists");
    if let ChatEvent::Message(message) = &mut secret {
        (message.at, message.author) = (one.made + 1_000, late);
    }
    store_all(&store, vec![secret]);
    let rewording = SessionRewording {
        label: Some("the xylophonists".into()),
        note: Some("she is a xylophonist".into()),
    };
    let changed = store.reword_session(one.id, rewording, one.made + 2_000);
    let changed = changed.wait().expect("stored").expect("there");
    assert_eq!(changed.label, "the xylophonists");
    assert_eq!(changed.config.notes(), ["she is a xylophonist"]);
    store_all(&store, vec![deleted(TALK, 3)]);
    let left = kept(&store, one.id);
    assert_eq!((left.label.as_str(), left.config.notes()), ("", Vec::new()));
    let gone = store.reword_session(SessionId(99), SessionRewording::default(), 1);
    assert_eq!(gone.wait().expect("read"), None);
}

#[test]
fn a_deleted_channel_ends_its_session() {
    let store = memory();
    let one = put(&store, session("a", SessionStart::None));
    store
        .open_session(one.id, THREAD, None)
        .wait()
        .expect("opened");
    store
        .erase_places(vec![THREAD], None, 1)
        .wait()
        .expect("erased");
    assert_eq!(store.sessions().wait().expect("read"), []);
}
