"""A title whose default edition does not exist."""

from msgspec.structs import replace
from pebbles_title import PebblesTitle


class ImpossibleTitle(PebblesTitle):
    meta = replace(PebblesTitle.meta, id="impossible", default_edition="second")


TITLE = ImpossibleTitle()
