"""Storage: the eventsourcing library's tables and interfaces on SQLite, with group commit under them.

Beside the events lie companion tables that every append can write in the same transaction: what is personal
or secret (names, token hashes, dice secrets) and therefore stays outside the log, and the lobby, which can
be rebuilt from it. Snapshots are the library's too, sealed, and made again whenever they do not fit.
"""
