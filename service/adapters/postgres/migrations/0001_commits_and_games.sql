-- The log: one row an accepted command. Every key begins with game_id, so that both tables can be sharded by it.
CREATE TABLE game_commit (
    game_id uuid NOT NULL,
    seq integer NOT NULL CHECK (seq > 0),
    command_id uuid NOT NULL,
    request_fp bytea NOT NULL,
    recorded_at timestamptz NOT NULL,
    format smallint NOT NULL,
    payload bytea NOT NULL,
    PRIMARY KEY (game_id, seq),
    UNIQUE (game_id, command_id)
);

-- Games seen from outside. Only columns without an index change often, so pages keep room for updates in place.
CREATE TABLE game (
    game_id uuid PRIMARY KEY,
    version integer NOT NULL,
    created_at timestamptz NOT NULL,
    status text NOT NULL,
    visibility text NOT NULL,
    ruleset_id text NOT NULL,
    players smallint NOT NULL,
    free_seats smallint NOT NULL,
    seats bytea NOT NULL,
    deadline timestamptz
) WITH (fillfactor = 80);

CREATE INDEX game_lobby ON game (visibility, status, game_id);
