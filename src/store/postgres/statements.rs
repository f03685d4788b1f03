//! What PostgreSQL says in its own words.

use crate::catalogue;
use crate::engine_statements::{
    CountingSince, EngineStatements, FindingCandidates, FindingInParts, WordCountSql,
};

/// How the messages that are worth ranking are found. Arrival numbers come as bytes, the highest first, for a row for each
/// is work on both sides. `+ 0` keeps the planner from reading the table by them: it does not know that most are below.
const FIND_IN_PARTS: FindingInParts = FindingInParts {
    find_sharing: "SELECT arrival, (SELECT string_agg(int4send(place::int4), ''::bytea)
            FROM json_array_elements_text(?4::text::json) WITH ORDINALITY AS asked (query, place)
            WHERE words @@ asked.query::tsquery)
        FROM words WHERE words @@ (?1::text)::tsquery AND arrival + 0 < ?2 AND channel IN (SELECT value FROM json_each(?3))",
    find_holding: "SELECT string_agg(int8send(arrival), ''::bytea)
        FROM words WHERE words @@ (?1::text)::tsquery AND arrival + 0 < ?2 AND channel IN (SELECT value FROM json_each(?3))",
    // In that form the index of words is not asked, which would have to find all of them.
    find_within: "SELECT string_agg(int8send(arrival), ''::bytea)
        FROM words WHERE (words @@ (?1::text)::tsquery) IS TRUE AND arrival < ?2 AND arrival >= ?4
            AND channel IN (SELECT value FROM json_each(?3))",
};

/// The tables that hold what people wrote or what is known of them. By name, for a schema may hold other programs' as well.
pub(super) fn list_rewritten() -> Vec<&'static str> {
    let known = catalogue::tables().map(|table| table.name);
    // It holds a number only.
    let telling = known.filter(|name| *name != "counter");
    telling.chain(["word_counts", "words"]).collect()
}

pub(super) const STATEMENTS: EngineStatements = EngineStatements {
    add_words: "INSERT INTO words (arrival, channel, words) VALUES (?1, (?3::text)::bigint, (?2::text)::tsvector)",
    remove_words: "DELETE FROM words WHERE arrival = ?1",
    find_candidates: FindingCandidates::InParts(FIND_IN_PARTS),
    count_indexed: "SELECT count(*) FROM words",
    empty_index: "DELETE FROM words",
    renew_index: None,
    // First what the index finds, all of it: for one row the planner would read the table from its beginning.
    find_by_others: "WITH found AS MATERIALIZED (SELECT arrival FROM words WHERE words @@ (?1::text)::tsquery)
        SELECT 1 FROM found JOIN messages m ON m.arrival = found.arrival WHERE m.author_kind <> ?2 LIMIT 1",
    find_lines_after: "SELECT m.arrival, m.channel, m.id, m.text FROM words w JOIN messages m ON m.arrival = w.arrival
        WHERE w.words @@ (?1::text)::tsquery AND w.arrival > ?2 AND m.author_kind = ?3 ORDER BY m.arrival",
    read_together: Some("SELECT channel, id, at, author, author_name, text, 0::float8, reply_to, author_kind, arrival
        FROM messages WHERE arrival IN (SELECT value FROM json_each(?1))"),
    find_answers: Some("SELECT line.id, asked.place FROM ROWS FROM (json_each(?1), json_each(?2))
            WITH ORDINALITY AS asked (channel, id, place)
        CROSS JOIN LATERAL (SELECT id, reply_to FROM messages m WHERE m.channel = asked.channel AND m.id > asked.id
            ORDER BY m.id LIMIT ?3) AS line
        WHERE line.reply_to = asked.id ORDER BY asked.place, line.id"),
    read_around: Some("SELECT line.channel, line.id, line.at, line.author, line.author_name, line.text, 0::float8, line.reply_to,
            line.author_kind, asked.place
        FROM ROWS FROM (json_each(?1), json_each(?2)) WITH ORDINALITY AS asked (channel, id, place)
        CROSS JOIN LATERAL (
            (SELECT * FROM messages m WHERE m.channel = asked.channel AND m.id <= asked.id ORDER BY m.id DESC LIMIT ?3::bigint + 1)
            UNION ALL
            (SELECT * FROM messages m WHERE m.channel = asked.channel AND m.id > asked.id ORDER BY m.id LIMIT ?3)) AS line
        ORDER BY asked.place, line.id"),
    count_holding: Some(WordCountSql {
        each: "SELECT coalesce(known.doc, 0)
            FROM json_array_elements_text(?1::text::json) WITH ORDINALITY AS asked (term, place)
            LEFT JOIN word_counts AS known ON known.term = asked.term COLLATE \"C\" ORDER BY asked.place",
        by_query: "SELECT count(*) FROM words WHERE words @@ (?1::text)::tsquery",
    }),
    // What is on show is little, and each of its messages is looked up: a plan for any number of them would read the table.
    count_since: CountingSince::Together("WITH shown AS MATERIALIZED (SELECT held.words FROM messages m
            CROSS JOIN LATERAL (SELECT words FROM words w WHERE w.arrival = m.arrival LIMIT 1) AS held
            WHERE m.channel = ?3 AND m.id >= ?4 AND m.arrival + 0 >= ?2)
        SELECT (SELECT count(*) FROM shown WHERE words @@ asked.query::tsquery)
        FROM json_array_elements_text(?1::text::json) WITH ORDINALITY AS asked (query, place) ORDER BY asked.place"),
    count_decisions: "SELECT count(message_decision), count(*) FILTER (
            WHERE coalesce(report::json #>> '{3,refused}', report::json #>> '{outcome,refused}') = 'observe'
            AND (coalesce(report::json ->> 0, report::json ->> 'score')::float8
                     >= coalesce(report::json ->> 1, report::json ->> 'threshold', report::json ->> 'bar')::float8
                 OR coalesce(message_decision::json #>> '{5,address}', message_decision::json ->> 'address') IS NOT NULL))
        FROM messages JOIN decisions USING (arrival) WHERE channel = ?1 AND at >= ?2",
    // A quote within a text is escaped in JSON. The report is not read as JSON here: it may hold what a model wrote, and
    // PostgreSQL refuses to read a character of number 0.
    count_turns: "SELECT count(*), count(*) FILTER (WHERE strpos(report, '\"outcome\":\"acted\"') > 0)
        FROM turns WHERE channel = ?1 AND ended >= ?2 AND started >= ?2",
    read_day: "SELECT at, author_kind, coalesce(message_decision::json ->> 0, message_decision::json ->> 'score')::float8,
            coalesce(message_decision::json ->> 1, message_decision::json ->> 'threshold', message_decision::json ->> 'bar')::float8,
            coalesce(message_decision::json #>> '{5,address}', message_decision::json ->> 'address') IS NOT NULL
        FROM messages LEFT JOIN decisions USING (arrival)
        WHERE channel = ?1 AND id >= ?2 AND id < ?3 ORDER BY id DESC LIMIT ?4",
    // The columns are compared byte for byte; what is made of a list would be by the database's language, which writes other
    // letters small.
    // What a turn says is long, and is sent of those only in which it is looked through.
    find_telling_turns: "SELECT turn, channel, ended, CASE WHEN tells THEN report END, CASE WHEN tells THEN prompts END, tells
        FROM turns CROSS JOIN LATERAL (SELECT EXISTS (SELECT 1 FROM json_array_elements_text(?1::text::json) AS told
             WHERE strpos(lower(report), lower(told COLLATE \"C\")) > 0 OR strpos(lower(prompts), lower(told COLLATE \"C\")) > 0) AS tells) AS looked
        ORDER BY turn",
    parts: list_rewritten,
    // As each transaction that writes begins. The lock of a table alone is had where nothing can be written, too.
    try_writing: "BEGIN; SELECT arrival FROM counter FOR UPDATE; ROLLBACK",
};

#[cfg(test)]
mod tests {
    use super::super::connection::{ConnectionRole, PostgresConnection};
    use super::super::schema;
    use super::super::translate::translate;
    use super::*;
    use crate::people::format_unreferenced;
    use crate::sql::SqlConnection;
    use crate::values::params;
    use kith_testkit::postgres::PostgresServer;

    /// How the server would run a statement of the store's over many messages, whatever is bound.
    fn explain(sql: &str, bound: &str) -> Option<String> {
        let address = PostgresServer::shared()?.make_schema().url;
        let address = address.parse().expect("an address");
        let conn = PostgresConnection::open(&address, ConnectionRole::Writer).expect("opened");
        schema::migrate(&conn, "test".as_ref()).expect("made");
        let fill = "INSERT INTO messages (arrival, channel, id, at, author, author_name, author_kind, text)
                SELECT n, 1, n, n, n, 'Anna', 1, 'hm' FROM generate_series(1, 20000) AS n;
            INSERT INTO people SELECT n, 'Anna', 1 FROM generate_series(1, 20000) AS n;
            INSERT INTO words SELECT n, 1, ('word' || n % 5000)::tsvector FROM generate_series(1, 20000) AS n;
            ANALYZE; SET plan_cache_mode = force_generic_plan; SET work_mem = '64kB'";
        conn.execute_batch(fill).expect("filled");
        let prepare = format!("PREPARE asked AS {}", translate(sql));
        conn.execute_batch(&prepare).expect("prepared");
        let conn = SqlConnection::from(conn);
        let explain = format!("EXPLAIN EXECUTE asked{bound}");
        let lines: Vec<String> = conn.read_all(&explain, params![]).expect("asked");
        Some(lines.into_iter().map(|line| line + "\n").collect())
    }

    #[test]
    fn who_else_says_a_word_is_asked_of_the_index() {
        let Some(plan) = explain(STATEMENTS.find_by_others, "('word1', 2)") else {
            return;
        };
        assert!(plan.contains("words_by_word"), "{plan}");
    }

    #[test]
    fn what_holds_words_is_asked_of_their_index_and_what_is_looked_for_among_the_newest_is_not() {
        let in_parts = [
            (
                FIND_IN_PARTS.find_sharing,
                "('word1 & word2', 9999, '[1]', '[\"word1\"]')",
                "words_by_word",
            ),
            (
                FIND_IN_PARTS.find_holding,
                "('word1', 9999, '[1]')",
                "words_by_word",
            ),
            (
                FIND_IN_PARTS.find_within,
                "('word1', 9999, '[1]', 9000)",
                "words_pkey",
            ),
        ];
        for (sql, bound, asked) in in_parts {
            let Some(plan) = explain(sql, bound) else {
                return;
            };
            assert!(plan.contains(asked), "{sql}\n{plan}");
            assert!(!plan.contains("Seq Scan"), "{sql}\n{plan}");
        }
    }

    #[test]
    fn no_table_is_read_through_for_what_is_on_show() {
        let CountingSince::Together(count) = STATEMENTS.count_since else {
            panic!("a server is asked once");
        };
        let Some(plan) = explain(count, "('[\"word1\"]', 19000, 1, 19000)") else {
            return;
        };
        assert!(plan.contains("messages_by_id"), "{plan}");
        assert!(!plan.contains("Seq Scan"), "{plan}");
    }

    #[test]
    fn whom_nothing_refers_to_is_found_in_one_pass() {
        let Some(plan) = explain(&format_unreferenced(), "") else {
            return;
        };
        // One that is not hashed is read through for each person.
        assert!(!plan.contains("NOT (SubPlan"), "{plan}");
    }
}
