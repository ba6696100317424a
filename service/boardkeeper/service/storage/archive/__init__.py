"""Games that have ended and were moved out of the database: their events lie in files, and a line here tells of them.

Everything else of such a game stays in the database: its line in the lobby, its seats, tokens and names, and the head
of its chain, which its events in the file have to lead to.
"""
