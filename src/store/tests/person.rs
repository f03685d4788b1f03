//! Who wants to be forgotten is: to the byte, in every file, and for good.

mod late_writes;
mod names;
mod unfinished;

use std::collections::BTreeMap;

use kith_core::channel::SavedChannelState;
use kith_core::chat::GuildId;
use kith_core::intent::ScheduledIntent;
use kith_core::manual_override::{OverrideRecord, OverrideScope, OverrideValue};
use kith_core::persona::Persona;
use kith_core::policy::ChannelMode;
use kith_core::preference::PersonPreference;
use kith_core::talkativeness::Talkativeness;
use kith_core::willingness::{AddressMatcher, Weights};
use kith_store::ForgetResult;
use serde_json::{Value, json};

use super::*;

/// A snowflake, so that its bytes are like no other number's.
const MIRA: u64 = 1_234_567_890_123_456_789;
const GUILD: GuildId = GuildId(77);
const DM: ChannelId = ChannelId(12);
const FAR: ChannelId = ChannelId(13);
const AT: i64 = 900_000;

fn mira() -> Author {
    person(MIRA, "Mirabelle")
}

fn juno() -> Author {
    Author {
        id: UserId(99),
        name: "Juno".into(),
        kind: AuthorKind::Companion,
    }
}

fn channel(id: ChannelId, guild: Option<GuildId>, name: &str, kind: ChannelKind) -> ChatEvent {
    ChatEvent::Channel(Channel {
        kind,
        ..group_channel(id, guild, name)
    })
}

fn mentioning(id: u64, text: &str) -> ChatEvent {
    let ChatEvent::Message(message) = says(TALK, id, person(2, "Bob"), text) else {
        unreachable!()
    };
    ChatEvent::Message(Message {
        mentions: vec![UserId(MIRA), UserId(2)],
        ..message
    })
}

fn reacted(channel: ChannelId, message: u64, by: Author) -> ChatEvent {
    ChatEvent::Reaction {
        channel,
        message: MessageId(message),
        author: by,
        emoji: "👀".into(),
        added: true,
        at: 9,
    }
}

/// A turn that was shown her, with its prompt.
fn shown(store: &Store, id: u64, channel: ChannelId) {
    let mut report = turn(
        id,
        channel,
        "Mirabelle collects xylophonequartz, she said so",
    );
    report.wake.author = Some(UserId(MIRA));
    report.rounds[0].usage = Some(TokenUsage {
        prompt: 12,
        ..TokenUsage::default()
    });
    report.notes = vec!["held back: hi Mirabelle".into()];
    report.outcome = TurnOutcome::Silent("Mirabelle talks to Bob".into());
    let user = "12 Mirabelle: I collect xylophonequartz\n13 Bob: oh".into();
    let prompt = StoredPrompt {
        ask: 1,
        user,
        system: "you are Juno; Mirabelle sings".into(),
        ..StoredPrompt::default()
    };
    store.save_turn(report, vec![prompt]).wait().expect("saved");
}

/// A store with her all over it.
fn create_filled_store(path: &Path) -> Store {
    let store = open(path);
    write_messages(&store);
    let decision = |message| MessageDecision {
        author: UserId(MIRA),
        ..decision(TALK, message, 0.5)
    };
    store
        .save_decisions(vec![decision(1), decision(2)])
        .wait()
        .expect("saved");
    shown(&store, 1, TALK);
    shown(&store, 2, OTHER);
    store
        .save_turn(turn(3, FAR, "far away"), vec![StoredPrompt::default()])
        .wait()
        .expect("saved");
    write_memories(&store);
    store.scrub().wait().expect("scrubbed");
    store
}

fn write_messages(store: &Store) {
    store_all(
        store,
        vec![
            channel(TALK, Some(GUILD), "talk", ChannelKind::Group),
            channel(OTHER, Some(GUILD), "other", ChannelKind::Group),
            channel(DM, None, "Mirabelle", ChannelKind::Direct),
            channel(FAR, Some(GuildId(78)), "far", ChannelKind::Group),
            says(TALK, 1, mira(), "I collect xylophonequartz"),
            says(TALK, 2, mira(), "meet me behind the old mill at noon"),
            says(
                TALK,
                3,
                juno(),
                "Mirabelle, you said: meet me behind the old mill at noon. Which XYLOPHONEQUARTZ?",
            ),
            says(
                TALK,
                4,
                person(2, "Bob"),
                "Mirabelle is right about the pineapples",
            ),
            mentioning(5, &format!("hi @Mirabelle and <@{MIRA}>")),
            says(TALK, 6, mira(), "pineapples forever"),
            says(TALK, 7, juno(), "pineapples it is"),
            says(DM, 8, mira(), "between us: brambleknocker"),
            says(DM, 9, juno(), "our secret is safe"),
            says(FAR, 10, juno(), "the other Mirabelle came by"),
            reacted(TALK, 4, mira()),
            reacted(TALK, 1, person(2, "Bob")),
        ],
    );
}

/// What is kept beside messages and turns: core memory, states, choices and what waits to be sent.
fn write_memories(store: &Store) {
    let block = |text: &str| StoredBlock {
        label: "people".into(),
        text: text.into(),
        limit: 600,
        updated_at: 1,
    };
    let memory =
        "mirabelle sings alto\nBob cooks\nsomebody has xylophonequartz\npineapples are fine";
    store
        .put_core_memory("guild:77", block(memory))
        .wait()
        .expect("put");
    let state = json!({ "seen": 4, "people": [{ "id": MIRA.to_string(), "n": 1 }], "last": MIRA.to_string() });
    store
        .save_channel_states(BTreeMap::from([(TALK, state.to_string())]), 1)
        .wait()
        .expect("saved");
    let people =
        json!([{ "id": MIRA.to_string(), "name": "Mirabelle" }, { "id": "2", "name": "Bob" }]);
    store
        .set_meta("room.people", people.to_string())
        .wait()
        .expect("set");
    let choice = OverrideValue::Talkativeness(Talkativeness::Level(0.5));
    let set = OverrideRecord {
        place: OverrideScope::Guild(GUILD),
        choice,
        by: Some(UserId(MIRA)),
        at: 3,
    };
    store.set_override(set).wait().expect("set");
    let action = VisibleAction::Send {
        text: "so, Mirabelle?".into(),
        reply_to: None,
        with: None,
    };
    for pending in [
        OutgoingAction {
            action,
            ..outgoing("9.1", 1)
        },
        outgoing("9.2", 1),
    ] {
        store.journal(pending).wait().expect("journaled");
    }
}

/// Every form in which a person could be found in the files.
fn left_of_mira(path: &Path) -> Vec<String> {
    let texts = [
        "Mirabelle",
        "xylophonequartz",
        "brambleknocker",
        "behind the old mill",
        "1234567890123456789",
    ];
    traces_in_files(path, &texts, MIRA)
}

fn forget(store: &Store, channels: Option<Vec<ChannelId>>) -> ForgetResult {
    store
        .forget_person(UserId(MIRA), channels, AT)
        .wait()
        .expect("forgotten")
}

#[test]
fn no_file_holds_a_persons_text_id_or_name_after_they_were_forgotten() {
    let (_folder, path) = on_disk();
    let store = create_filled_store(&path);
    // Others' plain words are theirs.
    store_all(
        &store,
        vec![edited(TALK, 4, "she is right about the pineapples")],
    );
    assert!(
        left_of_mira(&path).len() > 3,
        "else this test shows nothing"
    );
    let forgotten = forget(&store, None);
    let messages = vec![
        (TALK, [1, 2, 6].map(MessageId).to_vec()),
        (DM, [8, 9].map(MessageId).to_vec()),
    ];
    let reworded: Vec<_> = forgotten
        .reworded
        .iter()
        .map(|(channel, id, text)| (*channel, id.0, &**text))
        .collect();
    assert!(
        reworded.contains(&(TALK, 5, "hi @someone and @someone")),
        "{reworded:?}"
    );
    assert_eq!(
        (forgotten.messages, forgotten.turns),
        (messages, vec![TurnId(1), TurnId(2)])
    );
    assert_eq!(left_of_mira(&path), [] as [&str; 0]);
    drop(store);
    assert_eq!(left_of_mira(&path), [] as [&str; 0]);
}

#[test]
fn what_others_said_and_did_stays() {
    let (_folder, path) = on_disk();
    let store = create_filled_store(&path);
    forget(&store, None);
    let lines = store.load_history(TALK, None, 99).wait().expect("read");
    let erased = "[erased: a message that was deleted or edited]";
    let wanted = [
        &*format!("someone, you said: {erased}. Which {erased}?"),
        "Mirabelle is right about the pineapples",
        "hi @someone and @someone",
        "pineapples it is",
    ];
    assert_eq!(texts(&lines), wanted);
    assert_eq!(lines[2].message.mentions, [UserId(2)]);
    assert!(lines.iter().all(|line| line.reactions.is_empty()));
    assert_eq!(
        find(&store, "xylophonequartz mirabelle"),
        [4],
        "the index, too"
    );
    assert_eq!(find(&store, "someone"), [3, 5]);
    assert_eq!(
        texts(&store.load_history(FAR, None, 9).wait().expect("read")),
        ["the other someone came by"]
    );
    let people = store.people().wait().expect("read");
    assert_eq!(
        people
            .iter()
            .map(|person| &*person.name)
            .collect::<Vec<_>>(),
        ["Bob", "Juno"]
    );
    let blocks = store.load_core_memory("guild:77").wait().expect("read");
    assert_eq!(blocks[0].text, "Bob cooks\npineapples are fine");
}

#[test]
fn what_states_choices_and_turns_say_of_others_stays() {
    let (_folder, path) = on_disk();
    let store = create_filled_store(&path);
    forget(&store, None);
    let choices = store.overrides().wait().expect("read");
    assert_eq!(
        (choices[0].by, &choices[0].choice),
        (
            None,
            &OverrideValue::Talkativeness(Talkativeness::Level(0.5))
        )
    );
    let state = store
        .restore(TALK, 1)
        .wait()
        .expect("read")
        .state
        .expect("saved");
    assert_eq!(
        state.parse::<Value>().expect("JSON"),
        json!({ "seen": 4, "people": [], "last": "0" })
    );
    let room = store
        .load_meta("room.people")
        .wait()
        .expect("read")
        .expect("kept");
    assert_eq!(
        room.parse::<Value>().expect("JSON"),
        json!([{ "id": "2", "name": "Bob" }])
    );
    let pending = store.pending_outbox().wait().expect("read");
    assert_eq!(
        pending
            .iter()
            .map(|outgoing| &*outgoing.nonce)
            .collect::<Vec<_>>(),
        ["9.2"]
    );
    let kept = store.turn(TurnId(1)).wait().expect("read").expect("there");
    assert_eq!((kept.prompts.len(), kept.report.wake.author), (0, None));
    assert_eq!(
        kept.report.rounds[0].usage.map(|usage| usage.prompt),
        Some(12)
    );
    assert!(matches!(kept.report.outcome, TurnOutcome::Silent(_)));
    let far = store.turn(TurnId(3)).wait().expect("read").expect("there");
    assert_eq!(
        (&*far.report.rounds[0].raw, far.prompts.len()),
        ("far away", 1)
    );
}

#[test]
fn nothing_comes_back_by_backfill_and_whoever_writes_again_is_a_stranger() {
    let store = memory();
    store_all(
        &store,
        vec![says(TALK, 1, mira(), "one"), says(DM, 2, mira(), "two")],
    );
    store
        .set_preference(UserId(MIRA), PersonPreference::DontRemember, 1)
        .wait()
        .expect("set");
    forget(&store, None);
    let again = store_all(
        &store,
        vec![says(TALK, 1, mira(), "one"), says(DM, 2, mira(), "two")],
    );
    assert_eq!(
        again.iter().map(|stored| stored.new).collect::<Vec<_>>(),
        [false, false]
    );
    assert!(store.people().wait().expect("read").is_empty());
    assert_eq!(
        store
            .load_preferences()
            .wait()
            .expect("read")
            .get(UserId(MIRA)),
        PersonPreference::DontRemember,
        "a wish stays"
    );
    assert_eq!(
        forget(&store, None),
        ForgetResult::default(),
        "there is nothing left to forget"
    );
    assert!(store_all(&store, vec![says(TALK, 901, mira(), "hello")])[0].new);
}

#[test]
fn forgotten_in_one_guild_a_person_is_known_in_another() {
    let (_folder, path) = on_disk();
    let store = create_filled_store(&path);
    store_all(
        &store,
        vec![
            says(FAR, 20, mira(), "hello from afar"),
            reacted(FAR, 10, mira()),
        ],
    );
    let forgotten = forget(&store, Some(vec![TALK, OTHER]));
    assert_eq!(
        forgotten.messages,
        [(TALK, [1, 2, 6].map(MessageId).to_vec())]
    );
    assert_eq!(
        texts(&store.load_history(FAR, None, 9).wait().expect("read")),
        ["the other Mirabelle came by", "hello from afar"]
    );
    assert_eq!(
        store.load_history(FAR, None, 9).wait().expect("read")[0]
            .reactions
            .len(),
        1
    );
    assert_eq!(
        texts(&store.load_history(DM, None, 9).wait().expect("read")).len(),
        2
    );
    assert!(
        store
            .people()
            .wait()
            .expect("read")
            .iter()
            .any(|person| person.id == UserId(MIRA))
    );
    assert!(
        store
            .load_meta("room.people")
            .wait()
            .expect("read")
            .expect("kept")
            .contains("Mirabelle")
    );
    assert_eq!(find(&store, "xylophonequartz"), [] as [u64; 0]);
}

#[test]
fn everything_about_a_person_is_exported_and_nothing_of_others() {
    let (_folder, path) = on_disk();
    let store = create_filled_store(&path);
    store
        .set_preference(UserId(MIRA), PersonPreference::DontRemember, 1)
        .wait()
        .expect("set");
    let export = store
        .export_person(UserId(MIRA), None)
        .wait()
        .expect("exported");
    assert_eq!(export["person"], json!(MIRA.to_string()));
    assert_eq!(
        (&export["names"], &export["wish"]),
        (&json!(["Mirabelle"]), &json!("dont_remember"))
    );
    let message = &export["messages"][0];
    assert_eq!(message["text"], "I collect xylophonequartz");
    assert_eq!(
        message["channel"],
        json!({ "id": "10", "name": "talk", "guild": "77" })
    );
    assert_eq!(
        (&message["at"], &message["decision"]["score"]),
        (&json!("1970-01-01T00:00:01Z"), &json!(0.5))
    );
    assert_eq!(export["messages"].as_array().map(Vec::len), Some(4));
    assert_eq!(export["reactions"][0]["emoji"], "👀");
    assert_eq!(export["mentions"][0]["message"], "5");
    assert_eq!(
        export["remembered"],
        json!([{ "scope": "guild:77", "block": "people", "line": "mirabelle sings alto" }])
    );
    assert_eq!(
        export["set_by_hand"][0]["choice"],
        json!({ "talkativeness": 0.5 })
    );
    assert!(!export.to_string().contains("Bob"));
    let there = store
        .export_person(UserId(MIRA), Some(vec![DM]))
        .wait()
        .expect("exported");
    assert_eq!(there["messages"].as_array().map(Vec::len), Some(1));
    assert_eq!(
        (&there["reactions"], &there["remembered"]),
        (&json!([]), &json!([]))
    );
}
