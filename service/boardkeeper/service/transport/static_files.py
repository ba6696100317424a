"""The files of the web client, read once and served from memory with strict headers.

No path leads to any other file. In a checkout they are in a folder, each with its compressed forms beside it; a wheel
has them in one archive, and they are compressed when the server starts.

A library for static files (servestatic, Starlette) reads from a folder, so a wheel would need 3 MB more or a temporary
folder. It also reads the disk on threads for each request, which takes 80 to 900 times as much CPU.
"""

from __future__ import annotations

import gzip
import hashlib
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from boardkeeper.service.transport.call_context import accepts
from boardkeeper.service.transport.exchange import Exchange

CLIENT = Path(__file__).parent / "client"
"""Where ``make web`` puts the built client; a wheel has ``client.tar.xz`` beside it instead."""

_LEAST = 1024
"""Below it an answer is one packet anyway."""
_LEVEL = 6
"""Of gzip: the ninth takes twice as long for a hundredth."""

_POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "font-src": "'self'",
    "connect-src": "'self'",
    "manifest-src": "'self'",
    "worker-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'none'",
}

SAFE = [
    ("content-security-policy", "; ".join(f"{name} {value}" for name, value in _POLICY.items())),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("permissions-policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
]
"""The headers of every page and file."""

# Whatever site may take them: they are the same for all, and a page that embeds a table loads its script from here.
_FOR_ALL = [("access-control-allow-origin", "*"), ("cross-origin-resource-policy", "cross-origin")]

_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".map": "application/json",
    ".mjs": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
    ".xml": "application/xml",
}
_PACKED = {".br": "br", ".gz": "gzip"}
_PREFERRED = ("br", "gzip", "")
_HASHED = "/assets/"

_NOT_BUILT = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Boardkeeper</title>
<h1>Boardkeeper</h1>
<p>The server is running and answers API calls here, but the web client is not built.
Build it with <code>make web</code>, then restart the server.</p>
</html>
"""
_NOTHING = "Not found: no page or file has this address.\n"


class _Variant(NamedTuple):
    """A file as it is sent in one encoding."""

    body: bytes
    tag: str


class StaticFiles:
    """The files below a folder, by their path in an address."""

    def __init__(self) -> None:
        """Without the client, or an ``index.html`` in it, a page says what is missing; blocks."""
        self._files: dict[str, dict[str, _Variant]] = {}
        for path, body in _in_folder(CLIENT) if CLIENT.is_dir() else _in_archive(CLIENT.with_name("client.tar.xz")):
            self._add(path, body)
        for path_of_index in [path for path in self._files if path.endswith("/index.html")]:
            self._files[path_of_index.removesuffix("index.html")] = self._files[path_of_index]
        if "/" not in self._files:
            self._add("/", _NOT_BUILT.encode())

    def _add(self, path: str, body: bytes) -> None:
        encoding = _PACKED.get(Path(path).suffix, "")
        tag = f'"{hashlib.sha256(body).hexdigest()[:24]}{encoding}"'
        name = path.removesuffix(Path(path).suffix) if encoding else path
        self._files.setdefault(name, {})[encoding] = _Variant(body, tag)

    async def answer(self, exchange: Exchange) -> None:
        """Answer with a file, or say that it is not there."""
        if exchange.method not in ("GET", "HEAD"):
            allowed = [("allow", "GET, HEAD"), ("content-type", "text/plain; charset=utf-8")]
            await exchange.answer(405, [*SAFE, *allowed], b"Method not allowed: use GET or HEAD.\n")
            return
        path = exchange.path
        variants = self._files.get(path)
        if variants is None or "" not in variants:
            headers = [*SAFE, ("content-type", "text/plain; charset=utf-8"), ("cache-control", "no-store")]
            await exchange.answer(404, headers, _NOTHING.encode())
            return
        accepted = exchange.header("accept-encoding")
        encoding = next(each for each in _PREFERRED if each in variants and (not each or accepts(accepted, each)))
        variant = variants[encoding]
        headers = [
            *SAFE,
            *_FOR_ALL,
            ("etag", variant.tag),
            ("cache-control", "public, max-age=31536000, immutable" if path.startswith(_HASHED) else "no-cache"),
            ("vary", "accept-encoding"),
        ]
        if variant.tag in exchange.header("if-none-match"):
            await exchange.answer(304, headers, b"")
            return
        if encoding:
            headers.append(("content-encoding", encoding))
        suffix = ".html" if path.endswith("/") else Path(path).suffix
        headers.append(("content-type", _TYPES.get(suffix, "application/octet-stream")))
        await exchange.answer(200, headers, variant.body)


def _in_folder(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.name.startswith("."):
            yield f"/{path.relative_to(folder).as_posix()}", path.read_bytes()


def _in_archive(path: Path) -> Iterator[tuple[str, bytes]]:
    """The files of an archive, if there is one, each as it is and packed for the wire."""
    if not path.is_file():
        return
    with tarfile.open(path) as archive:
        for entry in archive:
            content = archive.extractfile(entry)
            assert content is not None, "there are files alone"
            body = content.read()
            yield f"/{entry.name}", body
            if len(body) >= _LEAST:
                yield f"/{entry.name}.gz", gzip.compress(body, _LEVEL, mtime=0)
