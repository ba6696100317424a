"""The tables of an edition of Paladins as the files have them."""

from __future__ import annotations

from functools import partial

from boardkeeper.titlekit import title_files

tables_of = partial(title_files.tables_of, __package__)
"""The raw tables of an edition by its id, not to be changed; raises ``ValueError``."""
