"""A game: its table, seats, clocks and undo state. Its methods turn commands into events.

Methods such as :meth:`Game.decide` return events to store; some also change the table. After storing the events, the
caller must call :meth:`Game.commit`. If they were not stored, it must call :meth:`Game.discard`, or drop the game and
load it again.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Sequence
from uuid import UUID

from msgspec import UNSET, Struct

from boardkeeper.game import undo_effects
from boardkeeper.game.clocks import Clocks
from boardkeeper.game.command_ids import SeenCommands
from boardkeeper.game.event_checks import check_events
from boardkeeper.game.events import (
    GAME_EVENT_TYPES,
    SEAT_EVENTS,
    GameCreated,
    GameEnded,
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
from boardkeeper.game.interning import intern_created, intern_layout
from boardkeeper.game.seats import PERSON, PLAYED_BY_BOT, RESIGNED, Seats, is_resignation
from boardkeeper.game.standings import can_continue, final_standings
from boardkeeper.game.time_control import RESIGN
from boardkeeper.game.undo import BOTS_CONSENT, UndoState
from boardkeeper.table import dice
from boardkeeper.table.dice import Dice
from boardkeeper.table.effects import Ask, Effect, Event
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.table import Table
from boardkeeper.titlekit.title import Play, Standing, Title
from boardkeeper.titlekit.title_guard import fault, for_game

GAME = "game"
"""The first part of the topics of events that exist in every title, such as ``game.SeatJoined``."""

OPEN = "open"
RUNNING = "running"
ENDED = "ended"

_GAME_OVER = Rejection("GAME_OVER", "table.game_over")
_BATCH_AFTER_REVEAL = Rejection("NOT_PAST_NEWS", "table.batches_end_with_news")


class Game:
    """One game. ``version`` is the number of its stored events.

    ``status`` is ``open`` until all seats are taken, then ``running``, then ``ended``. ``play`` contains the rules
    bound to the table; ``None`` before the game starts. ``clocks`` is ``None`` without a time control. The dice, the
    random numbers of bots and the tags of command ids are derived from the game's ``secret``.
    """

    __slots__ = (
        "_has_uncommitted",
        "_secret",
        "clocks",
        "created",
        "id",
        "latest_time",
        "play",
        "seats",
        "seen",
        "status",
        "table",
        "title",
        "undo",
        "version",
    )

    def __init__(self, id: UUID, title: Title, created: GameCreated, secret: bytes) -> None:
        self.id = id
        self.title = title = for_game(title, created.title_build or "")
        self.created = intern_created(created)
        self.version = 0
        self.latest_time = 0
        """The time of the latest event. New events are never earlier, even if the clock of the server goes back."""
        self.status = OPEN
        self.table = Table(intern_layout(title, created))
        self.play: Play | None = None
        bots_consent = created.rules_version in BOTS_CONSENT
        self.seats = Seats(created, bots_consent=bots_consent)
        control = created.time_control
        self.clocks: Clocks | None = None
        if control is not UNSET:
            voters = () if bots_consent else self.seats.owned_by_people
            self.clocks = Clocks(control, created.seats, created.layout.decisions, voters)
        self.undo = UndoState(self.seats, has_clocks=control is not UNSET)
        self.seen = SeenCommands(hmac.digest(secret, b"boardkeeper-seen-1", "sha256").hex())
        self._has_uncommitted = False
        """Whether the table contains changes whose events are not committed."""
        self._secret = secret

    @classmethod
    def load(cls, title: Title, secret: bytes, events: Iterable[GameEvent]) -> Game:
        """Rebuild a game from all its stored events. Raises ``ValueError`` if the first one is not ``GameCreated``."""
        stored = iter(events)
        first = next(stored)
        if not isinstance(first.detail, GameCreated):
            raise ValueError(f"the first event of game {first.originator_id} is {first.topic}")
        game = cls(first.originator_id, title, first.detail, secret)
        game._apply_event(first)
        game.apply_stored(stored)
        return game

    def copy(self) -> Game:
        """Return an independent copy. The same commands draw the same random results in both.

        Raises ``RuntimeError`` while changes are neither committed nor discarded.
        """
        self._expect_committed()
        other = Game.__new__(Game)
        other.id, other.title, other.created, other.version = self.id, self.title, self.created, self.version
        other.latest_time, other.status, other.table = self.latest_time, self.status, self.table.copy()
        play = self.play
        other.play = None if play is None else self.title.play(other.table, play.recorder.dice, self.created.setup)
        other.clocks = None if self.clocks is None else self.clocks.copy()
        other.seats, other.seen = self.seats.copy(), self.seen.copy()
        other.undo = self.undo.copy(other.seats)
        other._has_uncommitted, other._secret = False, self._secret
        return other

    def bot_key(self) -> bytes:
        """Return the secret key of the bots' random numbers."""
        return hmac.digest(self._secret, b"boardkeeper-bots-1", "sha256")

    def end_of_command(self, version: int) -> int:
        """Return the version of the last event of the command that created the event ``version``."""
        return self.seen.next_after(version, self.version + 1) - 1

    # --- start ---------------------------------------------------------------------------------------------

    def join(self, seats: Iterable[int], entropy: bytes, command_id: str, time: int) -> list[GameEvent]:
        """Join free seats; joining the last one starts the game. Raises ``ValueError`` if one of them is not free."""
        self._expect_committed()
        wanted = list(seats)
        free = self.seats.free()
        for seat in wanted:
            if seat not in free:
                raise ValueError(f"seat {seat} is not free")
            free.remove(seat)
        events: list[GameEvent] = []
        for seat in wanted:
            self.seats.join(seat, entropy.hex())
            version = self.version + len(events) + 1
            events.append(self.new_event(version, GAME, seat, SeatJoined(entropy.hex()), (), command_id, time))
        if not self.seats.free():
            events += self._start(self.version + len(events) + 1, command_id, time)
        return events

    def start_if_full(self, command_id: str, time: int) -> list[GameEvent]:
        """If no seat is free, start a new game and return the events that follow ``GameCreated``.

        Otherwise return an empty list.
        """
        return [] if self.seats.free() else self._start(2, command_id, time)

    def _start(self, version: int, command_id: str, time: int) -> list[GameEvent]:
        play = self._bind()
        self._has_uncommitted = True
        if not self.created.position:
            play.set_up()
        started = self.new_event(version, GAME, 0, GameStarted(), (), command_id, time)
        is_open = self._expect_decision(play, "at the start")
        if not (is_open or self.created.position):
            raise fault(self.title, "ended the game before a seat could decide")
        return [started, *self._events(self._take_recorded(play), version + 1, command_id, time)]

    def _bind(self) -> Play:
        self.play = self.title.play(
            self.table, Dice(dice.key(self._secret, self.seats.entropies())), self.created.setup
        )
        return self.play

    # --- commands ------------------------------------------------------------------------------------------

    def decide(self, seat: int, commands: Sequence[Struct], command_id: str, time: int) -> list[GameEvent] | Rejection:
        """Carry out a batch of commands, all or none, and return the events to store.

        If the batch has several commands, ``values["index"]`` of a rejection is the index of the rejected command, from
        0. Raises ``RuntimeError`` if earlier changes are neither committed nor discarded.
        """
        self._expect_committed()
        play = self.play_or_rejection()
        if isinstance(play, Rejection):
            return play
        rejection = self._carry_out(play, seat, commands)
        if rejection is not None:
            return rejection
        submission = Given.of(seat, commands)
        self._has_uncommitted = True
        events = self._events(self._take_recorded(play), self.version + 1, command_id, time, submission)
        if not events:
            raise fault(self.title, f"accepted {submission} without an event")
        if not self._expect_decision(play, f"after {submission}"):
            standings = final_standings(play, self.seats.resigned)
            events.append(self._end(self.version + len(events) + 1, standings, (), command_id, time))
        return events

    def check(self, seat: int, commands: Sequence[Struct]) -> Rejection | None:
        """Return the rejection that :meth:`decide` would return for a batch, or ``None``. The game does not change."""
        self._expect_committed()
        play = self.play_or_rejection()
        if isinstance(play, Rejection):
            return play
        rejection = self._carry_out(play, seat, commands)
        play.recorder.rollback()
        return rejection

    def legal(self, seat: int) -> Sequence[Struct]:
        """Return the legal commands of the seat. Raises the error of :func:`fault` if the rules change the table."""
        play = self.play
        if play is None or self.status != RUNNING:
            return ()
        recorder = play.recorder
        before = recorder.savepoint()
        try:
            commands = play.legal(seat)
        finally:
            is_changed = recorder.savepoint() != before
            if is_changed:
                recorder.rollback_to(before)
        if is_changed:
            raise fault(self.title, "changed the table while they listed the legal commands")
        return commands

    def play_or_rejection(self) -> Play | Rejection:
        """Return the rules of a running game, or the rejection of all commands if the game is not running."""
        if self.status == ENDED:
            return _GAME_OVER
        return self.play or Rejection("GAME_NOT_STARTED", "table.all_seats_taken")

    def _carry_out(self, play: Play, seat: int, commands: Sequence[Struct]) -> Rejection | None:
        """Carry out all commands, or change nothing and return the rejection.

        A command that draws, shuffles or reveals something ends the batch. Otherwise a client could send a batch whose
        last command is always rejected, and learn from the rejection what the batch would have revealed.
        """
        # Check the effects of each command only once: a later command cannot turn them into a reveal, because only a
        # reveal changes a visibility, and a reveal ends the batch.
        recorder = play.recorder
        savepoint = (0, 0)
        for index, command in enumerate(commands):
            if index and play.is_over():
                rejection: Rejection | None = _GAME_OVER
            elif index and not undo_effects.reveals_nothing(self.table, recorder.effects_since(savepoint)):
                rejection = _BATCH_AFTER_REVEAL
            else:
                savepoint = recorder.savepoint()
                rejection = play.decide(seat, command)
            if rejection is not None:
                recorder.rollback()
                if len(commands) > 1:
                    return Rejection(rejection.code, rejection.rule, {**rejection.values, "index": str(index)})
                return rejection
        return None

    def _expect_decision(self, play: Play, when: str) -> bool:
        """Return whether the game continues.

        Raises the error of :func:`fault` if the game is not over but no seat has a decision.
        """
        is_open = not play.is_over()
        if is_open and not self.table.deciding():
            raise fault(self.title, f"let no seat decide {when}, but the game is not over")
        return is_open

    def _take_recorded(self, play: Play) -> list[Event]:
        """Return the events that the rules recorded.

        Raises the error of :func:`fault` if an effect belongs to no event, or would hide its event from a viewer.
        """
        try:
            return play.recorder.take()
        except RuntimeError as error:
            raise fault(self.title, f"recorded {error}") from error

    # --- end -----------------------------------------------------------------------------------------------

    def _end(
        self, version: int, standings: Sequence[Standing], effects: tuple[Effect, ...], command_id: str, time: int
    ) -> GameEvent:
        ranks = {standing.seat: standing.rank for standing in standings}
        ended = GameEnded(self._secret.hex(), tuple(ranks[seat] for seat in sorted(ranks)))
        return self.new_event(version, GAME, 0, ended, effects, command_id, time)

    def standings(self, events: Iterable[GameEvent] = ()) -> Sequence[Standing]:
        """Return the standings, best first, if the game has ended or ends with these uncommitted events."""
        coming = list(events)
        if self.play is None or not (self.status == ENDED or any(isinstance(it.detail, GameEnded) for it in coming)):
            return ()
        resigned = {it.seat: it.originator_version for it in coming if is_resignation(it)}
        return final_standings(self.play, self.seats.resigned | resigned)

    # --- seats ---------------------------------------------------------------------------------------------

    def hand_to_bot(self, seat: int, bot: str, command_id: str, time: int) -> list[GameEvent] | Rejection:
        """Hand a person's seat to a bot; ``bot`` is a kind of bot, such as ``sensible``.

        The event closes an open vote on an undo.
        """
        rejection = self._check_person(seat) or self.seats.rejection_for_person(seat)
        return rejection or [self.new_event(self.version + 1, GAME, seat, SeatHandedToBot(bot), (), command_id, time)]

    def take_seat_back(self, seat: int, command_id: str, time: int) -> list[GameEvent] | Rejection:
        """Let the person of a seat play it again.

        The event closes an open vote on an undo, unless the vote still waits for the answer of this seat.
        """
        rejection = self._check_person(seat)
        if rejection is None and self.seats.rejection_for_person(seat) is not PLAYED_BY_BOT:
            rejection = self.seats.rejection_for_person(seat) or Rejection("SEAT_NOT_HANDED_OVER", "table.seat_of_bot")
        return rejection or [self.new_event(self.version + 1, GAME, seat, SeatTakenBack(), (), command_id, time)]

    def resign(self, seat: int, bot: str, command_id: str, time: int) -> list[GameEvent] | Rejection:
        """Resign a person's seat.

        A bot takes over; ``bot`` is a kind of bot. The game ends if ``bot`` is empty or too few seats are left
        (:func:`~boardkeeper.game.standings.can_continue`).
        """
        rejection = self._check_person(seat)
        if rejection is None and seat in self.seats.resigned:
            rejection = RESIGNED
        return rejection or self._resign(seat, bot, command_id, time)

    def expire(self, seat: int, bot: str, command_id: str, time: int) -> list[GameEvent] | Rejection:
        """Apply the time control to a seat whose time has run out: hand the seat to a bot, or resign it.

        With an empty ``bot`` the seat resigns in any case. For a resignation see :meth:`resign`.
        """
        rejection = self._check_person(seat)
        if rejection is not None:
            return rejection
        if self.clocks is None or not self.clocks.is_expired(seat, max(time, self.latest_time)):
            return Rejection("NOT_EXPIRED", "table.time_control", {"seat": str(seat)})
        if bot and self.clocks.control.on_expiry != RESIGN:
            return [self.new_event(self.version + 1, GAME, seat, TimeExpired(False, bot), (), command_id, time)]
        return self._resign(seat, bot, command_id, time, has_expired=True)

    def _resign(self, seat: int, bot: str, command_id: str, time: int, *, has_expired: bool = False) -> list[GameEvent]:
        assert self.play is not None
        self._expect_committed()
        version = self.version + 1
        resigned = {**self.seats.resigned, seat: version}
        if not can_continue(self.created.seats, resigned):
            bot = ""
        detail = TimeExpired(True, bot) if has_expired else SeatResigned(bot)
        resignation = self.new_event(version, GAME, seat, detail, (), command_id, time)
        if bot:
            return [resignation]
        decisions = enumerate(self.table.decisions[1:], 1)
        closed = tuple(Ask(other, decision, "") for other, decision in decisions if decision)
        self._has_uncommitted = True
        for effect in closed:
            self.table.apply(effect)
        return [resignation, self._end(version + 1, final_standings(self.play, resigned), closed, command_id, time)]

    def _check_person(self, seat: int) -> Rejection | None:
        play = self.play_or_rejection()
        if isinstance(play, Rejection):
            return play
        if not self.seats.is_of_person(seat):
            return Rejection("SEAT_OF_NO_PERSON", "table.seat_of_person", {"seat": str(seat)})
        return None

    # --- undo ----------------------------------------------------------------------------------------------

    def first_undo_version(self, seat: int, *, unlimited: bool = False) -> int | Rejection:
        """Return the first version that an undo of the seat reverts; see :meth:`UndoState.first_version`.

        ``unlimited`` ignores the limits on undos (for audits).
        """
        play = self.play_or_rejection()
        return play if isinstance(play, Rejection) else self.undo.first_version(seat, unlimited=unlimited)

    def request_undo(
        self, seat: int, past: Sequence[GameEvent], command_id: str, time: int, *, unlimited: bool = False
    ) -> list[GameEvent] | Rejection:
        """Undo the seat's last batch that is not undone yet, and everything after it.

        If necessary, request the consent of the other people instead. ``past`` contains at least all stored events
        since :meth:`first_undo_version` that are not undone. ``unlimited`` ignores the limits on undos (for audits).
        """
        self._expect_committed()
        first = self.first_undo_version(seat, unlimited=unlimited)
        if isinstance(first, Rejection):
            return first
        events = self.undo.select_not_undone(past, first)
        if self.undo.is_free(first):
            return self._undo(seat, first, events, self.version, command_id, time)
        version = self.version + 1
        requested = self.new_event(version, GAME, seat, UndoRequested(first), (), command_id, time)
        voters = self.undo.voters(seat)
        if not voters:
            undone = self._undo(seat, first, events, version, command_id, time)
            return undone if isinstance(undone, Rejection) else [requested, *undone]
        absent = next((it for it in voters if it in self.seats.resigned or not self.seats.is_of_person(it)), 0)
        if absent:
            return Rejection("CONSENT_IMPOSSIBLE", "table.undo_consent", {"seat": str(absent)})
        # Only check that the undo is possible. It happens after the vote.
        undone_effects = self.undo.undo_events(self.table.copy(), events)
        return undone_effects if isinstance(undone_effects, Rejection) else [requested]

    def answer_undo(
        self, seat: int, request_version: int, consent: bool, past: Sequence[GameEvent], command_id: str, time: int
    ) -> list[GameEvent] | Rejection:
        """Answer the undo that was requested at ``request_version``; the last consent carries it out.

        The seat that requested the undo can decline it, too. A seat that a bot plays cannot consent. ``past`` contains
        at least all stored events since the vote's ``first_version`` that are not undone.
        """
        self._expect_committed()
        vote = self.undo.check_answer(seat, request_version, consent=consent)
        if isinstance(vote, Rejection):
            return vote
        if consent and self.seats.kinds[seat - 1] != PERSON:
            return PLAYED_BY_BOT
        version = self.version + 1
        answer = UndoConsented(request_version) if consent else UndoDeclined(request_version)
        answered = self.new_event(version, GAME, seat, answer, (), command_id, time)
        if not consent or vote.waiting != (seat,):
            return [answered]
        events = self.undo.select_not_undone(past, vote.first_version)
        undone = self._undo(vote.seat, vote.first_version, events, version, command_id, time)
        return undone if isinstance(undone, Rejection) else [answered, *undone]

    def _undo(
        self, seat: int, first: int, events: Sequence[GameEvent], last: int, command_id: str, time: int
    ) -> list[GameEvent] | Rejection:
        effects = self.undo.undo_events(self.table, events)
        if isinstance(effects, Rejection):
            return effects
        self._has_uncommitted = True
        return [self.new_event(last + 1, GAME, seat, Undone(first, last), effects, command_id, time)]

    # --- events --------------------------------------------------------------------------------------------

    def commit(self, events: Iterable[GameEvent]) -> None:
        """Update version, seats, clocks and undo state from the stored events of the last change.

        The table contains the changes already.
        """
        for event in events:
            self._apply_event(event)
        self._has_uncommitted = False

    def apply_stored(self, events: Iterable[GameEvent]) -> None:
        """Apply events that were stored already, for example by another process."""
        for event in events:
            self._apply_event(event)
            self.table.apply_all(event.effects)

    def discard(self, events: Sequence[GameEvent]) -> None:
        """Revert the last change of the table, whose events were not stored.

        Raises ``ValueError`` if a seat joined. Do not call it after :meth:`start_if_full`: drop the game instead.
        """
        if any(isinstance(event.detail, SeatJoined) for event in events):
            raise ValueError("joining a seat cannot be discarded, because it can start the game")
        for event in reversed(events):
            self.table.revert_all(event.effects)
        self._has_uncommitted = False

    def _expect_committed(self) -> None:
        if self._has_uncommitted:
            raise RuntimeError(
                f"game {self.id}: commit or discard the uncommitted changes at version {self.version} first"
            )

    def _apply_event(self, event: GameEvent) -> None:
        if event.originator_version != self.version + 1:
            raise ValueError(f"game {self.id}: event {event.originator_version} after version {self.version}")
        self.version += 1
        self.latest_time = max(self.latest_time, event.time)
        if event.command_id and event.command_id != self.seen.last:
            self.seen.add(event.command_id, self.version)
        if self.clocks is not None:
            self.clocks.apply_event(event)
        undo = self.undo
        if event.given is not None:
            undo.batches.add(event.originator_version, event.given.seat)
            undo.vote = None
        if event.effects:
            undo.apply_effects(self.table, event)
        if type(event.detail) in GAME_EVENT_TYPES:
            self._apply_game_event(event)
        else:
            undo.batches.extend(event.originator_version)

    def _apply_game_event(self, event: GameEvent) -> None:
        undo, detail = self.undo, event.detail
        if isinstance(detail, SeatJoined):
            self.seats.join(event.seat, detail.entropy)
        elif isinstance(detail, GameStarted):
            self.status = RUNNING
            if self.play is None:
                self._bind()
        elif isinstance(detail, GameEnded):
            self.status = ENDED
            undo.vote = None
        elif isinstance(detail, UndoRequested):
            undo.apply_request(event, detail.first_version)
        elif isinstance(detail, UndoConsented):
            undo.apply_consent(event)
        elif isinstance(detail, UndoDeclined):
            undo.vote = None
        elif isinstance(detail, Undone):
            undo.apply_undone(event, detail)
        if type(detail) in SEAT_EVENTS:
            if not undo.voters_left_after(event):
                undo.vote = None
            self.seats.apply_event(event)

    def _events(
        self, events: Sequence[Event], version: int, command_id: str, time: int, submission: Given | None = None
    ) -> list[GameEvent]:
        """Return the stored form of recorded events. The first one contains the ``submission``."""
        title = self.created.title
        check_events(self.title, events)
        stored: list[GameEvent] = []
        for event in events:
            effects = event.effects
            stored.append(
                self.new_event(version, title, event.seat, event.detail, effects, command_id, time, submission)
            )
            version += 1
            submission = None
        return stored

    def new_event(
        self,
        version: int,
        topic_prefix: str,
        seat: int,
        detail: Struct,
        effects: tuple[Effect, ...],
        command_id: str,
        time: int,
        submission: Given | None = None,
    ) -> GameEvent:
        """Return an event of this game to store. Its time is never earlier than that of the event before it."""
        topic = f"{topic_prefix}.{type(detail).__name__}"
        return GameEvent(
            self.id, version, topic, seat, command_id, max(time, self.latest_time), detail, effects, submission
        )
