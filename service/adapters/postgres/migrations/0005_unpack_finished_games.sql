-- compatible: no
-- Finished games are no longer packed: a service of before could not read what this version leaves of its table, which is nothing.
-- Before this script runs, `pocha migrate` puts every packed game back into rows (`service.adapters.postgres.unpacking`).
DROP TABLE game_archive;

-- Finished games are found for retention, oldest first.
DROP INDEX game_over;
ALTER TABLE game DROP COLUMN packed;
CREATE INDEX game_over ON game (created_at) WHERE status IN ('finished', 'abandoned');
