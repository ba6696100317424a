"""Technology placed while acting, where the reading ``technology_timing`` allows it."""

from __future__ import annotations

from msgspec import Struct

from boardkeeper.families.followers.commands import PlaceTechnology
from boardkeeper.families.followers.phases import actions, technology
from boardkeeper.table.rejections import Rejection
from boardkeeper.titles.stories.material import Seat, Stories


def is_any_time(t: Stories) -> bool:
    """Whether a technology tile may be placed whenever one acts."""
    return t.data.chosen.technology_timing == "any_time"


def place_while_acting(t: Stories, seat: Seat, command: PlaceTechnology) -> Rejection | None:
    """Place a tile before passing (stories.technology.any_time)."""
    if is_any_time(t):
        return technology.place_technology(t, seat, command)
    return technology.refuse_before_passing(t, seat, command)


def legal_act(t: Stories, seat: Seat) -> list[Struct]:
    """Every action of an activated place, and passing."""
    commands = actions.legal_act(t, seat)
    return [*technology.placements(t, seat), *commands] if is_any_time(t) else commands
