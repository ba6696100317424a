"""The adapter of Paladins for the test kit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct
from tests.titles.paladins.eager import eager
from tests.titles.paladins.examples import EXAMPLES, VALUES
from tests.titles.paladins.golden import NEVER_SHOWN, expected_features, features_of_event
from tests.titles.paladins.invariants import check_components, check_invariants

from boardkeeper.table.effects import Event
from boardkeeper.testkit.adapters import Adapter
from boardkeeper.titlekit.title import Setup
from boardkeeper.titles.paladins import commands as c
from boardkeeper.titles.paladins.data import data_for
from boardkeeper.titles.paladins.play import DECISIONS, PaladinsPlay
from boardkeeper.titles.paladins.title import TITLE

DATA = data_for(Setup("schwerkraft-2019", 4))


def count_people(play: PaladinsPlay) -> int:
    """Return the number of seats that people and bots play."""
    return len(play.t.people)


def check_table(play: PaladinsPlay, setup: Setup) -> None:
    """Check the invariants and the rulebook's counts of components."""
    check_invariants(play)
    check_components(play, count_people(play))


def check_end(play: PaladinsPlay, setup: Setup, events: Sequence[Event]) -> None:
    """Check the events of a whole game: seven rounds, and a score for every seat."""
    counts = Counter(event.name for event in events)
    assert counts["RoundBegun"] == counts["RowsMoved"] == 7
    assert counts["SeatScored"] == setup.players
    assert counts["PaladinLaid"] == counts["PaladinRevealed"] == 7 * count_people(play)
    assert counts["OrderRevealed"] == 3
    assert counts["FavourRevealed"] == 5
    assert all(len(seat.retired.items) == 7 for seat in play.t.people)


def group_command(command: Struct) -> tuple[type[Struct], str]:
    """Return the type of a command with its action or reward."""
    return type(command), getattr(command, "action", "") or getattr(command, "reward", "")


def simultaneous_phase(play: PaladinsPlay, setup: Setup) -> str | None:
    """Return the phase if several seats decide at once: they choose paladins, or use townsfolk in an inquisition."""
    if play.t.phase.value == "paladins":
        return f"paladins {play.t.round.value}"
    limited = setup.readings["supply_limits"] == "as_in_the_box"
    return "inquisition" if play.t.inquisition.value and not limited else None


ADAPTER = Adapter(
    title=TITLE,
    folder=Path(__file__).parent,
    decisions=tuple(DECISIONS),
    eager=eager,
    holds=check_table,
    ended=check_end,
    values=VALUES,
    most_legal=60,
    examples=EXAMPLES,
    idle=(c.Pass(), c.KeepWorkers()),
    alike=group_command,
    simultaneous=simultaneous_phase,
    yes_or_no=(".passed",),
    shows=features_of_event,
    to_show=expected_features(),
    never_shown=NEVER_SHOWN,
    hardly_played={
        "SuspicionLapsed": "an inquisition nearly always frees some of the 24 cards; tested in test_suspicion.py"
    },
)
