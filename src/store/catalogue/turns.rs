//! What the companion does: states of channels, decisions, turns, what is on its way and what it waits for.

use super::{AgeLoss, PLAIN, PersonLoss, PlaceLoss, Table, TextLoss, WordLoss};

pub(super) const TABLES: &[Table] = &[
    Table {
        name: "channel_states",
        columns: "channel CHANNEL PRIMARY KEY, state PEOPLE NOT NULL, saved_at MOMENT NOT NULL",
        place: PlaceLoss::Channel("channel = ?1"),
        // The core forgets by itself and saves again; a crash before that must leave nothing.
        person: &[PersonLoss::Ids("state", "channel")],
        ..PLAIN
    },
    // `after` is an arrival number; `reminder` says whom for, and who asked.
    Table {
        name: "intents",
        columns: "channel CHANNEL NOT NULL, id INTEGER NOT NULL, made MOMENT NOT NULL, after INTEGER NOT NULL, \
            expires MOMENT NOT NULL, person PERSON, name NAME NOT NULL, word WORDS, silence INTEGER, time MOMENT, \
            note WORDS NOT NULL, fired TEXT, reminder WORDS, PRIMARY KEY (channel, id)",
        place: PlaceLoss::Channel("channel = ?1"),
        age: AgeLoss::Rows("expires < ?1"),
        person: &[PersonLoss::All("channel")],
        text: TextLoss::Repeating(Some("made")),
        words: WordLoss::Emptied(&["word", "note"]),
        ..PLAIN
    },
    // `answers`: ids of the messages an action answers, a JSON list, as long as it is pending; `state`: see `journal.rs`.
    Table {
        name: "outbox",
        columns: "nonce TEXT PRIMARY KEY, turn INTEGER, part INTEGER NOT NULL, channel CHANNEL NOT NULL, action RECORD, \
            cursor INTEGER NOT NULL, journaled_at MOMENT NOT NULL, state INTEGER NOT NULL, message INTEGER, answers TEXT",
        indexes: &[
            "INDEX outbox_by_channel ON outbox (channel, cursor)",
            "INDEX outbox_pending ON outbox (journaled_at) WHERE state = 0",
        ],
        order: Some("rowid"),
        place: PlaceLoss::Channel("channel = ?1 AND state <> 0"),
        age: AgeLoss::InSteps,
        person: &[PersonLoss::Outbox],
        text: TextLoss::InSteps,
        ..PLAIN
    },
    // `message_decision`: how a message was scored; `report`: what was decided on it; `turn`: the one it woke or was said by.
    Table {
        name: "decisions",
        columns: "arrival INTEGER PRIMARY KEY, message_decision TEXT, report TEXT, turn INTEGER",
        indexes: &["INDEX decisions_by_turn ON decisions (turn) WHERE turn IS NOT NULL"],
        owner: Some("messages"),
        ..PLAIN
    },
    // `turns_with_faults` looks for what only the report's own words say: in a text its quotes are escaped.
    Table {
        name: "turns",
        columns: "turn INTEGER PRIMARY KEY, channel CHANNEL NOT NULL, started MOMENT NOT NULL, ended MOMENT NOT NULL, \
            report RECORD NOT NULL, prompts RECORD",
        indexes: &[
            "INDEX turns_by_channel ON turns (channel, turn)",
            "INDEX turns_by_end ON turns (ended)",
            "INDEX turns_with_faults ON turns (turn) WHERE
                instr(report, '\"failure\":{') + instr(report, '\"is_error\":true') + instr(report, '\"outcome\":{\"failed\"') > 0",
        ],
        place: PlaceLoss::InSteps,
        age: AgeLoss::InSteps,
        person: &[PersonLoss::InSteps],
        text: TextLoss::InSteps,
        ..PLAIN
    },
    // What a turn says (`told`), and what its prompts showed (`shown`), as bits (`turn_signatures.rs`).
    Table {
        name: "turn_signatures",
        columns: "turn INTEGER PRIMARY KEY, channel CHANNEL NOT NULL, told BLOB NOT NULL, shown BLOB NOT NULL",
        step: 1,
        owner: Some("turns"),
        ..PLAIN
    },
    // A model call and what it cost.
    Table {
        name: "model_usage",
        columns: "at MOMENT NOT NULL, model TEXT NOT NULL, channel CHANNEL NOT NULL, function TEXT NOT NULL, calls INTEGER NOT NULL, \
            prompt INTEGER NOT NULL, cached INTEGER NOT NULL, completion INTEGER NOT NULL, cost REAL NOT NULL",
        indexes: &["INDEX model_usage_by_time ON model_usage (at)"],
        order: Some("rowid"),
        ..PLAIN
    },
    // Which message of a log channel tells of which message or turn; turn 0 is none.
    Table {
        name: "log_messages",
        columns: "log CHANNEL NOT NULL, message INTEGER NOT NULL, turn INTEGER NOT NULL, at MOMENT NOT NULL, \
            PRIMARY KEY (log, message, turn)",
        indexes: &[
            "INDEX log_messages_by_turn ON log_messages (turn)",
            "INDEX log_messages_by_time ON log_messages (at)",
        ],
        ..PLAIN
    },
    // `subject`: what is to be done; `answered`: what came of it, shortened; `reported`: whether the companion knows.
    Table {
        name: "proposals",
        columns: "id INTEGER PRIMARY KEY, turn INTEGER NOT NULL, call INTEGER NOT NULL, channel CHANNEL NOT NULL, \
            subject WORDS NOT NULL, made MOMENT NOT NULL, expires MOMENT NOT NULL, state TEXT NOT NULL, \
            is_open INTEGER NOT NULL, decided_by PERSON, decider NAME, decided MOMENT, answered WORDS NOT NULL, \
            log CHANNEL, message INTEGER, reported INTEGER NOT NULL, UNIQUE (turn, call)",
        indexes: &[
            "INDEX proposals_open ON proposals (id) WHERE is_open = 1",
            "INDEX proposals_unreported ON proposals (channel) WHERE reported = 0",
        ],
        // Those that are closed or wait for a call. What a deed is asked for stays with the moderators.
        place: PlaceLoss::Channel("channel = ?1 AND (is_open = 0 OR instr(subject, '{\"call\":') = 1)"),
        age: AgeLoss::Rows("made < ?1 AND is_open = 0"),
        person: &[PersonLoss::Proposals],
        text: TextLoss::InSteps,
        ..PLAIN
    },
    // `source` is the channel one was asked for in, `parent_channel` the one its own hangs below.
    Table {
        name: "sessions",
        columns: "id INTEGER PRIMARY KEY AUTOINCREMENT, guild GUILD NOT NULL, channel CHANNEL UNIQUE, source CHANNEL NOT NULL, \
            parent_channel CHANNEL NOT NULL, parent INTEGER, turn INTEGER NOT NULL, cursor INTEGER NOT NULL, made MOMENT NOT NULL, \
            label WORDS NOT NULL, opening WORDS, config WORDS NOT NULL, sources TEXT NOT NULL, summary WORDS",
        indexes: &["INDEX sessions_by_source ON sessions (source, cursor)"],
        place: PlaceLoss::InSteps,
        age: AgeLoss::Emptied("summary", "made < ?1"),
        person: &[PersonLoss::Sessions],
        text: TextLoss::InSteps,
        ..PLAIN
    },
];
