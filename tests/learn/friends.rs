//! Marked chats of friends: how they are read, and what the shipped weights reach in those nothing was learnt from.

use std::fs;
use std::path::Path;

use kith::core::willingness::Weights;
use kith::learn::friends::read;
use kith::learn::friends::trial::{DEFAULT_LEVEL, judge_all};

fn folder(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/friends").join(name)
}

#[test]
fn in_chats_nothing_was_learnt_from_it_speaks_at_the_moments_a_friend_would() {
    let weights = Weights::embedded();
    let reached = judge_all(&read(&folder("held")).unwrap(), &weights, DEFAULT_LEVEL);
    println!("auc    must   unnamed butt-in welcome calls a line\n{reached}");
    assert!(reached.auc() >= 0.92, "{reached}");
    assert!(reached.must() >= 0.75 && reached.unnamed_must() >= 0.70, "{reached}");
    assert!(reached.butt_in() <= 0.09 && reached.welcome() >= 0.85, "{reached}");
}

#[test]
fn the_more_talkative_it_is_the_more_often_it_speaks() {
    let chats = read(&folder("held")).unwrap();
    let weights = Weights::embedded();
    println!("level auc    must   unnamed butt-in welcome calls a line");
    let at = |tenths: u8| {
        let reached = judge_all(&chats, &weights, f32::from(tenths) / 10.0);
        println!("0.{tenths}   {reached}");
        reached.calls()
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
        read(dir.path()).err().map_or_else(String::new, |error| format!("{error:#}"))
    };
    let head = "# den | juno | en | 2026-01-31T18:00:00Z\n";
    assert_eq!(error(&format!("{head}+3 Tom: hi ## M greets\n")), "");
    assert!(error("hello\n").contains("one.txt:1: expected `# channel"));
    assert!(error("# den | juno | en | soon\n").contains("one.txt:1: `soon` is no time"));
    assert!(error(&format!("{head}+3 Tom: hi\n+x Tom: hi\n")).contains("one.txt:3: expected `+SECONDS"));
    assert!(error(&format!("{head}+3 Tom: hi ## q\n")).contains("one.txt:2: expected `+SECONDS"));
    let empty = tempfile::TempDir::new().unwrap();
    assert!(read(empty.path()).unwrap_err().to_string().contains("there are no chats in it"));
}
