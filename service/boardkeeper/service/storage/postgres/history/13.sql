-- Games by time.

CREATE INDEX games_by_time ON games (create_time, number);
CREATE INDEX games_that_go_on_by_time ON games (status, create_time, number) WHERE status <> 'ended';
CREATE INDEX games_by_platform_and_time ON games (platform, create_time, number) WHERE platform <> '';
