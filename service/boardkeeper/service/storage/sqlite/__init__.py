"""SQLite: one file, used by one process at a time, with group commit."""
