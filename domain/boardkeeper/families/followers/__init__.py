"""The family of games in which seats draw followers from a bag and place them on spaces to use actions.

Each round, a seat draws followers from its bag to its market and plans them on the spaces of its places, openly or
behind a screen. Then the seats take turns and use the places that they filled, until all have passed. Used followers
return to the bag. Technology tiles replace followers permanently; beneficial deeds keep the followers sent to them.

:class:`~boardkeeper.families.followers.table.Hooks` is everything that a title must implement. Rules cite relative ids
(``planning.free_space``); the ``rules.toml`` of a title defines them below the title's id.
"""
