"""Every call has an id: the client's own, if it sent one, or one that is made here.

It stands in every line of the log that belongs to the call, in the trailers of its answer and in the details of its
error, so that what somebody reports can be found. It is a name and no secret.
"""

from __future__ import annotations

import re
import secrets
from itertools import count

HEADER = "x-request-id"
"""The key of metadata in which clients and proxies send an id, and in which answers tell it."""

LONGEST = 128

_FORM = re.compile(rf"[0-9A-Za-z][0-9A-Za-z._:/+=@-]{{0,{LONGEST - 1}}}")
_numbers = count(1)
_run = secrets.token_hex(6)


def new_call_id() -> str:
    """An id that no other call has, of this process or another."""
    return f"{_run}-{next(_numbers):x}"


def accept_call_id(sent: str) -> str:
    """The id that a client sent if it is well-formed, else a new one: what is odd could forge lines of the log."""
    return sent if _FORM.fullmatch(sent) else new_call_id()
