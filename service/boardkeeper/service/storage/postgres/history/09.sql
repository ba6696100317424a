-- Archived games.

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
