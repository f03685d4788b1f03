//! When to look again: a heap of deadlines, one live entry a channel.
