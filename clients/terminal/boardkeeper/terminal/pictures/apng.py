"""Animated PNG files (APNG, part of PNG since its third edition)."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

_SIGNATURE = b"\x89PNG\r\n\x1a\n"


def write(stream: BinaryIO, frames: Sequence[Path], seconds: Sequence[float]) -> None:
    """Write PNG files of the same size and format as an endless animation. ``seconds`` are the durations of the frames.

    Raises ``ValueError`` for a file that is not PNG, or that has another size or format than the first one.
    """
    stream.write(_SIGNATURE)
    first_header = b""
    number = 0
    for index, (path, shown) in enumerate(zip(frames, seconds, strict=True)):
        chunks = list(_chunks(path.read_bytes()))
        header = next(content for name, content in chunks if name == b"IHDR")
        if index == 0:
            first_header = header
            stream.write(_chunk(b"IHDR", header) + _chunk(b"acTL", struct.pack(">II", len(frames), 0)))
        elif header != first_header:
            raise ValueError(f"{path.name} has another size or format than {frames[0].name}")
        milliseconds = round(shown * 1000)
        # The frame replaces the whole picture.
        control = struct.pack(">I8sIIHHBB", number, header[:8], 0, 0, milliseconds, 1000, 0, 0)
        stream.write(_chunk(b"fcTL", control))
        number += 1
        for content in (content for name, content in chunks if name == b"IDAT"):
            if index == 0:
                stream.write(_chunk(b"IDAT", content))
            else:
                stream.write(_chunk(b"fdAT", struct.pack(">I", number) + content))
                number += 1
    stream.write(_chunk(b"IEND", b""))


def _chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    if not png.startswith(_SIGNATURE):
        raise ValueError("the file is not PNG")
    at = len(_SIGNATURE)
    while at + 12 <= len(png):
        (size,) = struct.unpack_from(">I", png, at)
        yield png[at + 4 : at + 8], png[at + 8 : at + 8 + size]
        at += 12 + size


def _chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))
