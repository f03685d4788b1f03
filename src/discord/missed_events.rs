//! What a former session tells, kept by channel until it is asked for.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::convert::{read_deleted_ids, read_id};
use kith_core::chat::{ChannelId, GuildId, MessageId};

/// The most events that are kept of one session.
const MOST: usize = 10_000;

/// Something that happened to the messages of a channel, as Discord told it.
#[derive(Clone, Debug, PartialEq)]
pub enum MissedEvent {
    /// One was written.
    Created(Value),
    /// One is this now.
    Updated(Value),
    /// These were deleted.
    Deleted(Vec<MessageId>),
}

/// What was told, by channel.
#[derive(Debug, Default)]
pub struct MissedEvents {
    channels: HashMap<ChannelId, Vec<MissedEvent>>,
    /// Where other things changed than messages: who could see what before that is not known.
    changed_guilds: HashSet<GuildId>,
    changed_channels: HashSet<ChannelId>,
    count: usize,
}

impl MissedEvents {
    /// Keeps an event. Answers whether it could: else what is kept has a gap.
    pub fn record(&mut self, kind: &str, value: Value) -> bool {
        let channel = read_id(&value, "channel_id").map(ChannelId);
        let event = match kind {
            "MESSAGE_CREATE" => MissedEvent::Created(value),
            "MESSAGE_UPDATE" => MissedEvent::Updated(value),
            "MESSAGE_DELETE" | "MESSAGE_DELETE_BULK" => {
                MissedEvent::Deleted(read_deleted_ids(&value))
            }
            _ => {
                self.record_change(kind, &value);
                return true;
            }
        };
        let Some(channel) = channel.filter(|_| self.count < MOST) else {
            return false;
        };
        self.count += 1;
        self.channels.entry(channel).or_default().push(event);
        true
    }

    fn record_change(&mut self, kind: &str, value: &Value) {
        let is_of_no_account = kind.starts_with("MESSAGE_")
            || matches!(
                kind,
                "RESUMED"
                    | "TYPING_START"
                    | "PRESENCE_UPDATE"
                    | "INTERACTION_CREATE"
                    | "CHANNEL_PINS_UPDATE"
            );
        if is_of_no_account {
            return;
        }
        let own = read_id(value, "id");
        if kind.starts_with("THREAD_") && own.is_some() {
            return self.changed_channels.extend(own.map(ChannelId));
        }
        let guild = read_id(value, "guild_id").or(own);
        self.changed_guilds.extend(guild.map(GuildId));
    }

    /// What happened in a guild's channel, in its order; none where that is not known.
    pub fn find(&self, guild: GuildId, channel: ChannelId) -> Option<Vec<MissedEvent>> {
        let is_known =
            !self.changed_guilds.contains(&guild) && !self.changed_channels.contains(&channel);
        is_known.then(|| self.channels.get(&channel).cloned().unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
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
            assert!(missed.record(kind, value.clone()));
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
        for id in 1..=MOST as u64 {
            assert!(missed.record("MESSAGE_CREATE", message(id)));
        }
        assert!(!missed.record("MESSAGE_CREATE", message(MOST as u64 + 1)));
    }

    #[test]
    fn a_message_of_no_channel_is_a_gap() {
        let mut missed = MissedEvents::default();
        assert!(!missed.record("MESSAGE_CREATE", json!({"id": "1"})));
    }
}
