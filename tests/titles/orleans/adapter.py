"""The test adapter of Orléans."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tests.families.followers.adapter_parts import IDLE, alike, simultaneous
from tests.titles.orleans import golden
from tests.titles.orleans.eager import eager
from tests.titles.orleans.invariants import check_components, check_invariants

from boardkeeper.families.followers.events import Placement
from boardkeeper.table.effects import Event
from boardkeeper.testkit.adapters import Adapter
from boardkeeper.titlekit.title import Setup
from boardkeeper.titles.orleans import commands as c
from boardkeeper.titles.orleans import events as e
from boardkeeper.titles.orleans.data import data_for
from boardkeeper.titles.orleans.meta import tables_of
from boardkeeper.titles.orleans.offers import OFFERS
from boardkeeper.titles.orleans.play import OrleansPlay
from boardkeeper.titles.orleans.title import TITLE

DATA = data_for(Setup("capstone-2021", 5))
TABLES = tables_of("capstone-2021")


def check_table(play: OrleansPlay, setup: Setup) -> None:
    """Check the invariants and the rulebook's numbers of components."""
    check_invariants(play)
    check_components(play, setup.players)


def check_end(play: OrleansPlay, setup: Setup, events: Sequence[Event]) -> None:
    """Check that the game had 18 rounds and that each seat was scored."""
    counts = Counter(event.name for event in events)
    assert counts["HourGlassTurned"] == 18
    assert counts["StartPlayerChanged"] == 17
    assert counts["SeatScored"] == setup.players
    assert counts["MostStationsRewarded"] == 1
    assert play.t.round.value == 18


ADAPTER = Adapter(
    title=TITLE,
    folder=Path(__file__).parent,
    decisions=tuple(OrleansPlay.dispatcher.legal_functions),
    eager=eager,
    holds=check_table,
    ended=check_end,
    values={
        "follower": DATA.followers,
        "followers": [(), ("monk",), ("farmer", "own_farmer", "farmer"), tuple(DATA.followers)],
        "character": tuple(TABLES["characters"]),
        "place": tuple(DATA.places),
        "place_tile": (*DATA.place_tiles, ""),
        "space": sorted({space for _, space in DATA.space}),
        "town": DATA.towns,
        "origin": DATA.towns,
        "way": [way.id for way in DATA.ways],
        "good": tuple(DATA.good_tiles),
        "goods": [{}, {"grain": 1}, {"grain": 2, "wine": 1, "brocade": 3}],
        "goods_removed": [{}, {"wool": 12}],
        "TaxesPaid.goods": (1, 0, 7),
        "deed": tuple(DATA.deeds),
        "reward": ("coins", "development"),
        "event": tuple(TABLES["hour_glass"]["events"]),
        "strength": ("START", "A", "B", "C", "U"),
        "phase": ("followers", "planning", "actions", "event"),
        "placements": [(), (Placement("monk", "ship", "knight"), Placement("own_farmer", "ship", "farmer"))],
        "start_seat": (1, 4),
    },
    most_legal=200,
    idle=(*IDLE, c.PayForFood()),
    alike=alike,
    examples=(
        c.SurrenderTradingStation(),
        c.SurrenderTechnology(),
        c.Travel("wagon", "tours"),
        e.MerchantMoved("wagon", "orleans", "chartres", "chartres_orleans_road", ""),
        e.PlagueStruck("", lost=False),
        e.TradingStationSurrendered("", 0),
        e.TechnologySurrendered("", "", 1),
    ),
    offers=tuple(OFFERS),
    simultaneous=simultaneous,
    yes_or_no=(".passed", ".planned"),
    sealed=("box",),
    open_draws=tuple(edition.id for edition in TITLE.meta.editions),
    shows=golden.shows,
    to_show=golden.to_show(),
    never_shown=golden.NEVER_SHOWN,
    hardly_played={"DebtLapsed": "a seat rarely has nothing left to surrender; tested in test_torture.py"},
)
