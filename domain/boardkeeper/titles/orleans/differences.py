"""The differences between the editions, and the rules that each difference affects."""

from __future__ import annotations

from boardkeeper.families.followers.data import TECHNOLOGY, is_marked
from boardkeeper.titlekit.edition_differences import AffectedRules, EditionComparison
from boardkeeper.titlekit.title import Difference
from boardkeeper.titles.orleans import catalogue
from boardkeeper.titles.orleans.data import CHARACTERS, STATION
from boardkeeper.titles.orleans.meta import META, rules, tables_of

_SEATS = ("orleans.setup.seats",)
_RULES_OF_PIECES = {
    STATION: "orleans.setup.stations",
    "merchant": "orleans.setup.merchants",
    "marker": "orleans.setup.track_markers",
    "bag": "orleans.setup.own_followers",
}


def differences() -> list[Difference]:
    """Return all differences between the editions."""
    return EditionComparison(
        META, tables_of, _box, rules(), AffectedRules(_SEATS, _rules_of, _rules_about)
    ).differences()


def _box(edition: str) -> dict[str, int]:
    """Return the number of each component in the box, without coins, which are unlimited in play."""
    return {each.id: each.in_box for each in catalogue.components(edition) if each.in_box and each.id != "coins"}


def _rules_of(component: str) -> tuple[str, ...]:
    """Return the rules about the number of a component."""
    if component == TECHNOLOGY:
        return ("orleans.setup.technology",)
    if component in CHARACTERS:
        return ("orleans.setup.neutral_followers_five", "orleans.setup.neutral_followers_four")
    if is_marked(component):
        return (*_SEATS, "orleans.setup.own_followers")
    rule = _RULES_OF_PIECES.get(component.partition(".")[0])
    return (*_SEATS, rule) if rule else _SEATS


def _rules_about(path: str) -> tuple[str, ...]:
    """Return the rules about a value in the tables, by its path (``table.places.school.spaces``)."""
    _, group, thing, *_ = path.split(".")
    if group == "coins":
        return ("orleans.setup.coins", "orleans.running_out.coins")
    return tuple(rule for rule in rules() if rule.startswith(f"orleans.{thing}."))
