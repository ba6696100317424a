-- Invitations.

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
