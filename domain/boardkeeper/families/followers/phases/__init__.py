"""Decide and legal, one module a phase, predicate beside action.

In the module of a phase ``begin`` enters it and ``proceed`` goes on when no decision is open. Beside them, for each
command there is a function that carries it out or returns why not, and one that lists it. A title says which phases its
round has, and in which order; only that drawing leads to ``planning``, that to ``actions`` and those to ``event`` is
said here.
"""
