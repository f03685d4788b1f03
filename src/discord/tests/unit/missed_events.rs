//! What a former session tells is kept by channel.

use serde_json::json;

use super::*;

const GUILD: GuildId = GuildId(7);
const CHANNEL: ChannelId = ChannelId(70);

fn message(id: u64) -> Value {
    json!({"id": id.to_string(), "channel_id": "70", "guild_id": "7"})
}

fn told(events: &[(&str, Value)]) -> MissedEvents {
    let mut missed = MissedEvents::default();
    for (kind, value) in events {
        assert!(missed.record(kind, value));
    }
    missed
}

#[test]
fn what_happened_to_messages_is_found_by_channel_in_its_order() {
    let missed = told(&[
        ("MESSAGE_CREATE", message(1)),
        ("TYPING_START", json!({"channel_id": "70", "guild_id": "7"})),
        (
            "MESSAGE_REACTION_ADD",
            json!({"channel_id": "70", "guild_id": "7"}),
        ),
        (
            "MESSAGE_DELETE_BULK",
            json!({"ids": ["1", "2"], "channel_id": "70", "guild_id": "7"}),
        ),
        (
            "MESSAGE_CREATE",
            json!({"id": "3", "channel_id": "71", "guild_id": "7"}),
        ),
    ]);
    assert_eq!(
        missed.find(GUILD, CHANNEL),
        Some(vec![
            MissedEvent::Created(message(1)),
            MissedEvent::Deleted(vec![MessageId(1), MessageId(2)])
        ])
    );
    assert_eq!(missed.find(GUILD, ChannelId(72)), Some(Vec::new()));
}

#[test]
fn where_anything_but_messages_changed_nothing_is_known() {
    let changes = [
        (
            "GUILD_ROLE_UPDATE",
            json!({"guild_id": "7", "role": {"id": "9"}}),
        ),
        ("GUILD_UPDATE", json!({"id": "7"})),
        ("CHANNEL_UPDATE", json!({"id": "70", "guild_id": "7"})),
        (
            "GUILD_MEMBER_UPDATE",
            json!({"guild_id": "7", "user": {"id": "1"}}),
        ),
        ("WHAT_COMES_NEXT_YEAR", json!({"guild_id": "7"})),
    ];
    for change in changes {
        let missed = told(&[("MESSAGE_CREATE", message(1)), change.clone()]);
        assert_eq!(missed.find(GUILD, CHANNEL), None, "{change:?}");
        assert_eq!(missed.find(GuildId(8), ChannelId(80)), Some(Vec::new()));
    }
}

#[test]
fn where_a_thread_changed_nothing_is_known_of_it_and_all_of_the_others() {
    let opened = json!({"id": "70", "guild_id": "7", "parent_id": "69"});
    let missed = told(&[("THREAD_CREATE", opened)]);
    assert_eq!(missed.find(GUILD, CHANNEL), None);
    assert_eq!(missed.find(GUILD, ChannelId(69)), Some(Vec::new()));
}

#[test]
fn past_the_most_that_is_kept_it_says_so() {
    let mut missed = MissedEvents::default();
    let mut large = message(1);
    large["content"] = "x".repeat(MOST / 2).into();
    assert!(missed.record("MESSAGE_CREATE", &large));
    assert!(!missed.record("MESSAGE_CREATE", &large));
}

#[test]
fn a_message_of_no_channel_is_a_gap_and_a_direct_one_is_left_out() {
    let mut missed = MissedEvents::default();
    assert!(!missed.record("MESSAGE_CREATE", &json!({"id": "1", "guild_id": "7"})));
    assert!(missed.record("MESSAGE_CREATE", &json!({"id": "1", "channel_id": "9"})));
    assert_eq!(missed.bytes, 0);
}
