"""Given / when / then for Hamlet, and what the test kit has to be told of it."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Self

from msgspec import Struct
from tests.families.followers.adapting import IDLE, alike, simultaneous
from tests.families.followers.eager import choose
from tests.families.followers.hamlet.data import FOLLOWERS, HONOUR, SellPig
from tests.families.followers.hamlet.rules import Hamlet, Seat
from tests.families.followers.hamlet.title import CROFT, HAMLET, HamletPlay, HamletTitle
from tests.families.followers.invariants import check_followers
from tests.families.followers.kit import FollowersGame

from boardkeeper.families.followers.events import PhaseBegun
from boardkeeper.table.effects import Event
from boardkeeper.table.rejections import Rejection
from boardkeeper.testkit.adapters import Adapter
from boardkeeper.testkit.checks import check_changes, check_values
from boardkeeper.testkit.legal_checks import known_rules
from boardkeeper.testkit.scenario_game import detail, details, named
from boardkeeper.testkit.setups import default_setup
from boardkeeper.titlekit.title import Setup

__all__ = ["ADAPTER", "CROFTERS", "HamletGame", "detail", "details", "named"]


def eager(random: Random, play: HamletPlay, number: int, legal: Sequence[Struct]) -> Struct:
    """As all of the family."""
    return choose(random, play.t, number, legal)


def holds(play: HamletPlay, setup: Setup) -> None:
    """What is true of all tables of the family."""
    check_followers(play.t)


OF_THE_TABLE = ("TableLaid", "PhaseBegun", "Ended")


def check_whose(events: Sequence[Event]) -> None:
    """All other events are of a seat."""
    for event in events:
        assert bool(event.seat) == (event.name not in OF_THE_TABLE), event


def ended(play: HamletPlay, setup: Setup, events: Sequence[Event]) -> None:
    """Three rounds of all phases."""
    check_whose(events)
    begun = [event.detail.phase for event in events if isinstance(event.detail, PhaseBegun)]
    assert begun == ["tithe", "followers", "planning", "actions", "event"] * 3
    assert play.t.round.value == len(named(events, "Ended")) * 3 == 3


def adapter(title: HamletTitle) -> Adapter:
    """What the kit needs to play games of it."""
    data = title.data(default_setup(title, 2))
    return Adapter(
        title=title,
        decisions=tuple(HamletPlay.dispatcher.legal_functions),
        eager=eager,
        holds=holds,
        ended=ended,
        values={
            "follower": FOLLOWERS,
            "place": tuple(data.places),
            "space": sorted({space for _, space in data.space}),
            "deed": tuple(data.deeds),
            "reward": ("coins", HONOUR),
        },
        most_legal=200,
        idle=(*IDLE, SellPig()),
        alike=alike,
        simultaneous=simultaneous,
        yes_or_no=(".passed", ".planned"),
    )


ADAPTER = adapter(HAMLET)
CROFTERS = adapter(CROFT)


class HamletGame(FollowersGame[HamletPlay]):
    """A game of Hamlet in a position of the test's making."""

    adapter = ADAPTER
    stores = ("box",)
    away = "box"

    def __init__(self, players: int = 2, seed: str = "seed", **choices: str) -> None:
        """Lay a table on which nobody has any place tile yet, nor technology."""
        super().__init__(players, "first", seed, **choices)
        for seat in self.t.seats:
            self.empty(seat.place_tiles).empty(seat.technology)

    def check_events(self, events: list[Event]) -> None:
        """Hamlet has no words, but an event is of a seat, or of the table as a whole."""
        check_changes(self.adapter, self.table, events)
        check_whose(events)

    def check_rejection(self, command: Struct, rejection: Rejection) -> None:
        """Hamlet publishes none, but it has rules."""
        assert rejection.rule in known_rules(self.adapter.title)
        check_values(command, rejection)

    @property
    def t(self) -> Hamlet:
        """The bound table."""
        return self.play.t

    def seat(self, seat: int) -> Seat:
        """A seat's side of the table."""
        return self.t.seats[seat - 1]

    def pigs(self, seat: int, count: int) -> Self:
        """Let a seat have exactly so many pigs."""
        return self.exactly(self.seat(seat).pigs, pig=count)
