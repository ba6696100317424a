-- Expiries.

CREATE TABLE expiries (game uuid PRIMARY KEY, time bigint NOT NULL);
CREATE INDEX expiries_by_time ON expiries (time);
