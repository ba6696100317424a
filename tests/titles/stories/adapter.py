"""Facts about Orléans Stories that the test kit needs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct
from tests.families.followers import adapter_parts as family
from tests.families.followers.adapter_parts import alike
from tests.titles.stories.eager import eager
from tests.titles.stories.golden import NEVER_SHOWN, shows, to_show
from tests.titles.stories.invariants import check_components, check_invariants

from boardkeeper.families.followers.events import Placement
from boardkeeper.table.effects import Event
from boardkeeper.testkit.adapters import Adapter
from boardkeeper.titlekit.title import Setup
from boardkeeper.titles.stories import commands as c
from boardkeeper.titles.stories import events as e
from boardkeeper.titles.stories.cards import GOODS
from boardkeeper.titles.stories.data import Data, Options, Readings
from boardkeeper.titles.stories.offers import OFFERS
from boardkeeper.titles.stories.play import StoriesPlay
from boardkeeper.titles.stories.tables import tables_of
from boardkeeper.titles.stories.title import TITLE

DATA = Data(tables_of("settlers"), Readings(), Options())
NATIONS = tables_of("england-vs-france")

IDLE: tuple[Struct, ...] = (*family.IDLE, c.FinishTrading(), c.FinishDeeds(), c.DeclineBonus())
"""Commands of a seat that wants to do nothing; it gives the first legal one."""


def check_play(play: StoriesPlay, setup: Setup) -> None:
    """Check the rulebook's numbers of components and the invariants of the table."""
    check_invariants(play)
    check_components(play, setup.players)


def check_end(play: StoriesPlay, setup: Setup, events: Sequence[Event]) -> None:
    """Check the number of rounds and the scores of all seats or nations (none after a failed declaration)."""
    counts = Counter(event.name for event in events)
    rounds = play.t.data.rounds
    assert counts["RoundBegun"] == play.t.round.value
    if rounds:
        assert play.t.round.value == rounds == counts["StartPlayerChanged"] + 1
        assert counts["SeatScored"] == setup.players
    else:
        assert counts["NationScored"] == (0 if counts["DeclarationFailed"] else 2)


def simultaneous(play: StoriesPlay, setup: Setup) -> str | None:
    """Return the phase if seats decide at the same time in it: choosing messages, or a phase of the family."""
    return "secrets" if play.t.phase.value == "secrets" else family.simultaneous(play, setup)


ADAPTER = Adapter(
    title=TITLE,
    folder=Path(__file__).parent,
    decisions=tuple(StoriesPlay.dispatcher.legal_functions),
    not_catalogued={"start": "lots that choose the start player at random; not in the box"},
    eager=eager,
    holds=check_play,
    ended=check_end,
    values={
        "follower": DATA.followers,
        "followers": [(), ("monk",), ("farmer", "fisherman", "farmer"), DATA.followers],
        "character": DATA.followers,
        "place": tuple(DATA.places),
        "card": DATA.place_cards,
        "space": sorted({space for _, space in DATA.space}),
        "area": tuple(DATA.cells(max(DATA.players))),
        "landscape": tuple(DATA.landscape_goods),
        "landscapes": [{}, {"c1r1": "field", "c4r5": "hill"}],
        "good": GOODS,
        "given": GOODS,
        "received": GOODS,
        "goods": [{}, {"grain": 1}, {"grain": 2, "wine": 1, "brocade": 3}],
        "building": tuple(DATA.building),
        "deed": tuple(DATA.deeds),
        "reward": ("coins",),
        "event": tuple(DATA.events),
        "bonus": ("fame_bonus", "B5"),
        "era": tuple(DATA.eras),
        "phase": ("followers", "planning", "actions", "event", "round_bonus", "declaring"),
        "placements": [(), (Placement("monk", "territory", "trader"), Placement("farmer", "farm", "craftsman"))],
        "start_seat": (1, 4),
        "town": tuple(NATIONS["map"]["towns"].values()),
        "of": (1, 4),
        "owner": (1, 4),
        "loser": (1, 4),
        "tile": tuple(NATIONS["bonus_tiles"]),
        "source": (*NATIONS["fame_tiles"], "manor_farm", "round_bonus"),
        "nation": tuple(NATIONS["nations"]),
        "nations": [("england", "france", "france", "england")],
        "mission": tuple(NATIONS["missions"]),
        "missions": [{"england": "m1", "france": "m2"}],
        "NationScored.mission": (50, 0),
        "message": tuple(NATIONS["messages"]),
        "CardsDealt.messages": [("s1", "s12"), ("s2", "s3")],
        "MessagesRevealed.messages": [("s1", "s2", "s3", "s12")],
    },
    most_legal=200,
    idle=IDLE,
    alike=alike,
    examples=(
        c.SurrenderSettler(),
        c.SurrenderFortress(),
        c.SurrenderTechnology(),
        c.Expand("", "c4r2"),
        e.AreaEntered("", "c4r2"),
        e.SettlerSurrendered("", 0),
        e.FortressSurrendered("", 0),
        e.TechnologySurrendered("", "", 1),
    ),
    offers=tuple(OFFERS),
    simultaneous=simultaneous,
    shows=shows,
    to_show=to_show(),
    never_shown=NEVER_SHOWN,
    seats=("loser", "winner", "winners", "start_seat", "of", "owner"),
    yes_or_no=(".passed", ".planned", ".peace", ".carried_out", ".bonus_due", ".village", ".declares", ".fulfilled"),
    sealed=("box",),
    open_draws=("settlers",),
    hardly_played={
        **dict.fromkeys(
            ("UseSacristy", "SacristyUsed", "SufferEvent", "EventSuffered"),
            "a Sacristy is rarely filled when a loss occurs; see test_sacristy.py",
        ),
        "DebtLapsed": "a seat rarely has nothing left to surrender",
        "DebtCarried": "a seat rarely has nothing left to surrender",
    },
)
