//! What SQLite says in its own words.

use crate::engine_statements::{CountingSince, EngineStatements, FindingCandidates};

pub(crate) const STATEMENTS: EngineStatements = EngineStatements {
    add_words: "INSERT INTO words (rowid, text, scope) VALUES (?1, ?2, ?3)",
    remove_words: "INSERT INTO words (words, rowid, text, scope) VALUES ('delete', ?1, ?2, ?3)",
    // The query names the channels where they are few; of many it finds what stands in others, too.
    find_candidates: FindingCandidates::AtOnce {
        find_holding: "SELECT rowid FROM words WHERE words MATCH ?1 AND rowid < ?2 AND ?3 IS NOT NULL ORDER BY rowid",
    },
    count_indexed: "SELECT count(*) FROM words_docsize",
    empty_index: "INSERT INTO words (words) VALUES ('delete-all')",
    // What is one piece already stays as it is: a message that nobody wrote makes it two.
    renew_index: Some(
        "BEGIN; INSERT INTO words (rowid, text, scope) VALUES (0, 'a', '');
         INSERT INTO words (words) VALUES ('optimize');
         INSERT INTO words (words, rowid, text, scope) VALUES ('delete', 0, 'a', ''); COMMIT",
    ),
    count_since: CountingSince::EachAlone("SELECT count(*) FROM words JOIN messages ON arrival = words.rowid
        WHERE words MATCH ?1 AND words.rowid >= ?2 AND channel = ?3 AND id >= ?4"),
    find_by_others: "SELECT 1 FROM words JOIN messages ON arrival = words.rowid
        WHERE words MATCH ?1 AND author_kind <> ?2 LIMIT 1",
    find_lines_after: "SELECT arrival, channel, id, messages.text FROM words JOIN messages ON arrival = words.rowid
        WHERE words MATCH ?1 AND words.rowid > ?2 AND author_kind = ?3",
    read_together: None,
    find_answers: None,
    read_around: None,
    count_holding: None,
    // `+channel`: a day of all channels is read by time, not one channel's whole past by id.
    count_decisions: "SELECT count(message_decision), count(*) FILTER (
            WHERE coalesce(report ->> '$[3].refused', report ->> '$.outcome.refused') = 'observe'
            AND (coalesce(report ->> '$[0]' >= report ->> '$[1]', report ->> '$.score' >= coalesce(report ->> '$.threshold', report ->> '$.bar'))
                 OR coalesce(message_decision ->> '$[5].address', message_decision ->> '$.address') IS NOT NULL))
        FROM messages JOIN decisions USING (arrival) WHERE +channel = ?1 AND at >= ?2",
    count_turns: "SELECT count(*), count(*) FILTER (WHERE report ->> '$.outcome' = 'acted')
        FROM turns WHERE channel = ?1 AND ended >= ?2 AND started >= ?2",
    read_day: "SELECT at, author_kind, coalesce(message_decision ->> '$[0]', message_decision ->> '$.score'),
            coalesce(message_decision ->> '$[1]', message_decision ->> '$.threshold', message_decision ->> '$.bar'),
            coalesce(message_decision ->> '$[5].address', message_decision ->> '$.address') IS NOT NULL
        FROM messages LEFT JOIN decisions USING (arrival)
        WHERE channel = ?1 AND id >= ?2 AND id < ?3 ORDER BY id DESC LIMIT ?4",
    find_telling_turns: "SELECT turn, channel, ended, report, prompts, EXISTS
            (SELECT 1 FROM json_each(?1) WHERE instr(lower(report), lower(value)) > 0 OR instr(lower(prompts), lower(value)) > 0)
        FROM turns ORDER BY turn",
    parts: || vec!["main"],
    try_writing: "BEGIN IMMEDIATE; ROLLBACK",
};
