-- Distribute the tables of a Boardkeeper database over the workers of a Citus cluster: docs/operations.md, "Distribute".
--
--   boardkeeper migrate --db postgresql://owner@coordinator/boardkeeper
--   psql --file deploy/citus/distribute.sql postgresql://owner@coordinator/boardkeeper
--
-- Run it on the coordinator, as the owner of the tables, while no server is running. The database must have the extension
-- citus and at least one worker. The script
--
--   * distributes each table of games by its column "game", so that all rows of a game are on the same worker,
--   * moves the rows that these tables have already to the workers, and then deletes them on the coordinator,
--   * leaves all other tables on the coordinator.
--
-- It is one transaction: after an error, nothing has changed. Tables that are distributed already stay as they are, so
-- the script can be run again, for example after a release with a new table. The number of shards cannot be changed later
-- without Citus's own functions: set it with --set shards=64, for example. Make a backup first.

\set ON_ERROR_STOP on
\if :{?shards}
\else
  \set shards 32
\endif

BEGIN;
SET LOCAL lock_timeout = '10s';
SET LOCAL statement_timeout = 0;
SET LOCAL citus.shard_count = :shards;
SET LOCAL client_min_messages = 'warning';
SET LOCAL citus.multi_shard_modify_mode = 'sequential';  -- as transactions need that distribute several tables

DO $$
DECLARE
    oldest constant integer := 16;  -- the first schema in which each unique key contains the game
    name text;
    has_rows boolean;
    owner regrole;
BEGIN
    IF NOT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') THEN
        RAISE EXCEPTION 'the database has no extension citus' USING HINT = 'Run CREATE EXTENSION citus on each node.';
    END IF;
    IF NOT EXISTS (SELECT FROM pg_dist_node WHERE shouldhaveshards) THEN
        RAISE EXCEPTION 'the cluster has no worker' USING HINT = 'Run SELECT citus_add_node(''worker'', 5432) first.';
    END IF;
    IF to_regclass('service') IS NULL
        OR NOT EXISTS (SELECT FROM service WHERE what = 'schema' AND value::integer >= oldest) THEN
        RAISE EXCEPTION 'the database does not have the tables of this release' USING HINT = 'Run boardkeeper migrate.';
    END IF;
    -- "progress" comes first: the shards of all other tables are where its shards are.
    FOREACH name IN ARRAY ARRAY[
        'progress', 'events', 'games', 'seats', 'dice_secrets', 'requests', 'imports', 'snapshots', 'removed_games',
        'archived_games', 'players', 'seat_results', 'results', 'expiries', 'invitations', 'invitation_ends',
        'game_access'
    ] LOOP
        CONTINUE WHEN EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = name::regclass);
        EXECUTE format('SELECT EXISTS (SELECT FROM %I)', name) INTO has_rows;
        PERFORM create_distributed_table(
            name, 'game', colocate_with => CASE name WHEN 'progress' THEN 'none' ELSE 'progress' END);
        SELECT relowner::regrole INTO owner FROM pg_class WHERE oid = name::regclass;
        IF has_rows THEN
            EXECUTE format('GRANT TRUNCATE ON %I TO %s', name, owner);
            PERFORM truncate_local_data_after_distributing_table(name);
        END IF;
        IF name = 'events' THEN  -- not even the owner has these rights, which Citus grants on the shards
            EXECUTE format('REVOKE UPDATE, TRUNCATE ON events FROM %s', owner);
        END IF;
    END LOOP;
END $$;
COMMIT;

SELECT relname AS "table", CASE WHEN logicalrelid IS NULL THEN 'coordinator' ELSE 'workers' END AS "rows are on"
FROM pg_class LEFT JOIN pg_dist_partition ON logicalrelid = pg_class.oid
WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 2, 1;
