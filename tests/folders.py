"""Temporary files of tests: in memory if there is enough space.

No test depends on a real disk. On one, creating, syncing and removing thousands of small files takes a sixth of the
time of all tests, most of it for databases.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

_IN_MEMORY = Path("/dev/shm")
_SPACE = 4 << 30
"""Bytes. All tests together need a tenth of it."""


def _in_memory() -> bool:
    return os.access(_IN_MEMORY, os.W_OK) and shutil.disk_usage(_IN_MEMORY).free >= _SPACE


SHORT = _IN_MEMORY if _in_memory() else Path("/tmp")
"""A folder for files beside sockets, whose paths can have about a hundred characters."""


def use_memory() -> None:
    """Create temporary folders in memory, also those of child processes, unless ``TMPDIR`` is set."""
    if _in_memory():
        os.environ.setdefault("TMPDIR", str(_IN_MEMORY))
        tempfile.tempdir = None
