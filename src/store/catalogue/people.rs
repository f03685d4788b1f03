//! What people and moderators chose, who is to be forgotten, and who is still there.

use super::{AgeLoss, PLAIN, PersonLoss, PlaceLoss, Table};

pub(super) const TABLES: &[Table] = &[
    Table {
        name: "manual_overrides",
        columns: "place PLACE NOT NULL, about TEXT NOT NULL, choice TEXT NOT NULL, chosen_by PERSON, at MOMENT NOT NULL, \
            PRIMARY KEY (place, about)",
        person: &[PersonLoss::Unnamed("chosen_by", "place")],
        ..PLAIN
    },
    // No id, only its hash with the key in `meta`.
    Table {
        name: "preferences",
        columns: "person BLOB PRIMARY KEY, preference TEXT NOT NULL, at MOMENT NOT NULL",
        ..PLAIN
    },
    // Until when somebody is forgotten in a channel, 0 for all; `person` as in `preferences`.
    Table {
        name: "forgotten",
        columns: "person BLOB NOT NULL, channel CHANNEL NOT NULL, until MOMENT NOT NULL, PRIMARY KEY (person, channel)",
        ..PLAIN
    },
    // When it was looked whether who is quiet is still in a guild, and since when they are not.
    Table {
        name: "departed_members",
        columns: "guild GUILD NOT NULL, person PERSON NOT NULL, checked MOMENT NOT NULL, absent_since MOMENT, \
            PRIMARY KEY (guild, person)",
        place: PlaceLoss::Guild("guild = ?1"),
        person: &[PersonLoss::Own("person", "guild")],
        ..PLAIN
    },
    // Who wrote messages that are gone: `first` is when, `last` until when a prompt may have shown them.
    Table {
        name: "former_authors",
        columns: "person PERSON NOT NULL, channel CHANNEL NOT NULL, name NAME NOT NULL, first MOMENT NOT NULL, last MOMENT NOT NULL, \
            PRIMARY KEY (person, channel, name)",
        place: PlaceLoss::Channel("channel = ?1"),
        age: AgeLoss::InSteps,
        person: &[PersonLoss::Own("person", "channel")],
        ..PLAIN
    },
];
