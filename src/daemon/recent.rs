//! The newest decisions and beats, for who asks about them right away; the store has what is older.

use std::collections::{HashMap, VecDeque};

use crate::core::chat::{ChannelId, MessageId};
use crate::core::report::{BeatReport, Decision};

/// How many beats of a channel are remembered.
const BEATS: usize = 64;

/// What was decided lately in each channel.
#[derive(Debug, Default)]
pub struct Recent {
    decisions: HashMap<ChannelId, Decision>,
    beats: HashMap<ChannelId, VecDeque<BeatReport>>,
}

impl Recent {
    /// A message was scored.
    pub fn decided(&mut self, decision: Decision) {
        self.decisions.insert(decision.channel, decision);
    }

    /// A beat looked at a channel.
    pub fn looked(&mut self, beat: BeatReport) {
        let beats = self.beats.entry(beat.channel).or_default();
        beats.push_back(beat);
        if beats.len() > BEATS {
            beats.pop_front();
        }
    }

    /// The decision on a channel's newest message.
    pub fn decision(&self, channel: ChannelId) -> Option<&Decision> {
        self.decisions.get(&channel)
    }

    /// The last beat that decided on a message.
    pub fn beat(&self, channel: ChannelId, message: MessageId) -> Option<BeatReport> {
        self.beats.get(&channel)?.iter().rev().find(|beat| beat.message == Some(message)).cloned()
    }
}
