-- Quotas.

CREATE TABLE quotas (
    platform text NOT NULL,
    what text NOT NULL,
    period integer NOT NULL,
    used bigint NOT NULL,
    most bigint,
    PRIMARY KEY (platform, what, period),
    CONSTRAINT quotas_hold CHECK (most IS NULL OR used <= most)
);
ALTER TABLE access_keys ADD COLUMN limits text NOT NULL DEFAULT '';
INSERT INTO quotas (platform, what, period, used)
    SELECT platform, 'games', 0, count(*) FROM games WHERE platform <> '' GROUP BY platform;
