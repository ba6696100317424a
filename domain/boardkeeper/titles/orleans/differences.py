"""What differs between the printings, and which rules each difference touches."""

from __future__ import annotations

from boardkeeper.families.followers.data import TECHNOLOGY, is_marked
from boardkeeper.titlekit.edition_differences import AffectedRules, EditionComparison
from boardkeeper.titlekit.title import Difference
from boardkeeper.titles.orleans import catalogue
from boardkeeper.titles.orleans.data import CHARACTERS, STATION
from boardkeeper.titles.orleans.meta import META
from boardkeeper.titles.orleans.sentences import rules
from boardkeeper.titles.orleans.tables import tables_of

_SEATS = ("orleans.setup.seats",)
_RULES_OF_PIECES = {
    STATION: "orleans.setup.stations",
    "merchant": "orleans.setup.merchants",
    "marker": "orleans.setup.track_markers",
    "bag": "orleans.setup.own_followers",
}


def differences() -> list[Difference]:
    """Everything in which the editions differ."""
    return EditionComparison(
        META, tables_of, _box, rules(), AffectedRules(_SEATS, _rules_of, _rules_about)
    ).differences()


def _box(edition: str) -> dict[str, int]:
    """How many of everything the box holds; coins say it in their table, as they are not counted in play."""
    return {each.id: each.in_box for each in catalogue.components(edition) if each.in_box and each.id != "coins"}


def _rules_of(component: str) -> tuple[str, ...]:
    """The rules that say how many of a component there are."""
    if component == TECHNOLOGY:
        return ("orleans.setup.technology",)
    if component in CHARACTERS:
        return ("orleans.setup.neutral_followers_five", "orleans.setup.neutral_followers_four")
    if is_marked(component):
        return (*_SEATS, "orleans.setup.own_followers")
    rule = _RULES_OF_PIECES.get(component.partition(".")[0])
    return (*_SEATS, rule) if rule else _SEATS


def _rules_about(path: str) -> tuple[str, ...]:
    """The rules about the thing that a path of the tables leads to."""
    _, group, thing, *_ = path.split(".")
    if group == "coins":
        return ("orleans.setup.coins", "orleans.running_out.coins")
    return tuple(rule for rule in rules() if rule.startswith(f"orleans.{thing}."))
