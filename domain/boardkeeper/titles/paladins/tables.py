"""The tables of an edition of Paladins as the files have them."""

from __future__ import annotations

from functools import partial

from boardkeeper.table import tables

tables_of = partial(tables.tables_of, __package__)
"""The raw tables of an edition by its id, not to be changed; raises ``ValueError``."""
