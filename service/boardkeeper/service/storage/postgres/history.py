"""The schemas of PostgreSQL before the migrations that both databases share began.

The scripts in the folder ``history`` are never changed: each makes a schema of the one before it.
"""

from __future__ import annotations

from importlib.resources import files

_FOLDER = files(__package__) / "history"

HISTORY = tuple(file.read_text("utf-8") for file in sorted(_FOLDER.iterdir(), key=lambda file: file.name))
