"""The eventsourcing library's own test cases for recorders.

Their module also imports the library's encryption, which needs a package that nothing here uses: a stand-in
will do.
"""

from __future__ import annotations

import sys
from types import ModuleType

try:
    import Crypto  # type: ignore[import-not-found]  # noqa: F401
except ImportError:
    _stand_in = ModuleType("eventsourcing.cipher")
    _stand_in.AESCipher = object  # type: ignore[attr-defined]
    sys.modules.setdefault("eventsourcing.cipher", _stand_in)

from eventsourcing.tests.persistence import (
    AggregateRecorderTestCase as AggregateRecorderCase,
)

__all__ = ["AggregateRecorderCase"]
