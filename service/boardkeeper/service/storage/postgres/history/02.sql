-- Whose games they are, and the keys of platforms.

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
