-- compatible: yes
-- buckets: no
-- Score sheets of tables with real cards, and the short codes by which people join. They lie beside the buckets of games.
-- Services of before do not know of them.
CREATE TABLE score_keeper (
    score_keeper_id uuid PRIMARY KEY,
    tenant text NOT NULL,
    command_id uuid NOT NULL UNIQUE,
    request_fp bytea NOT NULL,
    created_at timestamptz NOT NULL,
    changed_at timestamptz NOT NULL,
    ruleset bytea NOT NULL,
    names text[] NOT NULL,
    first_dealer smallint NOT NULL,
    members text[] NOT NULL
);
CREATE INDEX score_keeper_members ON score_keeper USING gin (members) WITH (fastupdate = off);
CREATE INDEX score_keeper_changed ON score_keeper (changed_at);

CREATE TABLE score_keeper_entry (
    score_keeper_id uuid NOT NULL,
    version integer NOT NULL CHECK (version > 1),
    command_id uuid NOT NULL,
    request_fp bytea NOT NULL,
    player_id text NOT NULL,
    recorded_at timestamptz NOT NULL,
    format smallint NOT NULL,
    payload bytea NOT NULL,
    PRIMARY KEY (score_keeper_id, version),
    UNIQUE (score_keeper_id, command_id)
);

-- A target has one code at a time. Expired codes are deleted when new ones are made.
CREATE TABLE join_code (
    target uuid PRIMARY KEY,
    tenant text NOT NULL,
    code text NOT NULL,
    kind text NOT NULL,
    expires_at timestamptz NOT NULL,
    UNIQUE (tenant, code)
);
CREATE INDEX join_code_expiry ON join_code (expires_at);
