"""What differs between the editions."""

from __future__ import annotations

from boardkeeper.table.title import Difference


def differences() -> list[Difference]:
    """Everything in which they differ: nothing, as there is one."""
    return []
