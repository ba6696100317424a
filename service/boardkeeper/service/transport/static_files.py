"""The files of the web client: read at the start, and served from memory with strict headers.

Other files of the machine cannot be read. A checkout has the files in a folder, beside their compressed forms. A wheel
has them in one archive, and the server compresses them at the start.

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

from boardkeeper.service.transport.exchange import Exchange
from boardkeeper.service.transport.web_context import accepts_encoding

CLIENT = Path(__file__).parent / "client"
"""Where ``make web`` puts the built client; a wheel has ``client.tar.xz`` beside it instead."""

_MIN_COMPRESSED_BYTES = 1024
"""Smaller files are not compressed: this would save no packet."""
_LEVEL = 6
"""The level of gzip: level 9 takes twice as long and saves 1 %."""

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

SECURITY_HEADERS = [
    ("content-security-policy", "; ".join(f"{name} {value}" for name, value in _POLICY.items())),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("permissions-policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
]
"""The headers of every page and file."""

# Pages of all origins can load the files: they are the same for everyone, and embedding pages need the script.
_CROSS_ORIGIN = [("access-control-allow-origin", "*"), ("cross-origin-resource-policy", "cross-origin")]

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
_ENCODINGS = {".br": "br", ".gz": "gzip"}
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
_NOT_FOUND = "Not found: no page or file has this address.\n"


class _Variant(NamedTuple):
    """A file in one encoding."""

    body: bytes
    tag: str


class StaticFiles:
    """The files by their path in the URL."""

    def __init__(self) -> None:
        """Read the files; blocks. If the client was not built, a page explains that."""
        self._files: dict[str, dict[str, _Variant]] = {}
        for path, body in (
            _folder_files(CLIENT) if CLIENT.is_dir() else _archive_files(CLIENT.with_name("client.tar.xz"))
        ):
            self._add(path, body)
        for path in [path for path in self._files if path.endswith("/index.html")]:
            self._files[path.removesuffix("index.html")] = self._files[path]
        if "/" not in self._files:
            self._add("/", _NOT_BUILT.encode())

    def _add(self, path: str, body: bytes) -> None:
        encoding = _ENCODINGS.get(Path(path).suffix, "")
        tag = f'"{hashlib.sha256(body).hexdigest()[:24]}{encoding}"'
        name = path.removesuffix(Path(path).suffix) if encoding else path
        self._files.setdefault(name, {})[encoding] = _Variant(body, tag)

    async def answer(self, exchange: Exchange) -> None:
        """Answer with a file, or with 404."""
        if exchange.method not in ("GET", "HEAD"):
            allowed = [("allow", "GET, HEAD"), ("content-type", "text/plain; charset=utf-8")]
            await exchange.answer(405, [*SECURITY_HEADERS, *allowed], b"Method not allowed: use GET or HEAD.\n")
            return
        path = exchange.path
        variants = self._files.get(path)
        if variants is None or "" not in variants:
            headers = [*SECURITY_HEADERS, ("content-type", "text/plain; charset=utf-8"), ("cache-control", "no-store")]
            await exchange.answer(404, headers, _NOT_FOUND.encode())
            return
        accepted = exchange.header("accept-encoding")
        encoding = next(
            each for each in _PREFERRED if each in variants and (not each or accepts_encoding(accepted, each))
        )
        variant = variants[encoding]
        headers = [
            *SECURITY_HEADERS,
            *_CROSS_ORIGIN,
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


def _folder_files(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.name.startswith("."):
            yield f"/{path.relative_to(folder).as_posix()}", path.read_bytes()


def _archive_files(path: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the files of an archive, if it exists, uncompressed and with gzip."""
    if not path.is_file():
        return
    with tarfile.open(path) as archive:
        for entry in archive:
            content = archive.extractfile(entry)
            assert content is not None, "the archive contains only files"
            body = content.read()
            yield f"/{entry.name}", body
            if len(body) >= _MIN_COMPRESSED_BYTES:
                yield f"/{entry.name}.gz", gzip.compress(body, _LEVEL, mtime=0)
