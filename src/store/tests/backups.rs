//! Backups: a copy that is sound and private, and one that is put back without bringing back what people had erased since.

mod erased_places;

use kith_core::chat::MemoryId;
use kith_core::manual_override::{OverrideRecord, OverrideScope, OverrideValue};
use kith_core::policy::ChannelMode;
use kith_core::preference::PersonPreference;
use kith_store::{RestoreReport, backup, restore_backup};

use super::memories::{find_texts, keep_told};
use super::*;

/// Snowflakes, so that their bytes are like no other number's.
const MIRA: u64 = 1_234_567_890_123_456_789;
const BOB: u64 = 1_098_765_432_109_876_543;
/// Somebody who wrote nothing.
const NOBODY_KNOWN: u64 = 1_176_543_210_987_654_321;
/// When people are forgotten and backups are put back; messages are written at a thousand times their id.
const LATER: i64 = 2_000_000;

fn mira() -> Author {
    person(MIRA, "Mirabelle")
}

fn bob() -> Author {
    person(BOB, "Bob")
}

/// A database with a talk, and a backup of it in a folder of its own.
fn backed_up() -> (tempfile::TempDir, PathBuf, PathBuf) {
    let (folder, path) = on_disk();
    let store = open(&path);
    store_all(
        &store,
        vec![
            ChatEvent::Channel(group_channel(TALK, Some(GuildId(5)), "talk")),
            ChatEvent::Channel(group_channel(OTHER, Some(GuildId(5)), "other")),
            says(TALK, 1, mira(), "I collect brambleknockers"),
            says(TALK, 2, bob(), "the tangerine tram leaves at noon"),
            says(TALK, 3, bob(), "my pin is violetfjord"),
            says(OTHER, 4, bob(), "only here"),
        ],
    );
    keep_told(&store, TALK, 2, "likes trams");
    keep_told(&store, TALK, 2, "owns a marmaladecat");
    put_block(&store, "humans", "Bob is shy");
    let file = folder.path().join("monday.db");
    backup(&path, &file).expect("backed up");
    drop(store);
    (folder, path, file)
}

fn put_block(store: &Store, label: &str, text: &str) {
    let block = StoredBlock {
        label: label.into(),
        text: text.into(),
        limit: 500,
        updated_at: 5,
    };
    store.put_core_memory("guild:5", block).wait().expect("put");
}

fn restored(path: &Path, file: &Path) -> RestoreReport {
    restore_backup(path, file, LATER).expect("restored")
}

fn said_in(store: &Store, channel: ChannelId) -> Vec<String> {
    let lines = store.load_history(channel, None, 99).wait().expect("read");
    texts(&lines).into_iter().map(str::to_owned).collect()
}

fn block(store: &Store) -> String {
    let blocks = store.all_core_memory().wait().expect("read");
    blocks.into_iter().map(|(_, block)| block.text).collect()
}

#[test]
fn a_backup_is_whole_and_private_while_the_database_is_written() {
    let (folder, path) = on_disk();
    let store = open(&path);
    store_all(
        &store,
        (1..=300).map(|id| said(TALK, id, "hello there")).collect(),
    );
    let file = folder.path().join("copy.db");
    let writing = std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            let late = (301..=600).map(|id| said(TALK, id, "and more"));
            late.map(|event| store_all(&store, vec![event]).len())
                .sum::<usize>()
        });
        let summary = backup(&path, &file).expect("backed up");
        assert!(summary.messages >= 300, "{summary:?}");
        assert_eq!((summary.channels, summary.people), (0, 1));
        assert_eq!(summary.time_range.map(|(first, _)| first), Some(1_000));
        writer.join().expect("written")
    });
    assert_eq!(writing, 300);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(&file)
            .expect("there")
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    let before = std::fs::read(&file).expect("read");
    let error = backup(&path, &file).expect_err("refused").to_string();
    assert!(
        error.contains("is there already, and nothing is overwritten"),
        "{error}"
    );
    assert_eq!(std::fs::read(&file).expect("read"), before);
    drop(store);
    let copy = open(&file);
    assert_eq!(copy.check().wait(), Ok(()));
    assert!(find(&copy, "hello").len() == 10, "its index comes along");
    let left = std::fs::read_dir(folder.path()).expect("listed");
    let names = left.map(|entry| entry.expect("an entry").file_name());
    assert!(
        names
            .into_iter()
            .all(|name| !name.to_string_lossy().contains("partial"))
    );
}

#[test]
fn what_is_erased_before_a_backup_is_not_in_it() {
    let (folder, path, _) = backed_up();
    let store = open(&path);
    store
        .forget_person(UserId(MIRA), None, LATER)
        .wait()
        .expect("forgotten");
    let file = folder.path().join("later").join("tuesday.db");
    std::fs::create_dir(file.parent().expect("a folder")).expect("made");
    backup(&path, &file).expect("backed up");
    assert_eq!(
        traces_in_files(&file, &["brambleknocker", "Mirabelle"], MIRA),
        [] as [&str; 0]
    );
}

#[test]
fn a_damaged_database_gives_no_backup_but_the_way_out() {
    let (folder, path, _) = backed_up();
    let mut bytes = std::fs::read(&path).expect("read");
    let (from, to) = (4_096, bytes.len() - 4_096);
    bytes[from..to].fill(7);
    std::fs::write(&path, bytes).expect("written");
    let file = folder.path().join("copy.db");
    let error = backup(&path, &file).expect_err("refused").to_string();
    assert!(
        error.contains("is damaged") && error.contains("kith recover"),
        "{error}"
    );
    assert!(!file.exists() && !folder.path().join("copy.db.partial").exists());
}

#[test]
fn what_was_lost_comes_back() {
    let (_folder, path, file) = backed_up();
    std::fs::remove_dir_all(path.parent().expect("a folder")).expect("lost");
    let report = restored(&path, &file);
    assert_eq!((report.kept, report.summary.messages), (None, 4));
    let store = open(&path);
    assert_eq!(said_in(&store, OTHER), ["only here"]);
    assert_eq!(find(&store, "tangerine"), [2]);
    assert_eq!(find_texts(&store, TALK).len(), 2);
    assert!(store_all(&store, vec![said(TALK, 50, "it goes on")])[0].new);
}

#[test]
fn who_is_forgotten_after_a_backup_stays_forgotten_when_it_is_put_back() {
    let (_folder, path, file) = backed_up();
    let store = open(&path);
    store
        .forget_person(UserId(MIRA), None, LATER)
        .wait()
        .expect("forgotten");
    drop(store);
    let report = restored(&path, &file);
    assert_eq!((report.forgotten, report.deleted), (1, 1));
    assert_eq!(
        traces_in_files(&path, &["brambleknocker", "Mirabelle"], MIRA),
        [] as [&str; 0]
    );
    let store = open(&path);
    assert!(
        find(&store, "tangerine") == [2],
        "what others said is there"
    );
    let late = says(TALK, 60, mira(), "I collect brambleknockers");
    assert!(
        !store_all(&store, vec![late])[0].new,
        "nor does it come in late"
    );
    assert!(file.exists(), "the backup itself is left as it is");
}

#[test]
fn wishes_hold_as_people_left_them() {
    let (folder, path, _) = backed_up();
    let store = open(&path);
    let wish = |store: &Store, user, wish| {
        store
            .set_preference(UserId(user), wish, LATER)
            .wait()
            .expect("set");
    };
    wish(&store, 77, PersonPreference::Ignore);
    let file = folder.path().join("tuesday.db");
    backup(&path, &file).expect("backed up");
    wish(&store, 77, PersonPreference::Remember);
    wish(&store, MIRA, PersonPreference::Ignore);
    wish(&store, NOBODY_KNOWN, PersonPreference::DontRemember);
    drop(store);
    restored(&path, &file);
    let wishes = open(&path).load_preferences().wait().expect("read");
    assert_eq!(wishes.get(UserId(MIRA)), PersonPreference::Ignore);
    let of_nobody_known = wishes.get(UserId(NOBODY_KNOWN));
    assert_eq!(of_nobody_known, PersonPreference::DontRemember);
    assert_eq!(
        wishes.get(UserId(77)),
        PersonPreference::Remember,
        "taken back"
    );
}

#[test]
fn a_newer_backup_put_over_an_older_one_keeps_what_was_wished_and_chosen_between() {
    let (folder, path, monday) = backed_up();
    let store = open(&path);
    store_all(&store, vec![said(TALK, 40, "said on tuesday")]);
    let wish = store.set_preference(UserId(MIRA), PersonPreference::Ignore, 9);
    wish.wait().expect("set");
    put_block(&store, "humans", "Bob is quick");
    let wednesday = folder.path().join("wednesday.db");
    backup(&path, &wednesday).expect("backed up");
    drop(store);
    std::fs::remove_file(&path).expect("the disk is lost");
    restored(&path, &monday);
    restored(&path, &wednesday);
    let store = open(&path);
    let wishes = store.load_preferences().wait().expect("read");
    assert_eq!(wishes.get(UserId(MIRA)), PersonPreference::Ignore);
    assert_eq!(block(&store), "Bob is quick");
}

#[test]
fn what_an_opt_out_erased_stays_erased_when_it_was_taken_back_before_a_backup_is_put_back() {
    let (_folder, path, file) = backed_up();
    let store = open(&path);
    for wish in [PersonPreference::DontRemember, PersonPreference::Remember] {
        let wish = store.set_preference(UserId(BOB), wish, LATER);
        wish.wait().expect("set");
    }
    let left = find_texts(&store, TALK);
    drop(store);
    restored(&path, &file);
    assert_eq!(find_texts(&open(&path), TALK), left);
    assert!(left.is_empty(), "they were of Bob's words");
}

#[test]
fn what_was_deleted_edited_or_chosen_since_a_backup_stays_so() {
    let (_folder, path, file) = backed_up();
    let store = open(&path);
    store_all(
        &store,
        vec![deleted(TALK, 3), edited(TALK, 2, "the tram is late")],
    );
    let entry = |store: &Store| find_texts(store, TALK);
    assert_eq!(
        entry(&store),
        [] as [&str; 0],
        "they were taken from that message"
    );
    put_block(&store, "humans", "Bob is quick");
    let forgotten = store.forget_earlier_versions("guild:5", "humans");
    forgotten.wait().expect("forgotten");
    let off = OverrideRecord {
        place: OverrideScope::Channel(OTHER),
        choice: OverrideValue::Mode(ChannelMode::Off),
        by: None,
        at: 7,
    };
    store.set_override(off.clone()).wait().expect("set");
    drop(store);
    let report = restored(&path, &file);
    assert_eq!((report.deleted, report.edited), (1, 1));
    for gone in ["violetfjord", "tangerine", "marmaladecat", "shy"] {
        let kept = report.kept.as_ref().expect("kept").display().to_string();
        let left: Vec<String> = files_with(&path, gone);
        assert!(left.iter().all(|file| *file == kept), "{gone}: {left:?}");
    }
    let store = open(&path);
    assert_eq!(
        said_in(&store, TALK),
        ["I collect brambleknockers", "the tram is late"]
    );
    assert_eq!(
        (entry(&store).len(), block(&store).as_str()),
        (0, "Bob is quick")
    );
    assert_eq!(store.overrides().wait(), Ok(vec![off]));
}

#[test]
fn a_memory_that_somebody_had_forgotten_stays_so_and_its_number_is_given_to_no_other() {
    let (_folder, path, file) = backed_up();
    let store = open(&path);
    assert_eq!(store.delete_memory(MemoryId(2)).wait(), Ok(true));
    keep_told(&store, TALK, 2, "has a bicycle");
    drop(store);
    restored(&path, &file);
    let store = open(&path);
    assert_eq!(find_texts(&store, TALK), ["likes trams"]);
    keep_told(&store, TALK, 2, "plays chess");
    let (old, new) = (MemoryId(3), MemoryId(4));
    assert_eq!(
        store.memory(old).wait().map(|entry| entry.is_some()),
        Ok(false)
    );
    assert_eq!(
        store.memory(new).wait().map(|entry| entry.is_some()),
        Ok(true)
    );
}

#[test]
fn the_database_that_gave_way_can_be_put_back_itself() {
    let (folder, path, file) = backed_up();
    let store = open(&path);
    store_all(&store, vec![said(TALK, 40, "said on tuesday")]);
    keep_told(&store, TALK, 2, "has a bicycle");
    drop(store);
    let kept = restored(&path, &file).kept.expect("kept");
    let aside = folder.path().join("aside.db");
    std::fs::rename(&kept, &aside).expect("moved");
    let report = restored(&path, &aside);
    assert_eq!((report.summary.messages, report.deleted), (5, 0));
    assert_eq!(find_texts(&open(&path), TALK).len(), 3);
}

#[test]
fn a_backup_of_another_database_forgets_whom_this_one_forgot() {
    let (folder, _, file) = backed_up();
    let path = folder.path().join("new").join("kith.db");
    let store = open(&path);
    store
        .forget_person(UserId(MIRA), None, LATER)
        .wait()
        .expect("forgotten");
    let set = |user| store.set_preference(UserId(user), PersonPreference::Ignore, LATER);
    set(BOB).wait().expect("set");
    set(NOBODY_KNOWN).wait().expect("set");
    drop(store);
    let report = restored(&path, &file);
    assert_eq!((report.forgotten, report.lost_wishes), (1, 1));
    assert_eq!(files_with(&path, "brambleknocker"), [] as [&str; 0]);
    let wishes = open(&path).load_preferences().wait().expect("read");
    assert_eq!(wishes.get(UserId(BOB)), PersonPreference::Ignore);
}

#[test]
fn what_cannot_be_read_of_the_old_database_is_said() {
    let (_folder, path, file) = backed_up();
    let broken = vec![3; 20_000];
    std::fs::write(&path, &broken).expect("written");
    let report = restored(&path, &file);
    assert_eq!(
        report.unread,
        [
            "forgotten",
            "preferences",
            "tombstones",
            "erased places",
            "edited messages"
        ]
    );
    let kept = report.kept.expect("kept");
    assert_eq!(
        std::fs::read(kept).expect("read"),
        broken,
        "it is kept as it was"
    );
    assert_eq!(find(&open(&path), "tangerine"), [2]);
}

#[test]
fn nothing_is_changed_by_what_is_no_backup_or_while_kith_runs() {
    let (folder, path, file) = backed_up();
    let before = std::fs::read(&path).expect("read");
    let nothing = folder.path().join("nothing.db");
    std::fs::write(&nothing, "no database at all, ".repeat(99)).expect("written");
    let mut half = std::fs::read(&file).expect("read");
    half.truncate(half.len() / 2);
    let half_file = folder.path().join("half.db");
    std::fs::write(&half_file, half).expect("written");
    for (wrong, why) in [
        (&nothing, "is not a database of Kith"),
        (&half_file, "is damaged"),
        (&path, "is no backup"),
        (&folder.path().join("missing.db"), "cannot open"),
    ] {
        let error = restore_backup(&path, wrong, LATER)
            .expect_err("refused")
            .to_string();
        assert!(error.contains(why), "{error}");
        assert_eq!(std::fs::read(&path).expect("read"), before);
    }
    let store = open(&path);
    let refused = restore_backup(&path, &file, LATER);
    assert!(
        matches!(refused, Err(StoreError::InUse { .. })),
        "{refused:?}"
    );
    drop(store);
    let names: Vec<_> = std::fs::read_dir(path.parent().expect("a folder"))
        .expect("listed")
        .map(|entry| entry.expect("an entry").file_name())
        .collect();
    assert_eq!(names.len(), 2, "the database and its lock: {names:?}");
}

#[test]
fn what_was_spent_today_stays_spent() {
    let (_folder, path, file) = backed_up();
    let day = chrono::NaiveDate::from_ymd_opt(2026, 5, 1).expect("a day");
    let store = open(&path);
    let usage = TokenUsage {
        prompt: 700,
        ..TokenUsage::default()
    };
    let spend = spent(day, "large", TALK, "turn", usage);
    store.save_spend(spend).wait().expect("saved");
    drop(store);
    restored(&path, &file);
    let rows = open(&path).load_usage(day).wait().expect("read");
    assert_eq!(rows.iter().map(|row| row.prompt).sum::<u64>(), 700);
}
