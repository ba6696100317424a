-- Indices with a platform contain only games of platforms: a file without such games pays nothing for them.

CREATE UNIQUE INDEX IF NOT EXISTS imports_by_head ON imports (head);
CREATE INDEX IF NOT EXISTS games_by_time ON games (create_time, number);
CREATE INDEX IF NOT EXISTS games_that_go_on_by_time ON games (status, create_time, number) WHERE status<>'ended';
CREATE INDEX IF NOT EXISTS games_by_platform_and_time ON games (platform, create_time, number) WHERE platform<>'';
CREATE INDEX IF NOT EXISTS games_by_platform ON games (platform, number) WHERE platform<>'';
CREATE INDEX IF NOT EXISTS games_by_platform_and_title ON games (platform, title, number) WHERE platform<>'';
CREATE INDEX IF NOT EXISTS games_by_platform_and_status ON games (platform, status, number) WHERE platform<>'';

CREATE VIEW progress AS SELECT game, version, chain, update_time AS time, status, decisions, standings FROM games;
CREATE VIEW events AS
    SELECT originator_id AS game, originator_version AS version, topic, state, link FROM stored_events;
CREATE TRIGGER events_insert INSTEAD OF INSERT ON events BEGIN
    INSERT INTO stored_events VALUES (NEW.game, NEW.version, NEW.topic, NEW.state, NEW.link);
END;
CREATE TRIGGER events_delete INSTEAD OF DELETE ON events BEGIN
    DELETE FROM stored_events WHERE originator_id=OLD.game AND originator_version=OLD.version;
END;
CREATE VIEW snapshots AS
    SELECT originator_id AS game, originator_version AS version, topic, state FROM stored_snapshots;
CREATE TRIGGER snapshots_insert INSTEAD OF INSERT ON snapshots BEGIN
    INSERT INTO stored_snapshots VALUES (NEW.game, NEW.version, NEW.topic, NEW.state);
END;
CREATE TRIGGER snapshots_delete INSTEAD OF DELETE ON snapshots BEGIN
    DELETE FROM stored_snapshots WHERE originator_id=OLD.game AND originator_version=OLD.version;
END;
