"""The script that draws, in an engine of its own: one for the process, on its own thread, one call after the other."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from boardkeeper.client.built import read_built_files

MADE = Path(__file__).parent / "made"
"""Where the build puts the script, the letters and what is known of titles; a wheel has it in an archive."""

_SCRIPT = "pictures.js"
_STACK = 16 * 2**20
_MEMORY = 2**30

_FURNITURE = """
globalThis.TextEncoder ??= class {
  encode(text) { return Uint8Array.from(unescape(encodeURIComponent(text)), (each) => each.charCodeAt(0)); }
};
globalThis.TextDecoder ??= class {
  decode(bytes) { return decodeURIComponent(escape(Array.from(bytes, (each) => String.fromCharCode(each)).join(""))); }
};
"""
"""What browsers have and the language itself has not: messages describe themselves in UTF-8, in some kilobytes."""


class PictureError(Exception):
    """Nothing could be drawn; the text says why, and what to do about it."""


@cache
def engine() -> Engine:
    """The engine of this process; raises :class:`PictureError` where something that it needs is missing."""
    return Engine()


@cache
def made() -> Mapping[str, bytes]:
    """What the build has put there, by paths below :data:`MADE`; none if it was not built."""
    return read_built_files(MADE)


class Engine:
    """Runs the script. Threads may share it: their calls wait for one another."""

    def __init__(self) -> None:
        try:
            import quickjs  # an extra: nothing but pictures needs it
        except ModuleNotFoundError as error:
            raise PictureError(missing(error.name or "")) from None
        if _SCRIPT not in made():
            raise PictureError("the picture engine is not built; build it with: make pictures")
        script = made()[_SCRIPT].decode()
        before = threading.stack_size(_STACK)  # musl's and macOS's threads have less than the engine takes for granted
        try:
            self._thread = ThreadPoolExecutor(1, "pictures")
            self._context = self._thread.submit(quickjs.Context).result()
        finally:
            threading.stack_size(before)
        self._failure: type[Exception] = quickjs.JSException
        self._thread.submit(self._load, script).result()

    def call(self, name: str, *given: Any) -> Any:
        """What the script answers; raises :class:`PictureError` with what it says where it cannot."""
        answer = json.loads(self._thread.submit(self._call, name, json.dumps(given)).result())
        if "error" in answer:
            raise PictureError(answer["error"].removeprefix("Error: "))
        return answer["value"]

    def _load(self, script: str) -> None:
        self._context.set_max_stack_size(_STACK // 2)
        self._context.set_memory_limit(_MEMORY)
        self._context.eval(_FURNITURE)
        self._context.eval(script)
        self._begin = self._context.eval("pictures.call")
        self._answer = self._context.eval("pictures.answer")

    def _call(self, name: str, given: str) -> str:
        try:
            self._begin(name, given)
            while self._context.execute_pending_job():
                pass
            return str(self._answer()) or '{"error": "nothing came of it"}'
        except self._failure as error:
            return json.dumps({"error": str(error)})


def digest_of_drawing() -> str:
    """Of all that decides how boards are drawn: with another one, pictures of the same table may differ."""
    digest = sha256()
    for _, content in sorted(made().items()):
        digest.update(sha256(content).digest())
    return digest.hexdigest()


def missing(package: str) -> str:
    """What to say where a package is not installed that only pictures need."""
    return f"pictures need more packages: pip install 'boardkeeper[pictures]' (missing: {package})"
