-- compatible: yes
-- How far each web hook has come in the log of each game. Services of before do not know of it.
CREATE TABLE hook_position (
    game_id uuid NOT NULL,
    webhook_id uuid NOT NULL,
    owner uuid NOT NULL,
    owned_until timestamptz,
    version integer NOT NULL,
    place smallint NOT NULL,
    attempts integer NOT NULL,
    due_at timestamptz,
    PRIMARY KEY (game_id, webhook_id)
);
CREATE INDEX hook_position_hook ON hook_position (webhook_id);
CREATE INDEX hook_position_due ON hook_position (due_at) WHERE due_at IS NOT NULL;

-- Whether no web hook can be behind the game again. Apps' games of which that is not known are found by the indexes: all of an app's, and
-- those that are over, which are few once the service has settled them.
ALTER TABLE game ADD COLUMN hooks_settled boolean NOT NULL DEFAULT false;
CREATE INDEX game_hooks ON game (tenant, game_id) WHERE tenant LIKE 'app:%' AND NOT hooks_settled;
CREATE INDEX game_unsettled ON game (created_at)
    WHERE tenant LIKE 'app:%' AND NOT hooks_settled AND status NOT IN ('waiting', 'playing');
