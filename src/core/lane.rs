//! One channel's state machine: burst, beat, turn.
