"""The eventsourcing library's own test cases for recorders.

Their module also imports the library's encryption, which needs a package that we do not use, so it gets a stub.
"""

from __future__ import annotations

import sys
from types import ModuleType

try:
    import Crypto  # type: ignore[import-not-found]  # noqa: F401
except ImportError:
    _stub = ModuleType("eventsourcing.cipher")
    _stub.AESCipher = object  # type: ignore[attr-defined]
    sys.modules.setdefault("eventsourcing.cipher", _stub)

from eventsourcing.tests.persistence import (
    AggregateRecorderTestCase as AggregateRecorderCase,
)

__all__ = ["AggregateRecorderCase"]
