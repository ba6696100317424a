"""Hearing everything that is logged."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import structlog


@contextmanager
def capture_logs() -> Iterator[list[Any]]:
    """All lines of the log, whatever their level, also where a test before has switched the log off for its process."""
    before = structlog.get_config()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.INFO))
    try:
        with (
            structlog.testing.capture_logs() as lines,
            patch("boardkeeper.service.transport.guard.log_call") as log_call,
        ):
            # The line of a call does not go through structlog, for speed.
            log_call.side_effect = lambda rpc, code, seconds, id, notes: lines.append(
                {"event": "call", "log_level": "info", "rpc": rpc, "code": code, "ms": seconds, "call_id": id, **notes}
            )
            yield lines
    finally:
        structlog.configure(**before)
