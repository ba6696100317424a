"""The family of games in which seats draw followers from a bag and place them on spaces to use actions.

Each round, a seat draws followers from its bag to its market and plans them on the spaces of its places, openly or
behind a screen. Then the seats take turns and use the places that they filled, until all have passed. Used followers
return to the bag. Technology tiles replace followers permanently; beneficial deeds keep the followers sent to them.

A title implements :class:`~boardkeeper.families.followers.table.Hooks`. Docstrings and rejections cite rules by ids
without the title (``planning.free_space``); the ``rules.toml`` of each title defines them with its id in front.
"""
