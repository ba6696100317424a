"""Archive of ended games: their events are in files outside the database.

The rest of such a game stays in the database: its lobby row, seats, tokens, names, and the head of its hash chain,
which verifies the file.
"""
