-- Format 1, beside its tables (`src/store/catalogue/`). A step that was released is never changed: what comes later is a
-- further step.

-- `mark` is of the commit that wrote last: by it a commit that got no answer is known again.
ALTER TABLE counter ADD COLUMN mark text COLLATE "C" NOT NULL DEFAULT '';
INSERT INTO counter (arrival) VALUES (0);

CREATE UNIQUE INDEX stickers_by_name ON stickers (guild, lower(name));
CREATE TABLE words (arrival bigint PRIMARY KEY, words tsvector NOT NULL);
CREATE INDEX words_by_word ON words USING gin (words);

CREATE FUNCTION vectors_of_changed_message() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM message_vectors WHERE channel = new.channel AND arrival = new.arrival;
    INSERT INTO message_vectors (channel, arrival, model)
    SELECT new.channel, new.arrival, model FROM vector_coverage
    WHERE channel = new.channel AND new.id BETWEEN first AND last;
    RETURN NULL;
END $$;
CREATE TRIGGER vectors_of_changed_message AFTER UPDATE OF text ON messages
    FOR EACH ROW EXECUTE FUNCTION vectors_of_changed_message();
CREATE FUNCTION vectors_of_deleted_message() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM message_vectors WHERE channel = old.channel AND arrival = old.arrival;
    RETURN NULL;
END $$;
CREATE TRIGGER vectors_of_deleted_message AFTER DELETE ON messages
    FOR EACH ROW EXECUTE FUNCTION vectors_of_deleted_message();
CREATE FUNCTION vectors_of_deleted_channel() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM message_vectors WHERE channel = old.id;
    DELETE FROM vector_coverage WHERE channel = old.id;
    RETURN NULL;
END $$;
CREATE TRIGGER vectors_of_deleted_channel AFTER DELETE ON channels
    FOR EACH ROW EXECUTE FUNCTION vectors_of_deleted_channel();

-- The key that people are hashed with: made once, of 244 random bits.
INSERT INTO meta VALUES ('preferences.key', replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''));
