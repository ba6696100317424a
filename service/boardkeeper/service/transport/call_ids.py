"""Ids of calls: sent by the client, or made by the server.

The id is in each line of the log about the call, in the trailers of its answer and in the details of its error, so that
the operator can find a call that a user reports. It is not secret.
"""

from __future__ import annotations

import re
import secrets
from itertools import count

HEADER = "x-request-id"
"""The metadata in which clients and proxies send an id, and the server returns it."""

MAX_LENGTH = 128

_FORM = re.compile(rf"[0-9A-Za-z][0-9A-Za-z._:/+=@-]{{0,{MAX_LENGTH - 1}}}")
_numbers = count(1)
_run = secrets.token_hex(6)


def new_call_id() -> str:
    """Return an id that is unique across all processes."""
    return f"{_run}-{next(_numbers):x}"


def accept_call_id(sent: str) -> str:
    """Return the id that a client sent, or a new one if it is malformed: it could forge lines of the log."""
    return sent if _FORM.fullmatch(sent) else new_call_id()
