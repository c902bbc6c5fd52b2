-- compatible: no
-- buckets: no
-- A service of before would look for the place of this database among several, which is no longer kept.
-- How many buckets the games are divided into (`service.adapters.postgres.layout`).
DO $$
BEGIN
    IF EXISTS (SELECT FROM shard WHERE databases > 1) THEN
        RAISE EXCEPTION 'this database is one of several that share the games; bring them together first, see From several databases in docs/scaling.md';
    END IF;
END
$$;
DROP TABLE shard;
CREATE TABLE bucket_layout (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    buckets integer NOT NULL CHECK (buckets > 0)
);
INSERT INTO bucket_layout (buckets) VALUES (1);
