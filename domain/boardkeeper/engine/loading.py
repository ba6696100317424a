"""Loading games from saves and records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from boardkeeper.engine import arguments
from boardkeeper.engine.arguments import BytesLike, Clock
from boardkeeper.engine.errors import BadRecordError, BadSaveError, IncompatibleSaveError, MisuseError
from boardkeeper.engine.game import Game
from boardkeeper.engine.records import verify
from boardkeeper.engine.saves import check_secret, decode_created, decode_events, open_save
from boardkeeper.game.events import GameCreated, GameEnded, GameEvent
from boardkeeper.game.game import ENDED, RUNNING
from boardkeeper.game.game import Game as Aggregate
from boardkeeper.table.forking import layout_of
from boardkeeper.titlekit import positions
from boardkeeper.titlekit.title import PositionError, PositionProblem, Title
from boardkeeper.titlekit.title_guard import IncompatibleTitleError, TitleFailedError, expect_readable
from boardkeeper.titles.registry import load_title, loaded_titles

if TYPE_CHECKING:  # see boardkeeper.engine.records
    from boardkeeper.game.audit import VerifySignature


def load(data: BytesLike, *, clock: Clock | None = None) -> Game:
    """Load a game from the result of :meth:`Game.save`. Raises :class:`BadSaveError`.

    The save must be complete, consistent and contain the secret of the game, and the first and last table must be
    possible in the title. The events are not decided again: use a record if an untrusted program could have changed the
    save. If the game began with another version of the title's package, which the installed one cannot read, the error
    is an
    :class:`~boardkeeper.engine.IncompatibleSaveError`.

    >>> from boardkeeper import engine
    >>> game = engine.create("orleans", 2, seed=1)
    >>> engine.load(game.save()).digest() == game.digest()
    True
    """
    clock = arguments.check_clock(clock)
    head, lines = open_save(arguments.check_bytes("a save", data))
    if not lines:
        raise BadSaveError("the save has no events")
    created = decode_created(lines[0])
    id = created.title
    if id not in loaded_titles():
        raise BadSaveError(f"the save is of the title {id!r}, which is not installed")
    title = load_title(id)
    with _comparing_versions(title, created):
        history = decode_events(head, lines, title.events)
    secret = check_secret(head, history)
    with _comparing_versions(title, created):
        game = _rebuild(title, secret, history)
    return Game(game, history, head.names, secret, clock, head.seal)


@contextmanager
def _comparing_versions(title: Title, created: GameCreated) -> Iterator[None]:
    """Raise :class:`IncompatibleSaveError` for a bad save of another version of the title's package."""
    try:
        yield
    except BadSaveError as bad:
        try:
            expect_readable(title, created.title_build or "", str(bad))
        except IncompatibleTitleError as error:
            raise IncompatibleSaveError(error.title, error.recorded, error.build, str(error)) from bad
        raise


def _rebuild(title: Title, secret: bytes, history: Sequence[GameEvent]) -> Aggregate:
    """Return the game of these events; raises :class:`BadSaveError`."""
    try:
        game = Aggregate.load(title, secret, history)
        is_stuck = not _can_continue(game)
        wrong = _problems(game, history[0])
    except (
        ArithmeticError,
        AssertionError,
        AttributeError,
        LookupError,
        TitleFailedError,
        TypeError,
        ValueError,
    ) as error:
        raise BadSaveError(f"the events of the save cannot be applied in order: {error!r}") from error
    if is_stuck:
        raise BadSaveError("the save ends between the events of one command: the game is not over, and no seat can act")
    if wrong:
        raise BadSaveError(f"the save has a table that the rules contradict: {PositionError(wrong)}")
    return game


def _problems(game: Aggregate, first: GameEvent) -> Sequence[PositionProblem]:
    """Return the problems of the start position; if it has none, those of the current table of a running game."""
    created = first.detail
    assert isinstance(created, GameCreated)
    title, setup = game.title, game.title.meta.with_legacy_choices(created.setup)
    wrong = positions.problems(title, setup, created.layout) if created.position else ()
    return wrong or (positions.problems(title, setup, layout_of(game.table)) if game.status == RUNNING else ())


def _can_continue(game: Aggregate) -> bool:
    """Return whether a game is over, or all seats that have to decide have a legal command."""
    deciding = game.table.deciding()
    return game.status == ENDED or (bool(deciding) and all(map(game.legal, deciding)))


def load_record(
    record: BytesLike, names: Sequence[str] = (), *, verify_signature: VerifySignature | None = None
) -> Game:
    """Verify the whole record of a finished game and load the game. Raises :class:`BadRecordError`.

    ``names`` are names for the seats, because records contain none. Without ``verify_signature`` the signature is not
    checked. Records of running games cannot be loaded, because they lack the secret of the dice: use :func:`load`.
    """
    from boardkeeper.game.audit import DECIDED, HOLDS, NOT_CHECKED, SIGNED  # noqa: PLC0415
    from boardkeeper.game.record_reading import parse_seal, read_events, split_lines  # noqa: PLC0415

    names, whole = arguments.check_names(names), arguments.check_bytes("a record", record)
    report = verify(whole, verify_signature)
    if report.fails:
        first = report.problems[0]
        raise BadRecordError(f"the record is not valid ({first.level}, line {first.line}): {first.message}")
    unchecked = SIGNED if verify_signature is None else ""
    for level in report.levels:
        if level.status != HOLDS and not (level.name == unchecked and level.status == NOT_CHECKED):
            if level.name == DECIDED and level.status == NOT_CHECKED:
                raise BadRecordError(f"the rules cannot check the record: {level.note}")
            raise BadRecordError(f"the record is not the whole record of a finished game ({level.name}: {level.note})")
    title = load_title(report.title)
    lines = list(split_lines([whole]))
    history = read_events(lines, lambda _: title.events)
    ended = history[-1].detail
    assert isinstance(ended, GameEnded)
    secret = bytes.fromhex(ended.secret)
    if len(names) > len(report.standings):
        raise MisuseError(f"{len(names)} names were given for {len(report.standings)} seats")
    return Game(Aggregate.load(title, secret, history), history, names, secret, None, parse_seal(lines[-1]))
