"""Decide and legal, one module a phase or theme, predicate beside action; what the family plays stands there."""
