"""Scenario games of Hamlet, and its adapters."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Self

from msgspec import Struct
from tests.families.followers.adapter_parts import IDLE, alike, simultaneous
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

__all__ = ["ADAPTER", "CROFT_ADAPTER", "HamletGame", "detail", "details", "named"]


def eager(random: Random, play: HamletPlay, number: int, legal: Sequence[Struct]) -> Struct:
    """Choose as the family's policy does."""
    return choose(random, play.t, number, legal)


def check_table(play: HamletPlay, setup: Setup) -> None:
    """Check the family's invariants."""
    check_followers(play.t)


TABLE_EVENTS = ("TableLaid", "PhaseBegun", "Ended")
"""Events without a seat."""


def check_seats(events: Sequence[Event]) -> None:
    """Check that all events except those of the table have a seat."""
    for event in events:
        assert bool(event.seat) == (event.name not in TABLE_EVENTS), event


def check_end(play: HamletPlay, setup: Setup, events: Sequence[Event]) -> None:
    """Check that the game had three rounds of all phases."""
    check_seats(events)
    begun = [event.detail.phase for event in events if isinstance(event.detail, PhaseBegun)]
    assert begun == ["tithe", "followers", "planning", "actions", "event"] * 3
    assert play.t.round.value == len(named(events, "Ended")) * 3 == 3


def make_adapter(title: HamletTitle) -> Adapter:
    """Return the adapter of Hamlet or Croft."""
    data = title.data(default_setup(title, 2))
    return Adapter(
        title=title,
        decisions=tuple(HamletPlay.dispatcher.legal_functions),
        eager=eager,
        holds=check_table,
        ended=check_end,
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


ADAPTER = make_adapter(HAMLET)
CROFT_ADAPTER = make_adapter(CROFT)


class HamletGame(FollowersGame[HamletPlay]):
    """A game of Hamlet in a position that a test arranges."""

    adapter = ADAPTER
    stores = ("box",)
    away = "box"

    def __init__(self, players: int = 2, seed: str = "seed", **choices: str) -> None:
        """Set up a game in which no seat has place tiles or technology."""
        super().__init__(players, "first", seed, **choices)
        for seat in self.t.seats:
            self.empty(seat.place_tiles).empty(seat.technology)

    def check_events(self, events: list[Event]) -> None:
        """Check the effects and the seats of events; Hamlet has no words."""
        check_changes(self.adapter, self.table, events)
        check_seats(events)

    def check_rejection(self, command: Struct, rejection: Rejection) -> None:
        """Check the rule and the values of a rejection; Hamlet has no words."""
        assert rejection.rule in known_rules(self.adapter.title)
        check_values(command, rejection)

    @property
    def t(self) -> Hamlet:
        """The bound table."""
        return self.play.t

    def seat(self, seat: int) -> Seat:
        """Return the zones and markers of a seat."""
        return self.t.seats[seat - 1]

    def pigs(self, seat: int, count: int) -> Self:
        """Give a seat exactly this number of pigs."""
        return self.exactly(self.seat(seat).pigs, pig=count)
