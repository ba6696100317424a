"""The server: RPCs, games in memory, storage and background work.

A package imports only packages below it; ``make check`` enforces this:

==================  ==================================================================================================
`process/`          the server process: start, health, maintenance, shutdown, and the supervisor of several workers
`api/`              the RPCs: each checks its request, calls the games and encodes the answer for its viewer
`transport/`        the front: gRPC, Connect, gRPC-Web, JSON and the web client over HTTP; the guard around each RPC
`webhooks/`         the delivery of the event feed to the endpoints of platforms
`games/`            actions on games: commands, seats, bots, clocks, records
`cache/`            games in memory: loading, eviction, watchers, earlier versions, changes by other processes
`feed/`             the event feed of all games
`auth/`             API keys, seat tokens, and which key may do what
`limits/`           rate limits, quotas and fair queues
`storage_reads`     reads of the storage in threads, with errors of the API for its failures
`requests/`         request validation, and the errors of the API
`storage/`          the databases: events, the rows beside them, the writer, backups, archives and checks
`observability/`    logs, counters, metrics and traces
`config/`           the settings
==================  ==================================================================================================

The lowest modules are the served titles (`served_titles`), reproducible ids for demos (`seeded_ids`), helpers for
asyncio (`tasks`), the clock (`wall_clock`), and the errors that stop the start of the server (`errors`).
"""
