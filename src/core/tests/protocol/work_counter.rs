//! Counts what is looked at, so that a test can see that it grows with a text and no faster.

use std::cell::Cell;

thread_local!(static BYTES: Cell<usize> = const { Cell::new(0) });

/// Adds to what this thread has looked at.
pub(super) fn count_bytes(bytes: usize) {
    BYTES.set(BYTES.get() + bytes);
}

/// What this thread has looked at since the last time this was asked.
pub(super) fn take_byte_count() -> usize {
    BYTES.replace(0)
}
