//! What is stored together on a server is as if it were stored one after the other. A file stores it so, and is held against
//! it.

use kith_core::preference::PersonPreference;
use proptest::prelude::*;

use super::*;

/// Somebody who was ignored until `IGNORED`.
const BOB: UserId = UserId(2);
const IGNORED: i64 = 4_000;
const WORDS: [&str; 4] = ["oats", "kettle", "火锅", "a\0b"];

fn author() -> impl Strategy<Value = Author> {
    (
        1_u64..4,
        prop::sample::select(vec!["Anna", "Bob", "Zoë\0"]),
        0..8,
    )
        .prop_map(|(id, name, kind)| Author {
            kind: match kind {
                0 => AuthorKind::Companion,
                1 => AuthorKind::Bot,
                _ => AuthorKind::Person,
            },
            ..person(id, name)
        })
}

fn message() -> impl Strategy<Value = ChatEvent> {
    let place = (prop::sample::select(vec![TALK, OTHER]), 1_u64..12);
    let text = prop::collection::vec(prop::sample::select(WORDS.to_vec()), 0..4);
    let more = (
        prop::option::of(1_u64..12),
        prop::collection::vec((1_u64..4).prop_map(UserId), 0..3),
    );
    (place, author(), text, more).prop_map(|((channel, id), author, text, (reply_to, mentions))| {
        match says(channel, id, author, &text.join(" ")) {
            ChatEvent::Message(message) => ChatEvent::Message(Message {
                reply_to: reply_to.map(MessageId),
                mentions,
                ..message
            }),
            other => other,
        }
    })
}

fn event() -> impl Strategy<Value = ChatEvent> {
    let place = (prop::sample::select(vec![TALK, OTHER]), 1_u64..12);
    prop_oneof![
        8 => message(),
        1 => place.clone().prop_map(|(channel, id)| edited(channel, id, "oats again")),
        1 => place.clone().prop_map(|(channel, id)| deleted(channel, id)),
        1 => (place, author()).prop_map(|((channel, id), author)| ChatEvent::Reaction {
            channel,
            message: MessageId(id),
            author,
            emoji: "👀".into(),
            added: true,
            at: 9_000,
        }),
    ]
}

/// Stores lists of events one after the other, and answers with all that can be seen of it.
fn store_lists(store: &Store, lists: &[Vec<ChatEvent>]) -> Vec<String> {
    for wish in [PersonPreference::Ignore, PersonPreference::Remember] {
        let wished = store.set_preference(BOB, wish, IGNORED);
        wished.wait().expect("set");
    }
    // What comes between these two from now on is late for the vectors.
    store_all(
        store,
        vec![said(TALK, 3, "kettle first"), said(TALK, 9, "kettle last")],
    );
    vectors::embed_all(store, "small-embedder", &[TALK], 8);
    let mut seen: Vec<String> = lists
        .iter()
        .map(|events| format!("{:?}", store_all(store, events.clone())))
        .collect();
    for channel in [TALK, OTHER] {
        let history = store.load_history(channel, None, 99).wait().expect("read");
        seen.extend(history.iter().map(|line| format!("{line:?}")));
        for word in WORDS {
            let found = store
                .search(search(word, &[channel]))
                .wait()
                .expect("searched");
            let mut found = ids(&found);
            found.sort_unstable();
            seen.push(format!("{word} in {channel}: {found:?}"));
        }
    }
    // Of one message the later thought counts, and of one that is not there none.
    let thoughts = [(3, 0.1), (999, 0.2), (3, 0.3), (9, 0.4)];
    let thoughts = thoughts.map(|(message, score)| decision(TALK, message, score));
    let saved = store.save_decisions(thoughts.to_vec());
    saved.wait().expect("saved");
    let lines = store.load_history_with_reasons(TALK, None, 9).wait();
    let lines = lines.expect("read").into_iter();
    let kept: Vec<_> = lines.filter_map(|(_, why)| why.decision).collect();
    seen.push(format!("{kept:?}"));
    let mut people = store.people().wait().expect("read");
    people.sort_by_key(|person| person.id);
    seen.push(format!("{people:?}"));
    let late = store.find_unembedded("small-embedder".into(), vec![TALK], 99);
    let late = late.wait().expect("read");
    let late = late.into_iter().flat_map(|batch| batch.messages);
    // They come in any order.
    let mut late: Vec<String> = late
        .map(|line| line.text.replace('\0', "\u{FFFD}"))
        .collect();
    late.sort();
    seen.push(format!("{late:?}"));
    seen.into_iter()
        .map(|line| line.replace("\\0", "\u{FFFD}"))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 60, ..ProptestConfig::with_cases(24) })]

    #[test]
    fn what_is_stored_together_is_as_if_it_were_stored_one_after_the_other(
        lists in prop::collection::vec(prop::collection::vec(event(), 0..24), 1..4),
    ) {
        let Some(server) = PostgresServer::shared() else {
            return Ok(());
        };
        let on_server = open(Path::new(&server.make_schema().url));
        let in_memory = Store::open_in_memory().expect("opened");
        let (found, expected) = (store_lists(&on_server, &lists), store_lists(&in_memory, &lists));
        prop_assert_eq!(found, expected);
    }
}

#[test]
fn a_link_that_is_cut_between_asking_and_storing_leaves_each_message_stored_once() {
    let Some(server) = PostgresServer::shared() else {
        return;
    };
    let schema = server.make_schema();
    let store = open(Path::new(&schema.url));
    store_all(&store, vec![said(TALK, 3, "known already")]);
    // The first of them that comes ends its own session. A sequence goes on whatever becomes of a transaction.
    server.run_sql(&format!(
        "SET search_path TO {};
         CREATE SEQUENCE tries;
         CREATE FUNCTION give_up() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
             IF nextval('tries') = 1 THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF;
             RETURN NEW;
         END $$;
         CREATE TRIGGER give_up BEFORE INSERT ON messages FOR EACH ROW EXECUTE FUNCTION give_up()",
        schema.name
    ));
    let stored = store_all(&store, (1..=6).map(|id| said(TALK, id, "once")).collect());
    let arrivals: Vec<(u64, bool)> = stored
        .iter()
        .map(|stored| (stored.arrival, stored.new))
        .collect();
    let expected = [
        (2, true),
        (3, true),
        (1, false),
        (4, true),
        (5, true),
        (6, true),
    ];
    assert_eq!(arrivals, expected);
    let history = store.load_history(TALK, None, 99).wait().expect("read");
    assert_eq!(history.len(), 6);
}
