//! What is remembered of somebody: who sees it where, and who may change it.

use kith_commands::OwnMemoryRequest;
use kith_core::chat::MemoryId;
use kith_core::memory_entry::{MemoryContent, MemoryDraft, MemoryKind, MemoryOrigin};
use kith_store::MemoryBatch;

use super::*;

/// A fact about somebody by their own word, from message 1 of a channel.
fn fact(channel: ChannelId, person: UserId, text: &str) -> MemoryContent {
    MemoryContent {
        kind: MemoryKind::About,
        channel,
        person: Some(person),
        people: Vec::new(),
        said_by: Some(person),
        text: text.into(),
        at: 0,
        due: None,
        confidence: 0.8,
        importance: 0.5,
        origin: MemoryOrigin::Companion,
        sources: vec![MessageId(1)],
    }
}

/// Memories 1 to 5: of Anna in three places, of Ben, and of Ben with Anna in it.
fn create_test() -> CommandTest {
    let command_test = command_test();
    let with_anna = MemoryContent {
        people: vec![ANNA],
        ..fact(TALK, BEN, "dances with Anna")
    };
    let contents = [
        fact(TALK, ANNA, "plays the cello"),
        fact(FAR, ANNA, "has a far secret"),
        fact(LETTER, ANNA, "has a private secret"),
        fact(TALK, BEN, "cooks"),
        with_anna,
    ];
    let drafts = contents.map(|content| MemoryDraft {
        content,
        supersedes: Vec::new(),
    });
    let batch = MemoryBatch {
        drafts: drafts.to_vec(),
        begun: NOW,
        consolidated: None,
    };
    command_test.store.put_memories(batch).wait().unwrap();
    command_test
}

fn ask(
    command_test: &CommandTest,
    who: CallerRole,
    channel: ChannelId,
    request: OwnMemoryRequest,
) -> String {
    let request = CommandRequest::Memory(request);
    shown(&command_test.ask(&caller(who, channel), request).0)
}

fn text(command_test: &CommandTest, id: u64) -> Option<String> {
    let entry = command_test.store.memory(MemoryId(id)).wait().unwrap();
    entry.map(|entry| entry.content.text)
}

#[test]
fn everybody_sees_what_is_remembered_of_them_and_nothing_from_places_that_are_not_seen_from_here() {
    let command_test = create_test();
    let show = |who, channel| ask(&command_test, who, channel, OwnMemoryRequest::Show(1));
    let here = show(CallerRole::Member, TALK);
    assert!(here.starts_with("2 things"), "{here}");
    assert!(
        here.contains("`1` **about you**")
            && here.contains("you said it")
            && here.contains("from a message in <#10>")
            && here.contains("> plays the cello"),
        "{here}"
    );
    assert!(
        here.contains("`5`") && here.contains("<@102> said it"),
        "{here}"
    );
    for who in [CallerRole::Member, CallerRole::Moderator, CallerRole::Host] {
        let here = show(who, TALK);
        assert!(
            !here.contains("secret") && !here.contains("cooks"),
            "{here}"
        );
    }
    assert!(show(CallerRole::Member, LETTER).contains("private secret"));
    assert!(show(CallerRole::Member, FAR).contains("far secret"));
}

#[test]
fn what_is_remembered_comes_in_pages() {
    let command_test = create_test();
    let drafts = (0..9).map(|number| MemoryDraft {
        content: fact(TALK, ANNA, &format!("likes the number {number}")),
        supersedes: Vec::new(),
    });
    let batch = MemoryBatch {
        drafts: drafts.collect(),
        begun: NOW,
        consolidated: None,
    };
    command_test.store.put_memories(batch).wait().unwrap();
    let page = |page| {
        ask(
            &command_test,
            CallerRole::Member,
            TALK,
            OwnMemoryRequest::Show(page),
        )
    };
    assert!(page(1).starts_with("11 things are remembered of you here; this is page 1 of 3."));
    assert_eq!(page(1).matches("\n> ").count(), 5);
    assert_eq!(page(3).matches("\n> ").count(), 1);
    assert_eq!(page(99), page(3));
}

#[test]
fn one_may_correct_what_is_about_oneself_and_have_forgotten_what_one_is_in() {
    let command_test = create_test();
    let ask = |request| ask(&command_test, CallerRole::Member, TALK, request);
    let correct = |id, text: &str| OwnMemoryRequest::Correct(MemoryId(id), text.into());
    assert!(ask(correct(1, "  plays the\nviola ")).starts_with("It is corrected"));
    assert_eq!(text(&command_test, 6).as_deref(), Some("plays the viola"));
    assert!(ask(correct(5, "hates dancing")).contains("only they can correct it"));
    assert!(ask(correct(6, " ")).starts_with("Write what is right"));
    assert!(ask(OwnMemoryRequest::Delete(MemoryId(5))).contains("is forgotten"));
    assert!(ask(OwnMemoryRequest::Delete(MemoryId(6))).contains("is forgotten"));
    let left = [1, 5, 6].map(|id| text(&command_test, id));
    assert_eq!(
        left,
        [None, None, None],
        "also what was there before the correction"
    );
}

#[test]
fn nobody_learns_of_or_changes_what_is_remembered_of_others_but_a_moderator_may_have_it_forgotten()
{
    let command_test = create_test();
    let refused = |who, channel, id: u64| {
        for request in [
            OwnMemoryRequest::Delete(MemoryId(id)),
            OwnMemoryRequest::Correct(MemoryId(id), "cheats".into()),
        ] {
            let said = ask(&command_test, who, channel, request);
            assert!(
                said.starts_with("Nothing of yours with the number"),
                "{said}"
            );
        }
    };
    refused(CallerRole::Member, TALK, 4);
    refused(CallerRole::Member, TALK, 99);
    for who in [CallerRole::Member, CallerRole::Moderator, CallerRole::Host] {
        refused(who, TALK, 2);
        refused(who, TALK, 3);
    }
    let correct = OwnMemoryRequest::Correct(MemoryId(4), "cheats".into());
    let said = ask(&command_test, CallerRole::Moderator, TALK, correct);
    assert!(said.starts_with("Nothing of yours"), "{said}");
    let delete = OwnMemoryRequest::Delete(MemoryId(4));
    let said = ask(&command_test, CallerRole::Moderator, TALK, delete);
    assert!(said.contains("is forgotten"), "{said}");
    assert_eq!(text(&command_test, 4), None);
}
