r"""Escaping of control characters in texts from servers and records, such as names, ids and sentences.

Escape sequences could move the cursor and change colours, the window title or the clipboard. Direction marks and
invisible characters can make one text look like another. All of these are printed as escapes such as ``\x1b`` or
``\u202e``. Letters of every language stay, and so do joiners and variation selectors after characters that are not
ASCII, because scripts and emoji need them. JSON output contains all characters, as JSON escapes.
"""

from __future__ import annotations

import re

_UNSEEN = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff"
    "\uffa0\ufff0-\ufffb\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e00ff\U000e01f0-\U000e0fff"
)
_JOINING = "\u200c\u200d\ufe00-\ufe0f\U000e0100-\U000e01ef"
_UNSAFE = re.compile(f"[\x00-\x1f\x7f-\x9f\ud800-\udfff{_UNSEEN}]|(?<![^\x00-\x7f])[{_JOINING}]")


def escape(text: str) -> str:
    """Escape the control and invisible characters of one line."""
    return _UNSAFE.sub(_shown, text)


def escape_lines(text: str) -> str:
    """Escape the control and invisible characters of several lines. Line breaks stay."""
    return "\n".join(map(escape, text.split("\n")))


def escape_json(text: str) -> str:
    """Replace control and invisible characters in a JSON text by JSON escapes."""
    return "\n".join(_UNSAFE.sub(_in_json, line) for line in text.split("\n"))


def _shown(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _in_json(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{int.from_bytes(units[at : at + 2]):04x}" for at in range(0, len(units), 2))
