"""The phases of a round, one module each.

In each module, ``begin`` enters the phase and ``proceed`` continues when no decision is open. Each command has a
function that carries it out or returns a rejection, next to one that lists the legal commands. A title chooses the
phases and their order. Only these transitions are fixed: ``followers`` to ``planning`` to ``actions`` to ``event``.
"""
