"""The phases of a round, one module each.

In each module, ``begin`` enters the phase and ``proceed`` continues it when no decision is open. Each command has a
function that carries it out or returns a rejection, and each decision a function that lists its legal commands. A title
chooses the phases and their order; only the order ``followers``, ``planning``, ``actions``, ``event`` is fixed.
"""
