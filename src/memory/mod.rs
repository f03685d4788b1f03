//! What is remembered: core blocks and recall. Scope is decided here, before anything is ranked or shown.

/// What is remembered.
#[derive(Clone, Debug, Default)]
pub struct Memory {}
