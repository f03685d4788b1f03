//! What was made of a message goes with it, and whoever wrote a message that is gone can still be forgotten.

use kith_core::chat::{DAY, GuildId};
use kith_core::compaction::ChannelSummary;
use serde_json::json;

use super::sessions::{put as open_session, session};
use super::*;
use kith_core::session::SessionStart;

/// A snowflake, so that its bytes are like no other number's.
const MIRA: u64 = 1_234_567_890_123_456_789;
const THREAD: ChannelId = ChannelId(30);

fn mira(name: &str) -> Author {
    person(MIRA, name)
}

fn juno() -> Author {
    Author {
        id: UserId(99),
        name: "Juno".into(),
        kind: AuthorKind::Companion,
    }
}

fn channel(id: ChannelId, name: &str) -> ChatEvent {
    ChatEvent::Channel(Channel {
        id,
        guild: Some(GuildId(5)),
        name: name.into(),
        topic: "".into(),
        kind: ChannelKind::Group,
        parent: None,
    })
}

fn put_block(store: &Store, text: &str, at: i64) {
    let block = StoredBlock {
        label: "people".into(),
        text: text.into(),
        limit: 600,
        updated_at: at,
    };
    store.put_core_memory("guild:5", block).wait().expect("put");
}

fn block(store: &Store) -> String {
    let blocks = store.load_core_memory("guild:5").wait().expect("read");
    blocks
        .into_iter()
        .map(|block| block.text)
        .collect::<Vec<_>>()
        .join("\n")
}

fn lines(store: &Store, channel: ChannelId) -> Vec<String> {
    let lines = store.load_history(channel, None, 99).wait().expect("read");
    texts(&lines).into_iter().map(str::to_owned).collect()
}

fn names(store: &Store) -> Vec<String> {
    let channels = store.channels().wait().expect("read");
    channels
        .iter()
        .map(|channel| channel.name.to_string())
        .collect()
}

/// Mira said two things; the companion quoted them, noted them, summed them up and opened a thread about them.
fn create_filled_store(path: &Path) -> Store {
    let store = open(path);
    store_all(
        &store,
        vec![
            channel(TALK, "talk"),
            channel(OTHER, "other"),
            says(TALK, 1, juno(), "hello, nice garden"),
            says(
                TALK,
                2,
                mira("Mirabelle"),
                "i bought a xylophonequartz today",
            ),
            says(TALK, 3, juno(), "a xylophonequartz, nice"),
            says(
                OTHER,
                4,
                juno(),
                "somebody: i bought a xylophonequartz today",
            ),
            says(
                TALK,
                5,
                mira("Mirabelle"),
                "so we will all be at the old mill by noon",
            ),
            says(
                TALK,
                6,
                juno(),
                "as you said: so we will all be at the old mill by noon",
            ),
            says(
                TALK,
                7,
                person(2, "Bob"),
                "what is a garden, and a pineapple?",
            ),
        ],
    );
    put_block(
        &store,
        "Bob cooks\nhas a xylophonequartz\nso we will all be at the old mill by noon\nMirabelle sings",
        8_000,
    );
    let summary = ChannelSummary {
        since: MessageId(4),
        until: MessageId(4),
        text: "Somebody has a xylophonequartz.".into(),
        begun: 8_000,
    };
    assert_eq!(store.put_summary(OTHER, summary).wait(), Ok(true));
    let opened = open_session(&store, session("xylophonequartz club", SessionStart::None));
    store
        .open_session(opened.id, THREAD, None)
        .wait()
        .expect("opened");
    store_all(&store, vec![channel(THREAD, "xylophonequartz club")]);
    let value = json!({ "list": ["first\nMirabelle", "xylophonequartz"] });
    let changes = [("seen".to_owned(), value)].into_iter().collect();
    store
        .put_tool_data("guild:5", changes, 8_000)
        .wait()
        .expect("asked")
        .expect("kept");
    store
}

#[test]
fn what_quotes_a_deleted_message_is_cleaned_then() {
    let (_folder, path) = on_disk();
    let store = create_filled_store(&path);
    let outcome = store_all(&store, vec![deleted(TALK, 2)]);
    let reworded: Vec<u64> = outcome[0].reworded.iter().map(|(_, id, _)| id.0).collect();
    assert_eq!(reworded, [3, 4], "the running channels are told");
    let erased = "[erased: a message that was deleted or edited]";
    assert_eq!(lines(&store, TALK)[1], format!("a {erased}, nice"));
    assert_eq!(lines(&store, OTHER), [format!("somebody: {erased}")]);
    assert_eq!(
        block(&store),
        "Bob cooks\nso we will all be at the old mill by noon\nMirabelle sings"
    );
    assert_eq!(store.summary(OTHER).wait(), Ok(None));
    assert_eq!(find(&store, "xylophonequartz"), Vec::<u64>::new());

    let outcome = store_all(&store, vec![edited(TALK, 5, "never mind")]);
    assert_eq!(outcome[0].reworded.len(), 1);
    assert_eq!(block(&store), "Bob cooks\nMirabelle sings");
    store.scrub().wait().expect("scrubbed");
    for gone in ["xylophonequartz", "old mill"] {
        assert_eq!(files_with(&path, gone), Vec::<String>::new(), "{gone}");
    }
}

#[test]
fn words_that_others_say_and_lines_from_before_stay_when_a_message_is_deleted() {
    let store = memory();
    store_all(
        &store,
        vec![
            says(TALK, 1, juno(), "my pineapples are ripe"),
            says(
                TALK,
                2,
                mira("Mirabelle"),
                "pineapples and zucchini for mirabelle here",
            ),
            says(TALK, 3, person(2, "Bob"), "zucchini"),
            says(TALK, 4, juno(), "zucchini, good, Mirabelle"),
            says(TALK, 5, mira("Mirabelle"), "good"),
            says(TALK, 6, juno(), "good"),
        ],
    );
    let outcome = store_all(&store, vec![deleted(TALK, 2), deleted(TALK, 5)]);
    assert!(outcome.iter().all(|outcome| outcome.reworded.is_empty()));
    assert_eq!(
        lines(&store, TALK),
        [
            "my pineapples are ripe",
            "zucchini",
            "zucchini, good, Mirabelle",
            "good"
        ]
    );
}

#[test]
fn a_line_that_was_on_its_way_does_not_bring_a_deleted_message_back() {
    let store = memory();
    store_all(
        &store,
        vec![said(TALK, 1, "a xylophonequartz"), deleted(TALK, 1)],
    );
    let late = |id: u64, at: i64| {
        let ChatEvent::Message(message) = says(TALK, id, juno(), "a xylophonequartz? wow") else {
            unreachable!()
        };
        ChatEvent::Message(Message { at, ..message })
    };
    // By the platform's time. The deletion has this machine's, and that may be wrong.
    let hour = 3_600_000;
    let outcome = store_all(
        &store,
        vec![
            late(2, 1_001_000),
            late(3, 1_000_000 - hour),
            late(4, 1_000_000 + hour),
        ],
    );
    let says = |outcome: &AppendOutcome| outcome.says.is_some();
    assert_eq!(outcome.iter().filter(|one| says(one)).count(), 3);
}

#[test]
fn who_deleted_everything_first_is_forgotten_like_anybody() {
    let (_folder, path) = on_disk();
    let store = create_filled_store(&path);
    let prompt = StoredPrompt {
        user: "12 Mirabelle: hello\n13 Bob: hi".into(),
        ..StoredPrompt::default()
    };
    let mut report = turn(1, OTHER, "MIRABELLE is nice");
    report.ended = 4_500;
    store.save_turn(report, vec![prompt]).wait().expect("saved");
    // Under another name now, as everything of her old name is deleted.
    store_all(
        &store,
        vec![
            deleted(TALK, 2),
            deleted(TALK, 5),
            says(TALK, 900, mira("Quentinella"), "good day"),
        ],
    );
    assert!(!files_with(&path, "Mirabelle").is_empty());
    store
        .forget_person(UserId(MIRA), None, 2_000_000)
        .wait()
        .expect("forgotten");
    for gone in [
        "irabelle",
        "MIRABELLE",
        "ylophonequartz",
        "old mill",
        "uentinella",
    ] {
        assert_eq!(files_with(&path, gone), Vec::<String>::new(), "{gone}");
    }
    assert_eq!(files_with(&path, &MIRA.to_string()), Vec::<String>::new());
    let number = files_holding(&path, &MIRA.to_be_bytes());
    assert_eq!(number, Vec::<String>::new(), "the id as a number");
}

#[test]
fn what_tools_sessions_and_threads_have_of_somebodys_words_is_forgotten_with_them() {
    let (_folder, path) = on_disk();
    let store = create_filled_store(&path);
    store
        .forget_person(UserId(MIRA), None, 2_000_000)
        .wait()
        .expect("forgotten");
    for gone in ["irabelle", "ylophonequartz", "old mill"] {
        assert_eq!(files_with(&path, gone), Vec::<String>::new(), "{gone}");
    }
    assert_eq!(names(&store), ["talk", "other", ""]);
    store_all(&store, vec![channel(THREAD, "xylophonequartz club")]);
    assert_eq!(
        names(&store)[2],
        "",
        "the platform's name of it is not kept again"
    );
}

#[test]
fn whoever_wrote_what_is_too_old_to_be_kept_is_known_as_long_as_a_prompt_may_show_it() {
    let (_folder, path) = on_disk();
    let store = create_filled_store(&path);
    // Until no version of the block names her any more.
    for dish in 0..12 {
        put_block(&store, &format!("Bob cooks dish {dish}"), 8_000);
    }
    let changes = [("seen".to_owned(), json!(null))].into_iter().collect();
    let kept = store.put_tool_data("guild:5", changes, 8_000).wait();
    kept.expect("asked").expect("kept");
    let prune = |before: i64| while store.prune(before).wait().expect("pruned") > 0 {};
    prune(6_000);
    store.prune_people().wait().expect("pruned");
    store.scrub().wait().expect("scrubbed");
    let knows = |store: &Store| {
        let exported = store.export_person(UserId(MIRA), None).wait();
        exported.expect("exported")["names"] == json!(["Mirabelle"])
    };
    assert!(
        knows(&store),
        "prompts of the time up to the newest message may show her"
    );
    prune(50_000);
    store.prune_people().wait().expect("pruned");
    assert!(!knows(&store));
}

/// Two channels of one guild, one of another, two rooms and two direct messages.
fn places() -> Vec<Channel> {
    let place = |id: u64, guild: Option<u64>, kind| Channel {
        kind,
        ..group_channel(ChannelId(id), guild.map(GuildId), &format!("place {id}"))
    };
    vec![
        place(101, Some(5), ChannelKind::Group),
        place(102, Some(5), ChannelKind::Thread),
        place(103, Some(6), ChannelKind::Group),
        place(104, None, ChannelKind::Group),
        place(105, None, ChannelKind::Thread),
        place(106, None, ChannelKind::Direct),
        place(107, None, ChannelKind::Direct),
    ]
}

#[test]
fn own_lines_and_memories_lose_a_quote_wherever_a_prompt_may_have_shown_the_message_and_nowhere_else()
 {
    const SECRET: &str = "i bought a xylophonequartz today";
    for (from, reached) in [
        (101, vec![101, 102, 106, 107]),
        (103, vec![103, 106, 107]),
        (104, vec![104, 105]),
        (106, vec![106]),
    ] {
        let store = memory();
        let mut events: Vec<ChatEvent> = places().into_iter().map(ChatEvent::Channel).collect();
        events.push(says(ChannelId(from), 1, mira("Mirabelle"), SECRET));
        for place in places() {
            events.push(says(place.id, 2, person(2, "Ben"), "hm, interesting"));
            events.push(says(
                place.id,
                3,
                juno(),
                "somebody bought a xylophonequartz",
            ));
        }
        store_all(&store, events);
        for place in places() {
            memories::keep_told(&store, place.id, 2, "Ben knows of the xylophonequartz");
        }
        store_all(&store, vec![deleted(ChannelId(from), 1)]);
        let cleaned =
            |place: &Channel| !lines(&store, place.id).concat().contains("xylophonequartz");
        let emptied = |place: &Channel| memories::find_texts(&store, place.id).is_empty();
        let ids = |is_clean: &dyn Fn(&Channel) -> bool| -> Vec<u64> {
            let clean = places().into_iter().filter(|place| is_clean(place));
            clean.map(|place| place.id.0).collect()
        };
        assert_eq!(ids(&cleaned), reached, "lines, from {from}");
        assert_eq!(ids(&emptied), reached, "memories, from {from}");
    }
}

#[test]
fn a_note_that_goes_with_its_message_goes_from_the_prompts_that_showed_it() {
    let store = memory();
    let wrote = says(TALK, 1, mira("Mira"), "our new parrot is called Zwieback");
    store_all(
        &store,
        vec![channel(TALK, "talk"), channel(OTHER, "other"), wrote],
    );
    let note = "Mira has a bird by the name of Zwieback";
    put_block(&store, &format!("likes tea\n{note}"), 20_000);
    let save = |number, place| {
        let prompt = StoredPrompt {
            system: format!("Be kind. You know: likes tea\n{note}\nSay little."),
            ..StoredPrompt::default()
        };
        let saved = store.save_turn(turn(number, place, "hm"), vec![prompt]);
        saved.wait().expect("saved");
    };
    save(1, TALK);
    save(2, OTHER);
    // The companion has written the note anew since, more often than can be undone.
    for day in 1..=14 {
        put_block(&store, &format!("likes tea\n{day} times"), 20_000 + day * DAY);
    }
    store_all(&store, vec![deleted(TALK, 1)]);
    assert_eq!(block(&store), "likes tea\n14 times");
    // It was shown to a turn that ran meanwhile.
    save(3, TALK);
    for number in [1, 2, 3] {
        let kept = store.turn(TurnId(number)).wait().expect("read");
        let system = &kept.expect("kept").prompts[0].system;
        for left in ["likes tea", "Say little."] {
            assert!(system.contains(left), "{system}");
        }
        for gone in ["Zwieback", "bird"] {
            assert!(!system.contains(gone), "{system}");
        }
    }
}
