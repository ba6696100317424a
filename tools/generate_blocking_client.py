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


def outdated() -> dict[Path, str]:
    """Return the texts of the generated modules that are missing or out of date."""
    texts = {
        FOLDER / target: HEADER.format(source=source) + to_blocking((FOLDER / source).read_text("utf-8"))
        for source, target in MODULES.items()
    }
    return {path: text for path, text in texts.items() if not path.exists() or path.read_text("utf-8") != text}


def is_current() -> bool:
    """Return whether every generated module exists and is up to date."""
    return not outdated()


def generate() -> None:
    """Write the generated modules that are missing or out of date. They are never committed."""
    for path, text in outdated().items():
        path.write_text(text, "utf-8")


if __name__ == "__main__":
    generate()
