"""What the test kit has to be told of Paladins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct
from tests.titles.paladins.eager import eager
from tests.titles.paladins.examples import EXAMPLES, VALUES
from tests.titles.paladins.golden import NEVER_SHOWN, shows, to_show
from tests.titles.paladins.invariants import check_components, check_invariants

from boardkeeper.table.effects import Event
from boardkeeper.testkit.adapters import Adapter
from boardkeeper.titlekit.title import Setup
from boardkeeper.titles.paladins import commands as c
from boardkeeper.titles.paladins.data import data_for
from boardkeeper.titles.paladins.play import DECISIONS, PaladinsPlay
from boardkeeper.titles.paladins.title import TITLE

DATA = data_for(Setup("schwerkraft-2019", 4))


def people(play: PaladinsPlay) -> int:
    """How many seats people and bots play."""
    return len(play.t.people)


def holds(play: PaladinsPlay, setup: Setup) -> None:
    """The rulebook's counts of components, and what no sequence of commands may break."""
    check_invariants(play)
    check_components(play, people(play))


def ended(play: PaladinsPlay, setup: Setup, events: Sequence[Event]) -> None:
    """Seven rounds, and every seat is scored."""
    counts = Counter(event.name for event in events)
    assert counts["RoundBegun"] == counts["RowsMoved"] == 7
    assert counts["SeatScored"] == setup.players
    assert counts["PaladinLaid"] == counts["PaladinRevealed"] == 7 * people(play)
    assert counts["OrderRevealed"] == 3
    assert counts["FavourRevealed"] == 5
    assert all(len(seat.retired.items) == 7 for seat in play.t.people)


def alike(command: Struct) -> tuple[type[Struct], str]:
    """One kind of command for one action or reward."""
    return type(command), getattr(command, "action", "") or getattr(command, "reward", "")


def simultaneous(play: PaladinsPlay, setup: Setup) -> str | None:
    """Seats choose their paladins at the same time, and let their townsfolk act in an inquisition."""
    if play.t.phase.value == "paladins":
        return f"paladins {play.t.round.value}"
    limited = setup.readings["supply_limits"] == "as_in_the_box"
    return "inquisition" if play.t.inquisition.value and not limited else None


ADAPTER = Adapter(
    title=TITLE,
    folder=Path(__file__).parent,
    decisions=tuple(DECISIONS),
    eager=eager,
    holds=holds,
    ended=ended,
    values=VALUES,
    most_legal=60,
    examples=EXAMPLES,
    idle=(c.Pass(), c.KeepWorkers()),
    alike=alike,
    simultaneous=simultaneous,
    yes_or_no=(".passed",),
    shows=shows,
    to_show=to_show(),
    never_shown=NEVER_SHOWN,
    hardly_played={
        "SuspicionLapsed": "24 cards on four seats always leave an inquisition some to free; test_suspicion.py has it"
    },
)
