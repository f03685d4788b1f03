-- Format 2. Words stand with their channel, so that a search need not look it up in another table, and it is known in how many
-- messages each of them stands: the index would have to visit every one of those.
CREATE TABLE placed_words AS
    SELECT w.arrival, m.channel, w.words FROM words w JOIN messages m ON m.arrival = w.arrival ORDER BY w.arrival;
DROP TABLE words;
ALTER TABLE placed_words RENAME TO words;
ALTER TABLE words ADD PRIMARY KEY (arrival), ALTER channel SET NOT NULL, ALTER words SET NOT NULL;
CREATE INDEX words_by_word ON words USING gin (words);

-- Room for newer rows on each page: they are written again and again. What other tables are set to later is set here, for
-- whoever set something is left alone.
CREATE TABLE word_counts (term text COLLATE "C" PRIMARY KEY, doc bigint NOT NULL)
    WITH (fillfactor = 70, autovacuum_vacuum_threshold = 0, autovacuum_vacuum_scale_factor = 0);
INSERT INTO word_counts SELECT word, ndoc FROM ts_stat('SELECT words FROM words');
-- In the order of the words, so that they lie as their index has them.
CREATE FUNCTION count_added_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO word_counts AS known (term, doc)
    SELECT lexeme COLLATE "C" AS term, count(*) FROM added, unnest(added.words) GROUP BY term ORDER BY term
    ON CONFLICT (term) DO UPDATE SET doc = known.doc + excluded.doc;
    RETURN NULL;
END $$;
CREATE TRIGGER count_added_words AFTER INSERT ON words REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION count_added_words();
-- A word that nobody wrote any more is gone with its last message.
CREATE FUNCTION count_removed_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE word_counts AS known SET doc = known.doc - gone.doc
    FROM (SELECT lexeme COLLATE "C" AS term, count(*) AS doc FROM removed, unnest(removed.words) GROUP BY 1) AS gone
    WHERE known.term = gone.term;
    DELETE FROM word_counts
    WHERE doc <= 0 AND term IN (SELECT lexeme COLLATE "C" FROM removed, unnest(removed.words));
    RETURN NULL;
END $$;
CREATE TRIGGER count_removed_words AFTER DELETE ON words REFERENCING OLD TABLE AS removed
    FOR EACH STATEMENT EXECUTE FUNCTION count_removed_words();
