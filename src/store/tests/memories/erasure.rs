//! A memory goes with a message it was taken from, with anybody who is in it, and with its channel: to the byte.

use super::*;

/// A snowflake, so that its bytes are like no other number's.
const MIRA: u64 = 1_234_567_890_123_456_789;

fn mira() -> Author {
    person(MIRA, "Mirabelle")
}

/// Mirabelle and Ben on a disk, with memories of all kinds.
fn lived_in(path: &Path) -> Store {
    let store = open(path);
    let ben = || person(2, "Ben");
    store_all(
        &store,
        vec![
            says(TALK, 1, mira(), "I collect xylophonequartz"),
            says(TALK, 2, ben(), "she sings alto with me"),
            says(TALK, 3, ben(), "I bake bread on sundays"),
            says(TALK, 4, mira(), "his bread is burnt as brambleknocker"),
        ],
    );
    let of = |content: MemoryContent, person: u64, said_by: u64, source: u64| MemoryContent {
        person: Some(UserId(person)),
        said_by: Some(UserId(said_by)),
        sources: vec![MessageId(source)],
        ..content
    };
    let draft = |text: &str, person, said_by, source| MemoryDraft {
        content: of(fact(text, source).content, person, said_by, source),
        supersedes: Vec::new(),
    };
    let with_her = changed(episode("baked together", &[3]), |content| {
        content.people = vec![UserId(MIRA), BEN];
    });
    let drafts = vec![
        draft("collects xylophonequartz", MIRA, MIRA, 1),
        draft("sings alto", MIRA, 2, 2),
        draft("burns his bread", 2, MIRA, 4),
        draft("sings with Mirabelle", 2, 2, 2),
        draft("knows what brambleknocker is", 2, 2, 3),
        draft("bakes on sundays", 2, 2, 3),
        with_her,
    ];
    let outcomes = put(&store, drafts);
    assert!(
        outcomes
            .iter()
            .all(|done| matches!(done, MemoryOutcome::Kept(_)))
    );
    store.scrub().wait().expect("scrubbed");
    store
}

fn left_of_mira(path: &Path) -> Vec<String> {
    let texts = [
        "Mirabelle",
        "xylophonequartz",
        "brambleknocker",
        "burns his",
    ];
    traces_in_files(path, &texts, MIRA)
}

#[test]
fn a_deleted_or_edited_message_takes_all_that_was_taken_from_it() {
    let store = talked();
    let both = episode("cello and moving", &[1, 2]);
    put(&store, vec![fact("plays the cello", 1), both.clone()]);
    keep(&store, fact("lives in Hamburg", 3));
    store_all(&store, vec![deleted(TALK, 1)]);
    assert_eq!(remembered(&store), ["lives in Hamburg"]);
    store_all(&store, vec![edited(TALK, 3, "I live somewhere")]);
    assert!(remembered(&store).is_empty());
    assert_eq!(refusal(&store, both), MemoryRefusal::SourceGone);
}

#[test]
fn a_memory_goes_with_its_message_even_where_the_message_is_not_kept_any_more() {
    let store = talked();
    keep(&store, fact("plays the cello", 1));
    keep(&store, fact("lives in Hamburg", 3));
    while store.prune(READ).wait().expect("pruned") > 0 {}
    assert_eq!(remembered(&store).len(), 2, "age alone takes no memory");
    store_all(&store, vec![deleted(TALK, 1), edited(TALK, 3, "hm")]);
    assert!(remembered(&store).is_empty());
}

#[test]
fn a_memory_that_repeats_a_deleted_message_goes_unless_its_own_source_says_so_too() {
    let store = talked();
    keep(&store, fact("is called the cellist by Ben", 3));
    keep(&store, fact("has a violoncello at home", 4));
    store_all(
        &store,
        vec![
            says(TALK, 8, person(2, "Ben"), "her violoncello is old"),
            said(TALK, 9, "my violoncello is not for sale"),
        ],
    );
    keep(&store, fact("will not sell the violoncello", 9));
    store_all(&store, vec![deleted(TALK, 8)]);
    let left = [
        "will not sell the violoncello",
        "is called the cellist by Ben",
    ];
    assert_eq!(remembered(&store), left);
}

#[test]
fn no_file_holds_a_memory_of_somebody_who_was_forgotten() {
    let (_folder, path) = on_disk();
    let store = lived_in(&path);
    assert!(
        left_of_mira(&path).len() > 3,
        "else this test shows nothing"
    );
    store
        .forget_person(UserId(MIRA), None, READ)
        .wait()
        .expect("forgotten");
    assert_eq!(remembered(&store), ["bakes on sundays"]);
    assert_eq!(left_of_mira(&path), [] as [&str; 0]);
    drop(store);
    assert_eq!(left_of_mira(&path), [] as [&str; 0]);
}

#[test]
fn deleted_first_and_forgotten_then_leaves_nothing_either() {
    let (_folder, path) = on_disk();
    let store = lived_in(&path);
    store_all(&store, vec![deleted(TALK, 1), deleted(TALK, 4)]);
    let left = remembered(&store);
    assert!(
        !left.contains(&"knows what brambleknocker is".into()),
        "{left:?}"
    );
    store
        .forget_person(UserId(MIRA), None, READ)
        .wait()
        .expect("forgotten");
    assert_eq!(left_of_mira(&path), [] as [&str; 0]);
}

#[test]
fn nothing_is_remembered_anew_of_somebody_who_was_forgotten() {
    let (_folder, path) = on_disk();
    let store = lived_in(&path);
    store
        .forget_person(UserId(MIRA), None, READ)
        .wait()
        .expect("forgotten");
    let of_her = changed(fact("sings alto", 2), |content| {
        content.person = Some(UserId(MIRA));
        content.said_by = Some(BEN);
    });
    assert_eq!(refusal(&store, of_her.clone()), MemoryRefusal::Unwilling);
    // A turn that was shown her before, with a note that does not name her.
    let late = changed(fact("misses the alto", 3), |content| {
        content.person = Some(BEN);
    });
    assert_eq!(refusal(&store, late), MemoryRefusal::Unwilling);
    // Whoever writes again is somebody new.
    let later = READ + 100_000;
    store_all(&store, vec![says(TALK, 601, mira(), "hello, I whistle")]);
    let anew = changed(fact("whistles", 601), |content| {
        content.person = Some(UserId(MIRA));
        content.said_by = Some(UserId(MIRA));
    });
    let batch = MemoryBatch {
        drafts: vec![anew],
        begun: later,
        consolidated: None,
    };
    let outcome = store.put_memories(batch).wait().expect("put");
    assert!(
        matches!(outcome[..], [MemoryOutcome::Kept(_)]),
        "{outcome:?}"
    );
}

#[test]
fn whoever_does_not_want_to_be_remembered_is_in_no_memory_from_then_on() {
    for wish in [PersonPreference::DontRemember, PersonPreference::Ignore] {
        let store = talked();
        keep(&store, fact("plays the cello", 1));
        let hearsay = changed(fact("moves soon", 2), |content| {
            content.said_by = Some(BEN);
        });
        keep(&store, hearsay);
        keep(&store, episode("the picnic was flooded", &[5]));
        let of_ben = changed(fact("remembers a flood", 5), |content| {
            (content.person, content.said_by) = (Some(BEN), Some(BEN));
        });
        keep(&store, of_ben);
        store.set_preference(ANNA, wish, 1).wait().expect("set");
        assert_eq!(remembered(&store), ["remembers a flood"]);
        let why = refusal(&store, fact("plays the cello", 1));
        assert_eq!(why, MemoryRefusal::Unwilling);
        let with_her = episode("the picnic was flooded", &[5]);
        assert_eq!(refusal(&store, with_her), MemoryRefusal::Unwilling);
    }
}

#[test]
fn a_channel_that_is_erased_takes_its_memories_and_no_others() {
    let store = talked();
    keep(&store, fact("plays the cello", 1));
    let there = changed(fact("quit the bakery", 6), |content| {
        content.channel = OTHER;
    });
    let batch = MemoryBatch {
        drafts: vec![there],
        begun: READ,
        consolidated: Some((OTHER, MessageId(6))),
    };
    store.put_memories(batch).wait().expect("put");
    let erase = store.erase_places(vec![OTHER], None, READ);
    erase.wait().expect("erased");
    let left = look(&store, everything(&[TALK, OTHER]));
    assert_eq!(to_texts(left), ["plays the cello"]);
    assert_eq!(store.consolidated_until(OTHER).wait(), Ok(None));
}

#[test]
fn whoever_asks_gets_all_that_is_remembered_of_them_with_its_sources() {
    let (_folder, path) = on_disk();
    let store = lived_in(&path);
    let export = store.export_person(UserId(MIRA), None).wait();
    let export = export.expect("exported");
    let memories = export["memories"].as_array().expect("a list").clone();
    let told: Vec<&str> = memories
        .iter()
        .filter_map(|memory| memory["text"].as_str())
        .collect();
    let theirs = [
        "collects xylophonequartz",
        "sings alto",
        "burns his bread",
        "sings with Mirabelle",
        "baked together",
    ];
    assert_eq!(told, theirs);
    assert_eq!(memories[1]["sources"][0], "2");
    assert_eq!(memories[1]["said_by"], "2");
    assert_eq!(memories[1]["at"], "1970-01-01T00:00:02Z");
    let elsewhere = store.export_person(UserId(MIRA), Some(vec![OTHER])).wait();
    let elsewhere = elsewhere.expect("exported");
    assert_eq!(elsewhere["memories"].as_array().map(Vec::len), Some(0));
}

#[test]
fn whoever_is_remembered_keeps_their_name() {
    let store = talked();
    keep(&store, fact("plays the cello", 1));
    while store.prune(READ).wait().expect("pruned") > 0 {}
    store.prune_people().wait().expect("pruned");
    let known = store.people().wait().expect("read");
    let names: Vec<&str> = known.iter().map(|person| &*person.name).collect();
    assert_eq!(names, ["Anna"]);
}
