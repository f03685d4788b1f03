//! The values of a message's signals, and how they are scaled.

use crate::willingness::{RoomMix, SIGNALS, Signal};

pub(super) struct SignalValues {
    pub values: [f32; SIGNALS],
    pub mix: RoomMix,
}

impl SignalValues {
    pub fn set(&mut self, signal: Signal, value: f32) {
        self.values[signal as usize] = value;
    }

    pub fn set_flag(&mut self, signal: Signal, yes: bool) {
        self.set(signal, f32::from(u8::from(yes)));
    }

    pub fn get(&self, signal: Signal) -> f32 {
        self.values[signal as usize]
    }
}

pub(super) fn flag(yes: bool) -> f32 {
    f32::from(u8::from(yes))
}

/// A length on a logarithmic scale, on which `full` is 1.
pub(super) fn scale_length(length: usize, full: f32) -> f32 {
    ((1.0 + length as f32).ln() / (1.0 + full).ln()).min(1.0)
}
