"""Where tests keep their files: in memory, where there is room.

No test means the disk itself. On one, making, syncing and removing thousands of small files took a sixth of the time of
all tests, most of it for databases.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

_IN_MEMORY = Path("/dev/shm")
_ROOM = 4 << 30
"""Bytes. All tests together need a tenth of it."""


def _in_memory() -> bool:
    return os.access(_IN_MEMORY, os.W_OK) and shutil.disk_usage(_IN_MEMORY).free >= _ROOM


SHORT = _IN_MEMORY if _in_memory() else Path("/tmp")
"""For what has sockets beside it: a path to one has about a hundred characters."""


def use_memory() -> None:
    """Have temporary folders be there, also those of processes started from here, unless ``TMPDIR`` is set."""
    if _in_memory():
        os.environ.setdefault("TMPDIR", str(_IN_MEMORY))
        tempfile.tempdir = None
