"""Views contain the values of bound attributes, as far as the viewer may see them."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from msgspec import Struct

from boardkeeper.table.layout import MarkerSpec, TableLayout, ZoneSpec
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import OPERATOR, SPECTATOR
from boardkeeper.titlekit.views import view

LAYOUT = TableLayout(
    2,
    (
        ZoneSpec("hand", "seat.1", {"queen": 1, "king": 2}),
        ZoneSpec("chest", "secret.1", {"coin": 3}),
        ZoneSpec("row", "public", {"jack": 1}),
        ZoneSpec("discard", "public", stack=True, order=("two", "one")),
        ZoneSpec("deck", "count", {"ace": 4}),
    ),
    (MarkerSpec("coins", 5), MarkerSpec("passed", 1), MarkerSpec("town", "Tours"), MarkerSpec("bid", 7, "seat.1")),
)


class Everything(Struct, frozen=True):
    coins: int
    passed: bool
    town: str
    bid: int
    hand: dict[str, int]
    hand_count: int
    cards: tuple[str, ...]
    best: str
    has_hand: bool
    chest_count: int
    row: tuple[str, ...]
    discard: tuple[str, ...]
    deck_count: int
    deck: dict[str, int]
    limit: int
    round: int
    later: tuple[int, ...] = (1,)
    absent: str | None = "kept"


def bind_names() -> tuple[SimpleNamespace, Table]:
    table = Table(LAYOUT)
    names = {
        **{id: table.pile(id) for id in ("hand", "chest", "row", "deck")},
        **{id: table.number(id) for id in ("coins", "passed", "bid")},
        "discard": table.stack("discard"),
        "town": table.word("town"),
        "limit": 9,
    }
    return SimpleNamespace(**names, cards=names["hand"], best=names["hand"], has_hand=names["hand"], absent=None), table


def view_as(viewer: int) -> Everything:
    names, table = bind_names()
    return view(Everything, names, table, viewer, round=3)


@pytest.mark.parametrize("viewer", [1, OPERATOR])
def test_the_owner_and_the_operator_see_all_values(viewer: int) -> None:
    assert view_as(viewer) == Everything(
        coins=5, passed=True, town="Tours", bid=7, hand={"queen": 1, "king": 2}, hand_count=3, cards=("king", "queen"),
        best="queen", has_hand=True, chest_count=3, row=("jack",), discard=("two", "one"), deck_count=4,
        deck={} if viewer == 1 else {"ace": 4}, limit=9, round=3,
    )  # fmt: skip


@pytest.mark.parametrize("viewer", [2, SPECTATOR])
def test_values_that_are_hidden_from_a_viewer_are_empty(viewer: int) -> None:
    assert view_as(viewer) == Everything(
        coins=5, passed=True, town="Tours", bid=0, hand={}, hand_count=3, cards=(), best="", has_hand=False,
        chest_count=0, row=("jack",), discard=("two", "one"), deck_count=4, deck={}, limit=9, round=3,
    )  # fmt: skip


def test_the_error_for_a_field_without_an_attribute_names_it() -> None:
    names, table = bind_names()
    with pytest.raises(AttributeError, match="round"):
        view(Everything, names, table, SPECTATOR)
