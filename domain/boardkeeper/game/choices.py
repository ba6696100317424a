"""What a game is played with: choices checked against the catalogue and completed with their defaults."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from boardkeeper.titlekit.title import ChoiceMeta, OptionMeta, Setup, TitleMeta

SOLO_SEATS = 2
"""Of one player's game: the player's, and that of the rules."""


class ChoiceError(ValueError):
    """A choice that the title does not offer; ``problem`` continues the sentence that ``field`` begins."""

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"`{field}` {problem}")
        self.field = field
        self.problem = problem


def complete(meta: TitleMeta, setup: Setup) -> Setup:
    """The setup with every option and reading filled in; raises :class:`ChoiceError`.

    A reading is taken from the game's own choice, else from the edition, else from the title's default; and where that
    is not offered with so many players, it is the first choice that is. All that the edition asks for go into the first
    event, so that a later default never changes an old game; what is for other editions only is not in it. One player
    of a title that has rules for it plays :func:`solo_setup`.
    """
    setup = solo_setup(meta, setup)
    edition_id = setup.edition or meta.default_edition
    editions = {edition.id: edition for edition in meta.editions}
    if edition_id not in editions:
        raise ChoiceError("edition", f"must be one of: {_list(editions)} (not {edition_id!r})")
    edition = editions[edition_id]
    fewest, most = edition.players
    if not fewest <= setup.players <= most:
        numbers = f"{fewest} to {most}" if fewest < most else str(most)
        raise ChoiceError("seats", f"must be {numbers} in the edition {edition_id!r}, not {setup.players}")
    options = _offered(meta, "options", setup.options, edition_id)
    readings = _offered(meta, "readings", setup.readings, edition_id)
    return Setup(
        edition_id,
        setup.players,
        _chosen("options", options, {}, setup.options, setup.players),
        _chosen("readings", readings, edition.readings, setup.readings, setup.players),
    )


def solo_setup(meta: TitleMeta, setup: Setup) -> Setup:
    """For one player the setup of a game against the rules, if the title has one; any other setup as it is."""
    if setup.players != 1 or not meta.alone:
        return setup
    return Setup(setup.edition, SOLO_SEATS, meta.alone | setup.options, setup.readings)


def explain_misplaced(meta: TitleMeta, field: str, id: str, edition: str) -> str:
    """Why an option or reading that the title has cannot be chosen in ``field`` in that edition.

    ``field`` is ``options`` or ``readings``. Empty if it can be chosen, or if the title has none of that id.
    """
    own, other = ("an option", meta.options), ("a reading", meta.readings)
    if field == "readings":
        own, other = other, own
    for called, known in (own, other):
        option = next((option for option in known if option.id == id), None)
        if option is None:
            continue
        editions = f"edition{'s' * (len(option.editions) > 1)} {' and '.join(option.editions)}"
        if known is other[1]:
            where = "" if option.is_for(edition) else f", and exists only in the {editions}"
            return f"is {called}, not {own[0]}{where}"
        return "" if option.is_for(edition) else f"exists only in the {editions}, not in {edition}"
    return ""


def _offered(meta: TitleMeta, field: str, chosen: Mapping[str, str], edition: str) -> list[OptionMeta]:
    """What there is to choose in an edition; raises :class:`ChoiceError` if something else that exists was chosen."""
    known = meta.options if field == "options" else meta.readings
    offered = [option for option in known if option.is_for(edition)]
    for id in chosen:
        if wrong := explain_misplaced(meta, field, id, edition):
            raise ChoiceError(f"{field}.{id}", wrong)
    return offered


def _chosen(
    field: str,
    offered: Iterable[OptionMeta],
    selected: Mapping[str, str],
    chosen: Mapping[str, str],
    players: int,
) -> dict[str, str]:
    known = {option.id: option for option in offered}
    for id, value in chosen.items():
        if id not in known:
            raise ChoiceError(f"{field}.{id}", f"does not exist; this edition has: {_list(known)}")
        choices = {choice.id: choice for choice in known[id].choices}
        if value not in choices:
            raise ChoiceError(f"{field}.{id}", f"must be one of: {_list(choices)} (not {value!r})")
        if not _goes_with(choices[value], players):
            numbers = " or ".join(map(str, choices[value].players))
            raise ChoiceError(f"{field}.{id}", f"can be {value!r} only with {numbers} players, not with {players}")
    return {id: chosen.get(id) or _default(option, selected, players) for id, option in known.items()}


def _default(option: OptionMeta, selected: Mapping[str, str], players: int) -> str:
    """What holds if nobody chooses."""
    default = selected.get(option.id, option.default)
    offered = [choice.id for choice in option.choices if _goes_with(choice, players)]
    return default if default in offered or not offered else offered[0]


def _goes_with(choice: ChoiceMeta, players: int) -> bool:
    return not choice.players or players in choice.players


def _list(names: Iterable[str]) -> str:
    return ", ".join(sorted(names)) or "none"
