-- The event feed.

CREATE TABLE feed_outbox (sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id bytea NOT NULL,
    platform text NOT NULL,
    game uuid NOT NULL,
    title text NOT NULL,
    version integer NOT NULL,
    time bigint NOT NULL,
    kind text NOT NULL,
    content bytea NOT NULL
);
CREATE TABLE feed (number bigint PRIMARY KEY,
    id bytea NOT NULL,
    platform text NOT NULL,
    game uuid NOT NULL,
    title text NOT NULL,
    version integer NOT NULL,
    time bigint NOT NULL,
    kind text NOT NULL,
    content bytea NOT NULL
);

CREATE INDEX feed_by_platform ON feed (platform, number);
CREATE INDEX feed_by_game ON feed (game, number);
