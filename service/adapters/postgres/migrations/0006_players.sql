-- compatible: yes
-- The names that players chose. Services of before keep working: they show the names of tokens.
CREATE TABLE player (
    player_id uuid PRIMARY KEY,
    display_name text NOT NULL,
    named_at timestamptz NOT NULL DEFAULT now()
);

-- A player's games that are over. Apart from `game_persons`, so that turns are looked for among games under way alone; said otherwise than
-- in `game_over`, so that the planner has no other index for them.
CREATE INDEX game_persons_over ON game USING gin (persons) WITH (fastupdate = off) WHERE status NOT IN ('waiting', 'playing');
