ALTER TABLE expiries ADD COLUMN clocks bytea;
