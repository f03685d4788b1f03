//! The store through its public face: nothing acknowledged is lost, nothing is said twice, what is deleted is gone.

use std::path::{Path, PathBuf};

use proptest::prelude::*;

use kith::core::chat::{Author, AuthorKind, Channel, ChannelId, ChannelKind, Message, MessageId, TurnId, UserId};
use kith::core::report::{Address, Decision, RoundReport, Term, TurnOutcome, TurnReport, Usage, Wake};
use kith::store::{
    Action, Block, By, Found, Incoming, Journaled, Line, Mark, Outgoing, Prompt, Search, Store, StoreError, Stored,
};

const TALK: ChannelId = ChannelId(10);
const OTHER: ChannelId = ChannelId(11);

fn person(id: u64, name: &str) -> Author {
    Author { id: UserId(id), name: name.into(), kind: AuthorKind::Person }
}

fn anna() -> Author {
    person(1, "Anna")
}

fn says(channel: ChannelId, id: u64, author: Author, text: &str) -> Incoming {
    Incoming::Message(Message {
        id: MessageId(id),
        channel,
        arrival: 0,
        at: 1_000 * id as i64,
        author,
        text: text.into(),
        reply_to: None,
        mentions: Vec::new(),
    })
}

fn said(channel: ChannelId, id: u64, text: &str) -> Incoming {
    says(channel, id, anna(), text)
}

fn deleted(channel: ChannelId, id: u64) -> Incoming {
    Incoming::Delete { channel, ids: vec![MessageId(id)], at: 1_000_000 }
}

fn edited(channel: ChannelId, id: u64, text: &str) -> Incoming {
    Incoming::Edit { channel, id: MessageId(id), text: text.into(), at: 1_000_000 }
}

fn store_all(store: &Store, events: Vec<Incoming>) -> Vec<Stored> {
    store.append(events).wait().expect("appended")
}

fn search(words: &str, channels: &[ChannelId]) -> Search {
    Search { channels: channels.to_vec(), words: words.into(), limit: 10, ..Search::default() }
}

fn ids(found: &[Found]) -> Vec<u64> {
    found.iter().map(|found| found.id.0).collect()
}

fn find(store: &Store, words: &str) -> Vec<u64> {
    let mut found = ids(&store.search(search(words, &[TALK])).wait().expect("searched"));
    found.sort_unstable();
    found
}

fn texts(lines: &[Line]) -> Vec<&str> {
    lines.iter().map(|line| &*line.message.text).collect()
}

fn on_disk() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("data").join("kith.db");
    (folder, path)
}

fn open(path: &Path) -> Store {
    Store::open(path).expect("opened")
}

/// The files of the database's folder that hold `text` as bytes.
fn files_with(path: &Path, text: &str) -> Vec<String> {
    let folder = path.parent().expect("a folder");
    let holds = |bytes: &[u8]| bytes.windows(text.len()).any(|window| window == text.as_bytes());
    std::fs::read_dir(folder)
        .expect("listed")
        .map(|entry| entry.expect("an entry").path())
        .filter(|file| holds(&std::fs::read(file).expect("read")))
        .map(|file| file.display().to_string())
        .collect()
}

fn turn(id: u64, channel: ChannelId, raw: &str) -> TurnReport {
    let round = RoundReport { raw: raw.into(), ..RoundReport::default() };
    TurnReport {
        turn: TurnId(id),
        channel,
        started: 500_000,
        ended: 501_000,
        wake: Wake { message: None, author: None, address: None, addressed: vec![], score: 0.5, bar: 0.4 },
        rounds: vec![round],
        outcome: TurnOutcome::Acted,
        notes: vec![],
    }
}

fn decision(channel: ChannelId, message: u64, score: f32) -> Decision {
    Decision {
        channel,
        message: MessageId(message),
        author: UserId(1),
        at: 5,
        score,
        bar: 0.5,
        address: Some(Address::Name),
        refusal: None,
        speak: true,
        energy: 1.0,
        terms: vec![Term { name: "named".into(), value: 1.0, adds: 2.25 }],
        bias: -3.0,
    }
}

fn outgoing(nonce: &str, cursor: u64) -> Outgoing {
    Outgoing {
        nonce: nonce.into(),
        turn: Some(TurnId(7)),
        part: 1,
        channel: TALK,
        action: Action::Send { text: "so?? how did it go".into(), reply_to: Some(MessageId(1)) },
        cursor,
        at: 50,
    }
}

fn own(id: u64) -> Incoming {
    says(TALK, id, Author { id: UserId(99), name: "Juno".into(), kind: AuthorKind::Companion }, "so?? how did it go")
}

#[test]
fn what_was_acknowledged_is_there_after_opening_again() {
    let (_folder, path) = on_disk();
    let channel =
        Channel { id: TALK, guild: None, name: "talk".into(), topic: "anything".into(), kind: ChannelKind::Group };
    let Incoming::Message(mut message) = said(TALK, 2, "hello") else { unreachable!() };
    message.reply_to = Some(MessageId(1));
    message.mentions = vec![UserId(3), UserId(u64::MAX)];
    {
        let store = open(&path);
        let events = vec![
            Incoming::Channel(channel.clone()),
            Incoming::Message(message.clone()),
            Incoming::Reaction {
                channel: TALK,
                message: MessageId(2),
                by: person(4, "Bob"),
                emoji: "👀".into(),
                added: true,
                at: 9,
            },
        ];
        assert_eq!(
            store_all(&store, events),
            [1, 2, 3].map(|arrival| Stored { arrival, new: true }),
            "every event takes the next arrival number"
        );
        store.save_lane(TALK, "{\"energy\":1}".into(), 5).wait().expect("saved");
    }
    let store = open(&path);
    message.arrival = 2;
    let mark = Mark { by: person(4, "Bob"), emoji: "👀".into(), at: 9 };
    let restored = store.restore(TALK, 50).wait().expect("restored");
    assert_eq!(restored.tail, [Line { message, edited: false, reactions: vec![mark] }]);
    assert_eq!(restored.lane.as_deref(), Some("{\"energy\":1}"));
    assert_eq!(store.channels().wait().expect("listed"), [channel]);
    assert_eq!(store_all(&store, vec![said(TALK, 3, "next")])[0].arrival, 4);
}

#[test]
fn a_duplicate_answers_with_the_earlier_arrival() {
    let store = Store::in_memory().expect("opened");
    let first = store_all(&store, vec![said(TALK, 5, "once"), said(TALK, 6, "other")]);
    let again = store_all(&store, vec![said(TALK, 5, "twice"), said(OTHER, 5, "elsewhere")]);
    assert_eq!(again[0], Stored { arrival: first[0].arrival, new: false });
    assert_eq!(again[1], Stored { arrival: 3, new: true }, "ids are unique in their channel only");
    assert_eq!(texts(&store.history(TALK, None, 9).wait().expect("read")), ["once", "other"]);
}

#[test]
fn arrival_numbers_never_come_back_even_if_the_newest_message_is_deleted() {
    let (_folder, path) = on_disk();
    {
        let store = open(&path);
        store_all(&store, vec![said(TALK, 1, "a"), said(TALK, 2, "b"), deleted(TALK, 2)]);
    }
    assert_eq!(store_all(&open(&path), vec![said(TALK, 3, "c")])[0].arrival, 4);
}

#[test]
fn a_deleted_message_does_not_come_back_through_backfill() {
    let store = Store::in_memory().expect("opened");
    store_all(&store, vec![said(TALK, 1, "secret"), deleted(TALK, 1), deleted(TALK, 2)]);
    let again = store_all(&store, vec![said(TALK, 1, "secret"), said(TALK, 2, "never seen")]);
    assert_eq!(again.iter().map(|stored| stored.new).collect::<Vec<_>>(), [false, false]);
    assert!(store.history(TALK, None, 9).wait().expect("read").is_empty());
}

#[test]
fn edits_and_reactions_to_unknown_messages_change_nothing() {
    let store = Store::in_memory().expect("opened");
    let react = |added| Incoming::Reaction {
        channel: TALK,
        message: MessageId(1),
        by: anna(),
        emoji: "👍".into(),
        added,
        at: 3,
    };
    let stored = store_all(&store, vec![edited(TALK, 1, "x"), react(true), said(TALK, 1, "y"), edited(TALK, 1, "y")]);
    assert_eq!(stored.iter().map(|stored| stored.new).collect::<Vec<_>>(), [false, false, true, false]);
    let stored = store_all(&store, vec![react(true), react(true), react(false), react(false)]);
    assert_eq!(stored.iter().map(|stored| stored.new).collect::<Vec<_>>(), [true, false, true, false]);
}

#[test]
fn history_is_read_in_pages_by_id() {
    let store = Store::in_memory().expect("opened");
    store_all(&store, [3, 1, 5, 2, 4].map(|id| said(TALK, id, &id.to_string())).to_vec());
    assert_eq!(texts(&store.history(TALK, None, 2).wait().expect("read")), ["4", "5"]);
    assert_eq!(texts(&store.history(TALK, Some(MessageId(4)), 2).wait().expect("read")), ["2", "3"]);
}

#[test]
fn an_edit_shows_and_the_old_words_are_no_longer_found() {
    let store = Store::in_memory().expect("opened");
    store_all(&store, vec![said(TALK, 1, "the 火锅 place"), edited(TALK, 1, "the sushi place")]);
    let lines = store.history(TALK, None, 9).wait().expect("read");
    assert_eq!((texts(&lines), lines[0].edited), (vec!["the sushi place"], true));
    assert_eq!(find(&store, "火锅"), [] as [u64; 0]);
    assert_eq!(find(&store, "sushi"), [1]);
}

#[test]
fn words_are_found_in_any_case_with_or_without_accents_and_in_chinese() {
    let store = Store::in_memory().expect("opened");
    let lines = ["Crème Brûlée again", "我们去吃火锅吧", "小花猫在睡觉", "it's over", "ラーメンが好き", "学校の猫"];
    store_all(&store, lines.iter().zip(1..).map(|(text, id)| said(TALK, id, text)).collect());
    assert_eq!(find(&store, "creme BRULEE"), [1]);
    assert_eq!(find(&store, "火锅"), [2]);
    assert_eq!(find(&store, "猫"), [3, 6], "one character alone, in the middle and at the end of a run");
    assert_eq!(find(&store, "吧"), [2]);
    assert_eq!(find(&store, "it's"), [4]);
    assert_eq!(find(&store, "ラーメン"), [5]);
    assert_eq!(find(&store, "火猫"), [] as [u64; 0]);
}

#[test]
fn what_a_person_types_is_never_query_syntax() {
    let store = Store::in_memory().expect("opened");
    store_all(&store, vec![said(TALK, 1, "alpha beta"), said(OTHER, 2, "alpha scope gamma")]);
    for words in ["alpha AND NOT", "\"alpha", "alpha* OR (", "alpha NEAR(", "text:alpha", "alpha\0beta", "^alpha"] {
        assert_eq!(find(&store, words), [1], "{words}");
    }
    assert_eq!(find(&store, "scope : 11 OR gamma"), [] as [u64; 0]);
    assert_eq!(find(&store, "-- ?!"), [] as [u64; 0]);
}

#[test]
fn a_search_keeps_to_its_channels_people_times_and_cursor() {
    let store = Store::in_memory().expect("opened");
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
    let run = |search: Search| {
        let mut found = ids(&store.search(search).wait().expect("searched"));
        found.sort_unstable();
        found
    };
    let pizza = search("pizza", &[TALK]);
    assert_eq!(run(pizza.clone()), [1, 2, 4]);
    assert_eq!(run(search("pizza", &[TALK, OTHER])), [1, 2, 3, 4]);
    assert_eq!(run(search("pizza", &[])), [] as [u64; 0]);
    assert_eq!(run(Search { by: Some(By::Name("bobby".into())), ..pizza.clone() }), [2]);
    assert_eq!(run(Search { by: Some(By::Id(UserId(1))), ..pizza.clone() }), [1, 4]);
    assert_eq!(run(Search { from: Some(2_000), to: Some(4_000), ..pizza.clone() }), [2]);
    assert_eq!(run(Search { before_arrival: Some(4), ..pizza.clone() }), [1, 2]);
    assert_eq!(run(Search { limit: 1, ..pizza }), [2], "the best first");
    let newest = Search { limit: 2, ..search(" ", &[TALK]) };
    assert_eq!(ids(&store.search(newest).wait().expect("searched")), [4, 2], "without words the newest");
}

#[test]
fn the_same_channel_number_in_a_text_opens_no_other_channel() {
    let store = Store::in_memory().expect("opened");
    store_all(&store, vec![said(OTHER, 1, "10 10 hidden")]);
    assert_eq!(find(&store, "hidden 10"), [] as [u64; 0]);
}

#[test]
fn an_action_is_journaled_once_and_settled_once() {
    let (_folder, path) = on_disk();
    {
        let store = open(&path);
        assert_eq!(store.journal(outgoing("7-1", 4)).wait(), Ok(Journaled::New));
        assert_eq!(store.journal(outgoing("7-2", 3)).wait(), Ok(Journaled::New));
        assert_eq!(store.journal(outgoing("7-3", 2)).wait(), Ok(Journaled::New));
        store.drop_outgoing("7-3").wait().expect("dropped");
    }
    let store = open(&path);
    assert_eq!(store.last_turn().wait(), Ok(TurnId(7)));
    assert_eq!(store.pending_outbox().wait().expect("listed"), [outgoing("7-1", 4), outgoing("7-2", 3)]);
    assert_eq!(store.journal(outgoing("7-1", 4)).wait(), Ok(Journaled::Unsettled));

    let settled = store.settle("7-1", own(20)).wait().expect("settled");
    assert!(settled.new);
    assert_eq!(store.settle("7-1", own(21)).wait(), Ok(Stored { new: false, ..settled }), "one nonce, one message");
    assert_eq!(store.journal(outgoing("7-1", 4)).wait(), Ok(Journaled::Settled));
    assert_eq!(store.journal(outgoing("7-3", 4)).wait(), Ok(Journaled::Settled));
    assert_eq!(store.pending_outbox().wait().expect("listed"), [outgoing("7-2", 3)]);
    let restored = store.restore(TALK, 9).wait().expect("restored");
    assert_eq!((texts(&restored.tail), restored.cursor), (vec!["so?? how did it go"], 4));
}

#[test]
fn an_echo_that_is_faster_than_the_answer_is_the_same_message() {
    let store = Store::in_memory().expect("opened");
    assert_eq!(store.journal(outgoing("7-1", 4)).wait(), Ok(Journaled::New));
    let echo = store_all(&store, vec![own(20)])[0];
    assert_eq!(store.settle("7-1", own(20)).wait(), Ok(Stored { new: false, ..echo }));
    assert_eq!(store.settle("7-1", own(22)).wait(), Ok(Stored { new: false, ..echo }));
    assert_eq!(store.history(TALK, None, 9).wait().expect("read").len(), 1);
}

#[test]
fn reports_are_kept_and_read_back() {
    let store = Store::in_memory().expect("opened");
    store_all(&store, vec![said(TALK, 1, "a"), said(TALK, 2, "b"), said(OTHER, 3, "c")]);
    let decisions =
        vec![decision(TALK, 1, 0.1), decision(TALK, 2, 0.2), decision(OTHER, 3, 0.3), decision(TALK, 4, 0.4)];
    store.save_decisions(decisions.clone()).wait().expect("saved");
    assert_eq!(store.decisions(TALK, 9).wait().expect("read"), decisions[..2]);
    assert_eq!(store.decisions(TALK, 1).wait().expect("read"), decisions[1..2]);
    assert_eq!(store.decision(OTHER, MessageId(3)).wait(), Ok(Some(decisions[2].clone())));
    assert_eq!(store.decision(TALK, MessageId(4)).wait(), Ok(None), "there is no such message");

    let prompts = vec![Prompt { ask: 1, system: "you are".into(), user: "12 Anna: a".into() }];
    let turns = [turn(1, TALK, "one"), turn(2, OTHER, "two"), turn(3, TALK, "three")];
    for turn in &turns {
        store.save_turn(turn.clone(), prompts.clone()).wait().expect("saved");
    }
    let stored = store.turn(TurnId(1)).wait().expect("read").expect("there");
    assert_eq!((&stored.report, &stored.prompts), (&turns[0], &prompts));
    assert_eq!(store.turns(TALK, None, 9).wait().expect("read"), [turns[2].clone(), turns[0].clone()]);
    assert_eq!(store.turns(TALK, Some(TurnId(3)), 9).wait().expect("read"), [turns[0].clone()]);
    assert_eq!(store.last_turn().wait(), Ok(TurnId(3)));
}

#[test]
fn usage_adds_up_by_day_model_channel_and_function() {
    let store = Store::in_memory().expect("opened");
    let day = "2026-02-03".parse().expect("a day");
    let usage = Usage { prompt: 100, cached: 60, completion: 20, ..Usage::default() };
    for _ in 0..2 {
        store.add_usage(day, "m", TALK, "turn", usage).wait().expect("added");
    }
    store.add_usage(day, "m", OTHER, "turn", usage).wait().expect("added");
    store.add_usage("2026-02-04".parse().expect("a day"), "m", TALK, "turn", usage).wait().expect("added");
    let rows = store.usage(day).wait().expect("read");
    let numbers: Vec<_> =
        rows.iter().map(|row| (row.channel, row.calls, row.prompt, row.cached, row.completion)).collect();
    assert_eq!(numbers, [(TALK, 2, 200, 120, 40), (OTHER, 1, 100, 60, 20)]);
}

#[test]
fn core_memory_and_small_values_are_replaced_by_key() {
    let store = Store::in_memory().expect("opened");
    let block = |label: &str, text: &str| Block { label: label.into(), text: text.into(), limit: 600, updated_at: 1 };
    store.put_core_memory("all", block("people", "Anna sings")).wait().expect("put");
    store.put_core_memory("all", block("people", "Anna sings alto")).wait().expect("put");
    store.put_core_memory("all", block("jokes", "")).wait().expect("put");
    assert_eq!(store.core_memory("all").wait(), Ok(vec![block("jokes", ""), block("people", "Anna sings alto")]));
    assert_eq!(store.core_memory("other").wait(), Ok(vec![]));
    store.set_meta("k", "1").wait().expect("set");
    store.set_meta("k", "2").wait().expect("set");
    assert_eq!(store.meta("k").wait(), Ok(Some("2".into())));
    assert_eq!(store.meta("none").wait(), Ok(None));
}

#[test]
fn a_deleted_text_is_gone_from_every_file() {
    let (_folder, path) = on_disk();
    let store = open(&path);
    let secret = "the vault opens with xylophonequartz & \"plumtoad\"";
    store_all(&store, (1..=200).map(|id| said(TALK, id, &format!("small talk number {id}"))).collect());
    store_all(&store, vec![said(TALK, 300, secret), said(TALK, 301, "my first thought was brambleknocker")]);
    store_all(&store, (400..=600).map(|id| said(TALK, id, &format!("more talk number {id}"))).collect());
    let shown = "12 Anna: the vault opens with xylophonequartz &amp; \"plumtoad\"\n13 Anna: my first thought was brambleknocker\n14 Bob: hm";
    let prompt = Prompt { ask: 1, system: "you are Juno".into(), user: shown.into() };
    let raw = "<turn><thoughts>she said: the vault opens with xylophonequartz &amp; \"plumtoad\"</thoughts></turn>";
    store.save_turn(turn(1, TALK, raw), vec![prompt]).wait().expect("saved");
    store.scrub().wait().expect("scrubbed");
    assert!(!files_with(&path, "xylophonequartz").is_empty(), "else this test shows nothing");

    store_all(&store, vec![deleted(TALK, 300), edited(TALK, 301, "never mind")]);
    store.scrub().wait().expect("scrubbed");
    for word in ["xylophonequartz", "plumtoad", "brambleknocker", "xylophone", "bramblek"] {
        assert_eq!(files_with(&path, word), [] as [&str; 0], "{word}");
    }
    let kept = store.turn(TurnId(1)).wait().expect("read").expect("there");
    assert_eq!(kept.prompts[0].system, "you are Juno");
    assert!(kept.prompts[0].user.ends_with("\n14 Bob: hm"), "what others said stays: {}", kept.prompts[0].user);
    assert!(kept.report.rounds[0].raw.contains("[erased"));
}

#[test]
fn nothing_of_many_deleted_and_edited_texts_is_left_between_the_rows() {
    let (_folder, path) = on_disk();
    let store = open(&path);
    // Words of different length in a scattered order, so that pages of tables and index are split and merged.
    let word = |id: u64| format!("secretword{:x}end", id.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let scattered = (0..6_000).map(|n| n * 2_741 % 6_000);
    let text = |id: u64| format!("{} {}", "filler ".repeat((id % 60) as usize), word(id));
    for start in (0..6_000).step_by(60) {
        drop(store.append((start..start + 60).map(|id| said(TALK, id + 1, &text(id))).collect()));
    }
    for id in scattered.clone().filter(|id| id % 7 == 0) {
        drop(store.append(vec![edited(TALK, id + 1, &"changed ".repeat((id % 90) as usize + 1))]));
    }
    for id in scattered.filter(|id| id % 3 == 1) {
        drop(store.append(vec![deleted(TALK, id + 1)]));
    }
    store.scrub().wait().expect("scrubbed");
    let gone = (0..6_000).filter(|id| id % 7 == 0 || id % 3 == 1);
    let mut files = Vec::new();
    for entry in std::fs::read_dir(path.parent().expect("a folder")).expect("listed") {
        files.push(std::fs::read(entry.expect("an entry").path()).expect("read"));
    }
    // Index terms share their beginnings, so the end of a word is looked for as well.
    let bytes: Vec<u8> = files.concat();
    let mut seen = std::collections::HashSet::new();
    for window in bytes.windows(12) {
        seen.insert(window);
    }
    let left: Vec<u64> = gone.filter(|id| seen.contains(&word(*id).as_bytes()[word(*id).len() - 12..])).collect();
    assert_eq!(left, [] as [u64; 0], "{} of them", left.len());
}

#[test]
fn old_messages_and_turns_are_pruned_and_leave_nothing() {
    let (_folder, path) = on_disk();
    let store = open(&path);
    store_all(&store, (1..=1_200).map(|id| said(TALK, id, &format!("oldword{id}x"))).collect());
    store.save_decisions(vec![decision(TALK, 5, 0.5)]).wait().expect("saved");
    store.save_turn(turn(1, TALK, "oldturn"), vec![]).wait().expect("saved");
    let mut gone = Vec::new();
    while gone.last() != Some(&0) {
        gone.push(store.prune(1_000_500).wait().expect("pruned"));
    }
    assert_eq!(gone.iter().sum::<usize>(), 1_001);
    assert!(gone.len() > 2, "in small steps");
    assert_eq!(store.history(TALK, None, 9_999).wait().expect("read").len(), 200);
    assert_eq!(find(&store, "oldword1000x oldword1001x"), [1_001]);
    store.scrub().wait().expect("scrubbed");
    assert_eq!(files_with(&path, "oldturn"), [] as [&str; 0]);
    assert_eq!(files_with(&path, "oldword5x"), [] as [&str; 0]);
}

#[test]
fn a_second_daemon_is_told_who_has_the_database() {
    let (_folder, path) = on_disk();
    let store = open(&path);
    let error = Store::open(&path).err().expect("refused").to_string();
    let process = std::process::id();
    let wanted = format!(
        "the database {} is in use by another Kith (process {process}). Stop it first, or set another path for this one",
        path.display()
    );
    assert_eq!(error, wanted);
    drop(store);
    assert!(Store::open(&path).is_ok(), "the last handle lets go of it");
}

#[test]
fn a_newer_database_is_refused_and_left_as_it_is() {
    let (_folder, path) = on_disk();
    drop(open(&path));
    let mut bytes = std::fs::read(&path).expect("read");
    bytes[60..64].copy_from_slice(&900_i32.to_be_bytes());
    std::fs::write(&path, &bytes).expect("written");
    let error = Store::open(&path).err().expect("refused");
    assert!(matches!(error, StoreError::Newer { found: 900, .. }), "{error}");
    assert!(error.to_string().contains("was written by a newer version of Kith (its format is 900"), "{error}");
    assert_eq!(std::fs::read(&path).expect("read"), bytes);
    assert!(!path.with_extension("db-wal").exists());
}

#[test]
fn what_is_no_database_of_kith_is_refused_and_left_as_it_is() {
    let (folder, path) = on_disk();
    let foreign = folder.path().join("notes.txt");
    std::fs::write(&foreign, "shopping list, quite long, ".repeat(40)).expect("written");
    let before = std::fs::read(&foreign).expect("read");
    let error = Store::open(&foreign).err().expect("refused");
    assert_eq!(
        error.to_string(),
        format!(
            "{} is not a database of Kith. It was left as it is; set another path, or move the file away",
            foreign.display()
        )
    );
    assert_eq!(std::fs::read(&foreign).expect("read"), before);
    let other = rusqlite::Connection::open(folder.path().join("other.db")).expect("made");
    other.execute_batch("PRAGMA user_version = 1; CREATE TABLE mine (x)").expect("filled");
    assert!(matches!(Store::open(&folder.path().join("other.db")), Err(StoreError::NotADatabase { .. })));
    assert!(matches!(Store::open(folder.path()), Err(StoreError::NotADatabase { .. })));
    drop(path);
}

#[test]
fn a_read_only_database_is_named_with_its_cure() {
    let (_folder, path) = on_disk();
    drop(open(&path));
    let mut rights = std::fs::metadata(&path).expect("looked at").permissions();
    rights.set_readonly(true);
    std::fs::set_permissions(&path, rights).expect("set");
    let error = Store::open(&path).err().expect("refused").to_string();
    assert_eq!(
        error,
        format!(
            "the database {} is read-only. Give this user the right to write the file and its folder",
            path.display()
        )
    );
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let (folder, _path) = on_disk();
    let file = folder.path().join("file");
    std::fs::write(&file, "x").expect("written");
    let error = Store::open(&file.join("kith.db")).err().expect("refused").to_string();
    assert!(error.starts_with(&format!("cannot open the database {}", file.join("kith.db").display())), "{error}");
}

#[tokio::test]
async fn async_code_awaits_and_many_small_appends_share_commits_in_order() {
    let (_folder, path) = on_disk();
    let store = open(&path);
    let pending: Vec<_> = (1..=500).map(|id| store.append(vec![said(TALK, id, "x")])).collect();
    for (arrival, pending) in (1..).zip(pending) {
        assert_eq!(pending.await, Ok(vec![Stored { arrival, new: true }]));
    }
    assert_eq!(store.history(TALK, None, 1_000).await.expect("read").len(), 500);
}

#[test]
fn a_temporary_store_does_all_the_same() {
    let store = Store::temporary().expect("opened");
    store_all(&store, (1..=5_000).map(|id| said(TALK, id, "some words to find")).collect());
    store_all(&store, vec![said(TALK, 9_000, "needle"), deleted(TALK, 1)]);
    assert_eq!(find(&store, "needle"), [9_000]);
    assert_eq!(store.history(TALK, None, 9_999).wait().expect("read").len(), 5_000);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_text_can_be_kept_searched_for_edited_and_deleted(
        text in "\\PC{0,40}|[\"*():^ a猫ー\\x00-]{0,20}",
        changed in "\\PC{0,20}",
    ) {
        let store = Store::in_memory().expect("opened");
        store_all(&store, vec![said(TALK, 1, &text), said(TALK, 2, "another line")]);
        store.search(search(&text, &[TALK, OTHER])).wait().expect("searched");
        prop_assert_eq!(&*store.history(TALK, None, 9).wait().expect("read")[0].message.text, &*text);
        store.save_turn(turn(1, TALK, &text), vec![]).wait().expect("saved");
        store_all(&store, vec![edited(TALK, 1, &changed), deleted(TALK, 1)]);
        let found = store.search(search(&format!("{text} {changed}"), &[TALK])).wait().expect("searched");
        prop_assert!(!ids(&found).contains(&1));
        prop_assert_eq!(find(&store, "another"), [2]);
    }
}
