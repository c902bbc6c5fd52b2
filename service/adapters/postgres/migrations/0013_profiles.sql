-- compatible: no
-- buckets: no
-- The names of all players, and of no other place: a service of before would write names into events, listings and requests.
-- `tenant` is null where nobody knows it any more; a name that was not chosen is that of the player's credential. `changed_at` is when
-- another name replaced one: other processes look for it. Of a deleted player only the id, the tenant and the times are left; until
-- `erase_at` is null, there is something to be erased elsewhere.
ALTER TABLE player
    ALTER COLUMN display_name DROP NOT NULL,
    ADD COLUMN tenant text,
    ADD COLUMN is_chosen boolean NOT NULL DEFAULT true,
    ADD COLUMN changed_at timestamptz,
    ADD COLUMN deleted_at timestamptz,
    ADD COLUMN erase_at timestamptz;
ALTER TABLE player
    ALTER COLUMN is_chosen DROP DEFAULT,
    ADD CONSTRAINT a_name_until_deleted CHECK ((display_name IS NULL) = (deleted_at IS NOT NULL));
CREATE INDEX player_changed ON player (changed_at) WHERE changed_at IS NOT NULL;
CREATE INDEX player_deleted ON player (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX player_erase ON player (erase_at) WHERE erase_at IS NOT NULL;

INSERT INTO player (player_id, tenant, display_name, is_chosen, named_at)
SELECT DISTINCT ON (player_id) player_id::uuid, tenant, display_name, false, created_at
FROM match_request ORDER BY player_id, created_at DESC
ON CONFLICT (player_id) DO NOTHING;

-- Also out of the rows: a dropped column stays in those that were written before.
UPDATE match_request SET display_name = '';
ALTER TABLE match_request DROP COLUMN display_name;
CREATE INDEX match_request_of_player ON match_request (player_id);
