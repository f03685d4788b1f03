//! Memories: what is kept of people and episodes, what is refused, what supersedes what, and what goes with whom.

mod erasure;

use kith_core::chat::{DAY, MemoryId};
use kith_core::memory_entry::{
    MemoryContent, MemoryDraft, MemoryEntry, MemoryKind, MemoryOrigin, MemoryOutcome, MemoryRefusal,
};
use kith_core::preference::PersonPreference;
use kith_store::{MemoryBatch, MemoryEdit, MemorySearch};

use super::*;

/// When what is remembered was read.
const READ: i64 = 500_000;
const ANNA: UserId = UserId(1);
const BEN: UserId = UserId(2);

/// A fact Anna told about herself in a message.
fn fact(text: &str, source: u64) -> MemoryDraft {
    MemoryDraft {
        content: MemoryContent {
            person: Some(ANNA),
            said_by: Some(ANNA),
            text: text.into(),
            confidence: 0.8,
            sources: vec![MessageId(source)],
            ..MemoryContent::new(MemoryKind::About, TALK, MemoryOrigin::Companion)
        },
        supersedes: Vec::new(),
    }
}

fn changed(draft: MemoryDraft, change: impl FnOnce(&mut MemoryContent)) -> MemoryDraft {
    let mut draft = draft;
    change(&mut draft.content);
    draft
}

fn episode(text: &str, sources: &[u64]) -> MemoryDraft {
    changed(fact(text, 0), |content| {
        content.kind = MemoryKind::Episode;
        (content.person, content.said_by) = (None, None);
        content.people = vec![ANNA, BEN];
        content.sources = sources.iter().copied().map(MessageId).collect();
    })
}

fn put(store: &Store, drafts: Vec<MemoryDraft>) -> Vec<MemoryOutcome> {
    let batch = MemoryBatch {
        drafts,
        begun: READ,
        consolidated: None,
    };
    store.put_memories(batch).wait().expect("put")
}

fn keep(store: &Store, draft: MemoryDraft) -> MemoryId {
    match put(store, vec![draft])[..] {
        [MemoryOutcome::Kept(id)] => id,
        ref other => panic!("not kept: {other:?}"),
    }
}

/// A fact about Ben from a channel, by a message of his.
pub fn keep_told(store: &Store, channel: ChannelId, source: u64, text: &str) {
    let told = changed(fact(text, source), |content| {
        content.channel = channel;
        (content.person, content.said_by) = (Some(BEN), Some(BEN));
    });
    keep(store, told);
}

/// What is remembered of a channel.
pub fn find_texts(store: &Store, channel: ChannelId) -> Vec<String> {
    let search = MemorySearch {
        channels: vec![channel],
        limit: 9,
        ..MemorySearch::default()
    };
    let found = store.find_memories(search).wait().expect("found");
    found.into_iter().map(|entry| entry.content.text).collect()
}

/// More memories than fit on one page, each of another message of Anna's.
pub fn remember_much(store: &Store) {
    let draft = |id| {
        changed(fact(&format!("has a rabbit called {id}"), id), |content| {
            content.people = vec![BEN];
        })
    };
    let kept = put(store, (20..120).map(draft).collect());
    let is_kept = |done: &MemoryOutcome| matches!(done, MemoryOutcome::Kept(_));
    assert!(kept.iter().all(is_kept), "{kept:?}");
}

fn refusal(store: &Store, draft: MemoryDraft) -> MemoryRefusal {
    match put(store, vec![draft])[..] {
        [MemoryOutcome::Refused(why)] => why,
        ref other => panic!("not refused: {other:?}"),
    }
}

fn everything(channels: &[ChannelId]) -> MemorySearch {
    MemorySearch {
        channels: channels.to_vec(),
        limit: 99,
        ..MemorySearch::default()
    }
}

fn look(store: &Store, search: MemorySearch) -> Vec<MemoryEntry> {
    store.find_memories(search).wait().expect("looked")
}

/// What is remembered in the channel now, newest first.
fn remembered(store: &Store) -> Vec<String> {
    to_texts(look(store, everything(&[TALK])))
}

fn to_texts(found: Vec<MemoryEntry>) -> Vec<String> {
    let texts = found.into_iter().map(|entry| entry.content.text);
    texts.collect()
}

/// Anna and Ben talked.
fn talked() -> Store {
    let store = memory();
    talk(&store);
    store
}

fn talk(store: &Store) {
    let ben = || person(2, "Ben");
    store_all(
        store,
        vec![
            said(TALK, 1, "I play the cello, by the way"),
            says(TALK, 2, ben(), "Anna plays the cello, and she moves soon"),
            said(TALK, 3, "I live in Hamburg"),
            said(TALK, 4, "I moved to Bremen"),
            says(TALK, 5, ben(), "remember the flood at the picnic?"),
            said(OTHER, 6, "between us: I quit my job"),
        ],
    );
}

#[test]
fn a_fact_is_kept_with_its_source_and_dated_by_it() {
    let store = talked();
    let id = keep(&store, fact(" plays the cello ", 1));
    let entry = store.memory(id).wait().expect("read").expect("kept");
    let content = MemoryContent {
        text: "plays the cello".into(),
        at: 1_000,
        ..fact("", 1).content
    };
    assert_eq!(entry.content, content);
    assert_eq!(
        (entry.superseded_by, entry.uses, entry.used_at),
        (None, 0, None)
    );
    let of_both = episode("the picnic was flooded", &[2, 5]);
    let id = keep(&store, of_both.clone());
    let entry = store.memory(id).wait().expect("read").expect("kept");
    assert_eq!(
        entry.content,
        MemoryContent {
            at: 5_000,
            ..of_both.content
        }
    );
}

#[test]
fn what_is_known_already_becomes_newer_and_is_not_kept_twice() {
    let store = talked();
    let id = keep(&store, fact("plays the cello", 1));
    let again = changed(fact("Plays the cello!", 4), |content| {
        content.confidence = 0.9;
    });
    for _ in 0..2 {
        assert_eq!(
            put(&store, vec![again.clone()]),
            [MemoryOutcome::Renewed(id)]
        );
        let known = store.memory(id).wait().expect("read").expect("kept");
        let content = known.content;
        assert_eq!((content.at, content.confidence), (4_000, 0.9));
        assert_eq!(content.sources, [MessageId(4)]);
    }
    // Older words, read later, change nothing.
    let older = put(&store, vec![fact("plays the cello", 1)]);
    assert_eq!(older, [MemoryOutcome::Renewed(id)]);
    let known = store.memory(id).wait().expect("read").expect("kept");
    assert_eq!(known.content.sources, [MessageId(4)]);
    // Another's word is another memory.
    let hearsay = changed(fact("plays the cello", 2), |content| {
        content.said_by = Some(BEN);
    });
    keep(&store, hearsay);
    assert_eq!(remembered(&store).len(), 2);
}

#[test]
fn what_was_deleted_or_edited_since_it_was_read_is_not_remembered() {
    let store = talked();
    store_all(
        &store,
        vec![deleted(TALK, 1), edited(TALK, 3, "I live here")],
    );
    let why = |draft| refusal(&store, draft);
    assert_eq!(why(fact("plays the cello", 1)), MemoryRefusal::SourceGone);
    assert_eq!(why(fact("lives in a city", 3)), MemoryRefusal::SourceEdited);
    assert_eq!(why(fact("lives there", 77)), MemoryRefusal::SourceGone);
    assert_eq!(
        why(fact("moved from Hamburg", 4)),
        MemoryRefusal::SourceGone,
        "a word of the edited message that it does not say any more"
    );
    keep(&store, fact("moved to Bremen", 4));
}

#[test]
fn what_names_no_source_or_no_person_is_refused() {
    let store = talked();
    let why = |draft| refusal(&store, draft);
    let without = |change: fn(&mut MemoryContent)| changed(fact("sings", 1), change);
    assert_eq!(
        why(without(|content| content.sources.clear())),
        MemoryRefusal::NoSource
    );
    assert_eq!(
        why(without(|content| content.person = None)),
        MemoryRefusal::Malformed
    );
    assert_eq!(
        why(without(|content| content.kind = MemoryKind::Episode)),
        MemoryRefusal::Malformed
    );
    assert_eq!(
        why(without(|content| content.text = " ".into())),
        MemoryRefusal::Malformed
    );
    assert_eq!(
        why(without(|content| content.channel = OTHER)),
        MemoryRefusal::SourceGone,
        "sources stand in the channel"
    );
    let own_word = without(|content| {
        content.origin = MemoryOrigin::Person;
        content.sources.clear();
        content.at = 9_000;
    });
    let id = keep(&store, own_word);
    let entry = store.memory(id).wait().expect("read").expect("kept");
    assert_eq!(entry.content.at, 9_000);
}

#[test]
fn what_is_newer_supersedes_what_it_contradicts_and_the_old_is_kept_as_a_trail() {
    let store = talked();
    let old = keep(&store, fact("lives in Hamburg", 3));
    let new = MemoryDraft {
        supersedes: vec![old],
        ..fact("lives in Bremen", 4)
    };
    let new = keep(&store, new);
    assert_eq!(remembered(&store), ["lives in Bremen"]);
    let trail = MemorySearch {
        with_superseded: true,
        ..everything(&[TALK])
    };
    let trail = look(&store, trail);
    assert_eq!(trail[1].superseded_by, Some(new));
    // Its message is deleted: what she said before that holds again.
    store_all(&store, vec![deleted(TALK, 4)]);
    assert_eq!(remembered(&store), ["lives in Hamburg"]);
}

#[test]
fn nobody_learns_from_a_channel_they_cannot_see_that_something_is_no_longer_so() {
    let store = talked();
    let job = keep(&store, fact("works at the bakery", 3));
    let quit = MemoryDraft {
        supersedes: vec![job],
        ..changed(fact("quit the bakery", 6), |content| {
            content.channel = OTHER;
        })
    };
    keep(&store, quit);
    assert_eq!(remembered(&store), ["works at the bakery"]);
    assert_eq!(
        to_texts(look(&store, everything(&[TALK, OTHER]))),
        ["quit the bakery"]
    );
    assert_eq!(to_texts(look(&store, everything(&[]))), [] as [&str; 0]);
}

#[test]
fn memories_are_found_by_person_kind_and_words() {
    let store = talked();
    keep(&store, fact("plays the cello", 1));
    let tease = changed(fact("likes to be teased", 3), |content| {
        content.kind = MemoryKind::Manner;
    });
    keep(&store, tease);
    keep(&store, episode("the picnic was flooded", &[2, 5]));
    let about = |search| to_texts(look(&store, search));
    let all = || everything(&[TALK]);
    let people = vec![BEN];
    assert_eq!(
        about(MemorySearch { people, ..all() }),
        ["the picnic was flooded"]
    );
    let people = vec![ANNA];
    assert_eq!(about(MemorySearch { people, ..all() }).len(), 3);
    let kinds = vec![MemoryKind::Manner, MemoryKind::Name];
    assert_eq!(
        about(MemorySearch { kinds, ..all() }),
        ["likes to be teased"]
    );
    let words = "the cellos at picnics in a flooding".into();
    assert_eq!(
        about(MemorySearch { words, ..all() }),
        ["the picnic was flooded", "plays the cello"]
    );
    let words = "trombone".into();
    assert!(about(MemorySearch { words, ..all() }).is_empty());
    let limit = 1;
    assert_eq!(
        about(MemorySearch { limit, ..all() }),
        ["the picnic was flooded"]
    );
}

#[test]
fn a_correction_takes_the_place_of_what_it_corrects_and_keeps_its_sources() {
    let store = talked();
    let old = keep(&store, fact("lives in Hamburg", 3));
    let edit = MemoryEdit {
        text: "lives near Hamburg".into(),
        origin: MemoryOrigin::Person,
        said_by: Some(ANNA),
    };
    let corrected = store.edit_memory(old, edit.clone(), READ).wait();
    let new = corrected.expect("edited").expect("it is there");
    assert_eq!(remembered(&store), ["lives near Hamburg"]);
    let entry = store.memory(new).wait().expect("read").expect("kept");
    assert_eq!(
        (entry.content.origin, entry.content.sources),
        (MemoryOrigin::Person, vec![MessageId(3)])
    );
    let gone = store.edit_memory(MemoryId(99), edit, READ).wait();
    assert_eq!(gone, Ok(None));
    assert_eq!(store.delete_memory(new).wait(), Ok(true));
    let trail = MemorySearch {
        with_superseded: true,
        ..everything(&[TALK])
    };
    assert!(look(&store, trail).is_empty(), "with all it corrected");
    assert_eq!(store.delete_memory(new).wait(), Ok(false));
}

#[test]
fn how_far_a_channel_was_looked_through_is_kept_with_what_was_found() {
    let store = talked();
    assert_eq!(store.consolidated_until(TALK).wait(), Ok(None));
    let until = |message| MemoryBatch {
        drafts: vec![fact("plays the cello", 1)],
        begun: READ,
        consolidated: Some((TALK, MessageId(message))),
    };
    for (message, known) in [(3, 3), (5, 5), (4, 5)] {
        store.put_memories(until(message)).wait().expect("put");
        let until = store.consolidated_until(TALK).wait().expect("read");
        assert_eq!(until, Some(MessageId(known)));
    }
    assert_eq!(store.consolidated_until(OTHER).wait(), Ok(None));
    assert_eq!(remembered(&store).len(), 1);
}

#[test]
fn what_is_of_no_use_fades_and_what_is_used_stays() {
    let store = talked();
    keep(&store, episode("the picnic was flooded", &[2, 5]));
    let used = keep(&store, fact("plays the cello", 1));
    let ids = vec![used];
    store
        .mark_memories_used(ids, 900 * DAY)
        .wait()
        .expect("marked");
    assert_eq!(store.prune_memories(READ).wait(), Ok(0));
    assert_eq!(store.prune_memories(1_000 * DAY).wait(), Ok(1));
    assert_eq!(remembered(&store), ["plays the cello"]);
    let entry = store.memory(used).wait().expect("read").expect("kept");
    assert_eq!((entry.uses, entry.used_at), (1, Some(900 * DAY)));
}

#[test]
fn no_channel_remembers_without_bound() {
    let store = talked();
    let many = (0..2_100_u32).map(|number| {
        changed(episode(&format!("fact {number}"), &[1]), |content| {
            content.importance = f64::from(number) / 2_100.0;
        })
    });
    put(&store, many.collect());
    assert_eq!(store.prune_memories(READ).wait(), Ok(100));
    let search = MemorySearch {
        limit: usize::MAX,
        ..everything(&[TALK])
    };
    let left = to_texts(look(&store, search));
    assert_eq!(left.len(), 2_000);
    assert!(left.contains(&"fact 2099".to_owned()) && !left.contains(&"fact 99".to_owned()));
}

#[test]
fn nobody_has_more_facts_than_fit_and_the_strongest_stay() {
    let store = talked();
    let draft = |number: u32| {
        changed(fact(&format!("collects stamp {number}"), 1), |content| {
            content.importance = if number < 10 { 0.9 } else { 0.1 };
        })
    };
    put(&store, (0..300).map(draft).collect());
    keep(&store, episode("the picnic was flooded", &[2, 5]));
    assert_eq!(store.prune_memories(READ).wait(), Ok(100));
    let search = MemorySearch {
        limit: usize::MAX,
        ..everything(&[TALK])
    };
    let left = look(&store, search);
    assert_eq!(left.len(), 201, "what is not about her stays");
    let strong = left
        .iter()
        .filter(|entry| entry.content.importance > 0.8)
        .count();
    assert_eq!(strong, 10);
}
