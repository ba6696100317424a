-- The results of games that had ended before there was this table. A position is never given twice, also not after
-- the last game was removed.

CREATE TABLE results (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    game TEXT NOT NULL UNIQUE,
    platform TEXT NOT NULL,
    title TEXT NOT NULL,
    end_time INTEGER NOT NULL,
    seats INTEGER NOT NULL,
    people INTEGER NOT NULL
);
CREATE INDEX results_by_platform ON results (platform, position);
CREATE INDEX results_by_title ON results (platform, title, position);
CREATE INDEX results_by_title_of_all ON results (title, position);
INSERT INTO results (game, platform, title, end_time, seats, people)
    SELECT game, platform, title, update_time, json_array_length(CAST(standings AS TEXT)),
        (SELECT count(*) FROM seats s WHERE s.game=games.game AND s.kind='person')
    FROM games WHERE status='ended' AND json_valid(CAST(standings AS TEXT)) ORDER BY update_time, number;
INSERT OR IGNORE INTO seat_results (game, seat, points, rank, outcome, share)
    SELECT game, seat, points, rank, CASE WHEN rank>1 THEN 'lost' WHEN worst>1 THEN 'won' ELSE 'drawn' END,
        CASE WHEN rank>1 THEN 0.0 ELSE 1.0/first END
    FROM (
        SELECT *, max(rank) OVER game AS worst, sum(rank=1) OVER game AS first FROM (
            SELECT game, json_extract(value, '$.seat') AS seat, json_extract(value, '$.points') AS points,
                json_extract(value, '$.rank') AS rank
            FROM (SELECT game, CAST(standings AS TEXT) AS content FROM games WHERE game IN
                (SELECT game FROM results)), json_each(content)
        ) WINDOW game AS (PARTITION BY game)
    );
