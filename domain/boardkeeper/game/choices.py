"""The choices of a new game: edition, options and readings, checked and completed with their defaults."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from boardkeeper.titlekit.title import ChoiceMeta, OptionMeta, Setup, TitleMeta

SOLO_SEATS = 2
"""The seats of a solo game: the player and the rules."""


class ChoiceError(ValueError):
    """A choice that the title does not offer. The message is ``field`` and ``problem``, which form a sentence."""

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"`{field}` {problem}")
        self.field = field
        self.problem = problem


def complete(meta: TitleMeta, setup: Setup) -> Setup:
    """Return the setup with all options and readings of the edition; raises :class:`ChoiceError`.

    Missing choices get the default of the edition, else of the title; if that is not available with this number of
    players, the first choice that is. The completed setup is stored, so later defaults never change an old game. For a
    single player, the setup is that of :func:`solo_setup`.
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
    options = _available(meta, "options", setup.options, edition_id)
    readings = _available(meta, "readings", setup.readings, edition_id)
    return Setup(
        edition_id,
        setup.players,
        _complete_choices("options", options, {}, setup.options, setup.players),
        _complete_choices("readings", readings, edition.readings, setup.readings, setup.players),
    )


def solo_setup(meta: TitleMeta, setup: Setup) -> Setup:
    """Return the setup of a game against the rules, if there is one player and the title has such games."""
    if setup.players != 1 or not meta.alone:
        return setup
    return Setup(setup.edition, SOLO_SEATS, meta.alone | setup.options, setup.readings)


def explain_misplaced(meta: TitleMeta, field: str, id: str, edition: str) -> str:
    """Return why an existing option or reading cannot be chosen in ``field`` (``options`` or ``readings``).

    The text is empty if it can be chosen in this edition, or if the title does not have it.
    """
    own, other = ("an option", meta.options), ("a reading", meta.readings)
    if field == "readings":
        own, other = other, own
    for kind, known in (own, other):
        option = next((option for option in known if option.id == id), None)
        if option is None:
            continue
        editions = f"edition{'s' * (len(option.editions) > 1)} {' and '.join(option.editions)}"
        if known is other[1]:
            where = "" if option.is_for(edition) else f", and exists only in the {editions}"
            return f"is {kind}, not {own[0]}{where}"
        return "" if option.is_for(edition) else f"exists only in the {editions}, not in {edition}"
    return ""


def _available(meta: TitleMeta, field: str, chosen: Mapping[str, str], edition: str) -> list[OptionMeta]:
    """Return the options or readings of an edition; raises :class:`ChoiceError` if others of the title were chosen."""
    known = meta.options if field == "options" else meta.readings
    available = [option for option in known if option.is_for(edition)]
    for id in chosen:
        if wrong := explain_misplaced(meta, field, id, edition):
            raise ChoiceError(f"{field}.{id}", wrong)
    return available


def _complete_choices(
    field: str,
    available: Iterable[OptionMeta],
    defaults: Mapping[str, str],
    chosen: Mapping[str, str],
    players: int,
) -> dict[str, str]:
    """Return a choice for each option or reading. ``defaults`` are those of the edition."""
    known = {option.id: option for option in available}
    for id, value in chosen.items():
        if id not in known:
            raise ChoiceError(f"{field}.{id}", f"does not exist; this edition has: {_list(known)}")
        choices = {choice.id: choice for choice in known[id].choices}
        if value not in choices:
            raise ChoiceError(f"{field}.{id}", f"must be one of: {_list(choices)} (not {value!r})")
        if not _is_for_players(choices[value], players):
            numbers = " or ".join(map(str, choices[value].players))
            raise ChoiceError(f"{field}.{id}", f"can be {value!r} only with {numbers} players, not with {players}")
    return {id: chosen.get(id) or _default(option, defaults, players) for id, option in known.items()}


def _default(option: OptionMeta, defaults: Mapping[str, str], players: int) -> str:
    default = defaults.get(option.id, option.default)
    available = [choice.id for choice in option.choices if _is_for_players(choice, players)]
    return default if default in available or not available else available[0]


def _is_for_players(choice: ChoiceMeta, players: int) -> bool:
    return not choice.players or players in choice.players


def _list(names: Iterable[str]) -> str:
    return ", ".join(sorted(names)) or "none"
