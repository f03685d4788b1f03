//! Finding what was said, in its scope and in any writing.

use super::*;

#[test]
fn an_edit_shows_and_the_old_words_are_no_longer_found() {
    let store = memory();
    store_all(
        &store,
        vec![
            said(TALK, 1, "the 火锅 place"),
            edited(TALK, 1, "the sushi place"),
        ],
    );
    let lines = store.load_history(TALK, None, 9).wait().expect("read");
    assert_eq!(
        (texts(&lines), lines[0].edited),
        (vec!["the sushi place"], true)
    );
    assert_eq!(find(&store, "火锅"), [] as [u64; 0]);
    assert_eq!(find(&store, "sushi"), [1]);
}

#[test]
fn words_are_found_in_any_case_with_or_without_accents_and_in_chinese() {
    let store = memory();
    let lines = [
        "Crème Brûlée again",
        "我们去吃火锅吧",
        "小花猫在睡觉",
        "it's over",
        "ラーメンが好き",
        "学校の猫",
    ];
    store_all(
        &store,
        lines
            .iter()
            .zip(1..)
            .map(|(text, id)| said(TALK, id, text))
            .collect(),
    );
    assert_eq!(find(&store, "creme BRULEE"), [1]);
    assert_eq!(find(&store, "火锅"), [2]);
    assert_eq!(
        find(&store, "猫"),
        [3, 6],
        "one character alone, in the middle and at the end of a run"
    );
    assert_eq!(find(&store, "吧"), [2]);
    assert_eq!(find(&store, "it's"), [4]);
    assert_eq!(find(&store, "ラーメン"), [5]);
    assert_eq!(find(&store, "火猫"), [] as [u64; 0]);
}

#[test]
fn what_a_person_types_is_never_query_syntax() {
    let store = memory();
    store_all(
        &store,
        vec![
            said(TALK, 1, "alpha beta"),
            said(OTHER, 2, "alpha scope gamma"),
        ],
    );
    for words in [
        "alpha AND NOT",
        "\"alpha",
        "alpha* OR (",
        "alpha NEAR(",
        "text:alpha",
        "alpha\0beta",
        "^alpha",
    ] {
        assert_eq!(find(&store, words), [1], "{words}");
    }
    assert_eq!(find(&store, "scope : 11 OR gamma"), [] as [u64; 0]);
    assert_eq!(find(&store, "-- ?!"), [] as [u64; 0]);
}

#[test]
fn a_search_keeps_to_its_channels_people_times_and_cursor() {
    let store = memory();
    let bob = person(2, "Bobby Tables");
    store_all(
        &store,
        vec![
            said(TALK, 1, "pizza on friday"),
            says(TALK, 2, bob.clone(), "pizza pizza pizza"),
            says(OTHER, 3, bob, "pizza in secret 11 10"),
            said(TALK, 4, "pizza tonight"),
        ],
    );
    let run = |search: MessageSearch| {
        let mut found = ids(&store.search(search).wait().expect("searched"));
        found.sort_unstable();
        found
    };
    let pizza = search("pizza", &[TALK]);
    assert_eq!(run(pizza.clone()), [1, 2, 4]);
    assert_eq!(run(search("pizza", &[TALK, OTHER])), [1, 2, 3, 4]);
    assert_eq!(run(search("pizza", &[])), [] as [u64; 0]);
    assert_eq!(
        run(MessageSearch {
            author: Some(SearchAuthor::Name("bobby".into())),
            ..pizza.clone()
        }),
        [2]
    );
    assert_eq!(
        run(MessageSearch {
            author: Some(SearchAuthor::Id(UserId(1))),
            ..pizza.clone()
        }),
        [1, 4]
    );
    assert_eq!(
        run(MessageSearch {
            from: Some(2_000),
            to: Some(4_000),
            ..pizza.clone()
        }),
        [2]
    );
    assert_eq!(
        run(MessageSearch {
            before_arrival: Some(4),
            ..pizza.clone()
        }),
        [1, 2]
    );
    assert_eq!(
        run(MessageSearch { limit: 1, ..pizza }),
        [2],
        "the best first"
    );
    let newest = MessageSearch {
        limit: 2,
        ..search(" ", &[TALK])
    };
    assert_eq!(
        ids(&store.search(newest).wait().expect("searched")),
        [4, 2],
        "without words the newest"
    );
}

#[test]
fn the_same_channel_number_in_a_text_opens_no_other_channel() {
    let store = memory();
    store_all(&store, vec![said(OTHER, 1, "10 10 hidden")]);
    assert_eq!(find(&store, "hidden 10"), [] as [u64; 0]);
}

#[test]
fn an_index_of_an_earlier_version_is_made_anew_at_the_start() {
    let (_folder, path) = on_disk();
    if find_server_rows(&path, b"").is_some() {
        // No earlier version had one.
        return;
    }
    let store = open(&path);
    store_all(&store, vec![said(TALK, 1, "both my exams are in june")]);
    assert_eq!(find(&store, "exam"), [1]);
    drop(store);
    let conn = rusqlite::Connection::open(&path).expect("opened");
    conn.execute_batch(
        "INSERT INTO words (words) VALUES ('delete-all');
         INSERT INTO words (rowid, scope, text) VALUES (1, '10', 'both my exams are in june');
         DELETE FROM meta WHERE key = 'words.format';",
    )
    .expect("as it was");
    drop(conn);
    assert_eq!(find(&open(&path), "exam"), [1]);
}

/// More messages hold a common word than the index ranks by itself.
const MANY: u64 = 2_500;

fn store_with_a_common_word() -> Store {
    let store = memory();
    let line = |id: u64| {
        let channel = if id.is_multiple_of(2) { TALK } else { OTHER };
        match id {
            700 => said(
                channel,
                id,
                "oats beside the kettle that was descaled on friday",
            ),
            701 => said(channel, id, "oats kettle elsewhere"),
            900 => said(channel, id, "oats kettle"),
            _ => said(channel, id, &format!("oats in line {id}")),
        }
    };
    store_all(&store, (1..=MANY).map(line).collect());
    store
}

#[test]
fn of_very_many_messages_those_with_rarer_words_come_first_and_of_equals_the_shorter() {
    let store = store_with_a_common_word();
    let found = store.search(search("oats kettle", &[TALK])).wait();
    let found = ids(&found.expect("searched"));
    assert_eq!(found[..2], [900, 700]);
    assert_eq!(found.len(), 10, "the common word alone will do, too");
    assert!(found.iter().all(|id| id % 2 == 0), "{found:?}");
}

#[test]
fn of_very_many_messages_none_out_of_the_limits_is_found() {
    let store = store_with_a_common_word();
    let limited = MessageSearch {
        from: Some(700_000),
        to: Some(900_000),
        left_out: Some(LeftOutMessages {
            channel: TALK,
            from: Some(MessageId(760)),
            until: Some(MessageId(700)),
        }),
        most_ranked: Some(u64::MAX),
        limit: 100,
        ..search("oats kettle", &[TALK])
    };
    let mut found = ids(&store.search(limited).wait().expect("searched"));
    found.sort_unstable();
    let expected: Vec<u64> = (702..760).filter(|id| id % 2 == 0).collect();
    assert_eq!(found, expected);
}

#[test]
fn what_was_said_up_to_a_fresh_start_is_not_found_by_words_or_by_time() {
    let store = memory();
    store_all(
        &store,
        vec![
            said_on_discord(TALK, 1, "oats before"),
            said_on_discord(TALK, 2, "oats at the fresh start"),
            said_on_discord(TALK, 3, "oats since"),
            said_on_discord(TALK, 4, "oats in the prompt"),
        ],
    );
    let out = LeftOutMessages {
        channel: TALK,
        from: Some(MessageId(snowflake(4))),
        until: Some(MessageId(snowflake(2))),
    };
    for words in ["oats", ""] {
        let within = MessageSearch {
            left_out: Some(out),
            ..search(words, &[TALK])
        };
        let found = store.search(within).wait().expect("searched");
        assert_eq!(ids(&found), [snowflake(3)], "{words:?}");
    }
}

#[test]
fn what_came_late_and_is_not_on_show_makes_a_word_as_common_as_before() {
    let store = memory();
    let lines = [(5, "oats"), (6, "oats"), (2, "oats late")];
    store_all(&store, lines.map(|(id, text)| said(TALK, id, text)).to_vec());
    let shown = MessageSearch {
        left_out: Some(LeftOutMessages {
            channel: TALK,
            from: Some(MessageId(5)),
            until: None,
        }),
        ..search("oats", &[TALK])
    };
    let context = store.search_with_context(shown, 0).wait();
    let frequencies = context.expect("searched").frequencies;
    assert_eq!(frequencies, [("oat".to_owned(), 1)]);
}

#[test]
fn how_common_a_word_is_is_counted_anew_when_the_store_has_grown() {
    let store = store_with_a_common_word();
    let count = |words: &str| {
        let context = store.search_with_context(search(words, &[TALK]), 0).wait();
        context.expect("searched").frequencies[0].1
    };
    assert_eq!(count("oats"), MANY);
    let more = |ids: std::ops::Range<u64>| {
        store_all(&store, ids.map(|id| said(TALK, id, "oats barn")).collect());
    };
    more(MANY + 1..MANY + 20);
    assert_eq!(
        count("oats"),
        MANY,
        "a little growth changes nothing that matters"
    );
    more(MANY + 20..MANY + 200);
    assert_eq!(count("oats"), MANY + 199);
    assert_eq!(
        count("barn"),
        199,
        "what is less common is counted each time"
    );
}
