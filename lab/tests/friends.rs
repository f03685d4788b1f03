//! Marked chats of friends: how they are read, and what the shipped weights reach in those nothing was learnt from.

use std::fs;
use std::path::Path;

use kith_core::willingness::Weights;
use kith_lab::friends::evaluation::{DEFAULT_LEVEL, judge_all};
use kith_lab::friends::{MarkedChat, read_chats};

fn folder(name: &str) -> std::path::PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
        .join("tests/friends")
        .join(name)
}

#[test]
fn in_chats_nothing_was_learnt_from_it_speaks_at_the_moments_a_friend_would() {
    let weights = Weights::load_embedded();
    let reached = judge_all(
        &read_chats(&folder("held")).unwrap(),
        &weights,
        DEFAULT_LEVEL,
    );
    println!("auc    must   unnamed butt-in welcome calls a line\n{reached}");
    assert!(reached.auc() >= 0.92, "{reached}");
    assert!(
        reached.must_rate() >= 0.80 && reached.unnamed_must_rate() >= 0.75,
        "{reached}"
    );
    assert!(
        reached.butt_in_rate() <= 0.10 && reached.wanted_rate() >= 0.85,
        "{reached}"
    );
}

#[test]
fn no_language_and_no_size_of_group_is_much_worse_than_the_whole() {
    let chats = read_chats(&folder("held")).unwrap();
    let weights = Weights::load_embedded();
    let whole = judge_all(&chats, &weights, DEFAULT_LEVEL);
    type ChatFilter = fn(&MarkedChat) -> bool;
    let groups: [(&str, ChatFilter); 5] = [
        ("English", |chat| chat.language == "en"),
        ("Chinese", |chat| chat.language == "zh"),
        ("1 to 3 people", |chat| chat.people <= 3),
        ("4 to 6 people", |chat| (4..=6).contains(&chat.people)),
        ("7 people and more", |chat| chat.people >= 7),
    ];
    for (name, is_in) in groups {
        let some: Vec<MarkedChat> = chats.iter().filter(|chat| is_in(chat)).cloned().collect();
        let reached = judge_all(&some, &weights, DEFAULT_LEVEL);
        println!("{name:<18} {reached}");
        assert!(
            reached.auc() >= whole.auc() - 0.08 && reached.must_rate() >= whole.must_rate() - 0.05,
            "{name}: {reached}"
        );
        assert!(
            reached.butt_in_rate() <= whole.butt_in_rate() + 0.08,
            "{name}: {reached}"
        );
    }
}

#[test]
fn in_a_second_set_of_chats_it_hardly_butts_in() {
    let reached = judge_all(
        &read_chats(&folder("second")).unwrap(),
        &Weights::load_embedded(),
        DEFAULT_LEVEL,
    );
    println!("second             {reached}");
    assert!(
        reached.auc() >= 0.94 && reached.must_rate() >= 0.65,
        "{reached}"
    );
    assert!(
        reached.butt_in_rate() <= 0.07 && reached.wanted_rate() >= 0.85,
        "{reached}"
    );
}

#[test]
fn the_more_talkative_it_is_the_more_often_it_speaks() {
    let chats = read_chats(&folder("held")).unwrap();
    let weights = Weights::load_embedded();
    println!("level auc    must   unnamed butt-in welcome calls a line");
    let at = |tenths: u8| {
        let reached = judge_all(&chats, &weights, f32::from(tenths) / 10.0);
        println!("0.{tenths}   {reached}");
        reached.speak_rate()
    };
    let calls: Vec<f64> = (1..10).map(at).collect();
    assert!(calls.is_sorted() && 2.0 * calls[0] < calls[8], "{calls:?}");
}

#[test]
fn a_broken_chat_is_named_with_its_line() {
    let error = |chat: &str| {
        let dir = tempfile::TempDir::new().unwrap();
        fs::create_dir(dir.path().join("personas")).unwrap();
        let persona = folder("held").join("personas/juno.toml");
        fs::copy(persona, dir.path().join("personas/juno.toml")).unwrap();
        fs::write(dir.path().join("one.txt"), chat).unwrap();
        read_chats(dir.path())
            .err()
            .map_or_else(String::new, |error| format!("{error:#}"))
    };
    let head = "# den | juno | en | 2026-01-31T18:00:00Z\n";
    assert_eq!(error(&format!("{head}+3 Tom: hi ## M greets\n")), "");
    assert!(error("hello\n").contains("one.txt:1: expected `# channel"));
    assert!(error("# den | juno | en | soon\n").contains("one.txt:1: `soon` is no time"));
    assert!(
        error(&format!("{head}+3 Tom: hi\n+x Tom: hi\n")).contains("one.txt:3: expected `+SECONDS")
    );
    assert!(error(&format!("{head}+3 Tom: hi ## q\n")).contains("one.txt:2: expected `+SECONDS"));
    let empty = tempfile::TempDir::new().unwrap();
    assert!(
        read_chats(empty.path())
            .unwrap_err()
            .to_string()
            .contains("there are no chats in it")
    );
}
