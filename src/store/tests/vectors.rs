//! Vectors of messages: each is made once, found only in scope, and gone with what it was made of, to the byte.

use kith_core::preference::PersonPreference;
use kith_core::recall::TextVector;
use kith_store::{LeftOutMessages, SimilarMessages, UnembeddedBatch, VectorSearch};

use super::*;

/// A snowflake, so that its bytes are like no other number's.
const MIRA: u64 = 1_234_567_890_123_456_789;
const MODEL: &str = "small-embedder";
/// How many numbers a vector of these tests has.
const SIZE: usize = 64;

/// A vector that is the same for the same first word, so that a test knows which texts are alike.
fn vector(text: &str) -> TextVector {
    let word = text.split(' ').next().unwrap_or_default();
    let mut state = word.bytes().fold(7_u32, |state, byte| {
        state.wrapping_mul(31).wrapping_add(byte.into())
    });
    let numbers: Vec<f32> = (0..SIZE)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 24) as f32 - 0.5
        })
        .collect();
    TextVector::from_numbers(&numbers).expect("a vector")
}

/// Has vectors made of everything in these channels, `limit` at a time; answers with the texts of each batch.
pub(super) fn embed_all(
    store: &Store,
    model: &str,
    channels: &[ChannelId],
    limit: usize,
) -> Vec<Vec<String>> {
    let mut batches = Vec::new();
    loop {
        let found = store.find_unembedded(model.into(), channels.to_vec(), limit);
        let Some(batch) = found.wait().expect("read") else {
            return batches;
        };
        let texts = batch
            .messages
            .iter()
            .map(|message| message.text.to_string());
        batches.push(texts.collect());
        keep_made(store, model, batch);
        assert!(batches.len() < 100, "it comes to an end: {batches:?}");
    }
}

/// Keeps the vector of each message of a batch.
fn keep_made(store: &Store, model: &str, batch: UnembeddedBatch) {
    let texts = batch.messages.iter();
    let made = texts.map(|message| Some(vector(&message.text))).collect();
    let kept = store.keep_vectors(model.into(), batch, made);
    kept.wait().expect("kept");
}

fn similar(store: &Store, model: &str, text: &str, within: MessageSearch) -> SimilarMessages {
    let search = VectorSearch {
        model: model.into(),
        vector: vector(text),
        within,
        reach: 0,
    };
    store.find_similar(search).wait().expect("searched")
}

/// The ids of the messages that are the same by their vector.
fn same(store: &Store, text: &str, channels: &[ChannelId]) -> Vec<u64> {
    let found = similar(store, MODEL, text, search("", channels));
    let same = found.hits.iter().filter(|hit| hit.score > 0.99);
    same.map(|hit| hit.id.0).collect()
}

/// The files that hold the vector of a text.
fn files_with_vector(path: &Path, text: &str) -> Vec<String> {
    files_holding(path, &vector(text).to_bytes())
}

fn talked(store: &Store) {
    store_all(
        store,
        vec![
            said(TALK, 1, "noodles at the station"),
            said(TALK, 2, "ok"),
            said(TALK, 3, "bicycles are repaired on mondays"),
            said(TALK, 4, "concerts cost too much"),
            said(OTHER, 5, "noodles are cooked in secret"),
        ],
    );
}

#[test]
fn the_newest_messages_come_first_then_what_follows_then_what_was_before() {
    let store = memory();
    talked(&store);
    let next = |limit| {
        let found = store.find_unembedded(MODEL.into(), vec![TALK], limit);
        found.wait().expect("read").expect("something is left")
    };
    let keep = |batch| keep_made(&store, MODEL, batch);
    let first = next(2);
    assert_eq!((first.messages.len(), first.dimensions), (2, None));
    keep(first);
    store_all(&store, vec![said(TALK, 6, "gardens need water")]);
    let second = next(2);
    assert_eq!(&*second.messages[0].text, "gardens need water");
    assert_eq!(second.dimensions, Some(SIZE));
    keep(second);
    assert_eq!(
        embed_all(&store, MODEL, &[TALK], 2),
        [["noodles at the station"]],
        "and what says nothing has no vector"
    );
    assert_eq!(embed_all(&store, MODEL, &[TALK], 2), [[""; 0]; 0]);
    assert_eq!(same(&store, "noodles", &[TALK]), [1]);
}

#[test]
fn a_vector_is_found_in_scope_only_and_by_its_own_model_only() {
    let store = memory();
    talked(&store);
    embed_all(&store, MODEL, &[TALK, OTHER], 8);
    assert_eq!(same(&store, "noodles", &[TALK]), [1]);
    assert_eq!(same(&store, "noodles", &[OTHER]), [5]);
    assert_eq!(
        same(&store, "noodles", &[TALK, OTHER]),
        [5, 1],
        "newest first"
    );
    assert!(same(&store, "noodles", &[]).is_empty());
    let of_other = similar(&store, "another", "noodles", search("", &[TALK]));
    assert_eq!(of_other, SimilarMessages::default());
    let limited = |change: fn(&mut MessageSearch)| {
        let mut within = search("", &[TALK]);
        change(&mut within);
        ids(&similar(&store, MODEL, "noodles", within).hits)
    };
    assert_eq!(limited(|within| within.limit = 1), [1], "the nearest");
    assert!(limited(|within| within.author = Some(SearchAuthor::Name("ben".into()))).is_empty());
    assert_eq!(
        limited(|within| within.author = Some(SearchAuthor::Name("ann".into()))).len(),
        3
    );
    assert_eq!(limited(|within| within.from = Some(4_000)), [4]);
    let out = LeftOutMessages {
        channel: TALK,
        from: Some(MessageId(4)),
        until: Some(MessageId(1)),
    };
    let within = MessageSearch {
        left_out: Some(out),
        ..search("", &[TALK])
    };
    assert_eq!(ids(&similar(&store, MODEL, "noodles", within).hits), [3]);
    let short = VectorSearch {
        model: MODEL.into(),
        vector: TextVector::from_numbers(&[1.0, 0.5]).expect("a vector"),
        within: search("", &[TALK]),
        reach: 0,
    };
    assert!(
        store
            .find_similar(short)
            .wait()
            .expect("searched")
            .hits
            .is_empty()
    );
}

#[test]
fn what_was_said_up_to_a_fresh_start_is_not_found_by_what_it_means() {
    let store = memory();
    let line = |number| said_on_discord(TALK, number, "noodles at the station");
    store_all(&store, (1..=4).map(line).collect());
    embed_all(&store, MODEL, &[TALK], 8);
    let within = MessageSearch {
        left_out: Some(LeftOutMessages {
            channel: TALK,
            from: Some(MessageId(snowflake(4))),
            until: Some(MessageId(snowflake(2))),
        }),
        ..search("", &[TALK])
    };
    let found = similar(&store, MODEL, "noodles", within);
    assert_eq!(ids(&found.hits), [snowflake(3)]);
}

#[test]
fn a_deleted_message_takes_its_vector_at_once_and_an_edited_one_gets_another() {
    let (_folder, path) = on_disk();
    let store = open(&path);
    talked(&store);
    embed_all(&store, MODEL, &[TALK], 8);
    store.scrub().wait().expect("scrubbed");
    assert!(
        !files_with_vector(&path, "noodles").is_empty(),
        "it was there"
    );
    store_all(
        &store,
        vec![
            deleted(TALK, 1),
            edited(TALK, 3, "shoes are mended on mondays"),
            edited(TALK, 4, "no"),
        ],
    );
    let found = similar(&store, MODEL, "noodles", search("", &[TALK]));
    assert!(found.hits.is_empty(), "not before it is made anew");
    store.scrub().wait().expect("scrubbed");
    for gone in ["noodles", "bicycles", "concerts"] {
        assert_eq!(files_with_vector(&path, gone), [""; 0], "{gone}");
    }
    assert_eq!(
        embed_all(&store, MODEL, &[TALK], 8),
        [["shoes are mended on mondays"]]
    );
    assert_eq!(same(&store, "shoes", &[TALK]), [3]);
}

#[test]
fn what_changes_while_its_vector_is_made_keeps_none_of_what_it_said() {
    let store = memory();
    talked(&store);
    let batch = store.find_unembedded(MODEL.into(), vec![TALK], 8);
    let batch = batch.wait().expect("read").expect("all of it");
    store_all(
        &store,
        vec![
            edited(TALK, 1, "shoes at the station"),
            deleted(TALK, 3),
            edited(TALK, 2, "okay then, tomorrow at noon"),
        ],
    );
    keep_made(&store, MODEL, batch);
    for gone in ["noodles", "bicycles"] {
        assert!(same(&store, gone, &[TALK]).is_empty(), "{gone}");
    }
    let mut left = embed_all(&store, MODEL, &[TALK], 8).concat();
    left.sort();
    assert_eq!(
        left,
        ["okay then, tomorrow at noon", "shoes at the station"]
    );
}

#[test]
fn a_message_that_comes_late_gets_its_vector_like_any_other() {
    let store = memory();
    store_all(
        &store,
        vec![
            said(TALK, 10, "noodles at the station"),
            said(TALK, 30, "concerts cost too much"),
        ],
    );
    embed_all(&store, MODEL, &[TALK], 8);
    store_all(
        &store,
        vec![
            said(TALK, 20, "gardens need water"),
            said(TALK, 5, "bicycles are broken"),
        ],
    );
    assert_eq!(
        embed_all(&store, MODEL, &[TALK], 8).concat(),
        ["gardens need water", "bicycles are broken"]
    );
}

#[test]
fn nobody_who_does_not_want_to_be_remembered_has_a_vector() {
    let (_folder, path) = on_disk();
    let store = open(&path);
    talked(&store);
    let mira = person(MIRA, "Mirabelle");
    store_all(
        &store,
        vec![says(TALK, 7, mira.clone(), "gardens need water")],
    );
    embed_all(&store, MODEL, &[TALK], 8);
    assert_eq!(same(&store, "gardens", &[TALK]), [7]);
    let wish = |preference| store.set_preference(UserId(MIRA), preference, 1).wait();
    wish(PersonPreference::DontRemember).expect("kept");
    assert!(same(&store, "gardens", &[TALK]).is_empty());
    store.scrub().wait().expect("scrubbed");
    assert_eq!(files_with_vector(&path, "gardens"), [""; 0]);
    store_all(
        &store,
        vec![
            says(TALK, 8, mira, "orchards need water"),
            edited(TALK, 7, "gardens want water"),
        ],
    );
    assert!(embed_all(&store, MODEL, &[TALK], 8).concat().is_empty());
    assert!(same(&store, "orchards", &[TALK]).is_empty());
}

#[test]
fn who_is_forgotten_and_a_channel_that_is_erased_leave_no_vector() {
    let (_folder, path) = on_disk();
    let store = open(&path);
    talked(&store);
    let mira = person(MIRA, "Mirabelle");
    store_all(
        &store,
        vec![
            ChatEvent::Channel(group_channel(OTHER, Some(GuildId(5)), "other")),
            says(TALK, 7, mira, "gardens need water"),
        ],
    );
    embed_all(&store, MODEL, &[TALK, OTHER], 8);
    store
        .forget_person(UserId(MIRA), None, 2_000_000)
        .wait()
        .expect("forgotten");
    assert_eq!(files_with_vector(&path, "gardens"), [""; 0]);
    assert_eq!(same(&store, "noodles", &[TALK, OTHER]), [5, 1]);
    store
        .erase_places(vec![OTHER], None, 2_000_000)
        .wait()
        .expect("erased");
    assert_eq!(same(&store, "noodles", &[TALK, OTHER]), [1]);
    store_all(&store, vec![said(OTHER, 9, "noodles once more, please")]);
    assert_eq!(
        embed_all(&store, MODEL, &[OTHER], 8),
        [["noodles once more, please"]],
        "of a channel that is there again all is looked through"
    );
}

#[test]
fn old_messages_take_their_vectors_with_them() {
    let store = memory();
    talked(&store);
    embed_all(&store, MODEL, &[TALK], 8);
    while store.prune(3_500).wait().expect("pruned") > 0 {}
    let left = similar(&store, MODEL, "noodles", search("", &[TALK]));
    assert_eq!(ids(&left.hits), [4]);
    assert!(embed_all(&store, MODEL, &[TALK], 8).is_empty());
}

#[test]
fn another_model_makes_its_own_vectors_and_then_the_old_ones_go() {
    let (_folder, path) = on_disk();
    let store = open(&path);
    talked(&store);
    embed_all(&store, MODEL, &[TALK], 8);
    drop(store);
    let store = open(&path);
    assert!(
        embed_all(&store, MODEL, &[TALK], 8).is_empty(),
        "a restart makes none anew"
    );
    assert_eq!(embed_all(&store, "larger", &[TALK], 8).concat().len(), 3);
    assert_eq!(same(&store, "noodles", &[TALK]), [1], "both are there");
    let go = |model: Option<&str>| {
        let gone = store.remove_other_vectors(model.map(str::to_owned));
        gone.wait().expect("removed");
    };
    go(Some("larger"));
    assert!(same(&store, "noodles", &[TALK]).is_empty());
    let found = similar(&store, "larger", "noodles", search("", &[TALK]));
    assert_eq!(found.hits.len(), 3);
    go(None);
    store.scrub().wait().expect("scrubbed");
    assert_eq!(files_with_vector(&path, "noodles"), [""; 0]);
}

/// `cargo test -p kith-store --test store_tests -- --ignored --nocapture a_hundred_thousand`
#[test]
#[ignore = "a measurement: it takes ten seconds to fill the database"]
fn a_hundred_thousand_vectors_are_held_against_a_question_in_a_moment() {
    const MESSAGES: u64 = 100_000;
    const NUMBERS: usize = 384;
    let numbers = |seed: u64| -> TextVector {
        let mut state = seed as u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 24) as f32 - 0.5
        };
        let numbers: Vec<f32> = (0..NUMBERS).map(|_| next()).collect();
        TextVector::from_numbers(&numbers).expect("a vector")
    };
    let (_folder, path) = on_disk();
    let store = open(&path);
    for first in (1..=MESSAGES).step_by(1_000) {
        let lines = (first..first + 1_000).map(|id| said(TALK, id, "noodles at the station"));
        store_all(&store, lines.collect());
    }
    let size = || std::fs::metadata(&path).expect("looked at").len();
    let before = size();
    while let Some(batch) = store
        .find_unembedded(MODEL.into(), vec![TALK], 400)
        .wait()
        .expect("read")
    {
        let made = (0..batch.messages.len() as u64).map(|seed| Some(numbers(seed)));
        let made = made.collect();
        store
            .keep_vectors(MODEL.into(), batch, made)
            .wait()
            .expect("kept");
    }
    let asked = VectorSearch {
        model: MODEL.into(),
        vector: numbers(7),
        within: MessageSearch {
            limit: 100,
            ..search("", &[TALK])
        },
        reach: 4,
    };
    let mut times = Vec::new();
    for _ in 0..9 {
        let begun = kith_system::clock::monotonic();
        let found = store.find_similar(asked.clone()).wait().expect("searched");
        assert_eq!(found.hits.len(), 100);
        times.push(begun.elapsed());
    }
    times.sort();
    let bytes = (size() - before) / MESSAGES;
    println!("{:?} in the median, {bytes} bytes a message", times[4]);
}
