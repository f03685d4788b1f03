//! Channels and guilds that were erased stay erased when a backup is put back, and what came after that is not touched.

use serde_json::{Map, json};

use super::*;

const GUILD: GuildId = GuildId(5);

fn erase(store: &Store, channels: &[ChannelId], guild: Option<GuildId>, at: i64) {
    let erase = store.erase_places(channels.to_vec(), guild, at);
    erase.wait().expect("erased");
}

fn back_up(path: &Path, name: &str) -> PathBuf {
    let file = path.with_file_name(name);
    backup(path, &file).expect("backed up");
    file
}

fn seen_again(store: &Store, id: u64) {
    let there = ChatEvent::Channel(group_channel(TALK, Some(GUILD), "talk"));
    store_all(store, vec![there, says(TALK, id, bob(), "we are back")]);
    keep_told(store, TALK, id, "came back");
}

#[test]
fn a_channel_whose_lines_were_too_old_when_it_was_deleted_stays_deleted() {
    let (_folder, path, file) = backed_up();
    let store = open(&path);
    while store.prune(LATER).wait().expect("pruned") > 0 {}
    assert_eq!(
        find_texts(&store, TALK).len(),
        2,
        "they outlive their lines"
    );
    erase(&store, &[TALK], None, LATER);
    drop(store);
    restored(&path, &file);
    let store = open(&path);
    assert_eq!(find_texts(&store, TALK), [""; 0]);
    assert_eq!(said_in(&store, TALK), [""; 0]);
    assert_eq!(said_in(&store, OTHER), ["only here"]);
    assert_eq!(block(&store), "Bob is shy", "the guild is still there");
    let channels = store.channels().wait().expect("read");
    assert!(channels.iter().all(|channel| channel.id == OTHER));
}

#[test]
fn a_guild_that_was_left_takes_what_was_remembered_of_all_of_it() {
    let (_folder, path, _) = backed_up();
    let store = open(&path);
    let plan = Map::from_iter([("plan".to_owned(), json!("tea"))]);
    let put = store.put_tool_data("guild:5", plan, 9).wait();
    put.expect("answered").expect("kept");
    let file = back_up(&path, "tuesday.db");
    erase(&store, &[TALK, OTHER], Some(GUILD), LATER);
    drop(store);
    restored(&path, &file);
    let store = open(&path);
    assert_eq!(block(&store), "");
    let kept = store.load_tool_data("guild:5").wait().expect("read");
    assert!(kept.is_empty(), "{kept:?}");
    assert_eq!(store.channels().wait(), Ok(vec![]));
}

#[test]
fn what_is_said_in_a_guild_that_came_back_stays_and_what_was_said_before_does_not_come_back() {
    let (_folder, path, monday) = backed_up();
    let store = open(&path);
    erase(&store, &[TALK, OTHER], Some(GUILD), LATER);
    seen_again(&store, 60);
    put_block(&store, "humans", "Bob is back");
    let wednesday = back_up(&path, "wednesday.db");
    drop(store);
    let told = |path: &Path| {
        let store = open(path);
        (
            said_in(&store, TALK),
            find_texts(&store, TALK),
            block(&store),
        )
    };
    let after = (
        vec!["we are back".into()],
        vec!["came back".into()],
        "Bob is back".into(),
    );
    restored(&path, &wednesday);
    assert_eq!(told(&path), after, "that backup knows of the erasure");
    restored(&path, &monday);
    assert_eq!(told(&path), (vec![], vec![], "Bob is back".into()));
    let store = open(&path);
    seen_again(&store, 61);
    assert_eq!(
        said_in(&store, TALK),
        ["we are back"],
        "it can come back again"
    );
}

#[test]
fn a_channel_that_came_back_and_was_deleted_again_stays_deleted() {
    let (_folder, path, _) = backed_up();
    let store = open(&path);
    erase(&store, &[TALK], None, LATER);
    seen_again(&store, 60);
    let between = back_up(&path, "between.db");
    while store.prune(LATER).wait().expect("pruned") > 0 {}
    erase(&store, &[TALK], None, LATER + 1);
    drop(store);
    restored(&path, &between);
    let store = open(&path);
    assert_eq!(
        (said_in(&store, TALK), find_texts(&store, TALK)),
        (vec![], vec![])
    );
}
