"""Hamlet, a small title of the family for tests.

It tests the family's rules without those of a real title. ``HAMLET`` uses everything that the family offers; ``CROFT``
is the same game with only the places of the player board, and without readings.
"""

# ruff: noqa: ARG002  # a title does not need all arguments of the interface

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from types import ModuleType
from typing import Any, ClassVar

from msgspec import Struct
from tests.families.followers.hamlet import data, rules
from tests.families.followers.hamlet.data import TILES, Data, Grind, Options, SellPig
from tests.families.followers.hamlet.rules import MOST, Hamlet
from tests.families.followers.needs import relative_ids, unneeded_ids

from boardkeeper.families.followers import commands as c
from boardkeeper.families.followers import events
from boardkeeper.families.followers import play as family
from boardkeeper.families.followers.phases import actions, followers
from boardkeeper.families.followers.readings import FollowersReadings
from boardkeeper.table.dice import Dice
from boardkeeper.table.layout import TableLayout
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.table import Table
from boardkeeper.titlekit.binding import Material
from boardkeeper.titlekit.choices import chosen
from boardkeeper.titlekit.material import declare
from boardkeeper.titlekit.title import (
    ChoiceMeta,
    Component,
    Difference,
    EditionMeta,
    OptionMeta,
    Play,
    PositionProblem,
    Rule,
    Setup,
    Standing,
    TitleMeta,
)
from boardkeeper.titlekit.turn_flow import CommandDispatcher, Decisions, TurnFlowPlay

DECISIONS: Decisions = {
    "keep": (followers.legal_keep, {c.KeepFollower: followers.keep_follower}),
    "store": (followers.legal_store, {
        c.StoreFollower: followers.store_follower,
        c.FinishStoring: followers.finish_storing,
    }),
    "act": (actions.legal_act, {c.UsePlace: rules.use_place, Grind: rules.grind}),
    "torture": (rules.legal_debt, {SellPig: rules.sell_pig}),
}  # fmt: skip

READINGS = {
    "first_technology": ("first_placed", "from_first_craftsmen_space"),
    "draw_amount": ("up_to", "fixed"),
    "technology_window": ("after_passing", "after_passing_and_planning"),
    "technology_on_open_spaces": ("closed", "open"),
    "technology_on_occupied": ("free_only", "sends_follower_home"),
    "bathhouse_short_bag": ("draws_fewer", "needs_all"),
    "bathhouse_activator": ("after_draw", "before_draw"),
    "bathhouse_town_hall": ("allowed", "forbidden"),
    "bathhouse_tower": ("forbidden", "allowed"),
    "sacristy_use": ("choice", "automatic"),
    "torture_nothing_left": ("lapses", "carried"),
    "taking_back": ("allowed_draws", "possible_draws"),
    "taking_back_time": ("before_or_after", "before_drawing"),
}


def _choice(id: str, *choices: str) -> OptionMeta:
    return OptionMeta(id, {}, tuple(ChoiceMeta(choice, {}) for choice in choices), choices[0])


def _structs(*modules: ModuleType) -> list[type[Struct]]:
    found = (it for module in modules for it in vars(module).values())
    return [it for it in found if isinstance(it, type) and issubclass(it, Struct) and it is not Struct]


class Board(Struct, frozen=True):
    """An empty board: these tests show none."""


class HamletPlay(TurnFlowPlay[Hamlet]):
    """The rules of Hamlet on one table."""

    __slots__ = ()

    dispatcher = CommandDispatcher(family.DECISIONS, DECISIONS)

    def set_up(self) -> None:
        """Set up the table and continue to the first decision."""
        rules.set_up(self.t)

    def board(self, viewer: int) -> Board:
        """Return an empty board."""
        return Board()

    def standings(self) -> list[Standing]:
        """Return nothing: no seat wins."""
        return []


class HamletTitle:
    """A title that can only be played: it has no words and no components."""

    position = None
    board_type: ClassVar[type[Struct]] = Board
    commands: ClassVar[Mapping[str, type[Struct]]] = {
        kind.__name__: kind for _, kind in HamletPlay.dispatcher.decide_functions
    }
    events: ClassVar[Mapping[str, type[Struct]]] = {kind.__name__: kind for kind in _structs(events, data)}

    def __init__(self, tiles: dict[str, dict[str, Any]], *readings: OptionMeta) -> None:
        self._tiles = tiles
        self.meta = TitleMeta(
            id="hamlet",
            text={},
            designer="",
            publisher="",
            maturity="",
            editions=(EditionMeta("first", {}, (1, MOST), {}),),
            default_edition="first",
            options=(_choice("planning", "open", "sealed", "in_turn"),),
            readings=readings,
        )

    def data(self, setup: Setup) -> Data:
        """Return the data of a game."""
        return Data(self._tiles, *chosen(self.meta, setup, FollowersReadings, Options))

    def layout(self, setup: Setup) -> TableLayout:
        """Return the layout, with all components in the box."""
        return declare("", lambda m: Hamlet(m, self.data(setup), setup.players)).layout

    def play(self, table: Table, dice: Dice, setup: Setup) -> HamletPlay:
        """Bind the rules to a table."""
        return HamletPlay(Hamlet(Material(table, dice), self.data(setup), setup.players))

    @cached_property
    def _rules(self) -> tuple[Rule, ...]:
        return tuple(Rule(f"hamlet.{id}", {}, {}) for id in sorted(relative_ids() - unneeded_ids(self)))

    def automata(self, setup: Setup) -> Sequence[int]:
        return ()

    def automaton_name(self, language: str) -> str:
        return ""

    def exchangeable_zones(self, table: Table, viewer: int) -> Sequence[Sequence[str]] | None:
        return ()

    def check_position(self, table: Table, setup: Setup) -> Sequence[PositionProblem]:
        return ()

    def components(self, setup: Setup) -> Sequence[Component]:
        return ()

    def rules(self) -> Sequence[Rule]:
        """Return the rules that the family requires."""
        return self._rules

    def differences(self) -> Sequence[Difference]:
        return ()

    def sentence(self, language: str, names: Sequence[str], seat: int, detail: Struct) -> str:
        return ""

    def explain(self, language: str, names: Sequence[str], rejection: Rejection) -> str:
        return ""

    def choose(self, bot: str, play: Play, seat: int, commands: Sequence[Struct], random: float) -> Struct:
        return commands[0]


HAMLET = HamletTitle(TILES, *(_choice(id, *choices) for id, choices in READINGS.items()))
CROFT = HamletTitle({})
