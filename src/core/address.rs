//! Whether a message speaks to the companion: mention, reply, or its name used as a vocative.
