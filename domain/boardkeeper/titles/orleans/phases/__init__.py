"""Decide and legal, one module a phase, predicate beside action.

In every phase module ``begin`` enters the phase, ``proceed`` goes on when no decision is open, and for each
command there is a function that carries it out or returns why not, beside the one that lists it.
"""
