"""The service: gRPC servicers, command handling, storage, projections, auth and configuration.

Arrows run downwards, and ``make check`` holds that:

==============  ======================================================================================================
`server`        starts, runs and stops the service: here the rooms are put together
`front/`        the HTTP server: connections, HTTP/1.1, HTTP/2 and TLS by uvicorn, and the ASGI application with gRPC
`servicers/`    the rpcs: each checks its request, asks the games and says the answer in messages
`web/`          Connect, gRPC-Web and JSON, the web client's files, and the origins that may call
`edge/`         input of all protocols: framing, parsing, the caller, the guard of an rpc, and errors on the wire
`answers/`      games as their viewers get them: redacted, with sentences, cut to size and encoded once
`metrics/`      what Prometheus can ask of a running service
`upkeep/`       beside the calls: warming up, checking all chains, watching the storage
`access/`       who may do what: keys of platforms, what each rpc needs, whose the games are
`games/`        games in memory and what is done with them: seats, commands, bots, their past, records
`reading/`      reading what is stored: in threads, in fair turns, with errors of the API for failures
`requests/`     checks of requests, and the errors of the API
`tracing/`      spans of calls for OpenTelemetry, for who asks for them
`storage/`      the file: events, what belongs beside them, the one writer, chains and checks
==============  ======================================================================================================

At the bottom lie the settings (`config/`), the served titles (`served_titles`), what stops a start (`errors`), the log
(`logs`), what is counted (`tallies`) and chance that can be had again for a show (`seeded`).
"""
