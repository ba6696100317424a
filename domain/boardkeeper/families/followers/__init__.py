"""The family of games in which followers are drawn from a bag, planned on places, used and put back.

Each round a seat draws followers from its bag to its market, plans them on the spaces of its places behind or before a
screen, and then carries out the actions of the places it filled, seat after seat, until all have passed. Used followers
go back into the bag, technology tiles stand in for followers for good, beneficial deeds keep those that are sent there.

What a title of the family has to say stands in :mod:`~boardkeeper.families.followers.table`, all hooks in one protocol.
Rules cite relative ids (``planning.free_space``): a title has them in its own ``rules.toml``, below its own id.
"""
