-- compatible: yes
-- buckets: no
-- What players achieved. It lies beside the buckets of games. Services of before do not know of it: the games that they finish are counted
-- by `pocha ratings rebuild`.
CREATE TABLE statistics_position (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    generation integer NOT NULL,
    counted integer NOT NULL
);
INSERT INTO statistics_position (generation, counted) VALUES (0, 0);

-- The counted games in the order of counting, and what counted of them: ids of players, no names.
CREATE TABLE counted_game (
    place integer PRIMARY KEY,
    game_id uuid NOT NULL UNIQUE,
    facts bytea NOT NULL
);

-- All that is kept of a player begins with the player's id.
CREATE TABLE player_record (
    player_id text NOT NULL,
    ruleset_id text NOT NULL,
    generation integer NOT NULL,
    tenant text NOT NULL,
    mu float8 NOT NULL,
    sigma float8 NOT NULL,
    rating float8 NOT NULL,
    games integer NOT NULL,
    tallies bytea NOT NULL,
    PRIMARY KEY (player_id, ruleset_id, generation)
);
CREATE INDEX player_record_best ON player_record (tenant, ruleset_id, generation, (- rating), player_id);
