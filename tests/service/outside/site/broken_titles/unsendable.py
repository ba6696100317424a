"""A title with a command that no message can have."""

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace
from pebbles_title import PebblesTitle


class Throw(Struct, frozen=True):
    """Throw a pebble."""

    angle: float
    """In degrees."""


class UnsendableTitle(PebblesTitle):
    meta = replace(PebblesTitle.meta, id="unsendable")
    commands: Mapping[str, type[Struct]] = {"Throw": Throw}


TITLE = UnsendableTitle()
