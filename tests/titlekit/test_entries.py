"""Table entries are read into structs; errors name the wrong field and the expected value."""

from __future__ import annotations

from typing import Annotated, Any

import pytest
from msgspec import Struct

from boardkeeper.titlekit.entries import Count, check_partners, facts, one_of, read_entries, read_entry, read_names

NAMES = {"en": "Owl", "de": "Eule", "provenance": "rulebook"}


class Card(Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    kind: Annotated[str, one_of("bird", "beast")]
    points: Count = 0
    needs: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_partners(self.needs, {"wood": ("axe", "saw")})


def test_entries_have_their_id_but_no_names() -> None:
    assert read_entries("cards", {"owl": {**NAMES, "kind": "bird"}}, Card) == {"owl": Card("owl", "bird")}
    assert facts({**NAMES, "kind": "bird"}) == {"kind": "bird"}


@pytest.mark.parametrize(
    ("entry", "error"),
    [
        ({"kind": "fish"}, "cards.owl.kind: must be one of bird, beast"),
        ({"kind": "bird", "points": 0}, "cards.owl.points: expected `int` >= 1"),
        ({"kind": "bird", "points": True}, "cards.owl.points: expected `int`, got `bool`"),
        ({"kind": "bird", "needs": ["axe", 3]}, "cards.owl.needs[1]: expected `str`, got `int`"),
        ({"kind": "bird", "pionts": 2}, "cards.owl: object contains unknown field `pionts`"),
        ({"kind": "bird", "needs": ["wood"]}, "cards.owl: `wood` needs `axe` or `saw` beside it"),
        ({}, "cards.owl: object missing required field `kind`"),
        (3, "cards.owl: expected `object`, got `int`"),
    ],
)
def test_an_error_names_the_field_and_the_expected_value(entry: Any, error: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011  # the message is compared below
        read_entry("cards.owl", entry, Card, **({"id": "owl"} if isinstance(entry, dict) else {}))
    assert str(caught.value) == error


def test_an_entry_must_have_names_and_a_provenance() -> None:
    assert read_names("cards.owl", {**NAMES, "kind": "bird"}).de == "Eule"
    with pytest.raises(ValueError, match=r"^cards\.owl: object missing required field `de`$"):
        read_names("cards.owl", {"en": "Owl", "provenance": "rulebook"})
    with pytest.raises(ValueError, match=r"^cards\.owl\.en: expected `str`"):
        read_names("cards.owl", {**NAMES, "en": " "})
