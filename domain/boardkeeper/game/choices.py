"""What a game is played with: choices checked against the catalogue and completed with their defaults."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from boardkeeper.table.title import OptionMeta, Setup, TitleMeta


class ChoiceError(ValueError):
    """A choice that the title does not offer; ``field`` says where, the message what it offers."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


def complete(meta: TitleMeta, setup: Setup) -> Setup:
    """The setup with every option and reading filled in; raises :class:`ChoiceError`.

    A reading is taken from the game's own choice, else from the edition, else from the title's default. All of them go
    into the first event, so that a later default never changes an old game.
    """
    edition_id = setup.edition or meta.default_edition
    editions = {edition.id: edition for edition in meta.editions}
    if edition_id not in editions:
        raise ChoiceError("edition", f"{meta.id} has no edition {edition_id!r}; there is {_list(editions)}")
    edition = editions[edition_id]
    fewest, most = edition.players
    if not fewest <= setup.players <= most:
        raise ChoiceError("seats", f"{edition_id} is for {fewest} to {most} players, not {setup.players}")
    options = _chosen("options", meta.options, {}, setup.options)
    readings = _chosen("readings", meta.readings, edition.readings, setup.readings)
    return Setup(edition_id, setup.players, options, readings)


def _chosen(
    field: str, offered: Iterable[OptionMeta], selected: Mapping[str, str], chosen: Mapping[str, str]
) -> dict[str, str]:
    known = {option.id: option for option in offered}
    for id, value in chosen.items():
        if id not in known:
            raise ChoiceError(f"{field}.{id}", f"there is no {id!r} to choose; there is {_list(known)}")
        values = [choice.id for choice in known[id].choices]
        if value not in values:
            raise ChoiceError(f"{field}.{id}", f"{id} cannot be {value!r}; it can be {_list(values)}")
    return {id: chosen.get(id, selected.get(id, option.default)) for id, option in known.items()}


def _list(names: Iterable[str]) -> str:
    return ", ".join(sorted(names)) or "nothing"
