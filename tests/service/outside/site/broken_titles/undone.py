"""A title whose id is the name of an event of every game."""

from msgspec.structs import replace
from pebbles_title import PebblesTitle


class UndoneTitle(PebblesTitle):
    meta = replace(PebblesTitle.meta, id="undone")


TITLE = UndoneTitle()
