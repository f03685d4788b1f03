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
