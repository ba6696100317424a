"""The raw tables of an edition."""

from __future__ import annotations

from functools import partial

from boardkeeper.titlekit import title_files

tables_of = partial(title_files.tables_of, __package__)
"""Return the raw tables of an edition, read-only; raises ``ValueError`` for an unknown one."""
