"""The differences between the stories, with the rules that each difference affects."""

from __future__ import annotations

from boardkeeper.titlekit.edition_differences import AffectedRules, EditionComparison
from boardkeeper.titlekit.title import Difference
from boardkeeper.titles.stories.meta import META, rules
from boardkeeper.titles.stories.supplies import in_box
from boardkeeper.titles.stories.tables import tables_of

_MATERIAL = "stories.setup.material"
"""The rule about the components of each story."""

_TOPICS = {
    "game": "setup",
    "start_settlers": "setup",
    "start_fortresses": "setup",
    "expansion": "expansion",
    "fame": "fame",
    "eras": "eras",
    "scoring": "scoring",
}
"""Tables that both stories have, with the topic of their rules."""


def differences() -> list[Difference]:
    """Return all differences between the stories."""
    return EditionComparison(
        META,
        lambda edition: {group: tables_of(edition)[group] for group in _TOPICS},
        lambda edition: in_box(tables_of(edition)),
        rules(),
        AffectedRules((_MATERIAL,), lambda _component: (_MATERIAL,), _rules_about),
    ).differences()


def _rules_about(path: str) -> tuple[str, ...]:
    """Return the rules about a value in the tables, by its path (``table.scoring.area``)."""
    topic = _TOPICS[path.split(".")[1]]
    about = (rule for rule in rules() if rule.startswith(f"stories.{topic}.") and rule != _MATERIAL)
    return (_MATERIAL, *about)
