"""What another data set changes in what places, cards and tracks say: the catalogue tells of the default one."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from boardkeeper.titles.stories.catalogue import components
from boardkeeper.titles.stories.meta import META

_OPTION = "data_set"


def altered(choices: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Facts by component that are not as the catalogue says, in a game with those options and readings."""
    edition, data_set = _edition(choices), choices.get(_OPTION, "")
    return _facts(edition, data_set) if edition and data_set in _data_sets() else {}


def _edition(choices: Mapping[str, str]) -> str:
    """The story that is played, by the readings that it alone has; empty if they do not say it."""
    own = {
        edition.id: {reading.id for reading in META.readings if reading.editions == (edition.id,)}
        for edition in META.editions
    }
    return next((id for id, readings in own.items() if readings & choices.keys()), "")


@cache
def _facts(edition: str, data_set: str) -> dict[str, dict[str, str]]:
    return {each.id: dict(each.facts) for each in components(edition, data_set) if "." not in each.id}


def further_names(language: str) -> dict[str, str]:
    """What components are called that only another data set has, in a language."""
    found: dict[str, str] = {}
    for edition in META.editions:
        usual = {each.id for each in components(edition.id)}
        for data_set in _data_sets():
            for each in components(edition.id, data_set):
                if each.id not in usual:
                    found[each.id] = each.text[language]
    return found


def _data_sets() -> tuple[str, ...]:
    return tuple(choice.id for option in META.options if option.id == _OPTION for choice in option.choices)
