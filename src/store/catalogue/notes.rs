//! What the companion and its tools remember.

use super::{AgeLoss, PLAIN, PersonLoss, PlaceLoss, Table, TextLoss, WordLoss};

pub(super) const TABLES: &[Table] = &[
    // `max_chars`: the block's size limit.
    Table {
        name: "core_memory",
        columns: "scope SCOPE NOT NULL, label TEXT NOT NULL, text NOTE NOT NULL, max_chars INTEGER NOT NULL, updated_at MOMENT NOT NULL, \
            PRIMARY KEY (scope, label)",
        place: PlaceLoss::Scope("scope = ?1"),
        person: &[PersonLoss::Telling("scope")],
        text: TextLoss::QuotingSince("updated_at"),
        words: WordLoss::Lines("text"),
        ..PLAIN
    },
    Table {
        name: "todos",
        columns: "channel CHANNEL PRIMARY KEY, list NOTE NOT NULL, at MOMENT NOT NULL",
        place: PlaceLoss::Channel("channel = ?1"),
        // Lists nobody looked at since.
        age: AgeLoss::Rows("at < ?1"),
        person: &[PersonLoss::Telling("channel")],
        text: TextLoss::Repeating(None),
        words: WordLoss::AllLines("list"),
        ..PLAIN
    },
    // `since` and `until` are the first and the last message it was made from. One goes whole with whoever may be in it.
    Table {
        name: "summaries",
        columns: "channel CHANNEL PRIMARY KEY, since INTEGER NOT NULL, until INTEGER NOT NULL, text NOTE NOT NULL, started MOMENT NOT NULL",
        place: PlaceLoss::Channel("channel = ?1"),
        // Those of channels where nothing was said for as long as messages are kept.
        age: AgeLoss::Rows("started < ?1"),
        person: &[PersonLoss::All("channel")],
        text: TextLoss::QuotingSince("started"),
        words: WordLoss::Row(&["text"]),
        ..PLAIN
    },
    // `value` is JSON.
    Table {
        name: "tool_data",
        columns: "scope SCOPE NOT NULL, key WORDS NOT NULL, value WORDS NOT NULL, at MOMENT NOT NULL, PRIMARY KEY (scope, key)",
        place: PlaceLoss::Scope("scope = ?1"),
        person: &[PersonLoss::Telling("scope")],
        text: TextLoss::Repeating(Some("at")),
        words: WordLoss::Row(&["key", "value"]),
        ..PLAIN
    },
    // Pictures of messages that moderators keep.
    Table {
        name: "stickers",
        columns: "guild GUILD NOT NULL, name WORDS NOT NULL COLLATE NOCASE, channel CHANNEL NOT NULL, message INTEGER NOT NULL, \
            at MOMENT NOT NULL, author PERSON NOT NULL, ending TEXT NOT NULL, file BLOB NOT NULL, UNIQUE (guild, name)",
        indexes: &["UNIQUE INDEX stickers_by_message ON stickers (channel, message)"],
        order: Some("channel, message"),
        place: PlaceLoss::Channel("channel = ?1"),
        person: &[
            PersonLoss::Own("author", "channel"),
            PersonLoss::Telling("guild"),
        ],
        text: TextLoss::QuotingSince("at"),
        words: WordLoss::Row(&["name"]),
        ..PLAIN
    },
    // `person` is whom a fact is about, `said_by` whose word it is; `at` is when its newest source was said.
    Table {
        name: "memories",
        columns: "id INTEGER PRIMARY KEY AUTOINCREMENT, kind INTEGER NOT NULL, channel CHANNEL NOT NULL, person PERSON, \
            said_by PERSON, text NOTE NOT NULL, at MOMENT NOT NULL, due MOMENT, confidence REAL NOT NULL, \
            importance REAL NOT NULL, origin INTEGER NOT NULL, superseded_by INTEGER, uses INTEGER NOT NULL, used_at MOMENT",
        indexes: &[
            "INDEX memories_by_channel ON memories (channel, kind)",
            "INDEX memories_by_successor ON memories (superseded_by) WHERE superseded_by IS NOT NULL",
        ],
        place: PlaceLoss::InSteps,
        person: &[PersonLoss::Memories],
        text: TextLoss::InSteps,
        ..PLAIN
    },
    // Who is in a memory besides.
    Table {
        name: "memory_people",
        columns: "memory INTEGER NOT NULL, person PERSON NOT NULL, PRIMARY KEY (memory, person)",
        owner: Some("memories"),
        ..PLAIN
    },
    // All of one memory stand in its channel; the author outlives the message.
    Table {
        name: "memory_sources",
        columns: "channel CHANNEL NOT NULL, message INTEGER NOT NULL, memory INTEGER NOT NULL, author PERSON NOT NULL, \
            PRIMARY KEY (channel, message, memory)",
        indexes: &["INDEX memory_sources_by_memory ON memory_sources (memory)"],
        owner: Some("memories"),
        ..PLAIN
    },
    // Up to which message a channel was turned into memories.
    Table {
        name: "consolidated",
        columns: "channel CHANNEL PRIMARY KEY, until INTEGER NOT NULL",
        place: PlaceLoss::Channel("channel = ?1"),
        ..PLAIN
    },
    // The newest ones, with what the block says now; `dates` says when each line was written, so that lines go by
    // `block_versions.rs`. What a block said before may tell of somebody in words that nobody can match any more.
    Table {
        name: "core_memory_versions",
        columns: "scope SCOPE NOT NULL, label TEXT NOT NULL, number INTEGER NOT NULL, at MOMENT NOT NULL, text NOTE NOT NULL, \
            dates TEXT NOT NULL, PRIMARY KEY (scope, label, number)",
        place: PlaceLoss::Scope("scope = ?1"),
        person: &[PersonLoss::All("scope")],
        text: TextLoss::InSteps,
        ..PLAIN
    },
];
