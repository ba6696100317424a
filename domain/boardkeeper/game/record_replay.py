"""The replay of a record: the rules decide its commands again, with the game's readings and with today's defaults."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from uuid import UUID

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from boardkeeper.game import undo_effects
from boardkeeper.game.automata import add_automata
from boardkeeper.game.choices import ChoiceError, complete
from boardkeeper.game.events import (
    GameCreated,
    GameEvent,
    GameStarted,
    Given,
    SeatHandedToBot,
    SeatJoined,
    SeatResigned,
    SeatTakenBack,
    TimeExpired,
    UndoConsented,
    UndoDeclined,
    Undone,
    UndoRequested,
)
from boardkeeper.game.game import ENDED, Game
from boardkeeper.game.record import EventForm, EventLine, canonical, plain_commands
from boardkeeper.game.record_reading import parse_created, parse_game_detail, parse_submission
from boardkeeper.table.effects import Effect
from boardkeeper.table.rejections import Rejection
from boardkeeper.titlekit import positions
from boardkeeper.titlekit.title import PositionError, Setup, Standing, Title

Lines = Callable[[], Iterator[EventLine]]
"""Iterates over the event lines of a whole, well-formed record. It can be called several times."""

MAX_UNDONE_EFFECTS = 2_000_000
"""The maximum number of effects that the undos of a record may read in total; a few thousand are usual."""


class ReplayMismatchError(ValueError):
    """The rules decide the event at ``version`` differently."""

    def __init__(self, version: int, message: str) -> None:
        super().__init__(message)
        self.version = version


class UnknownRulesError(ValueError):
    """This program does not have the rules of the game."""


class ReadingChange(Struct, frozen=True):
    """A reading of the game that differs from today's default of its edition."""

    id: str
    own: str
    default: str


class ScoreChange(Struct, frozen=True):
    """A seat's points in the record, and ``otherwise`` with today's default readings."""

    seat: int
    points: int
    otherwise: int


class OtherReadings(Struct, frozen=True):
    """The outcome of the same commands with today's default readings.

    ``version`` is the first event that would differ (0: none), ``difference`` describes how. Later commands are carried
    out nevertheless; ``rejected`` is the number of those that the rules reject. ``scores`` is empty if the game would
    not end, or would not differ.
    """

    readings: tuple[ReadingChange, ...]
    version: int = 0
    difference: str = ""
    rejected: int = 0
    scores: tuple[ScoreChange, ...] = ()


class ReplayResult(Struct, frozen=True):
    """The result of a replay: the number of commands, the standings, and the outcome with today's default readings."""

    commands: int
    standings: tuple[Standing, ...]
    other_readings: OtherReadings | None


def replay_record(id: UUID, title: Title, lines: Lines, secret: bytes) -> ReplayResult:
    """Decide every command of a finished game again and compare the events with the record.

    Raises :class:`ReplayMismatchError` at the first event that differs or at which the rules raise an exception, or
    :class:`UnknownRulesError`.
    """
    detail = parse_created(next(lines()))
    if detail.rules_version not in title.meta.rules_versions:
        known = ", ".join(map(repr, title.meta.rules_versions))
        raise UnknownRulesError(
            f"the game has rules version {detail.rules_version!r}; this program has the versions {known}"
        )
    _check_setup(title, detail)
    replay = _Replay(id, title, detail, secret)
    commands = _replay_all(replay, lines)
    standings = tuple(replay.game.standings())
    setup = title.meta.with_legacy_choices(detail.setup)
    default = complete(title.meta, replace(setup, readings={}))
    other_readings = None
    if default.readings != setup.readings:
        detail = replace(detail, setup=setup)
        other_readings = _replay_with_defaults(id, title, lines, secret, detail, default, standings)
    return ReplayResult(commands, standings, other_readings)


def _check_setup(title: Title, detail: GameCreated) -> None:
    setup = title.meta.with_legacy_choices(detail.setup)
    try:
        if complete(title.meta, setup) != setup:
            raise ReplayMismatchError(1, "the setup does not have every option and reading of the game")
        if add_automata(title, setup, detail.seats) != detail.seats:
            raise ReplayMismatchError(1, "the setup does not have every seat of the game")
        layout = title.layout(setup)
    except (ChoiceError, KeyError) as error:
        raise UnknownRulesError(f"this program does not know the game's setup: {error}") from None
    except ValueError as error:
        raise ReplayMismatchError(1, f"the setup is not possible in this title: {error}") from None
    if detail.position:
        wrong = positions.problems(title, setup, detail.layout)
        if wrong:
            raise ReplayMismatchError(1, f"the start position is not possible in this title: {PositionError(wrong)}")
    elif layout != detail.layout:
        raise ReplayMismatchError(1, "the board at the start differs from the title's setup")


class _Replay:
    """A game that repeats the commands and requests of a record."""

    def __init__(self, id: UUID, title: Title, detail: GameCreated, secret: bytes) -> None:
        first = GameEvent(id, 1, "game.GameCreated", 0, "", 0, detail, ())
        self.game = Game.load(title, secret, [first])
        self.events = [first]
        self.full_undo: list[Effect] = []
        """The inverses of all effects that the last undo reverted; see :func:`_is_full_undo`."""
        self._undone = 0

    def carry_out(self, line: EventLine) -> list[GameEvent] | Rejection:
        """Return the events of the command or request that a line begins; raises :class:`ReplayMismatchError`."""
        try:
            return self._carry_out(line)
        except ReplayMismatchError:
            raise
        except Exception as error:  # noqa: BLE001  # the rules of a title can fail over hostile commands
            raise ReplayMismatchError(line.version, f"the rules cannot continue the game ({error!r})") from None

    def _carry_out(self, line: EventLine) -> list[GameEvent] | Rejection:
        game, title = self.game, self.game.title
        game.latest_time = 0  # accept the recorded times: in records of 0.1.0 they can go back
        if line.given is not None and not isinstance(line.given, str):
            submission = parse_submission(line)
            try:
                commands = submission.structs(title.commands)
            except (KeyError, msgspec.ValidationError) as error:
                raise ReplayMismatchError(line.version, f"the title has no such command: {error}") from None
            if plain_commands(Given.of(submission.seat, commands)) != line.given.commands:
                raise ReplayMismatchError(line.version, "a command has unknown fields")
            if not 1 <= submission.seat < len(game.table.decisions):
                raise ReplayMismatchError(line.version, f"the game has no seat {submission.seat}")
            return game.decide(submission.seat, commands, line.command_id, line.time)
        detail = parse_game_detail(line)
        if isinstance(detail, SeatJoined):
            return game.join([line.seat], bytes.fromhex(detail.entropy), line.command_id, line.time)
        if isinstance(detail, GameStarted) and game.version == 1:
            return game.start_if_full(line.command_id, line.time)
        if isinstance(detail, SeatHandedToBot):
            return game.hand_to_bot(line.seat, detail.bot, line.command_id, line.time)
        if isinstance(detail, SeatTakenBack):
            return game.take_seat_back(line.seat, line.command_id, line.time)
        if isinstance(detail, TimeExpired):
            return game.expire(line.seat, detail.bot, line.command_id, line.time)
        if isinstance(detail, SeatResigned):
            return game.resign(line.seat, detail.bot, line.command_id, line.time)
        if isinstance(detail, UndoRequested | Undone):
            first = game.first_undo_version(line.seat, unlimited=True)
            past = self._since(first, line) if isinstance(first, int) else []
            return game.request_undo(line.seat, past, line.command_id, line.time, unlimited=True)
        if isinstance(detail, UndoConsented | UndoDeclined):
            past = self._since(game.undo.vote.first_version, line) if game.undo.vote is not None else []
            consents = isinstance(detail, UndoConsented)
            return game.answer_undo(line.seat, detail.request_version, consents, past, line.command_id, line.time)
        raise ReplayMismatchError(line.version, f"the record has no command or event that causes {line.event.topic}")

    def _since(self, first: int, line: EventLine) -> list[GameEvent]:
        runs = self.game.undo.batches.since(first)
        past = [event for begin, last in runs for event in self.events[begin - 1 : last]]
        self._undone += sum(len(event.effects) + 1 for event in past)
        if self._undone > MAX_UNDONE_EFFECTS:
            raise ReplayMismatchError(line.version, "the undos take back too many events to check")
        self.full_undo = list(undo_effects.invert(undo_effects.all_effects(past)))
        return past

    def commit(self, events: Sequence[GameEvent]) -> None:
        """Commit the events of the last command."""
        self.game.commit(events)
        self.events += events


def _replay_all(replay: _Replay, lines: Lines) -> int:
    """Replay all lines, compare the events, and return the number of commands."""
    commands = 0
    expected: list[GameEvent] = []
    for line in lines():
        if line.version == 1:
            continue
        if not expected:
            outcome = replay.carry_out(line)
            if isinstance(outcome, Rejection):
                raise ReplayMismatchError(line.version, f"the rules reject the command: {_rejection(outcome)}")
            if not outcome:
                raise ReplayMismatchError(line.version, "by the rules, the command has no events")
            expected = list(reversed(outcome))
            replay.commit(outcome)
            commands += len(line.given.commands) if line.given and not isinstance(line.given, str) else 0
        elif line.given is not None:
            raise ReplayMismatchError(
                line.version, "the line has commands, but events of the previous command are missing"
            )
        event = expected.pop()
        if _is_full_undo(replay, event, line):
            event = replace(event, effects=line.event.effects)
        difference = _difference(event, line)
        if difference:
            raise ReplayMismatchError(line.version, difference)
    if expected:
        raise ReplayMismatchError(
            replay.game.version, f"by the rules, {expected[-1].topic} must follow, and it is missing"
        )
    return commands


def _is_full_undo(replay: _Replay, event: GameEvent, line: EventLine) -> bool:
    """Return whether a line is an undo with the effects that rules version 1 stored.

    These undos also inverted earlier undos, so their effects contain pairs that cancel each other. A game that began
    under version 1 can contain undos of both forms.
    """
    created = replay.events[0].detail
    return (
        isinstance(created, GameCreated)
        and created.rules_version == "1"
        and event.topic == line.event.topic == "game.Undone"
        and undo_effects.cancel_inverses(line.event.effects) == undo_effects.cancel_inverses(replay.full_undo)
    )


def _difference(event: GameEvent, line: EventLine) -> str:
    """Return how the event of the rules differs from the recorded one; empty if it does not."""
    if event.topic != line.event.topic:
        return f"by the rules, the event is {event.topic}, not {line.event.topic}"
    for name, decided, recorded in (
        ("seat", event.seat, line.seat),
        ("command_id", event.command_id, line.command_id),
        ("time", event.time, line.time),
    ):
        if decided != recorded:
            return f"by the rules, the {name} of {event.topic} is {decided!r}, not {recorded!r}"
    if canonical(EventForm(event.topic, event.detail, event.effects)) != canonical(line.event):
        differs = f"{_short(event.detail)} {_first_effect(event, line)}".rstrip()
        return f"by the rules, {event.topic} is different: {differs}"
    return ""


def _first_effect(event: GameEvent, line: EventLine) -> str:
    recorded = line.event.effects
    for at, effect in enumerate(event.effects):
        if at >= len(recorded) or recorded[at] != effect:
            return f"with {_short(effect)}"
    return "" if len(recorded) == len(event.effects) else f"without {_short(recorded[len(event.effects)])}"


def _short(value: object) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= 120 else text[:119] + "…"


def _rejection(rejection: Rejection) -> str:
    values = ", ".join(f"{name}={value}" for name, value in rejection.values.items())
    return f"{rejection.code} ({rejection.rule}{'; ' + values if values else ''})"


# --- with today's default readings -----------------------------------------------------------------------------


def _replay_with_defaults(
    id: UUID, title: Title, lines: Lines, secret: bytes, detail: GameCreated, default: Setup, own: Sequence[Standing]
) -> OtherReadings:
    """Replay the commands with the ``default`` setup; ``own`` are the recorded standings.

    After the first difference, only the commands of the record are carried out, and events are not compared any more.
    """
    readings = tuple(
        ReadingChange(reading, chosen, default.readings[reading])
        for reading, chosen in detail.setup.readings.items()
        if default.readings[reading] != chosen
    )
    layout = detail.layout if detail.position else title.layout(default)
    replay = _Replay(id, title, replace(detail, setup=default, layout=layout), secret)
    version, difference, rejected = 0, "", 0
    expected: list[GameEvent] = []
    command_id = ""
    for line in lines():
        is_later_event = line.given is None and line.command_id == command_id
        command_id = line.command_id
        if line.version == 1 or (version and is_later_event):
            continue
        if not expected:
            try:
                outcome = replay.carry_out(line)
            except ReplayMismatchError as error:
                return OtherReadings(readings, version or line.version, difference or str(error), rejected)
            if isinstance(outcome, Rejection):
                rejected += 1
                version = version or line.version
                difference = difference or f"the command would be rejected: {_rejection(outcome)}"
                continue
            replay.commit(outcome)
            expected = list(reversed(outcome))
        if version:
            expected = []
        elif _is_full_undo(replay, expected[-1], line):
            expected.pop()
        elif difference := _difference(expected.pop(), line):
            version = line.version
            expected = []
    if expected and not version:
        version, difference = replay.game.version, f"the rules would continue with {expected[-1].topic}"
    scores: tuple[ScoreChange, ...] = ()
    if version and replay.game.status == ENDED:
        points = {standing.seat: standing.points for standing in own}
        scores = tuple(
            ScoreChange(standing.seat, points[standing.seat], standing.points)
            for standing in sorted(replay.game.standings(), key=lambda standing: standing.seat)
        )
    return OtherReadings(readings, version, difference, rejected, scores)
