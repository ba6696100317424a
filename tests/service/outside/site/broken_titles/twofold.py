"""A title with two zones of the same id."""

from msgspec.structs import replace
from pebbles_title import PebblesTitle

from boardkeeper.table.layout import TableLayout
from boardkeeper.titlekit.title import Setup


class TwofoldTitle(PebblesTitle):
    meta = replace(PebblesTitle.meta, id="twofold")

    def layout(self, setup: Setup) -> TableLayout:
        layout = super().layout(setup)
        return TableLayout(layout.seats, (*layout.zones, layout.zones[0]), layout.markers)


TITLE = TwofoldTitle()
