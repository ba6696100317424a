"""The deprecated name of :mod:`boardkeeper.engine`, which the next release removes."""

import warnings

from boardkeeper import engine
from boardkeeper.engine import *  # noqa: F403  # the same names

__all__ = engine.__all__

Refused = engine.Rejected
"""The deprecated name of :class:`boardkeeper.engine.Rejected`."""

warnings.warn(
    "boardkeeper.rules is called boardkeeper.engine now: write 'from boardkeeper import engine'",
    DeprecationWarning,
    stacklevel=2,
)
