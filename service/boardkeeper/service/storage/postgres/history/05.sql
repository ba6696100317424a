-- Players and results.

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
