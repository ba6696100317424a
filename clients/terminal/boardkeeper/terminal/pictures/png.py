"""Conversion of pictures to PNG, with our own fonts, so that all machines draw the same."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from boardkeeper.terminal.pictures.engine import MADE, PictureError, built_files, missing

FONTS = ("fonts/DejaVuSans.ttf", "fonts/DejaVuSans-Bold.ttf", "fonts/DejaVuSerif-Bold.ttf")

_OTHER_LETTERS = re.compile("[\u0700-\u0dff\u0e00-\u10ff\u1100-\u1cff\u2e80-\uabff\uac00-\ufaff\U00010000-\U0010ffff]")
"""Characters that our fonts lack. Names with them are drawn with the fonts of the machine."""


def png(svg: str) -> bytes:
    """Convert an SVG picture to PNG in its own size. Raises :class:`PictureError`."""
    try:
        from resvg_py import svg_to_bytes  # an optional dependency
    except ModuleNotFoundError as error:
        raise PictureError(missing(error.name or "")) from None
    try:
        return bytes(
            svg_to_bytes(
                svg_string=svg,
                font_files=[str(_folder() / name) for name in FONTS],
                skip_system_fonts=_OTHER_LETTERS.search(svg) is None,
                font_family="DejaVu Sans",
                sans_serif_family="DejaVu Sans",
                serif_family="DejaVu Serif",
            )
        )
    except ValueError as error:
        raise PictureError(f"the picture could not be drawn: {error}") from error


@cache
def _folder() -> Path:
    """Return the folder with the font files. Fonts of an archive are extracted until the process exits."""
    return MADE if MADE.is_dir() else Path(_extracted_fonts().name)


@cache
def _extracted_fonts() -> TemporaryDirectory[str]:
    folder = TemporaryDirectory(prefix="boardkeeper-fonts-")
    (Path(folder.name) / "fonts").mkdir()
    for name in FONTS:
        (Path(folder.name) / name).write_bytes(built_files()[name])
    return folder
