"""What the options of a game change in what cards say: the catalogue tells of the usual choices."""

from __future__ import annotations

from collections.abc import Mapping

from boardkeeper.titlekit.alternatives import alternatives_of

_CARDS = ("townsfolk", "outsiders", "favours")


def altered(choices: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Facts by card that are not as the catalogue says, in a game with those options."""
    found: dict[str, dict[str, str]] = {}
    for option, choice in choices.items():
        changes = alternatives_of("boardkeeper.titles.paladins").get(option, {}).get(choice, {})
        for kind in _CARDS:
            for id, facts in changes.get(kind, {}).items():
                found[id] = {key: _plain(value) for key, value in facts.items()}
    return found


def _plain(value: object) -> str:
    """A fact as the catalogue says it: lists with commas."""
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
