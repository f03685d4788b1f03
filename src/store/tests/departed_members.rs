//! Who left a guild is erased there after 30 days, and nobody else.

use kith_core::chat::{DAY, GuildId};
use kith_store::QuietMember;

use super::*;

const NOW: i64 = 100 * DAY;
const GUILD: GuildId = GuildId(5);

fn quiet(user: u64) -> QuietMember {
    QuietMember {
        guild: GUILD,
        user: UserId(user),
    }
}

/// Anna spoke long ago, Ben just now, Cleo in a direct message.
fn create_filled_store(path: &Path) -> Store {
    let store = open(path);
    let channel = |id, guild| {
        ChatEvent::Channel(Channel {
            id,
            guild,
            name: "talk".into(),
            topic: "".into(),
            kind: ChannelKind::Group,
            parent: None,
        })
    };
    let at = |at: i64, event: ChatEvent| match event {
        ChatEvent::Message(message) => ChatEvent::Message(Message { at, ..message }),
        other => other,
    };
    store_all(
        &store,
        vec![
            channel(TALK, Some(GUILD)),
            channel(OTHER, None),
            at(NOW - 9 * DAY, says(TALK, 1, person(7, "Anna"), "hi")),
            at(NOW - 1, says(TALK, 2, person(8, "Ben"), "hello")),
            at(NOW - 9 * DAY, says(OTHER, 3, person(9, "Cleo"), "psst")),
        ],
    );
    store
}

fn find(store: &Store, now: i64) -> Vec<QuietMember> {
    store.find_quiet_members(now, 10).wait().expect("read")
}

fn record(store: &Store, is_member: bool, now: i64) -> Option<Vec<ChannelId>> {
    let recorded = store.record_membership(quiet(7), is_member, now);
    recorded.wait().expect("kept")
}

#[test]
fn only_who_is_quiet_in_a_guild_is_looked_for_and_a_member_again_after_a_week() {
    let (_folder, path) = on_disk();
    let store = create_filled_store(&path);
    assert_eq!(find(&store, NOW), [quiet(7)]);
    assert_eq!(record(&store, true, NOW), None);
    assert_eq!(find(&store, NOW + DAY / 2), []);
    assert_eq!(
        find(&store, NOW + 8 * DAY),
        [quiet(8), quiet(7)],
        "who was never looked at comes first"
    );
}

#[test]
fn who_left_is_due_after_30_days_and_who_came_back_is_not() {
    let (_folder, path) = on_disk();
    let store = create_filled_store(&path);
    assert_eq!(record(&store, false, NOW), None);
    let later = NOW + 31 * DAY;
    assert!(!find(&store, NOW + 29 * DAY).contains(&quiet(7)));
    assert!(find(&store, later).contains(&quiet(7)));
    assert_eq!(record(&store, true, later), None, "she is there again");
    assert_eq!(record(&store, false, later), None, "and leaves anew");
    assert_eq!(record(&store, false, later + 31 * DAY), Some(vec![TALK]));
}

#[test]
fn who_is_forgotten_and_what_guild_is_left_is_looked_for_no_more() {
    let (_folder, path) = on_disk();
    let store = create_filled_store(&path);
    record(&store, false, NOW);
    let forgotten = store.forget_person(UserId(7), Some(vec![TALK]), NOW);
    forgotten.wait().expect("forgotten");
    assert_eq!(find(&store, NOW + 99 * DAY), [quiet(8)]);
    assert!(
        leaks::find_rows(&path, &7_u64.to_be_bytes())
            .expect("read")
            .iter()
            .all(|row| !row.starts_with("departed"))
    );
    record(&store, false, NOW);
    let erased = store.erase_places(Vec::new(), Some(GUILD), NOW);
    erased.wait().expect("erased");
    assert!(
        leaks::find_rows(&path, &7_u64.to_be_bytes())
            .expect("read")
            .iter()
            .all(|row| !row.starts_with("departed"))
    );
}
