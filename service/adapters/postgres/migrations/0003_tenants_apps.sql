-- compatible: no
-- A service of before would show the tables of one tenant to the others.
-- Whose a game is: an app's, a trusted issuer's, or, empty, the open service's. Services of before go on writing rows without saying it:
-- new rows are the open service's, as theirs are, and old ones keep what they have.
ALTER TABLE game ADD COLUMN tenant text NOT NULL DEFAULT '';

-- The lobby of a tenant, in place of the one of all.
DROP INDEX game_lobby;
CREATE INDEX game_lobby ON game (tenant, visibility, status, game_id);

-- The apps that call with keys of their own. In a database of several shards, the first one has them.
CREATE TABLE app (
    name text PRIMARY KEY,
    created_at timestamptz NOT NULL
);

-- Of a key only its SHA-256 is kept. A key that was revoked has expired then.
CREATE TABLE app_key (
    key_id text PRIMARY KEY,
    app text NOT NULL,
    digest bytea NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz
);
CREATE INDEX app_key_app ON app_key (app);
