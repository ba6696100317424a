"""Capture the log."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import structlog


@contextmanager
def capture_logs() -> Iterator[list[Any]]:
    """Capture all log lines of level info and above, even if an earlier test disabled the log of the process."""
    before = structlog.get_config()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.INFO))
    try:
        with (
            structlog.testing.capture_logs() as lines,
            patch("boardkeeper.service.transport.guard.log_call") as log_call,
        ):
            # For speed, log_call does not use structlog.
            log_call.side_effect = lambda rpc, code, seconds, id, notes: lines.append(
                {"event": "call", "log_level": "info", "rpc": rpc, "code": code, "ms": seconds, "call_id": id, **notes}
            )
            yield lines
    finally:
        structlog.configure(**before)
