"""The setup of a game that has not been created, from checked arguments."""

from __future__ import annotations

from collections.abc import Mapping

from boardkeeper.engine import arguments
from boardkeeper.engine.catalogue import check_choices
from boardkeeper.engine.catalogue import title as meta_of
from boardkeeper.engine.errors import ChoiceError, MisuseError
from boardkeeper.game import choices
from boardkeeper.game.automata import NoOpponentError, complete_setup
from boardkeeper.titlekit.title import Setup, Title
from boardkeeper.titles.registry import load_title


def setup_of(
    title_id: str,
    players: int,
    edition: str = "",
    options: Mapping[str, str] | None = None,
    readings: Mapping[str, str] | None = None,
) -> tuple[Title, Setup]:
    """Return a title, and the setup that :func:`~boardkeeper.engine.create` makes, with all options and readings.

    ``players`` is 1 for a solo game, or the number of all its seats together with its options. Raises the errors of
    ``create``.
    """
    meta = meta_of(title_id)
    if type(players) is not int or players < 1:
        raise MisuseError(f"players must be a number from 1, not {players!r}")
    options, readings = arguments.check_choices("options", options), arguments.check_choices("readings", readings)
    check_choices(meta, edition, options, readings)
    title = load_title(title_id)
    try:
        return title, complete_setup(title, Setup(edition, players, dict(options), dict(readings)))
    except choices.ChoiceError as error:
        raise ChoiceError(error.field, error.problem) from error
    except NoOpponentError as error:
        raise MisuseError(str(error)) from error
