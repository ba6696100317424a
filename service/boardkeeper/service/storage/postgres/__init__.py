"""PostgreSQL, used by any number of processes, with optimistic locking.

The package is imported only when such a database is opened, because its driver is an optional dependency.
"""
