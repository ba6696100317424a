-- Webhooks.

CREATE TABLE webhook_endpoints (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    endpoint_id text NOT NULL UNIQUE,
    platform text NOT NULL,
    url text NOT NULL,
    title text NOT NULL,
    kinds bytea NOT NULL,
    secrets bytea NOT NULL,
    create_time bigint NOT NULL,
    disable_time bigint,
    problem text NOT NULL,
    position bigint NOT NULL,
    owner text NOT NULL,
    lease_until bigint NOT NULL DEFAULT 0
);
CREATE TABLE webhook_deliveries (
    endpoint_id text NOT NULL,
    number bigint NOT NULL,
    game uuid NOT NULL,
    tries integer NOT NULL,
    next_time bigint NOT NULL,
    dead_time bigint,
    problem text NOT NULL,
    PRIMARY KEY (endpoint_id, number)
);
CREATE INDEX webhook_deliveries_by_game ON webhook_deliveries (game);
