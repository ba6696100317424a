"""Generate the blocking Python client from the asyncio client.

Each module of ``MODULES`` is copied without ``await`` and ``async`` and with other names. The replacements are regular
expressions over the text, as in httpcore, so that they also reach docstrings. The library ``unasync`` would only
replace names in code, and every build would need it. Code that differs between the clients is in
``boardkeeper/client/channels.py``.
"""

from __future__ import annotations

import re
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "clients" / "python" / "boardkeeper" / "client"

MODULES = {"aio_connection.py": "blocking_connection.py", "aio.py": "client.py"}

HEADER = "# Generated from {source} by tools/generate_blocking_client.py. Edit that file and run `make proto`.\n\n"

CLIENT_DOCSTRING = '''"""The blocking client: the calls of the API in :class:`Client`, and seats as :class:`Seat`.

Requests and responses are the generated messages of ``boardkeeper.v1``, which are documented in the ``.proto`` files.
Commands may also be structs of a title (``boardkeeper.titles.<title>.commands``). Threads may share a client.
"""
'''

REPLACEMENTS = [
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r'(?s)^"""The asyncio client.*?"""\n', CLIENT_DOCSTRING),
        (r"the asyncio client", "the blocking client"),
        (r"\basync (def|for|with)\b", r"\1"),
        (r"\bawait ", ""),
        (r"\b__a(enter|exit)__\b", r"__\1__"),
        (r"\bAwaitable\[(\w+)\]", r"\1"),
        (r"\bAwaitable, ", ""),
        (r"\bimport grpc\.aio\n", ""),
        (r"\bgrpc\.aio\.", "grpc."),
        (r"\bAsync(Channel|Client|Connection|Generator|Iterator|Seat|Stubs)\b", r"\1"),
        (r"\bASYNC_FAILURES\b", "FAILURES"),
        (r"\baio_connection\b", "blocking_connection"),
    )
]


def to_blocking(source: str) -> str:
    """Return the blocking form of the source text of an asyncio module."""
    for pattern, replacement in REPLACEMENTS:
        source = pattern.sub(replacement, source)
    return source


def generate(folder: Path = FOLDER) -> int:
    """Write the generated modules that are missing or out of date, and return their number."""
    written = 0
    for source, target in MODULES.items():
        text = HEADER.format(source=source) + to_blocking((folder / source).read_text("utf-8"))
        path = folder / target
        if not path.exists() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")
            written += 1
    return written


if __name__ == "__main__":
    generate()
