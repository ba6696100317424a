"""Storage: the eventsourcing library's application over an interface that every kind of database answers.

Beside the events lie companion tables that every append can write in the same transaction: what is personal
or secret (names, token hashes, dice secrets) and therefore stays outside the log, and the lobby, which can
be rebuilt from it. Snapshots are the library's too, sealed, and made again whenever they do not fit.

``database`` is the interface, ``sqlite`` a file that belongs to one process. Nothing outside of these rooms knows SQL.
"""
