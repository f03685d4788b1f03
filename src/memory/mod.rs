//! What the companion remembers: core blocks, recall, people.
