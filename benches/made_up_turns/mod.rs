//! A made-up guild's channels, and turns with their prompts, for benchmarks of what is on record.

use kith_core::chat::{Channel, ChannelId, ChannelKind, GuildId, MessageId, Millis, TurnId};
use kith_core::event::ChatEvent;
use kith_core::report::{ThresholdShift, TurnOutcome, TurnReport, TurnTrigger};
use kith_store::StoredPrompt;

/// A channel of the guild.
pub fn guild_channel(id: u64) -> ChatEvent {
    ChatEvent::Channel(Channel {
        id: ChannelId(id),
        guild: Some(GuildId(1)),
        name: format!("channel {id}").into(),
        topic: "".into(),
        kind: ChannelKind::Group,
        parent: None,
    })
}

/// A turn that a message woke, and that ended in silence.
pub fn silent_turn(
    turn: TurnId,
    woke: MessageId,
    channel: ChannelId,
    at: Millis,
    why: String,
    prompt: String,
) -> (TurnReport, Vec<StoredPrompt>) {
    let report = TurnReport {
        turn,
        channel,
        started: at,
        ended: at + 500,
        wake: TurnTrigger {
            message: Some(woke),
            author: None,
            address: None,
            addressed: Vec::new(),
            score: 0.5,
            threshold: 0.4,
            shift: ThresholdShift::default(),
            goes_on: false,
            is_doubtful: false,
            own: None,
        },
        rounds: Vec::new(),
        outcome: TurnOutcome::Silent(why),
        notes: Vec::new(),
        cost: None,
    };
    let prompt = StoredPrompt {
        ask: 1,
        user: prompt,
        ..StoredPrompt::default()
    };
    (report, vec![prompt])
}
