"""The catalogue of titles, with their editions, options, readings, numbers of players and bots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from boardkeeper.engine import arguments
from boardkeeper.engine.errors import ChoiceError, MisuseError, UnknownNameError, did_you_mean
from boardkeeper.game.choices import explain_misplaced
from boardkeeper.titlekit.title import EditionMeta, OptionMeta, TitleMeta
from boardkeeper.titles import registry
from boardkeeper.titles.registry import list_metas, load_meta, loaded_titles


def titles() -> tuple[TitleMeta, ...]:
    """Return the catalogue entries of all titles, without loading their rules.

    >>> [title.id for title in titles()]
    ['orleans', 'paladins', 'stories']
    """
    return list_metas()


def allow(id: str) -> None:
    """Load an installed third-party title. Its code then runs in this process.

    The package of the title names it in an entry point of the group ``boardkeeper.titles``. Raises
    :class:`~boardkeeper.engine.MisuseError` if the title cannot be loaded.

    >>> allow("chess")
    Traceback (most recent call last):
    boardkeeper.engine.errors.MisuseError: title 'chess' is not installed; installed: orleans, paladins, stories
    """
    try:
        registry.allow(arguments.check_text("a title's id", id))
    except registry.TitleError as error:
        raise MisuseError(str(error)) from error


def title(id: str) -> TitleMeta:
    """Return the catalogue entry of a title; raises :class:`~boardkeeper.engine.UnknownNameError`.

    >>> title("orleans").default_edition
    'capstone-2021'
    >>> title("orlean")
    Traceback (most recent call last):
    boardkeeper.engine.errors.UnknownNameError: unknown title 'orlean'; did you mean 'orleans'?
    """
    if arguments.check_text("a title's id", id) not in loaded_titles():
        raise UnknownNameError("title", id, loaded_titles())
    return load_meta(id)


def edition(title_id: str, id: str = "") -> EditionMeta:
    """Return an edition of a title, or its default one; raises :class:`~boardkeeper.engine.UnknownNameError`.

    >>> edition("stories").players
    (2, 4)
    """
    meta = title(title_id)
    wanted = arguments.check_text("an edition's id", id) or meta.default_edition
    for each in meta.editions:
        if each.id == wanted:
            return each
    raise UnknownNameError(f"edition of {meta.id}", wanted, [each.id for each in meta.editions])


def check_choices(meta: TitleMeta, edition_id: str, options: Mapping[str, str], readings: Mapping[str, str]) -> None:
    """Raise :class:`UnknownNameError` for an unknown edition, or :class:`ChoiceError` for an unavailable choice."""
    chosen = edition(meta.id, edition_id)
    for field, offered, wanted in (("options", meta.options, options), ("readings", meta.readings, readings)):
        for id in wanted:
            if problem := explain_misplaced(meta, field, id, chosen.id):
                raise ChoiceError(f"{field}.{id}", problem)
        _check(field, [each for each in offered if each.is_for(chosen.id)], wanted)


def _check(field: str, offered: Sequence[OptionMeta], wanted: Mapping[str, str]) -> None:
    known = {option.id: option for option in offered}
    for id, value in wanted.items():
        if id not in known:
            raise ChoiceError(f"{field}.{id}", f"does not exist{did_you_mean(id, known)}")
        choices = [choice.id for choice in known[id].choices]
        if value not in choices:
            raise ChoiceError(f"{field}.{id}", f"cannot be {value!r}{did_you_mean(value, choices)}")
