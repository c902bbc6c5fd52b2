-- What is needed to find a player's games, to look in time at games where nobody moves, and to make a game once however often it is
-- asked for. Services of before keep working on this schema: they name the columns that they write. What they write while both versions
-- run says nothing of persons, nor of a deadline; the next listing that this version writes does.

-- The players at a game's seats.
ALTER TABLE game ADD COLUMN persons text[] NOT NULL DEFAULT '{}';

-- `seats` is a JSON document that only the service reads. One that cannot be read names nobody: it must not stop the migration.
CREATE FUNCTION pocha_persons_of(seats bytea) RETURNS text[] LANGUAGE plpgsql AS $$
BEGIN
    RETURN ARRAY(
        SELECT found.person FROM jsonb_array_elements_text(jsonb_path_query_array(
            convert_from(seats, 'UTF8')::jsonb, '$.seats[*].player.player_id ? (@.type() == "string")')) AS found (person));
EXCEPTION WHEN OTHERS THEN
    RETURN '{}';
END
$$;

-- Of the games of before, those that are not over: nobody asks whose the others were. All of them are to be looked at now.
UPDATE game SET persons = pocha_persons_of(seats), deadline = now() WHERE status IN ('waiting', 'playing');

DROP FUNCTION pocha_persons_of(bytea);

-- Without a list of pending entries, which every search would have to go through.
CREATE INDEX game_persons ON game USING gin (persons) WITH (fastupdate = off) WHERE status IN ('waiting', 'playing');

-- What is written to a game's row changes `status`, `persons` or `deadline` as a rule, and all of them have an index now. So hardly an
-- update is heap-only any more, unlike what 0001 says; the room that its fillfactor leaves only keeps a row's next version on its page.
CREATE INDEX game_deadline ON game (deadline) WHERE deadline IS NOT NULL;

-- Which game is made by a request that may come again. Nothing joins it with the other tables: it can be sharded by its own key.
CREATE TABLE reservation (
    key uuid PRIMARY KEY,
    game_id uuid NOT NULL,
    reserved_at timestamptz NOT NULL DEFAULT now()
);
