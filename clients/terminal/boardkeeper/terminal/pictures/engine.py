"""The drawing script in a JavaScript engine. The process has one engine, which makes one call at a time."""

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
"""The folder with the built script, fonts and catalogues of titles. Wheels contain it as an archive."""

_SCRIPT = "pictures.js"
_STACK = 16 * 2**20
_MEMORY = 2**30

_POLYFILLS = """
globalThis.TextEncoder ??= class {
  encode(text) { return Uint8Array.from(unescape(encodeURIComponent(text)), (each) => each.charCodeAt(0)); }
};
globalThis.TextDecoder ??= class {
  decode(bytes) { return decodeURIComponent(escape(Array.from(bytes, (each) => String.fromCharCode(each)).join(""))); }
};
"""
"""Classes that browsers provide and the engine lacks. The protobuf library uses them for UTF-8."""


class PictureError(Exception):
    """A picture cannot be drawn. The text says why, and what to do."""


@cache
def engine() -> Engine:
    """Return the engine of this process. Raises :class:`PictureError` if a package or the built script is missing."""
    return Engine()


@cache
def built_files() -> Mapping[str, bytes]:
    """Return the built files by their paths below :data:`MADE`; none if they were not built."""
    return read_built_files(MADE)


class Engine:
    """Runs the script. Threads may share it; their calls are serialised."""

    def __init__(self) -> None:
        try:
            import quickjs  # an optional dependency
        except ModuleNotFoundError as error:
            raise PictureError(missing(error.name or "")) from None
        if _SCRIPT not in built_files():
            raise PictureError("the picture engine is not built; build it with: make pictures")
        script = built_files()[_SCRIPT].decode()
        previous = threading.stack_size(_STACK)  # threads of musl and macOS have smaller stacks than the engine needs
        try:
            self._thread = ThreadPoolExecutor(1, "pictures")
            self._context = self._thread.submit(quickjs.Context).result()
        finally:
            threading.stack_size(previous)
        self._failure: type[Exception] = quickjs.JSException
        self._thread.submit(self._load, script).result()

    def call(self, name: str, *arguments: Any) -> Any:
        """Call a function of the script and return its result. Raises :class:`PictureError` with the script's error."""
        answer = json.loads(self._thread.submit(self._call, name, json.dumps(arguments)).result())
        if "error" in answer:
            raise PictureError(answer["error"].removeprefix("Error: "))
        return answer["value"]

    def _load(self, script: str) -> None:
        self._context.set_max_stack_size(_STACK // 2)
        self._context.set_memory_limit(_MEMORY)
        self._context.eval(_POLYFILLS)
        self._context.eval(script)
        self._begin = self._context.eval("pictures.call")
        self._answer = self._context.eval("pictures.answer")

    def _call(self, name: str, arguments: str) -> str:
        try:
            self._begin(name, arguments)
            while self._context.execute_pending_job():
                pass
            return str(self._answer()) or '{"error": "the script returned no result"}'
        except self._failure as error:
            return json.dumps({"error": str(error)})


def digest_of_drawing() -> str:
    """Return a digest of everything that affects drawings. With another digest, pictures of a table may differ."""
    digest = sha256()
    for _, content in sorted(built_files().items()):
        digest.update(sha256(content).digest())
    return digest.hexdigest()


def missing(package: str) -> str:
    """Return the error message for a missing optional package."""
    return f"pictures need more packages: pip install 'boardkeeper[pictures]' (missing: {package})"
