"""The phases of a round, one module each (see :mod:`boardkeeper.families.followers.phases`)."""
