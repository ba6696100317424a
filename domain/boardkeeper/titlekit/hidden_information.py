"""Replace the information that a viewer does not have, for forks and searches."""

from __future__ import annotations

from boardkeeper.table.dice import Dice
from boardkeeper.table.forking import HiddenMarkersError, redeal_hidden
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.table import Table
from boardkeeper.titlekit.title import DeterminisableTitle, Play, Title


def redraw_hidden(title: Title, play: Play, viewer: int, dice: Dice, version: int = 0) -> Rejection | None:
    """Draw everything that a viewer does not know at random, or return why the title cannot do that.

    The viewer is not the operator. ``version`` is that of the game, for the rejection.
    """
    if isinstance(title, DeterminisableTitle):
        title.determinise(play, viewer, dice)
        return None
    return deal_again(title, play.table, viewer, dice, version)


def deal_again(title: Title, table: Table, viewer: int, dice: Dice, version: int) -> Rejection | None:
    """Deal the components that a viewer does not see again, or return why the title cannot do that."""
    values = {"version": str(version)}
    groups = title.exchangeable_zones(table, viewer)
    if groups is None:
        return Rejection("PLANS_HIDDEN", "table.forks_deal_anew", values)
    try:
        redeal_hidden(table, viewer, groups, dice)
    except HiddenMarkersError as error:
        return Rejection("MARKERS_HIDDEN", "table.forks_deal_zones", values | {"marker": error.markers[0]})
    return None
