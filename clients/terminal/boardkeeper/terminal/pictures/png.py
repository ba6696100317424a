"""Pictures as PNG, with letters of our own: machines without any draw the same."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from boardkeeper.terminal.pictures.engine import MADE, PictureError, made, missing

FONTS = ("fonts/DejaVuSans.ttf", "fonts/DejaVuSans-Bold.ttf", "fonts/DejaVuSerif-Bold.ttf")

_OTHER_LETTERS = re.compile("[\u0700-\u0dff\u0e00-\u10ff\u1100-\u1cff\u2e80-\uabff\uac00-\ufaff\U00010000-\U0010ffff]")
"""What the fonts do not have: for names in such scripts the machine's own fonts are looked through as well."""


def png(svg: str) -> bytes:
    """A picture as PNG, in the size that it says; raises :class:`PictureError`."""
    try:
        from resvg_py import svg_to_bytes  # an extra: nothing but pictures needs it
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
    """Where the letters lie as files, which alone are read: those of an archive are laid out until the process ends."""
    return MADE if MADE.is_dir() else Path(_laid_out().name)


@cache
def _laid_out() -> TemporaryDirectory[str]:
    folder = TemporaryDirectory(prefix="boardkeeper-letters-")
    (Path(folder.name) / "fonts").mkdir()
    for name in FONTS:
        (Path(folder.name) / name).write_bytes(made()[name])
    return folder
