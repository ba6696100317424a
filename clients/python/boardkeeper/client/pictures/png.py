"""Pictures as PNG, with letters of our own: machines without any draw the same."""

from __future__ import annotations

import re

from boardkeeper.client.pictures.engine import MADE, PictureError, missing

FONTS = tuple(str(MADE / "fonts" / name) for name in ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSerif-Bold.ttf"))

_OTHER_LETTERS = re.compile("[\u0700-\u0dff\u0e00-\u10ff\u1100-\u1cff\u2e80-\uabff\uac00-\ufaff\U00010000-\U0010ffff]")
"""What the fonts do not have: for names in such scripts the machine's own fonts are looked through as well."""


def png(svg: str) -> bytes:
    """A picture as PNG, in the size that it says; raises :class:`PictureError`."""
    try:
        from resvg_py import svg_to_bytes  # noqa: PLC0415  # an extra: nothing but pictures needs it
    except ModuleNotFoundError as error:
        raise PictureError(missing(error.name or "")) from None
    try:
        return bytes(
            svg_to_bytes(
                svg_string=svg,
                font_files=list(FONTS),
                skip_system_fonts=_OTHER_LETTERS.search(svg) is None,
                font_family="DejaVu Sans",
                sans_serif_family="DejaVu Sans",
                serif_family="DejaVu Serif",
            )
        )
    except ValueError as error:
        raise PictureError(f"the picture cannot be made: {error}") from error
