-- The tables of a file before the numbered migrations began, but for those of the eventsourcing library.

CREATE TABLE IF NOT EXISTS games (
    number INTEGER PRIMARY KEY,
    game TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    setup BLOB NOT NULL,
    commitment TEXT NOT NULL,
    create_time INTEGER NOT NULL,
    update_time INTEGER NOT NULL,
    version INTEGER NOT NULL,
    status TEXT NOT NULL,
    decisions BLOB NOT NULL,
    standings BLOB NOT NULL,
    chain BLOB
);
CREATE INDEX IF NOT EXISTS games_by_status ON games (status, number);
CREATE INDEX IF NOT EXISTS games_by_title ON games (title, number);
CREATE INDEX IF NOT EXISTS games_by_title_and_status ON games (title, status, number);
CREATE TABLE IF NOT EXISTS seats (
    game TEXT NOT NULL,
    seat INTEGER NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    taken INTEGER NOT NULL,
    token_hash BLOB,
    PRIMARY KEY (game, seat)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS dice_secrets (
    game TEXT PRIMARY KEY,
    secret BLOB NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS requests (
    request BLOB PRIMARY KEY,
    content BLOB NOT NULL,
    salt BLOB NOT NULL,
    game TEXT NOT NULL,
    seats BLOB NOT NULL,
    create_time INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS imports (
    game TEXT PRIMARY KEY,
    key_id TEXT NOT NULL,
    seal BLOB NOT NULL,
    import_time INTEGER NOT NULL,
    record_id TEXT,
    head TEXT
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS access_keys (
    number INTEGER PRIMARY KEY,
    key_id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    platform TEXT NOT NULL,
    scopes BLOB NOT NULL,
    secret_hash BLOB,
    certificate TEXT NOT NULL,
    create_time INTEGER NOT NULL,
    expire_time INTEGER,
    revoke_time INTEGER,
    use_time INTEGER
);
CREATE UNIQUE INDEX IF NOT EXISTS access_keys_by_certificate ON access_keys (certificate)
    WHERE certificate<>'' AND revoke_time IS NULL;
CREATE TABLE IF NOT EXISTS game_access (
    game TEXT PRIMARY KEY,
    platform TEXT NOT NULL,
    spectators INTEGER
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS feed (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id BLOB NOT NULL,
    platform TEXT NOT NULL,
    game TEXT NOT NULL,
    title TEXT NOT NULL,
    version INTEGER NOT NULL,
    time INTEGER NOT NULL,
    kind TEXT NOT NULL,
    content BLOB NOT NULL
);
CREATE INDEX IF NOT EXISTS feed_by_platform ON feed (platform, number);
CREATE INDEX IF NOT EXISTS feed_by_game ON feed (game, number);
CREATE TABLE IF NOT EXISTS webhook_endpoints (
    number INTEGER PRIMARY KEY,
    endpoint_id TEXT NOT NULL UNIQUE,
    platform TEXT NOT NULL,
    url TEXT NOT NULL,
    title TEXT NOT NULL,
    kinds BLOB NOT NULL,
    secrets BLOB NOT NULL,
    create_time INTEGER NOT NULL,
    disable_time INTEGER,
    problem TEXT NOT NULL,
    position INTEGER NOT NULL,
    owner TEXT NOT NULL,
    lease_until INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE IF NOT EXISTS webhook_deliveries (
    endpoint_id TEXT NOT NULL,
    number INTEGER NOT NULL,
    game TEXT NOT NULL,
    tries INTEGER NOT NULL,
    next_time INTEGER NOT NULL,
    dead_time INTEGER,
    problem TEXT NOT NULL,
    PRIMARY KEY (endpoint_id, number)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS webhook_deliveries_by_game ON webhook_deliveries (game);
CREATE TABLE IF NOT EXISTS players (
    game TEXT NOT NULL,
    seat INTEGER NOT NULL,
    platform TEXT NOT NULL,
    player_id TEXT NOT NULL,
    number INTEGER NOT NULL,
    title TEXT NOT NULL,
    ended INTEGER NOT NULL,
    PRIMARY KEY (game, seat),
    UNIQUE (game, player_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS players_by_id ON players (platform, player_id, number, seat);
CREATE INDEX IF NOT EXISTS players_by_state ON players (platform, player_id, ended, number, seat);
CREATE INDEX IF NOT EXISTS players_by_title ON players (platform, title, player_id) WHERE ended;
CREATE TABLE IF NOT EXISTS seat_results (
    game TEXT NOT NULL,
    seat INTEGER NOT NULL,
    points INTEGER NOT NULL,
    rank INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    share REAL NOT NULL,
    PRIMARY KEY (game, seat)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS invitations (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    code_hash BLOB NOT NULL UNIQUE,
    game TEXT NOT NULL,
    seat INTEGER NOT NULL,
    player_id TEXT NOT NULL,
    create_time INTEGER NOT NULL,
    expire_time INTEGER
);
CREATE INDEX IF NOT EXISTS invitations_by_game ON invitations (game, number);
CREATE INDEX IF NOT EXISTS invitations_by_player ON invitations (player_id) WHERE player_id<>'';
CREATE INDEX IF NOT EXISTS invitations_by_expiry ON invitations (expire_time) WHERE expire_time IS NOT NULL;
CREATE TABLE IF NOT EXISTS invitation_ends (
    id TEXT PRIMARY KEY,
    game TEXT NOT NULL,
    end_time INTEGER NOT NULL,
    used_seat INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS invitation_ends_by_game ON invitation_ends (game);
CREATE INDEX IF NOT EXISTS invitation_ends_by_time ON invitation_ends (end_time);
CREATE TABLE IF NOT EXISTS expiries (game TEXT PRIMARY KEY, time INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS expiries_by_time ON expiries (time);
CREATE TABLE IF NOT EXISTS probes (id INTEGER PRIMARY KEY, filling BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS quotas (
    platform TEXT NOT NULL,
    what TEXT NOT NULL,
    period INTEGER NOT NULL,
    used INTEGER NOT NULL,
    most INTEGER,
    PRIMARY KEY (platform, what, period),
    CHECK (most IS NULL OR used<=most)
) WITHOUT ROWID;
