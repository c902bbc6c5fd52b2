-- compatible: yes
-- Finished games packed into one row each, old games forgotten, and the place of this database among several.
-- Services of before read and write on beside this version; a game that this version has packed they take for one that is not there.

-- The first `last_seq` commits of a game, taken out of game_commit: what a command is known by in columns, all else in `payload`.
-- Of the arrays, the element at place n belongs to the commit of version n.
CREATE TABLE game_archive (
    game_id uuid PRIMARY KEY,
    last_seq integer NOT NULL CHECK (last_seq > 0),
    ended_at timestamptz NOT NULL,
    command_ids uuid[] NOT NULL CHECK (cardinality(command_ids) = last_seq),
    fingerprints bytea[] NOT NULL CHECK (cardinality(fingerprints) = last_seq),
    format smallint NOT NULL,
    payload bytea NOT NULL
);

-- Random ids and what is compressed already do not get smaller by another try.
ALTER TABLE game_archive ALTER COLUMN command_ids SET STORAGE EXTERNAL, ALTER COLUMN payload SET STORAGE EXTERNAL;

-- Whether the game's commits were packed. Games that are over are found by it, the oldest first.
ALTER TABLE game ADD COLUMN packed boolean NOT NULL DEFAULT false;
CREATE INDEX game_over ON game (packed, created_at) WHERE status IN ('finished', 'abandoned');

-- To forget reservations by their age.
CREATE INDEX reservation_age ON reservation (reserved_at);

-- Which of several databases this one is, counted from 0. One row, written by the first `pocha migrate` of this version.
CREATE TABLE shard (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    place integer NOT NULL,
    databases integer NOT NULL CHECK (place >= 0 AND place < databases)
);
