//! `kith export`, `kith forget` and `kith memory` as the host types them.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use kith_core::chat::{
    Author, AuthorKind, Channel, ChannelId, ChannelKind, GuildId, Message, MessageId, UserId,
};
use kith_core::event::ChatEvent;
use kith_core::memory_entry::{MemoryContent, MemoryDraft, MemoryKind, MemoryOrigin};
use kith_store::{MemoryBatch, Store, StoredBlock};
use kith_testkit::{assert_has, assert_lacks};

const TALK: ChannelId = ChannelId(10);
const OTHER: ChannelId = ChannelId(11);

fn person(id: u64, name: &str) -> Author {
    Author {
        id: UserId(id),
        name: name.into(),
        kind: AuthorKind::Person,
    }
}

fn says(channel: ChannelId, id: u64, author: Author, text: &str) -> ChatEvent {
    ChatEvent::Message(Message {
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

fn on_disk() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("data").join("kith.db");
    (folder, path)
}

/// The files of the database's folder that hold `text` as bytes.
fn files_with(path: &Path, text: &str) -> Vec<String> {
    let holds = |bytes: &[u8]| {
        bytes
            .windows(text.len())
            .any(|window| window == text.as_bytes())
    };
    let entries = std::fs::read_dir(path.parent().expect("a folder")).expect("listed");
    let files = entries.map(|entry| entry.expect("an entry").path());
    files
        .filter(|file| holds(&std::fs::read(file).expect("read")))
        .map(|file| file.display().to_string())
        .collect()
}

fn open(path: &Path) -> Store {
    Store::open(path).expect("opened")
}

/// Runs the binary beside a database in `data/`, without a terminal and with an empty environment.
fn kith(folder: &Path, args: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kith"));
    let Output {
        status,
        stdout,
        stderr,
    } = command
        .args(args)
        .current_dir(folder)
        .env_clear()
        .stdin(std::process::Stdio::null())
        .output()
        .expect("ran");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (status.code(), text(stdout), text(stderr))
}

fn create_filled_store(path: &Path) -> Store {
    let store = open(path);
    let channel = |id, guild| {
        let (name, topic) = ("talk".into(), "".into());
        ChatEvent::Channel(Channel {
            id,
            guild: Some(GuildId(guild)),
            name,
            topic,
            kind: ChannelKind::Group,
            parent: None,
        })
    };
    let events = vec![
        channel(TALK, 5),
        channel(OTHER, 6),
        says(TALK, 1, person(42, "Anna"), "my first xylophone"),
        says(TALK, 2, person(42, "Anna"), "my second"),
        says(OTHER, 3, person(42, "Anna"), "elsewhere"),
    ];
    store.append(events).wait().expect("appended");
    store
}

#[test]
fn the_host_exports_and_erases_a_person_while_kith_is_not_running() {
    let (folder, path) = on_disk();
    drop(create_filled_store(&path));
    let (code, out, err) = kith(folder.path(), &["export", "--person", "42"]);
    assert_eq!((code, &*err), (Some(0), ""));
    let export: serde_json::Value = out.parse().expect("JSON");
    assert_eq!(
        (&export["names"][0], &export["messages"][0]["text"]),
        (&"Anna".into(), &"my first xylophone".into())
    );

    let (code, out, err) = kith(folder.path(), &["forget", "--person", "42"]);
    let asked = "error: nobody can be asked here whether this is meant; add --yes if it is\n";
    assert_eq!((code, &*out, &*err), (Some(2), "", asked));
    let forget = ["forget", "--person", "42", "--guild", "5", "--yes"];
    let told =
        "Anna (42) is forgotten: 2 messages in 1 channel erased, 0 turns left with bare numbers.\n";
    assert_eq!(
        kith(folder.path(), &forget),
        (Some(0), told.into(), String::new())
    );
    assert_eq!(files_with(&path, "xylophone"), [] as [&str; 0]);
    assert!(!files_with(&path, "elsewhere").is_empty());
    let told =
        "Anna (42) is forgotten: 1 message in 1 channel erased, 0 turns left with bare numbers.\n";
    assert_eq!(
        kith(folder.path(), &["forget", "--person", "42", "--yes"]).1,
        told
    );
    assert_eq!(files_with(&path, "Anna"), [] as [&str; 0]);
}

#[test]
fn while_kith_is_running_the_host_is_sent_to_the_slash_command() {
    let (folder, path) = on_disk();
    let _running = create_filled_store(&path);
    let process = std::process::id();
    for (command, typed) in [("export", "/kith export me"), ("forget", "/kith forget me")] {
        let args = [command, "--person", "42", "--yes"];
        let (code, out, err) = kith(
            folder.path(),
            if command == "forget" {
                &args
            } else {
                &args[..3]
            },
        );
        let wanted = format!(
            "error: another Kith (process {process}) is running here and still has the person in mind; let them type \
             `{typed}` in Discord, or stop it and try again\n"
        );
        assert_eq!((code, out, err), (Some(1), String::new(), wanted));
    }
}

#[test]
fn what_is_not_there_is_said_and_not_made() {
    let (folder, path) = on_disk();
    let (code, _, err) = kith(folder.path(), &["forget", "--person", "42", "--yes"]);
    assert_eq!(code, Some(1));
    assert!(
        err.starts_with("error: there is no database data/kith.db; check data_dir"),
        "{err}"
    );
    assert!(!path.exists());
    drop(create_filled_store(&path));
    let (code, _, err) = kith(folder.path(), &["export", "--person", "42", "--guild", "9"]);
    assert_eq!(
        (code, &*err),
        (
            Some(1),
            "error: nothing is known of guild 9; check the id, or leave --guild out\n"
        )
    );
    let by_name = kith(folder.path(), &["export", "--person", "anna"]);
    assert_eq!(by_name, kith(folder.path(), &["export", "--person", "42"]));
    let (code, _, err) = kith(folder.path(), &["export", "--person", "Nemo"]);
    assert_eq!(code, Some(1), "{err}");
    assert_has(&err, ["nobody is called Nemo"]);
    let (code, out, _) = kith(folder.path(), &["people"]);
    assert!(code == Some(0) && out.contains("42  Anna"), "{out}");
}

/// Anna's cello, by her word, and an evening; and a block of core memory.
fn remember(store: &Store) {
    let fact = MemoryContent {
        kind: MemoryKind::About,
        channel: TALK,
        person: Some(UserId(42)),
        people: Vec::new(),
        said_by: Some(UserId(42)),
        text: "plays the xylophone".into(),
        at: 1_000,
        due: None,
        confidence: 0.8,
        importance: 0.5,
        origin: MemoryOrigin::Companion,
        sources: vec![MessageId(1)],
    };
    let episode = MemoryContent {
        kind: MemoryKind::Episode,
        person: None,
        said_by: None,
        text: "an evening in the park".into(),
        sources: vec![MessageId(2)],
        ..fact.clone()
    };
    let drafts = [fact, episode].map(|content| MemoryDraft {
        content,
        supersedes: Vec::new(),
    });
    let batch = MemoryBatch {
        drafts: drafts.to_vec(),
        begun: 9_000_000,
        consolidated: None,
    };
    store.put_memories(batch).wait().expect("kept");
    let block = StoredBlock {
        label: "people".into(),
        text: "Bob cooks".into(),
        limit: 600,
        updated_at: 1,
    };
    store.put_core_memory("guild:5", block).wait().expect("put");
}

#[test]
fn the_host_looks_at_mends_and_forgets_what_is_remembered() {
    let (folder, path) = on_disk();
    let store = create_filled_store(&path);
    remember(&store);
    drop(store);
    let run = |args: &[&str]| {
        let (code, out, err) = kith(folder.path(), args);
        assert_eq!((code, &*err), (Some(0), ""), "{args:?}");
        out
    };
    let all = run(&["memory", "list"]);
    assert_has(
        &all,
        [
            "1  1970-01-01  #talk  about  Anna (42): plays the xylophone\n",
            "#talk  episode: an evening in the park\n",
            "core memory people of guild:5:\n    Bob cooks\n",
        ],
    );
    let found: serde_json::Value = run(&["memory", "search", "xylophone", "--json"])
        .parse()
        .expect("JSON");
    assert_eq!(found["memories"][0]["person"]["name"], "Anna");
    assert_eq!(found["memories"].as_array().map(Vec::len), Some(1));
    assert_eq!(
        found["memories"][0]["score"],
        found["memories"][0]["words"][0]["adds"]
    );
    let found = run(&["memory", "search", "xylophone"]);
    let (word, adds) = found
        .split_once("\n    score ")
        .expect("why it ranks there")
        .1
        .split_once(": ")
        .unwrap();
    assert_eq!(adds, format!("xylophon +{word}\n"), "{found}");
    assert_has(
        run(&["memory", "show", "1"]),
        ["from 1  Anna: my first xylophone\n"],
    );
    let edited = run(&["memory", "edit", "1", "plays the viola"]);
    assert!(
        edited.starts_with("1 is changed; `kith memory undo 3` takes it back:"),
        "{edited}"
    );
    assert_has(&edited, ["in the place of 1  1970-01-01"]);
    assert_lacks(run(&["memory", "list"]), ["xylophone"]);
    assert_has(
        run(&["memory", "undo", "3"]),
        ["Anna (42): plays the xylophone"],
    );
    assert_lacks(run(&["memory", "list"]), ["viola"]);
    run(&["memory", "forget", "2"]);
    assert_eq!(
        files_with(&path, "an evening in the park"),
        Vec::<String>::new()
    );
    let (code, out, err) = kith(folder.path(), &["memory", "undo", "1"]);
    assert_eq!((code, &*out), (Some(1), ""));
    assert!(
        err.starts_with("error: there is nothing that 1 took the place of"),
        "{err}"
    );
    let (code, _, err) = kith(folder.path(), &["memory", "show", "9"]);
    assert_eq!(code, Some(1));
    assert_eq!(
        err,
        "error: there is no entry 9; `kith memory list` shows the numbers\n"
    );
}
