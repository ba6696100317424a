"""The audit of a game record, which verifies it on six levels.

* ``well-formed``: the file is a record without gaps;
* ``chained``: each link follows from the link before and from its line, up to the head;
* ``signed``: the signature over the head is valid, and its key is the game's, if the first event names one;
* ``conserved``: each effect fits the table, so no component appears, disappears or changes;
* ``fair``: the secret matches the commitment in the first event, and each draw and shuffle follows from it;
* ``decided``: from the recorded commands, the rules give the recorded events.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Literal
from uuid import UUID

from msgspec import UNSET, Struct

from boardkeeper.game.events import GameCreated, GameEnded, GameEvent, SeatJoined
from boardkeeper.game.record import (
    GIVEN,
    MAX_LINES,
    MAX_RECORD_BYTES,
    EventLine,
    Header,
    Seal,
    canonical,
    commands_commitment,
    commitment,
    derive_salt,
    encode_forms,
    event_forms,
    first_link,
    key_id,
    next_link,
    signed_message,
)
from boardkeeper.game.record_reading import (
    MalformedError,
    decode_line,
    header_viewer,
    is_seal,
    parse_game_detail,
    parse_header,
    parse_line,
    parse_seal,
)
from boardkeeper.game.record_replay import OtherReadings, ReplayMismatchError, UnknownRulesError, replay_record
from boardkeeper.game.record_table import NotConservedError, StrictTable, TooMuchWorkError, UnfairDiceError
from boardkeeper.table import dice as provable
from boardkeeper.table.dice import Dice
from boardkeeper.table.effects import Draw, Shuffle
from boardkeeper.table.visibility import OPERATOR, SPECTATOR, viewer_name
from boardkeeper.titlekit.title import Standing, Title
from boardkeeper.titlekit.title_guard import TitleFailedError
from boardkeeper.titles.registry import build_of

WELL_FORMED = "well-formed"
CHAINED = "chained"
SIGNED = "signed"
CONSERVED = "conserved"
FAIR = "fair"
DECIDED = "decided"
LEVELS = (WELL_FORMED, CHAINED, SIGNED, CONSERVED, FAIR, DECIDED)

HOLDS: Literal["holds"] = "holds"
FAILS: Literal["fails"] = "fails"
NOT_YET: Literal["not yet"] = "not yet"
NOT_CHECKED: Literal["not checked"] = "not checked"
Status = Literal["holds", "fails", "not yet", "not checked"]

_MAX_MESSAGE = 300
MAX_PROBLEMS = 20
"""The maximum number of problems of a level. The audit stops reading at this number."""

TitleLoader = Callable[[str], Title]
"""Returns a title by its id; raises ``KeyError``."""

VerifySignature = Callable[[bytes, bytes, bytes], bool]
"""Returns whether an Ed25519 signature is valid. Takes the public key, the signature and the message."""


class Problem(Struct, frozen=True):
    """A problem in a line, counted from 1; ``version`` is the version of the line's event, or 0."""

    level: str
    line: int
    version: int
    message: str


class Level(Struct, frozen=True):
    """The result of one level; ``note`` says what was checked, or why not.

    ``not yet``: the check needs the end of the game or the whole record. ``not checked``: another level failed, or
    this program lacks something.
    """

    name: str
    status: Status
    note: str = ""


class Report(Struct, frozen=True):
    """The result of an audit. Fields that could not be read from the record are empty.

    ``problems`` are in the order of the levels. ``other_readings`` has the outcome with today's default readings, if
    the game was played with different ones; this is not a problem. ``title_build`` is the package and version of the
    rules that the game was played with; empty for built-in titles.
    """

    game: str
    title: str
    viewer: str
    events: int
    key_id: str
    levels: tuple[Level, ...]
    problems: tuple[Problem, ...]
    standings: tuple[Standing, ...] = ()
    other_readings: OtherReadings | None = None
    title_build: str = ""

    @property
    def holds(self) -> bool:
        """Whether all levels hold."""
        return all(level.status == HOLDS for level in self.levels)

    @property
    def fails(self) -> bool:
        """Whether a level fails. The record of a running game neither holds nor fails."""
        return any(level.status == FAILS for level in self.levels)


def audit(
    lines: Iterable[bytes],
    load_title: TitleLoader,
    verify_signature: VerifySignature,
    on_line: Callable[[], None] = lambda: None,
) -> Report:
    """Audit an untrusted record; :func:`boardkeeper.game.record_reading.split_lines` returns the lines of a file.

    Its time and memory are bounded, and no content of the lines makes it raise an exception. ``on_line`` is called for
    each line of each pass; its exceptions end the audit.
    """
    auditor = _Auditor(on_line)
    auditor.read(lines)
    auditor.check_signature(verify_signature)
    auditor.check_table()
    auditor.check_rules(load_title)
    return auditor.report()


class _TooManyError(Exception):
    """A level has :data:`MAX_PROBLEMS` problems, so the audit stops reading."""


class _Auditor:
    def __init__(self, on_line: Callable[[], None]) -> None:
        self._on_line = on_line
        self._problems: dict[str, list[Problem]] = {name: [] for name in LEVELS}
        self._outcomes: dict[str, tuple[Status, str]] = {}
        self._header: Header | None = None
        self._viewer = OPERATOR
        self._created: GameCreated | None = None
        self._entropies: dict[int, str] = {}
        self._ended: GameEnded | None = None
        self._seal: Seal | None = None
        self._stored: list[bytes] = []
        self._unread = 0
        self._version = 0
        self._link: str | None = None
        self._standings: tuple[Standing, ...] = ()
        self._other_readings: OtherReadings | None = None

    def report(self) -> Report:
        return Report(
            game=self._header.game if self._header else "",
            title=self._created.title if self._created else "",
            viewer=self._header.viewer if self._header else "",
            events=len(self._stored),
            key_id=self._seal.key_id if self._seal else "",
            levels=tuple(self._level(name) for name in LEVELS),
            problems=tuple(problem for name in LEVELS for problem in self._problems[name]),
            standings=self._standings,
            other_readings=self._other_readings,
            title_build=_printable(self._created.title_build or "") if self._created else "",
        )

    def _level(self, name: str) -> Level:
        status, note = self._outcomes.get(name, (HOLDS, ""))
        problems = self._problems[name]
        if problems:
            status, note = (
                FAILS,
                "many problems" if len(problems) >= MAX_PROBLEMS else _count(len(problems), "problem"),
            )
        return Level(name, status, _printable(note))

    def _add_problem(self, level: str, line: int, version: int, message: str) -> None:
        self._problems[level].append(Problem(level, line, version, _printable(message)))

    def _fail(self, level: str, line: int, version: int, message: str) -> None:
        """Add a problem; raises :class:`_TooManyError` if the audit should stop reading."""
        self._add_problem(level, line, version, message)
        if len(self._problems[level]) >= MAX_PROBLEMS:
            raise _TooManyError

    def _set_outcome(self, status: Status, note: str, *levels: str) -> None:
        """Set the outcome of levels that have none yet. A level with problems fails in any case."""
        for level in levels:
            self._outcomes.setdefault(level, (status, note))

    # --- well-formed and chained ----------------------------------------------------------------------------

    def read(self, lines: Iterable[bytes]) -> None:
        number = 0
        try:
            for number, line in enumerate(self._bounded(lines), 1):
                if not self._read_line(number, line):
                    break
            if number == 0:
                self._fail(WELL_FORMED, 0, 0, "the record is empty")
            elif self._seal is None and not self._problems[WELL_FORMED]:
                self._fail(WELL_FORMED, number + 1, 0, "the record ends without its seal")
        except _TooManyError:
            pass
        if self._created is None:
            self._set_outcome(NOT_CHECKED, "the record has no readable first event", CHAINED)
        elif self._unread:
            self._set_outcome(NOT_CHECKED, "not every line could be read", CHAINED)
        else:
            self._set_outcome(HOLDS, f"{_count(len(self._stored), 'event')}, head {(self._link or '')[:16]}…", CHAINED)
        self._set_outcome(HOLDS, _form(self._viewer) if self._header else "", WELL_FORMED)

    def _bounded(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        total = 0
        for number, line in enumerate(lines, 1):
            self._on_line()
            total += len(line)
            if total > MAX_RECORD_BYTES:
                self._fail(WELL_FORMED, number, 0, f"the record is larger than {MAX_RECORD_BYTES} bytes")
                return
            if number > MAX_LINES:
                self._fail(WELL_FORMED, number, 0, f"the record has more than {MAX_LINES} lines")
                return
            yield line

    def _read_line(self, number: int, line: bytes) -> bool:
        """Read one line; return false if the lines after it cannot be checked."""
        try:
            if self._header is None:
                self._header = parse_header(line)
                self._viewer = header_viewer(self._header)
                self._link = first_link(self._header.game)
            elif self._seal is not None:
                self._fail(WELL_FORMED, number, 0, "the record continues after its seal")
                return False
            elif is_seal(line):
                self._read_seal(number, parse_seal(line))
            else:
                seats = len(self._created.seats) if self._created else 0
                self._read_event(number, line, parse_line(line, self._viewer, seats, self._header.format))
        except MalformedError as error:
            self._fail(WELL_FORMED, number, 0, str(error))
            self._link = None
            self._unread += 1
            self._version += 1
            return self._header is not None and self._created is not None
        return True

    def _read_event(self, number: int, line: bytes, read: EventLine) -> None:
        if read.version != self._version + 1:
            what = f"the line has event {read.version} instead of event {self._version + 1}"
            self._fail(WELL_FORMED, number, read.version, what)
        if self._ended is not None:
            self._fail(WELL_FORMED, number, read.version, "an event follows the end of the game")
        self._version = read.version
        detail = parse_game_detail(read) if read.event.detail is not None else None
        if isinstance(detail, GameCreated):
            self._created = detail
            if self._viewer > len(detail.seats):
                self._fail(WELL_FORMED, 1, 0, f"the game has no {viewer_name(self._viewer)}")
        elif isinstance(detail, SeatJoined):
            self._entropies[read.seat] = detail.entropy
        elif isinstance(detail, GameEnded):
            self._ended = detail
        self._stored.append(line)
        self._check_link(number, read)

    def _check_link(self, number: int, read: EventLine) -> None:
        shown = commitment(bytes.fromhex(read.salt), canonical(read.event))
        parts = [shown if part is None else part for part in read.parts]
        commands = commands_commitment(read.given)
        before, self._link = self._link, read.link
        if before is None:
            return
        link = next_link(before, read.version, read.seat, read.command_id, read.time, commands, parts)
        if link != read.link:
            self._fail(CHAINED, number, read.version, "the link does not match this event and the link before it")

    def _read_seal(self, number: int, seal: Seal) -> None:
        self._seal = seal
        if not self._stored:
            self._fail(WELL_FORMED, number, 0, "the record has no event")
        if seal.events != self._version:
            self._fail(
                WELL_FORMED, number, 0, f"the seal is for {seal.events} events, but the record has {self._version}"
            )
        if self._link is not None and seal.head != self._link:
            self._fail(CHAINED, number, 0, "the head in the seal does not match the last link")

    # --- signed ---------------------------------------------------------------------------------------------

    def check_signature(self, verify: VerifySignature) -> None:
        seal, header = self._seal, self._header
        if seal is None or header is None:
            self._set_outcome(NOT_CHECKED, "the record has no seal", SIGNED)
            return
        line = len(self._stored) + 2
        key = bytes.fromhex(seal.key)
        if key_id(key) != seal.key_id:
            self._add_problem(SIGNED, line, 0, "the id of the key does not match the key")
        message = signed_message(header.game, seal.events, seal.head, seal.key_id)
        if not verify(key, bytes.fromhex(seal.signature), message):
            self._add_problem(SIGNED, line, 0, "the signature is not valid for this key and head")
        server_key = self._created.server_key if self._created is not None else UNSET
        if server_key not in (UNSET, seal.key_id):
            self._add_problem(SIGNED, line, 0, f"the record is signed with another key than the game's, {server_key}")
        self._set_outcome(HOLDS, f"key {seal.key_id[:16]}…", SIGNED)

    # --- conserved and fair ---------------------------------------------------------------------------------

    def check_table(self) -> None:
        if self._problems[WELL_FORMED] or self._created is None:
            self._set_outcome(NOT_CHECKED, "the record is not well-formed", CONSERVED, FAIR)
            return
        if self._viewer != OPERATOR:
            note = f"the record contains only {_form(self._viewer)}"
            self._set_outcome(NOT_YET, note, CONSERVED, FAIR, DECIDED)
            return
        dice = self._dice()
        secret = self._secret() if dice else None
        table = StrictTable(self._created.layout)
        effects = draws = 0
        for number, line in enumerate(self._lines(), 2):
            for effect in line.event.effects:
                try:
                    table.check(effect)
                except (NotConservedError, TooMuchWorkError) as error:
                    self._add_problem(CONSERVED, number, line.version, str(error))
                    self._set_outcome(NOT_CHECKED, f"the board is unknown after line {number}", FAIR)
                    return
                if dice is not None and isinstance(effect, Draw | Shuffle):
                    dice = self._check_dice(table, effect, dice, number, line.version)
                    draws += 1
                table.table.apply(effect)
                effects += 1
            if secret is not None and not self._check_forms(table, line, number, secret):
                secret = None
        self._set_outcome(HOLDS, _count(effects, "effect"), CONSERVED)
        self._set_outcome(HOLDS, _count(draws, "draw"), FAIR)

    def _dice(self) -> Dice | None:
        """Return the dice of the game if its secret is published and matches the commitment."""
        assert self._created is not None
        if self._ended is None:
            self._set_outcome(NOT_YET, "the last event of the game reveals the secret of the dice", FAIR)
            return None
        if self._created.dice != provable.ALGORITHM:
            self._set_outcome(NOT_CHECKED, f"this program does not know dice of the kind {self._created.dice!r}", FAIR)
            return None
        secret = self._secret()
        if provable.commitment(secret) != self._created.commitment:
            number = len(self._stored) + 1
            message = "the secret does not match the commitment in the first event"
            self._add_problem(FAIR, number, self._version, message)
            return None
        seats = range(1, len(self._created.seats) + 1)
        return Dice(provable.key(secret, (bytes.fromhex(self._entropies.get(seat, "")) for seat in seats)))

    def _secret(self) -> bytes:
        return bytes.fromhex(self._ended.secret) if self._ended else b""

    def _check_dice(
        self, table: StrictTable, effect: Draw | Shuffle, dice: Dice, number: int, version: int
    ) -> Dice | None:
        """Check a draw or shuffle; return the dice to check the next one with, or ``None`` to check no more."""
        try:
            table.check_dice(effect, dice)
        except UnfairDiceError as error:
            self._add_problem(FAIR, number, version, str(error))
            return dice if len(self._problems[FAIR]) < MAX_PROBLEMS else None
        except TooMuchWorkError as error:
            self._add_problem(FAIR, number, version, str(error))
            return None
        return dice

    def _check_forms(self, table: StrictTable, line: EventLine, number: int, secret: bytes) -> bool:
        """Return whether the salts follow from the secret, and each form contains what its viewer may see."""
        detail = parse_game_detail(line) or line.event.detail
        event = GameEvent(UUID(int=0), line.version, line.event.topic, line.seat, "", 0, detail, line.event.effects)
        assert self._header is not None
        every = event_forms(table.table, event, self._header.format)
        message = ""
        commands = line.given
        salt = None if commands is None or isinstance(commands, str) else commands.salt
        if line.salt != derive_salt(secret, line.version, 0).hex() or (
            salt is not None and salt != derive_salt(secret, line.version, GIVEN).hex()
        ):
            message = "the salt does not match the game's secret"
        else:
            for place, content in enumerate(encode_forms(every)):
                if place and line.parts[place] != commitment(derive_salt(secret, line.version, place), content):
                    message = f"the form for {viewer_name(place - 1)} is not the one that it may see of this event"
                    break
        if message:
            self._add_problem(CHAINED, number, line.version, message)
        return not message

    def _lines(self) -> Iterator[EventLine]:
        for line in self._stored:
            self._on_line()
            yield decode_line(line)

    # --- decided --------------------------------------------------------------------------------------------

    def check_rules(self, load_title: TitleLoader) -> None:
        if self._problems[WELL_FORMED] or self._created is None or self._header is None:
            self._set_outcome(NOT_CHECKED, "the record is not well-formed", DECIDED)
            return
        if self._ended is None:
            self._set_outcome(NOT_YET, "the game is still in progress", DECIDED)
        if DECIDED in self._outcomes:
            return
        recorded, here = self._created.title_build or "", build_of(self._created.title)
        others = f"the game was played with {recorded or 'an unnamed package'}, this program has {here}"
        try:
            title = load_title(self._created.title)
        except KeyError:
            played = f"; the game was played with {recorded}" if recorded else ""
            note = f"this program does not have the rules of {self._created.title!r}{played}"
            self._set_outcome(NOT_CHECKED, note, DECIDED)
            return
        try:
            decided = replay_record(UUID(self._header.game), title, self._lines, self._secret())
        except (UnknownRulesError, TitleFailedError) as error:
            self._set_outcome(NOT_CHECKED, str(error), DECIDED)
            return
        except ReplayMismatchError as error:
            if here and here != recorded:  # another version of a third-party title, so not a problem of the record
                note = f"{others}, which decides event {error.version} differently; install {recorded} to check it"
                self._set_outcome(NOT_CHECKED, note, DECIDED)
            else:
                self._add_problem(DECIDED, error.version + 1, error.version, str(error))
            return
        self._standings = decided.standings
        self._other_readings = decided.other_readings
        note = _count(decided.commands, "command")
        self._set_outcome(HOLDS, f"{note}; {others}" if here and here != recorded else note, DECIDED)


def _printable(text: str) -> str:
    """Shorten a text that can quote a hostile record, and replace its control characters."""
    text = text if len(text) <= _MAX_MESSAGE else text[: _MAX_MESSAGE - 1] + "…"
    return "".join(character if character.isprintable() else "�" for character in text)


def _form(viewer: int) -> str:
    if viewer == OPERATOR:
        return "the whole game"
    return "what spectators may see" if viewer == SPECTATOR else f"what seat {viewer} may see"


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
