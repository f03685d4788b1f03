//! What was said, by whom and where. Ids are the platform's numbers; times are milliseconds since 1970, UTC. The arrival
//! number of a message is its row; what else arrives takes a number from the same counter.

use super::{AgeLoss, PLAIN, PersonLoss, PlaceLoss, Table, TextLoss, WordLoss};

pub(super) const TABLES: &[Table] = &[
    // Small values by key. The key that people are hashed with is made with the table, once.
    Table {
        name: "meta",
        columns: "key TEXT PRIMARY KEY, value PEOPLE NOT NULL",
        person: &[PersonLoss::Meta],
        ..PLAIN
    },
    Table {
        name: "counter",
        columns: "arrival INTEGER NOT NULL",
        order: Some("arrival"),
        ..PLAIN
    },
    Table {
        name: "channels",
        columns: "id CHANNEL PRIMARY KEY, guild GUILD, name WORDS NOT NULL, topic WORDS NOT NULL, \
            kind INTEGER NOT NULL, parent CHANNEL",
        place: PlaceLoss::Channel("id = ?1"),
        person: &[PersonLoss::DirectNames, PersonLoss::Telling("id")],
        // The companion may have called a thread after what it quotes. Other channels have names of their own.
        text: TextLoss::QuotingWhere("kind = 1"),
        words: WordLoss::Redacted(&["name", "topic"]),
        ..PLAIN
    },
    // Pruned by `people.rs`, where nothing refers to them any more.
    Table {
        name: "people",
        columns: "id PERSON PRIMARY KEY, name NAME NOT NULL, kind INTEGER NOT NULL",
        person: &[PersonLoss::People],
        ..PLAIN
    },
    Table {
        name: "messages",
        columns: "arrival INTEGER PRIMARY KEY, channel CHANNEL NOT NULL, id INTEGER NOT NULL, at MOMENT NOT NULL, \
            author PERSON NOT NULL, author_name NAME NOT NULL, author_kind INTEGER NOT NULL, \
            reply_to INTEGER, mentions PEOPLE, edited MOMENT, nonce TEXT, text RECORD NOT NULL",
        indexes: &[
            "UNIQUE INDEX messages_by_id ON messages (channel, id)",
            "INDEX messages_by_time ON messages (at)",
            "UNIQUE INDEX messages_by_nonce ON messages (nonce) WHERE nonce IS NOT NULL",
        ],
        place: PlaceLoss::InSteps,
        age: AgeLoss::InSteps,
        person: &[PersonLoss::InSteps],
        text: TextLoss::InSteps,
        ..PLAIN
    },
    // Of messages; of channel 0, of memories that somebody erased. For good: they hold ids only.
    Table {
        name: "tombstones",
        columns: "channel CHANNEL NOT NULL, id INTEGER NOT NULL, arrival INTEGER NOT NULL, at MOMENT NOT NULL, \
            PRIMARY KEY (channel, id)",
        ..PLAIN
    },
    // What a backup from before `at` holds of these channels and guilds is to go.
    Table {
        name: "erased_places",
        columns: "place PLACE PRIMARY KEY, at MOMENT NOT NULL",
        ..PLAIN
    },
    Table {
        name: "reactions",
        columns: "channel CHANNEL NOT NULL, message INTEGER NOT NULL, user PERSON NOT NULL, emoji TEXT NOT NULL, \
            arrival INTEGER NOT NULL, at MOMENT NOT NULL, user_name NAME NOT NULL, user_kind INTEGER NOT NULL, \
            PRIMARY KEY (channel, message, user, emoji)",
        owner: Some("messages"),
        person: &[PersonLoss::InSteps],
        ..PLAIN
    },
    // The newest message that was read there, and in the guild.
    Table {
        name: "read_positions",
        columns: "channel CHANNEL PRIMARY KEY, message INTEGER NOT NULL",
        place: PlaceLoss::Channel("channel = ?1"),
        ..PLAIN
    },
    Table {
        name: "guild_read_positions",
        columns: "guild GUILD PRIMARY KEY, message INTEGER NOT NULL",
        place: PlaceLoss::Guild("guild = ?1"),
        ..PLAIN
    },
    // `dimensions`: how many numbers a vector of it has, once there is one.
    Table {
        name: "vector_models",
        columns: "id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, dimensions INTEGER",
        ..PLAIN
    },
    // `vector`: a byte a number; NULL where it has to be made anew. Triggers take it with its message or its text, whoever
    // changes that, so that none outlives what it was made of.
    Table {
        name: "message_vectors",
        columns: "channel CHANNEL NOT NULL, arrival INTEGER NOT NULL, model INTEGER NOT NULL, vector BLOB, \
            PRIMARY KEY (channel, arrival, model)",
        indexes: &[
            "INDEX message_vectors_missing ON message_vectors (model, channel) WHERE vector IS NULL",
        ],
        owner: Some("messages"),
        ..PLAIN
    },
    // The messages of a channel that were looked through: those that have no vector need none.
    Table {
        name: "vector_coverage",
        columns: "channel CHANNEL NOT NULL, model INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, \
            PRIMARY KEY (channel, model)",
        owner: Some("channels"),
        ..PLAIN
    },
];
