"""PostgreSQL, for as many processes as wanted: whoever appends says at which version, and the database lets it through.

Nothing here is imported before somebody names such a database, because its driver is an extra that SQLite goes without.
"""
