-- Format 1. A step that was released is never changed: what comes later is a further step. What the columns mean stands in
-- `src/store/sqlite/schema.rs`. Texts are compared byte for byte, as SQLite compares them.

-- What the store's statements call, where PostgreSQL has another name for it or none.
CREATE FUNCTION instr(text, text) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN strpos($1, $2);
CREATE FUNCTION max(bigint, bigint) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE WHEN $1 > $2 THEN $1 ELSE $2 END;
CREATE FUNCTION min(bigint, bigint) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE WHEN $1 < $2 THEN $1 ELSE $2 END;
CREATE FUNCTION max(double precision, double precision) RETURNS double precision
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN CASE WHEN $1 > $2 THEN $1 ELSE $2 END;
CREATE FUNCTION json_array_length(text) RETURNS bigint
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN json_array_length($1::json);
CREATE FUNCTION json_each(list text) RETURNS TABLE (value bigint) LANGUAGE sql IMMUTABLE PARALLEL SAFE
    BEGIN ATOMIC SELECT item::bigint FROM jsonb_array_elements_text(list::jsonb) AS item; END;

CREATE TABLE meta (key text COLLATE "C" PRIMARY KEY, value text COLLATE "C" NOT NULL);
-- `mark` is of the commit that wrote last: by it a commit that got no answer is known again.
CREATE TABLE counter (arrival bigint NOT NULL, mark text COLLATE "C" NOT NULL DEFAULT '');
INSERT INTO counter (arrival) VALUES (0);

CREATE TABLE channels (
    id bigint PRIMARY KEY, guild bigint, name text COLLATE "C" NOT NULL, topic text COLLATE "C" NOT NULL, kind bigint NOT NULL,
    parent bigint
);
CREATE TABLE people (id bigint PRIMARY KEY, name text COLLATE "C" NOT NULL, kind bigint NOT NULL);

CREATE TABLE messages (
    arrival bigint PRIMARY KEY, channel bigint NOT NULL, id bigint NOT NULL, at bigint NOT NULL,
    author bigint NOT NULL, author_name text COLLATE "C" NOT NULL, author_kind bigint NOT NULL,
    reply_to bigint, mentions text COLLATE "C", edited bigint, nonce text COLLATE "C", text text COLLATE "C" NOT NULL
);
CREATE UNIQUE INDEX messages_by_id ON messages (channel, id);
CREATE INDEX messages_by_time ON messages (at);
CREATE UNIQUE INDEX messages_by_nonce ON messages (nonce) WHERE nonce IS NOT NULL;

CREATE TABLE words (arrival bigint PRIMARY KEY, words tsvector NOT NULL);
CREATE INDEX words_by_word ON words USING gin (words);

CREATE TABLE tombstones (
    channel bigint NOT NULL, id bigint NOT NULL, arrival bigint NOT NULL, at bigint NOT NULL,
    PRIMARY KEY (channel, id)
);
CREATE TABLE erased_places (place text COLLATE "C" PRIMARY KEY, at bigint NOT NULL);
CREATE TABLE reactions (
    channel bigint NOT NULL, message bigint NOT NULL, "user" bigint NOT NULL, emoji text COLLATE "C" NOT NULL,
    arrival bigint NOT NULL, at bigint NOT NULL, user_name text COLLATE "C" NOT NULL, user_kind bigint NOT NULL,
    PRIMARY KEY (channel, message, "user", emoji)
);
CREATE TABLE read_positions (channel bigint PRIMARY KEY, message bigint NOT NULL);
CREATE TABLE guild_read_positions (guild bigint PRIMARY KEY, message bigint NOT NULL);

CREATE TABLE channel_states (channel bigint PRIMARY KEY, state text COLLATE "C" NOT NULL, saved_at bigint NOT NULL);
CREATE TABLE intents (
    channel bigint NOT NULL, id bigint NOT NULL, made bigint NOT NULL, after bigint NOT NULL,
    expires bigint NOT NULL, person bigint, name text COLLATE "C" NOT NULL, word text COLLATE "C", silence bigint, time bigint,
    note text COLLATE "C" NOT NULL, fired text COLLATE "C", reminder text COLLATE "C", PRIMARY KEY (channel, id)
);
CREATE TABLE outbox (
    rowid bigint GENERATED ALWAYS AS IDENTITY,
    nonce text COLLATE "C" PRIMARY KEY, turn bigint, part bigint NOT NULL, channel bigint NOT NULL, action text COLLATE "C",
    cursor bigint NOT NULL, journaled_at bigint NOT NULL, state bigint NOT NULL, message bigint, answers text COLLATE "C"
);
CREATE INDEX outbox_by_channel ON outbox (channel, cursor);
CREATE INDEX outbox_pending ON outbox (journaled_at) WHERE state = 0;

CREATE TABLE decisions (arrival bigint PRIMARY KEY, message_decision text COLLATE "C", report text COLLATE "C", turn bigint);
CREATE INDEX decisions_by_turn ON decisions (turn) WHERE turn IS NOT NULL;
CREATE TABLE turns (
    turn bigint PRIMARY KEY, channel bigint NOT NULL, started bigint NOT NULL, ended bigint NOT NULL,
    report text COLLATE "C" NOT NULL, prompts text COLLATE "C"
);
CREATE INDEX turns_by_channel ON turns (channel, turn);
CREATE INDEX turns_by_end ON turns (ended);
CREATE INDEX turns_with_faults ON turns (turn) WHERE
    instr(report, '"failure":{') + instr(report, '"is_error":true') + instr(report, '"outcome":{"failed"') > 0;
CREATE TABLE model_usage (
    rowid bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at bigint NOT NULL, model text COLLATE "C" NOT NULL, channel bigint NOT NULL, function text COLLATE "C" NOT NULL, calls bigint NOT NULL,
    prompt bigint NOT NULL, cached bigint NOT NULL, completion bigint NOT NULL, cost double precision NOT NULL
);
CREATE INDEX model_usage_by_time ON model_usage (at);
CREATE TABLE log_messages (
    log bigint NOT NULL, message bigint NOT NULL, turn bigint NOT NULL, at bigint NOT NULL,
    PRIMARY KEY (log, message, turn)
);
CREATE INDEX log_messages_by_turn ON log_messages (turn);
CREATE INDEX log_messages_by_time ON log_messages (at);

CREATE TABLE core_memory (
    scope text COLLATE "C" NOT NULL, label text COLLATE "C" NOT NULL, text text COLLATE "C" NOT NULL, max_chars bigint NOT NULL, updated_at bigint NOT NULL,
    PRIMARY KEY (scope, label)
);
CREATE TABLE todos (channel bigint PRIMARY KEY, list text COLLATE "C" NOT NULL, at bigint NOT NULL);
CREATE TABLE summaries (
    channel bigint PRIMARY KEY, since bigint NOT NULL, until bigint NOT NULL, text text COLLATE "C" NOT NULL, started bigint NOT NULL
);
CREATE TABLE tool_data (
    scope text COLLATE "C" NOT NULL, key text COLLATE "C" NOT NULL, value text COLLATE "C" NOT NULL, at bigint NOT NULL, PRIMARY KEY (scope, key)
);
CREATE TABLE stickers (
    guild bigint NOT NULL, name text COLLATE "C" NOT NULL, channel bigint NOT NULL, message bigint NOT NULL,
    at bigint NOT NULL, author bigint NOT NULL, ending text COLLATE "C" NOT NULL, file bytea NOT NULL
);
CREATE UNIQUE INDEX stickers_by_name ON stickers (guild, lower(name));
CREATE UNIQUE INDEX stickers_by_message ON stickers (channel, message);

CREATE TABLE manual_overrides (
    place text COLLATE "C" NOT NULL, about text COLLATE "C" NOT NULL, choice text COLLATE "C" NOT NULL, chosen_by bigint, at bigint NOT NULL,
    PRIMARY KEY (place, about)
);
CREATE TABLE preferences (person bytea PRIMARY KEY, preference text COLLATE "C" NOT NULL, at bigint NOT NULL);
CREATE TABLE forgotten (
    person bytea NOT NULL, channel bigint NOT NULL, until bigint NOT NULL, PRIMARY KEY (person, channel)
);
CREATE TABLE proposals (
    id bigint PRIMARY KEY, turn bigint NOT NULL, call bigint NOT NULL, channel bigint NOT NULL,
    subject text COLLATE "C" NOT NULL, made bigint NOT NULL, expires bigint NOT NULL, state text COLLATE "C" NOT NULL,
    is_open bigint NOT NULL, decided_by bigint, decider text COLLATE "C", decided bigint, answered text COLLATE "C" NOT NULL,
    log bigint, message bigint, reported bigint NOT NULL, UNIQUE (turn, call)
);
CREATE INDEX proposals_open ON proposals (id) WHERE is_open = 1;
CREATE INDEX proposals_unreported ON proposals (channel) WHERE reported = 0;
CREATE TABLE sessions (
    id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, guild bigint NOT NULL, channel bigint UNIQUE, source bigint NOT NULL,
    parent_channel bigint NOT NULL, parent bigint, turn bigint NOT NULL, cursor bigint NOT NULL, made bigint NOT NULL,
    label text COLLATE "C" NOT NULL, opening text COLLATE "C", config text COLLATE "C" NOT NULL, sources text COLLATE "C" NOT NULL, summary text COLLATE "C"
);
CREATE INDEX sessions_by_source ON sessions (source, cursor);

CREATE TABLE memories (
    id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, kind bigint NOT NULL, channel bigint NOT NULL, person bigint,
    said_by bigint, text text COLLATE "C" NOT NULL, at bigint NOT NULL, due bigint, confidence double precision NOT NULL,
    importance double precision NOT NULL, origin bigint NOT NULL, superseded_by bigint, uses bigint NOT NULL, used_at bigint
);
CREATE INDEX memories_by_channel ON memories (channel, kind);
CREATE INDEX memories_by_successor ON memories (superseded_by) WHERE superseded_by IS NOT NULL;
CREATE TABLE memory_people (
    memory bigint NOT NULL, person bigint NOT NULL, PRIMARY KEY (memory, person)
);
CREATE TABLE memory_sources (
    channel bigint NOT NULL, message bigint NOT NULL, memory bigint NOT NULL, author bigint NOT NULL,
    PRIMARY KEY (channel, message, memory)
);
CREATE INDEX memory_sources_by_memory ON memory_sources (memory);
CREATE TABLE consolidated (channel bigint PRIMARY KEY, until bigint NOT NULL);
CREATE TABLE core_memory_versions (
    scope text COLLATE "C" NOT NULL, label text COLLATE "C" NOT NULL, number bigint NOT NULL, at bigint NOT NULL, text text COLLATE "C" NOT NULL,
    dates text COLLATE "C" NOT NULL, PRIMARY KEY (scope, label, number)
);

CREATE TABLE departed_members (
    guild bigint NOT NULL, person bigint NOT NULL, checked bigint NOT NULL, absent_since bigint,
    PRIMARY KEY (guild, person)
);
CREATE TABLE former_authors (
    person bigint NOT NULL, channel bigint NOT NULL, name text COLLATE "C" NOT NULL, first bigint NOT NULL, last bigint NOT NULL,
    PRIMARY KEY (person, channel, name)
);

CREATE TABLE vector_models (id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, name text COLLATE "C" NOT NULL UNIQUE, dimensions bigint);
CREATE TABLE message_vectors (
    channel bigint NOT NULL, arrival bigint NOT NULL, model bigint NOT NULL, vector bytea,
    PRIMARY KEY (channel, arrival, model)
);
CREATE INDEX message_vectors_missing ON message_vectors (model, channel) WHERE vector IS NULL;
CREATE TABLE vector_coverage (
    channel bigint NOT NULL, model bigint NOT NULL, first bigint NOT NULL, last bigint NOT NULL,
    PRIMARY KEY (channel, model)
);

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
