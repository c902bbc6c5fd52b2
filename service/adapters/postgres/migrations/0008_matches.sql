-- compatible: yes
-- buckets: no
-- Requests for quick matches. They lie beside the buckets of games. Services of before do not know of them.
CREATE TABLE match_request (
    match_id uuid PRIMARY KEY,
    tenant text NOT NULL,
    player_id text NOT NULL,
    display_name text NOT NULL,
    command_id uuid NOT NULL UNIQUE,
    request_fp bytea NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    pool text NOT NULL,
    spec bytea NOT NULL,
    players smallint NOT NULL,
    robots text,
    status text NOT NULL,
    game_id uuid,
    is_ready boolean NOT NULL,
    due_at timestamptz
);

-- A player waits once.
CREATE UNIQUE INDEX match_request_player ON match_request (tenant, player_id) WHERE status = 'waiting';
CREATE INDEX match_request_pool ON match_request (tenant, pool, created_at, match_id) WHERE status = 'waiting';
CREATE INDEX match_request_game ON match_request (game_id) WHERE game_id IS NOT NULL;
CREATE INDEX match_request_due ON match_request (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX match_request_age ON match_request (created_at);
