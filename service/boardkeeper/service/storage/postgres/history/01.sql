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

-- Planning a query takes as long as with one partition; with 64 a connection holds half a megabyte more.
DO $$ BEGIN
    FOR number IN 0..15 LOOP
        EXECUTE format('CREATE TABLE events_%s PARTITION OF events FOR VALUES WITH (MODULUS 16, REMAINDER %s)',
            number, number);
        EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON events_%s FOR EACH STATEMENT'
            ' EXECUTE FUNCTION refuse()', number);
    END LOOP;
END $$;
