"""The schemas of PostgreSQL before the migrations that both databases share began.

These scripts are history: they are never changed.
"""

from __future__ import annotations

from typing import LiteralString

PARTITIONS = 16
"""Planning a query takes as long as with one; with 64 a connection holds half a megabyte more."""

_FIRST: LiteralString = """
CREATE TABLE service (what text PRIMARY KEY, value text NOT NULL);

CREATE TABLE events (
    game uuid NOT NULL,
    version integer NOT NULL,
    topic text NOT NULL,
    state bytea NOT NULL,
    link bytea NOT NULL,
    PRIMARY KEY (game, version)
) PARTITION BY HASH (game);

CREATE TABLE progress (
    game uuid PRIMARY KEY,
    version integer NOT NULL,
    chain bytea NOT NULL,
    time bigint NOT NULL DEFAULT 0,
    status text NOT NULL DEFAULT '',
    decisions bytea NOT NULL DEFAULT '[]',
    standings bytea NOT NULL DEFAULT '[]',
    bot_decides boolean NOT NULL DEFAULT false
) WITH (fillfactor = 40);

CREATE TABLE games (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    game uuid NOT NULL UNIQUE,
    title text NOT NULL,
    setup bytea NOT NULL,
    commitment text NOT NULL,
    create_time bigint NOT NULL,
    status text NOT NULL
);
CREATE INDEX games_by_status ON games (status, number);
CREATE INDEX games_by_title ON games (title, number);
CREATE INDEX games_by_title_and_status ON games (title, status, number);

CREATE TABLE seats (
    game uuid NOT NULL,
    seat integer NOT NULL,
    kind text NOT NULL,
    name text NOT NULL,
    taken boolean NOT NULL,
    token_hash bytea,
    PRIMARY KEY (game, seat)
);
CREATE TABLE dice_secrets (game uuid PRIMARY KEY, secret bytea NOT NULL);
CREATE TABLE requests (
    request bytea PRIMARY KEY,
    content bytea NOT NULL,
    salt bytea NOT NULL,
    game uuid NOT NULL,
    seats bytea NOT NULL,
    create_time bigint NOT NULL
);
CREATE INDEX requests_by_game ON requests (game);
CREATE TABLE imports (
    game uuid PRIMARY KEY,
    key_id text NOT NULL,
    seal bytea NOT NULL,
    import_time bigint NOT NULL,
    record_id uuid NOT NULL,
    head text NOT NULL UNIQUE
);
CREATE TABLE snapshots (
    game uuid NOT NULL,
    version integer NOT NULL,
    topic text NOT NULL,
    state bytea NOT NULL,
    PRIMARY KEY (game, version)
);
CREATE TABLE removed_games (
    game uuid PRIMARY KEY,
    remove_time bigint NOT NULL,
    head text,
    key_id text
);
CREATE INDEX removed_games_by_head ON removed_games (head);
CREATE TABLE probes (filling bytea NOT NULL);
ALTER TABLE probes ALTER COLUMN filling SET STORAGE EXTERNAL;

-- Events are never changed, and go only with a whole game that was removed.
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'stored events are never changed or removed' USING ERRCODE = 'restrict_violation';
END $$;
CREATE FUNCTION refuse_unless_removed() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM removed_games r WHERE r.game = OLD.game) THEN
        RAISE EXCEPTION 'stored events are never changed or removed' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN OLD;
END $$;
CREATE FUNCTION refuse_if_removed() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM removed_games r WHERE r.game = NEW.game) THEN
        RAISE EXCEPTION 'a game that was removed does not come back' USING ERRCODE = 'unique_violation';
    END IF;
    RETURN NEW;
END $$;
-- With this function, a role that may insert a tombstone may delete the events of that game; else only the owner may.
CREATE FUNCTION remove_events(removed uuid) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path FROM CURRENT AS $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM removed_games r WHERE r.game = removed) THEN
        RAISE EXCEPTION 'no tombstone stands for that game' USING ERRCODE = 'restrict_violation';
    END IF;
    DELETE FROM events e WHERE e.game = removed;
END $$;
REVOKE ALL ON FUNCTION remove_events(uuid) FROM PUBLIC;

CREATE TRIGGER no_update BEFORE UPDATE ON events FOR EACH ROW EXECUTE FUNCTION refuse();
CREATE TRIGGER no_delete BEFORE DELETE ON events FOR EACH ROW EXECUTE FUNCTION refuse_unless_removed();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON events FOR EACH STATEMENT EXECUTE FUNCTION refuse();
CREATE TRIGGER no_return BEFORE INSERT ON progress FOR EACH ROW EXECUTE FUNCTION refuse_if_removed();
"""

_PARTITION: LiteralString = """
DO $$ BEGIN
    FOR number IN 0..{last} LOOP
        EXECUTE format('CREATE TABLE events_%s PARTITION OF events FOR VALUES WITH (MODULUS {modulus}, REMAINDER %s)',
            number, number);
        EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON events_%s FOR EACH STATEMENT'
            ' EXECUTE FUNCTION refuse()', number);
    END LOOP;
END $$;
"""


HISTORY: tuple[LiteralString, ...] = (
    _FIRST + _PARTITION.replace("{last}", str(PARTITIONS - 1)).replace("{modulus}", str(PARTITIONS)),
    # whose games they are, and the keys of platforms
    """
CREATE TABLE access_keys (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    key_id text NOT NULL UNIQUE,
    name text NOT NULL,
    platform text NOT NULL,
    scopes bytea NOT NULL,
    secret_hash bytea,
    certificate text NOT NULL,
    create_time bigint NOT NULL,
    expire_time bigint,
    revoke_time bigint,
    use_time bigint
);
CREATE UNIQUE INDEX access_keys_by_certificate ON access_keys (certificate)
    WHERE certificate <> '' AND revoke_time IS NULL;
CREATE TABLE game_access (game uuid PRIMARY KEY, platform text NOT NULL, spectators boolean);
ALTER TABLE games ADD COLUMN platform text NOT NULL DEFAULT '';
CREATE INDEX games_by_platform ON games (platform, number) WHERE platform <> '';
CREATE INDEX games_by_platform_and_title ON games (platform, title, number) WHERE platform <> '';
CREATE INDEX games_by_platform_and_status ON games (platform, status, number) WHERE platform <> '';
""",
    # quotas
    """
CREATE TABLE quotas (
    platform text NOT NULL,
    what text NOT NULL,
    period integer NOT NULL,
    used bigint NOT NULL,
    most bigint,
    PRIMARY KEY (platform, what, period),
    CONSTRAINT quotas_hold CHECK (most IS NULL OR used <= most)
);
ALTER TABLE access_keys ADD COLUMN limits text NOT NULL DEFAULT '';
INSERT INTO quotas (platform, what, period, used)
    SELECT platform, 'games', 0, count(*) FROM games WHERE platform <> '' GROUP BY platform;
""",
    "CREATE TABLE backups (time bigint PRIMARY KEY);",  # when each backup was made
    # players and results
    """
CREATE TABLE players (
    game uuid NOT NULL,
    seat integer NOT NULL,
    platform text NOT NULL,
    player_id text COLLATE "C" NOT NULL,
    number bigint NOT NULL,
    title text NOT NULL,
    ended boolean NOT NULL,
    PRIMARY KEY (game, seat),
    UNIQUE (game, player_id)
);
CREATE INDEX players_by_id ON players (platform, player_id, number);
CREATE INDEX players_by_state ON players (platform, player_id, ended, number);
CREATE INDEX players_by_title ON players (platform, title, player_id) WHERE ended;
CREATE TABLE seat_results (
    game uuid NOT NULL,
    seat integer NOT NULL,
    points bigint NOT NULL,
    rank integer NOT NULL,
    outcome text NOT NULL,
    share double precision NOT NULL,
    PRIMARY KEY (game, seat)
);
-- A place in the feed is given once the result can be read, and never twice: no reader passes one by.
CREATE TABLE results (
    game uuid PRIMARY KEY,
    platform text NOT NULL,
    title text NOT NULL,
    end_time bigint NOT NULL,
    seats integer NOT NULL,
    people integer NOT NULL,
    position bigint UNIQUE
);
CREATE INDEX results_by_platform ON results (platform, position);
CREATE INDEX results_by_title ON results (platform, title, position);
CREATE INDEX results_by_title_of_all ON results (title, position);
CREATE INDEX results_without_position ON results (end_time) WHERE position IS NULL;
CREATE SEQUENCE result_positions;
INSERT INTO results (game, platform, title, end_time, seats, people)
    SELECT game, g.platform, g.title, p.time, jsonb_array_length(convert_from(p.standings, 'UTF8')::jsonb),
        (SELECT count(*) FROM seats s WHERE s.game = g.game AND s.kind = 'person')
    FROM games g JOIN progress p USING (game) WHERE p.status = 'ended';
INSERT INTO seat_results (game, seat, points, rank, outcome, share)
    SELECT game, seat, points, rank, CASE WHEN rank > 1 THEN 'lost' WHEN worst > 1 THEN 'won' ELSE 'drawn' END,
        CASE WHEN rank > 1 THEN 0 ELSE 1.0 / first END
    FROM (
        SELECT *, max(rank) OVER game AS worst, count(*) FILTER (WHERE rank = 1) OVER game AS first
        FROM (
            SELECT r.game, s.seat, s.points, s.rank FROM results r JOIN progress p USING (game)
            CROSS JOIN LATERAL jsonb_to_recordset(convert_from(p.standings, 'UTF8')::jsonb)
                AS s (seat integer, points bigint, rank integer)
        ) told WINDOW game AS (PARTITION BY game)
    ) ranked;
""",
    # expiries
    """
CREATE TABLE expiries (game uuid PRIMARY KEY, time bigint NOT NULL);
CREATE INDEX expiries_by_time ON expiries (time);
""",
    # the event feed
    """
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
""",
    # invitations
    """
CREATE TABLE invitations (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text NOT NULL UNIQUE,
    code_hash bytea NOT NULL UNIQUE,
    game uuid NOT NULL,
    seat integer NOT NULL,
    player_id text NOT NULL,
    create_time bigint NOT NULL,
    expire_time bigint
);
CREATE INDEX invitations_by_game ON invitations (game, number);
CREATE TABLE invitation_ends (
    id text PRIMARY KEY,
    game uuid NOT NULL,
    end_time bigint NOT NULL,
    used_seat integer NOT NULL
);
CREATE INDEX invitation_ends_by_game ON invitation_ends (game);
ALTER TABLE game_access ADD COLUMN by_invitation boolean NOT NULL DEFAULT false;
ALTER TABLE game_access ADD COLUMN token_seconds bigint NOT NULL DEFAULT 0;
ALTER TABLE seats ADD COLUMN token_expires bigint;
""",
    # archived games
    """
CREATE TABLE archived_games (
    game uuid PRIMARY KEY,
    archive_time bigint NOT NULL,
    events integer NOT NULL,
    sha256 text NOT NULL,
    size bigint NOT NULL
);
CREATE OR REPLACE FUNCTION refuse_unless_removed() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM removed_games r WHERE r.game = OLD.game)
        AND NOT EXISTS (SELECT 1 FROM archived_games a WHERE a.game = OLD.game) THEN
        RAISE EXCEPTION 'stored events are never changed or removed' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN OLD;
END $$;
""",
    # webhooks
    """
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
""",
    "CREATE INDEX invitations_by_player ON invitations (player_id) WHERE player_id <> '';",  # invitations of a player
    # invitations that are deleted
    """
CREATE INDEX invitations_by_expiry ON invitations (expire_time) WHERE expire_time IS NOT NULL;
CREATE INDEX invitation_ends_by_time ON invitation_ends (end_time);
""",
    # games by time
    """
CREATE INDEX games_by_time ON games (create_time, number);
CREATE INDEX games_that_go_on_by_time ON games (status, create_time, number) WHERE status <> 'ended';
CREATE INDEX games_by_platform_and_time ON games (platform, create_time, number) WHERE platform <> '';
""",
    "ALTER TABLE expiries ADD COLUMN clocks bytea;",  # clocks
)
"""What makes each schema of the one before it."""
