-- Format 3. What turns may show, as bits.
CREATE FUNCTION signature_of_changed_turn() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM turn_signatures WHERE turn = old.turn;
    RETURN NULL;
END $$;
CREATE TRIGGER signature_of_changed_turn AFTER UPDATE OF report, prompts OR DELETE ON turns
    FOR EACH ROW EXECUTE FUNCTION signature_of_changed_turn();
