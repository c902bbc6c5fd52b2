-- compatible: yes
-- buckets: no
-- The web hooks of apps, and the deliveries that failed. They lie beside the buckets of games. Services of before do not know of them.
CREATE TABLE webhook (
    webhook_id uuid PRIMARY KEY,
    tenant text NOT NULL,
    command_id uuid NOT NULL UNIQUE,
    request_fp bytea NOT NULL,
    created_at timestamptz NOT NULL,
    url text NOT NULL,
    events text[] NOT NULL,
    secrets bytea NOT NULL
);
CREATE INDEX webhook_tenant ON webhook (tenant, webhook_id);

-- Ids sort by the time of the event. What was sent is not kept: it follows from the log.
CREATE TABLE webhook_delivery (
    delivery_id uuid PRIMARY KEY,
    webhook_id uuid NOT NULL,
    type text NOT NULL,
    game_id uuid NOT NULL,
    version integer NOT NULL,
    place smallint NOT NULL,
    occurred_at timestamptz NOT NULL,
    attempts integer NOT NULL,
    attempted_at timestamptz NOT NULL,
    response_status integer,
    failure text,
    status text NOT NULL
);
CREATE INDEX webhook_delivery_hook ON webhook_delivery (webhook_id, status, delivery_id);
CREATE INDEX webhook_delivery_age ON webhook_delivery (attempted_at);
