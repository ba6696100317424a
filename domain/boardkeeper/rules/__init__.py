"""The old name of :mod:`boardkeeper.engine`, for one release: use the new name."""

import warnings

from boardkeeper import engine
from boardkeeper.engine import *  # noqa: F403  # the same names

__all__ = engine.__all__

warnings.warn(
    "boardkeeper.rules is called boardkeeper.engine now: write 'from boardkeeper import engine'",
    DeprecationWarning,
    stacklevel=2,
)
