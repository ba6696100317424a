"""Storage of games: an event log per game, tables beside it, backups, and the operator commands on a database.

The event log is an application of the eventsourcing library. Personal and secret data (names, token hashes, dice
secrets) is stored in other tables, because the log is permanent and this data must be erasable. The rows of the lobby
are derived from the log. Both are written in one transaction.

``database`` defines the interface of a database; the packages ``sqlite`` and ``postgres`` implement it. SQL is used in
this package only.
"""
