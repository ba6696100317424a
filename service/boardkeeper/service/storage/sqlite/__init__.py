"""One file: the eventsourcing library's tables on SQLite, with group commit under them, for one process at a time."""
