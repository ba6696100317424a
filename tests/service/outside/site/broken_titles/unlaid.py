"""A title whose layout fails."""

from msgspec.structs import replace
from pebbles_title import PebblesTitle

from boardkeeper.table.layout import TableLayout
from boardkeeper.titlekit.title import Setup


class UnlaidTitle(PebblesTitle):
    meta = replace(PebblesTitle.meta, id="unlaid")

    def layout(self, setup: Setup) -> TableLayout:
        if setup.players == 3:
            raise ZeroDivisionError("no bag")
        return super().layout(setup)


TITLE = UnlaidTitle()
