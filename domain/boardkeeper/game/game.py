"""One game: seats, the table, and the way from a command to events.

The game changes its table while it decides and hands over the events that have to be stored. Whoever owns it must
either store them and call :meth:`Game.commit`, or forget the game and read it again.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

from msgspec import UNSET, Struct
from msgspec.structs import replace

from boardkeeper.game import undo
from boardkeeper.game.automata import add_automata, complete_setup
from boardkeeper.game.clocks import Clocks
from boardkeeper.game.command_ids import SeenCommands
from boardkeeper.game.creation_summary import intern_created
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
from boardkeeper.game.record_bounds import LARGEST_NUMBER
from boardkeeper.game.resignation import can_continue, is_resignation, rank_seats, updated_kinds
from boardkeeper.game.seats import AUTOMA, BOT, PERSON
from boardkeeper.game.time_control import RESIGN, TimeControl
from boardkeeper.game.undo import Batches, Vote
from boardkeeper.table import dice as provable
from boardkeeper.table.dice import Dice
from boardkeeper.table.effects import Ask, Effect, Event, Shuffle
from boardkeeper.table.forking import HiddenMarkersError, layout_of, redeal_hidden
from boardkeeper.table.layout import TableLayout
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import OPERATOR
from boardkeeper.table.visible_table import VisibleTable
from boardkeeper.titlekit import positions
from boardkeeper.titlekit.title import DeterminisableTitle, Play, Setup, Standing, Title
from boardkeeper.titlekit.title_guard import fault, for_game
from boardkeeper.titles.registry import build_of

GAME = "game"

OPEN = "open"
RUNNING = "running"
ENDED = "ended"

_NOT_PAST_SHUFFLE = Rejection("NOT_PAST_SHUFFLE", "table.shuffles_stay")
_PLAYED_BY_BOT = Rejection("SEAT_PLAYED_BY_BOT", "table.seat_of_bot")
_RESIGNED = Rejection("SEAT_RESIGNED", "table.resigned_for_good")
_TOO_FAR = Rejection("UNDO_TOO_FAR", "table.undo_within_reach", {"most": str(undo.MOST_UNDONE_EVENTS)})
_NOT_PAST_NEWS = Rejection("NOT_PAST_NEWS", "table.batches_end_with_news")


def intern_layout(title: Title, created: GameCreated) -> TableLayout:
    """The title's own layout where it still is the stored one, so that games share the strings of their ids."""
    if created.position:
        return created.layout
    try:
        present = title.layout(created.setup)
    except ValueError:
        return created.layout
    return present if present == created.layout else created.layout


def person_seats(created: GameCreated) -> tuple[int, ...]:
    """The seats that people have, or had in the game that this one is an exact fork of; bots may play them now."""
    stand_ins = () if created.stand_ins is UNSET else created.stand_ins
    return tuple(seat for seat, kind in enumerate(created.seats, 1) if kind == PERSON or seat in stand_ins)


def _stand_ins(fork: Fork | None, kinds: Sequence[str]) -> tuple[int, ...]:
    """The seats of a new game that bots play and that people had in the game that it is an exact fork of."""
    people = () if fork is None else fork.people
    return tuple(seat for seat, kind in enumerate(kinds, 1) if seat in people and kind not in (PERSON, AUTOMA))


def final_standings(play: Play, resigned: Mapping[int, int]) -> Sequence[Standing]:
    """The result of a game that is over by its rules, or that ends because seats gave up.

    Raises ``ValueError`` if the rules return standings that cannot be stored.
    """
    seats = len(play.table.decisions) - 1
    standings = play.standings() if play.is_over() else ()
    if standings and sorted(it.seat for it in standings) != list(range(1, seats + 1)):
        raise ValueError(f"the rules must rank every seat once: {standings}")
    for it in standings:
        if type(it.points) is not int or abs(it.points) > LARGEST_NUMBER or not 1 <= it.rank <= seats:
            raise ValueError(f"the rules return standings with impossible points or ranks: {standings}")
    return rank_seats(seats, standings, resigned)


class Fork(Struct, frozen=True):
    """Where a fork begins: the game and version it was taken from, and the table."""

    game: UUID
    version: int
    layout: TableLayout
    people: tuple[int, ...] = ()
    """The seats that people have or had in that game, if the table shows what they know."""


class Game:
    """The aggregate. ``version`` is the number of its stored events.

    ``status`` is ``open`` while seats are free, then ``running``, then ``ended``.
    """

    __slots__ = (
        "_batches",
        "_entropies",
        "_news",
        "_requests",
        "_secret",
        "_shuffles",
        "_undos",
        "_unsettled",
        "bots",
        "clocks",
        "created",
        "id",
        "kinds",
        "latest",
        "play",
        "resigned",
        "seen",
        "status",
        "table",
        "title",
        "version",
        "vote",
    )

    def __init__(self, id: UUID, title: Title, created: GameCreated, secret: bytes) -> None:
        self.id = id
        self.title = title = for_game(title, created.title_build or "")
        self.created = intern_created(created)
        self.version = 0
        self.latest = 0
        """The latest time of its events: those to come are no earlier, whatever a clock says that was put back."""
        self.status = OPEN
        self.table = Table(intern_layout(title, created))
        self.play: Play | None = None
        control = created.time_control
        self.clocks: Clocks | None = None
        """How much time its people have, if it has clocks."""
        if control is not UNSET:
            voters = () if created.rules_version in undo.BOTS_CONSENT else person_seats(created)
            self.clocks = Clocks(control, created.seats, created.layout.decisions, voters)
        self._sit(created.seats)
        self.resigned: dict[int, int] = {}
        """The seats that gave up, with the versions at which they did."""
        self.seen = SeenCommands(hmac.digest(secret, b"boardkeeper-seen-1", "sha256").hex())
        self.vote: Vote | None = None
        self._batches = Batches()
        self._news = 0
        """The last version at which somebody was told something that cannot be untold."""
        self._shuffles: dict[str, int] = {}
        """At which version each stack was shuffled last."""
        self._undos: dict[int, int] = {}
        """How many undos each seat has had or asked for."""
        self._requests: dict[int, tuple[int, int]] = {}
        """Which version each seat asked to take back last, and how often."""
        self._unsettled = False
        """Whether the table is ahead of the events that count: what was decided waits for its commit."""
        self._secret = secret
        self._entropies: list[str | None] = [None if kind == PERSON else "" for kind in created.seats]

    # --- a new game ----------------------------------------------------------------------------------------

    @classmethod
    def create(
        cls,
        id: UUID,
        title: Title,
        setup: Setup,
        seats: Sequence[str],
        secret: bytes,
        server_build: str,
        command_id: str,
        time: int,
        position: VisibleTable | None = None,
        fork: Fork | None = None,
        server_key: str = "",
        time_control: TimeControl | None = None,
    ) -> tuple[Game, list[GameEvent]]:
        """Make a game and its first event.

        Raises ``ChoiceError``, ``NoOpponentError``, ``AutomaSeatError`` or ``SeatCountError``.

        ``position`` is a whole table to start from, ``fork`` another game's table; without both the title sets it up.
        An impossible table raises :class:`boardkeeper.titlekit.title.PositionError`. ``seats`` are ``person`` or
        ``bot.<kind>``; those that the rules play need not be named if they are the last. One seat is a game alone
        against the rules, of a title that has it. A game of bots only starts at once. ``server_key`` is the id of the
        key that signs its records. A ``time_control`` gives its people clocks.
        """
        setup = complete_setup(title, setup if fork is None else title.meta.with_legacy_choices(setup))
        kinds = add_automata(title, setup, seats)
        if fork is not None:
            layout = fork.layout
        else:
            layout = title.layout(setup) if position is None else positions.read(title, setup, position)
        created = GameCreated(
            title=title.meta.id,
            setup=setup,
            seats=kinds,
            rules_version=title.meta.rules_versions[-1],
            dice=provable.ALGORITHM,
            commitment=provable.commitment(secret),
            server_build=server_build,
            layout=layout,
            position=position is not None or fork is not None,
            forked_game=str(fork.game) if fork is not None else "",
            forked_version=fork.version if fork is not None else 0,
            server_key=server_key or UNSET,
            time_control=time_control or UNSET,
            stand_ins=_stand_ins(fork, kinds) or UNSET,
            title_build=build_of(title.meta.id) or UNSET,
        )
        game = cls(id, title, created, secret)
        events = [game._event(1, GAME, 0, created, (), command_id, time)]
        return game, events + game.begin(command_id, time)

    @classmethod
    def load(cls, title: Title, secret: bytes, events: Iterable[GameEvent]) -> Game:
        """Rebuild a game from its stored events, which must start with its first."""
        stored = iter(events)
        first = next(stored)
        if not isinstance(first.detail, GameCreated):
            raise ValueError(f"the first event of game {first.originator_id} is {first.topic}")
        game = cls(first.originator_id, title, first.detail, secret)
        game._note(first)
        for event in stored:
            game._note(event)
            game.table.apply_all(event.effects)
        return game

    def fork(self, viewer: int, chance: bytes) -> Fork | Rejection:
        """This table for another game to begin from, as the operator sees it or dealt anew for another viewer.

        ``chance`` is the key of what is dealt. It changes this table: nobody else may have this game.
        """
        play = self._running()
        if isinstance(play, Rejection):
            return play
        if viewer != OPERATOR:
            groups = self.title.exchangeable_zones(self.table, viewer)
            if groups is None:
                return Rejection("PLANS_HIDDEN", "table.forks_deal_anew", {"version": str(self.version)})
            try:
                redeal_hidden(self.table, viewer, groups, Dice(chance))
            except HiddenMarkersError as error:
                values = {"version": str(self.version), "marker": error.markers[0]}
                return Rejection("MARKERS_HIDDEN", "table.forks_deal_zones", values)
        people = person_seats(self.created) if viewer == OPERATOR else ()
        return Fork(self.id, self.version, layout_of(self.table), people)

    def determinize(self, viewer: int, chance: bytes) -> Fork | Rejection:
        """A table that may be this one for all that a viewer knows, also where others decided something in secret.

        What they decided is made up, which nobody should take for what happened: it is for a search, and no game to
        play in. Of a title that makes nothing up it is what :meth:`fork` gives. ``chance`` is the key of all that is
        drawn. It changes this table: nobody else may have this game.
        """
        play = self._running()
        if isinstance(play, Rejection):
            return play
        if not isinstance(self.title, DeterminisableTitle):
            return self.fork(viewer, chance)
        self.title.determinise(play, viewer, Dice(chance))
        return Fork(self.id, self.version, layout_of(self.table))

    def copy(self) -> Game:
        """The same game at the same version, with a table of its own; neither notices what becomes of the other.

        It has the same dice to come. Raises ``RuntimeError`` while something is decided and not settled.
        """
        self._expect_settled()
        other = Game.__new__(Game)
        other.id, other.title, other.created, other.version = self.id, self.title, self.created, self.version
        other.latest, other.status, other.vote, other.kinds, other.bots = (
            self.latest,
            self.status,
            self.vote,
            self.kinds,
            self.bots,
        )
        other.table = self.table.copy()
        play = self.play
        other.play = None if play is None else self.title.play(other.table, play.recorder.dice, self.created.setup)
        other.clocks = None if self.clocks is None else self.clocks.copy()
        other.resigned, other.seen = dict(self.resigned), self.seen.copy()
        other._batches, other._news, other._shuffles = self._batches.copy(), self._news, dict(self._shuffles)
        other._undos, other._requests = dict(self._undos), dict(self._requests)
        other._unsettled, other._secret, other._entropies = False, self._secret, list(self._entropies)
        return other

    # --- seats ---------------------------------------------------------------------------------------------

    def free_seats(self) -> list[int]:
        """The seats that nobody has taken yet."""
        return [seat for seat, entropy in enumerate(self._entropies, 1) if entropy is None]

    def bot(self, seat: int) -> str:
        """The kind of bot that plays that seat now (``automa``: the rules do), or an empty string."""
        kind = self.kinds[seat - 1]
        return kind.removeprefix(BOT) if kind.startswith(BOT) else ""

    def is_handed_over(self, seat: int) -> bool:
        """Whether a bot plays for the person who has that seat."""
        return self.created.seats[seat - 1] == PERSON != self.kinds[seat - 1]

    def _sit(self, kinds: Sequence[str]) -> None:
        self.kinds = tuple(kinds)
        """Who plays each seat now, in the words of ``GameCreated.seats``."""
        self.bots = tuple(seat for seat, kind in enumerate(kinds, 1) if kind not in (PERSON, AUTOMA))
        """The seats for which a bot decides now."""

    def bot_key(self) -> bytes:
        """What the chance of the game's bots follows from: known to nobody before its end, like the dice."""
        return hmac.digest(self._secret, b"boardkeeper-bots-1", "sha256")

    def join(self, seats: Iterable[int], entropy: bytes, command_id: str, time: int) -> list[GameEvent]:
        """Take free seats; the last one starts the game. Raises ``ValueError`` if one is not free, and takes none."""
        self._expect_settled()
        wanted = list(seats)
        free = self.free_seats()
        for seat in wanted:
            if seat not in free:
                raise ValueError(f"seat {seat} is not free")
            free.remove(seat)
        events: list[GameEvent] = []
        for seat in wanted:
            self._entropies[seat - 1] = entropy.hex()
            version = self.version + len(events) + 1
            events.append(self._event(version, GAME, seat, SeatJoined(entropy.hex()), (), command_id, time))
        if self._is_full():
            events += self._start(self.version + len(events) + 1, command_id, time)
        return events

    def begin(self, command_id: str, time: int) -> list[GameEvent]:
        """The events with which a game of bots only begins, after its first; nothing while seats are free."""
        return self._start(2, command_id, time) if self._is_full() else []

    def _is_full(self) -> bool:
        return not self.free_seats()

    def _start(self, version: int, command_id: str, time: int) -> list[GameEvent]:
        play = self._bind()
        self._unsettled = True
        if not self.created.position:
            play.set_up()
        started = self._event(version, GAME, 0, GameStarted(), (), command_id, time)
        is_open = self._expect_decision(play, "at the start")
        if not (is_open or self.created.position):
            raise fault(self.title, "ended the game before a seat could decide")
        return [started, *self._events(self._taken(play), version + 1, command_id, time)]

    def _expect_decision(self, play: Play, when: str) -> bool:
        """Return whether a seat has to decide. If not, the game must be over, because it could not continue."""
        is_open = not play.is_over()
        if is_open and not self.table.deciding():
            raise fault(self.title, f"let no seat decide {when}, but the game is not over")
        return is_open

    def _taken(self, play: Play) -> list[Event]:
        """Return the events that the rules recorded; raises the title's error if they cannot be sent."""
        try:
            return play.recorder.take()
        except RuntimeError as error:
            raise fault(self.title, f"recorded {error}") from error

    def _bind(self) -> Play:
        entropies = (bytes.fromhex(entropy or "") for entropy in self._entropies)
        dice = Dice(provable.key(self._secret, entropies))
        self.play = self.title.play(self.table, dice, self.created.setup)
        return self.play

    # --- commands ------------------------------------------------------------------------------------------

    def decide(self, seat: int, commands: Sequence[Struct], command_id: str, time: int) -> list[GameEvent] | Rejection:
        """Carry out a batch of commands, all or nothing, and return the events to store.

        A rejection names in ``values["index"]`` which command of a batch it is about, counted from 0. Raises
        ``RuntimeError`` if what was decided before is neither committed nor given up.
        """
        self._expect_settled()
        play = self._running()
        if isinstance(play, Rejection):
            return play
        rejection = self._carry_out(play, seat, commands)
        if rejection is not None:
            return rejection
        given = Given.of(seat, commands)
        self._unsettled = True
        events = self._events(self._taken(play), self.version + 1, command_id, time, given)
        if not events:
            raise fault(self.title, f"accepted {given} without an event")
        if not self._expect_decision(play, f"after {given}"):
            events.append(
                self._end(self.version + len(events) + 1, final_standings(play, self.resigned), (), command_id, time)
            )
        return events

    def _end(
        self, version: int, standings: Sequence[Standing], effects: tuple[Effect, ...], command_id: str, time: int
    ) -> GameEvent:
        ranks = {standing.seat: standing.rank for standing in standings}
        ended = GameEnded(self._secret.hex(), tuple(ranks[seat] for seat in sorted(ranks)))
        return self._event(version, GAME, 0, ended, effects, command_id, time)

    def standings(self, events: Iterable[GameEvent] = ()) -> Sequence[Standing]:
        """The result, best first, if the game has ended, or ends with these events; else nothing."""
        coming = list(events)
        if self.play is None or not (self.status == ENDED or any(isinstance(it.detail, GameEnded) for it in coming)):
            return ()
        resigned = {it.seat: it.originator_version for it in coming if is_resignation(it)}
        return final_standings(self.play, self.resigned | resigned)

    # --- seats that bots play for people, and those that gave up -------------------------------------------

    def rejection_for_person(self, seat: int) -> Rejection | None:
        """Return why the person of a seat may not act for it now: a bot plays the seat."""
        if not self.bots or not self.is_handed_over(seat):
            return None
        return _RESIGNED if seat in self.resigned else _PLAYED_BY_BOT

    def hand_to_bot(self, seat: int, bot: str, command_id: str, time: int) -> list[GameEvent] | Rejection:
        """Have a bot of that kind, which the title has, play a person's seat; an open vote on an undo is over."""
        refused = self._not_of_person(seat) or self.rejection_for_person(seat)
        return refused or [self._event(self.version + 1, GAME, seat, SeatHandedToBot(bot), (), command_id, time)]

    def take_seat_back(self, seat: int, command_id: str, time: int) -> list[GameEvent] | Rejection:
        """Have the person of a seat play it again. That closes an open vote on an undo, unless the seat is asked."""
        refused = self._not_of_person(seat)
        if refused is None and self.rejection_for_person(seat) is not _PLAYED_BY_BOT:
            refused = self.rejection_for_person(seat) or Rejection("SEAT_NOT_HANDED_OVER", "table.seat_of_bot")
        return refused or [self._event(self.version + 1, GAME, seat, SeatTakenBack(), (), command_id, time)]

    def resign(self, seat: int, bot: str, command_id: str, time: int) -> list[GameEvent] | Rejection:
        """Resign a person's seat: a bot of kind ``bot`` takes over, or the game ends.

        The game also ends if ``bot`` is empty. :mod:`boardkeeper.game.resignation` has the rule.
        """
        refused = self._not_of_person(seat)
        if refused is None and seat in self.resigned:
            refused = _RESIGNED
        return refused or self._resign(seat, bot, command_id, time)

    def expire(self, seat: int, bot: str, command_id: str, time: int) -> list[GameEvent] | Rejection:
        """The time of a seat has run out: what was chosen for that when the game was made is done.

        A bot of that kind plays on. If there is none (empty) the seat resigns, whatever was chosen.
        """
        refused = self._not_of_person(seat)
        if refused is not None:
            return refused
        if self.clocks is None or not self.clocks.is_expired(seat, max(time, self.latest)):
            return Rejection("NOT_EXPIRED", "table.time_control", {"seat": str(seat)})
        if bot and self.clocks.control.on_expiry != RESIGN:
            return [self._event(self.version + 1, GAME, seat, TimeExpired(False, bot), (), command_id, time)]
        return self._resign(seat, bot, command_id, time, has_expired=True)

    def _resign(self, seat: int, bot: str, command_id: str, time: int, *, has_expired: bool = False) -> list[GameEvent]:
        assert self.play is not None
        self._expect_settled()
        version = self.version + 1
        resigned = {**self.resigned, seat: version}
        if not can_continue(self.created.seats, resigned):
            bot = ""
        detail = TimeExpired(True, bot) if has_expired else SeatResigned(bot)
        resigned_event = self._event(version, GAME, seat, detail, (), command_id, time)
        if bot:
            return [resigned_event]
        asked = enumerate(self.table.decisions[1:], 1)
        closed = tuple(Ask(other, decision, "") for other, decision in asked if decision)
        self._unsettled = True
        for effect in closed:
            self.table.apply(effect)
        return [resigned_event, self._end(version + 1, final_standings(self.play, resigned), closed, command_id, time)]

    def _not_of_person(self, seat: int) -> Rejection | None:
        play = self._running()
        if isinstance(play, Rejection):
            return play
        if not 1 <= seat <= len(self.created.seats) or self.created.seats[seat - 1] != PERSON:
            return Rejection("SEAT_OF_NO_PERSON", "table.seat_of_person", {"seat": str(seat)})
        return None

    def check(self, seat: int, commands: Sequence[Struct]) -> Rejection | None:
        """Why :meth:`decide` would refuse a batch, if it would; changes nothing."""
        self._expect_settled()
        play = self._running()
        if isinstance(play, Rejection):
            return play
        rejection = self._carry_out(play, seat, commands)
        play.recorder.rollback()
        return rejection

    def _running(self) -> Play | Rejection:
        if self.status == ENDED:
            return Rejection("GAME_OVER", "table.game_over")
        return self.play or Rejection("GAME_NOT_STARTED", "table.all_seats_taken")

    def _carry_out(self, play: Play, seat: int, commands: Sequence[Struct]) -> Rejection | None:
        """Carry out all commands, or none and say why.

        Nothing follows a command that told somebody something, by chance or by showing what was hidden: whether the
        next one were possible would tell it too, and it all could be had without doing anything.
        """
        # What each command did is looked at once: that nobody learnt anything from it stays true, as only a reveal
        # changes who sees what, and a reveal ends the batch.
        recorder = play.recorder
        savepoint = (0, 0)
        for index, command in enumerate(commands):
            if index and play.is_over():
                rejection: Rejection | None = Rejection("GAME_OVER", "table.game_over")
            elif index and not undo.reveals_nothing(self.table, recorder.effects_since(savepoint)):
                rejection = _NOT_PAST_NEWS
            else:
                savepoint = recorder.savepoint()
                rejection = play.decide(seat, command)
            if rejection is not None:
                recorder.rollback()
                if len(commands) > 1:
                    return Rejection(rejection.code, rejection.rule, {**rejection.values, "index": str(index)})
                return rejection
        return None

    def end_of_command(self, version: int) -> int:
        """The last version of the command to which a version belongs."""
        return self.seen.next_after(version, self.version + 1) - 1

    def legal(self, seat: int) -> Sequence[Struct]:
        """Return the commands that the seat can give now. Raises the title's error if the rules change the table."""
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

    def commit(self, events: Iterable[GameEvent]) -> None:
        """The events are stored: they count from now on."""
        for event in events:
            self._note(event)
        self._unsettled = False

    def follow(self, events: Iterable[GameEvent]) -> None:
        """Events that somebody else has stored: the table goes along with them."""
        for event in events:
            self._note(event)
            self.table.apply_all(event.effects)

    def discard(self, events: Sequence[GameEvent]) -> None:
        """What was decided last was not stored: the table is again as it was before.

        Raises ``ValueError`` if seats were taken: what else that began is not in their events.
        """
        if any(isinstance(event.detail, SeatJoined) for event in events):
            raise ValueError("who takes a seat may begin the game")
        for event in reversed(events):
            self.table.revert_all(event.effects)
        self._unsettled = False

    def _expect_settled(self) -> None:
        if self._unsettled:
            raise RuntimeError(f"game {self.id}: what was decided at version {self.version} is to be settled first")

    # --- undo ----------------------------------------------------------------------------------------------

    def people(self) -> list[int]:
        """The seats that are played neither by bots nor by the rules."""
        return [seat for seat, kind in enumerate(self.kinds, 1) if kind == PERSON]

    def _voters(self, seat: int) -> list[int]:
        """The seats that have to consent to an undo of that seat, if it is not free."""
        asked = self.people() if self.created.rules_version in undo.BOTS_CONSENT else person_seats(self.created)
        return [voter for voter in asked if voter != seat]

    def voters_left_after(self, event: GameEvent) -> tuple[int, ...]:
        """The seats that have to answer a vote after the next event.

        A request opens a vote, a consent continues it, and so does a person who takes back a seat that is asked. Every
        other event closes it.
        """
        if isinstance(event.detail, UndoRequested):
            return tuple(self._voters(event.seat))
        waiting = () if self.vote is None else self.vote.waiting
        if isinstance(event.detail, UndoConsented):
            return tuple(seat for seat in waiting if seat != event.seat)
        return waiting if isinstance(event.detail, SeatTakenBack) and event.seat in waiting else ()

    @property
    def is_vote_blocking_bots(self) -> bool:
        """Whether bots wait for the open vote; see :meth:`blocks_bots`."""
        return self.vote is not None and self.blocks_bots(self.vote.waiting, self.kinds)

    def blocks_bots(self, waiting: Sequence[int], kinds: Sequence[str]) -> bool:
        """Return whether bots wait until these seats have answered a vote.

        In a game with clocks they do not wait for people whose seats bots play: no clock would end that wait. The next
        command of a bot closes such a vote.
        """
        return bool(waiting) and (self.clocks is None or any(kinds[seat - 1] == PERSON for seat in waiting))

    def undo_from(self, seat: int, *, unlimited: bool = False) -> int | Rejection:
        """The first version that an undo of that seat would take back: where its last batch in force begins.

        How many undos there may be, and how far they go, is a limit of the house and no rule of the game: an audit asks
        ``unlimited``.
        """
        play = self._running()
        if isinstance(play, Rejection):
            return play
        if self.vote is not None:
            return Rejection("UNDO_OPEN", "table.one_undo_at_a_time", {"seat": str(self.vote.seat)})
        first = self._batches.last_of(seat)
        if not first:
            return Rejection("NOTHING_TO_UNDO", "table.undo_own_command")
        return first if unlimited else self._within_limits(seat, first) or first

    def _within_limits(self, seat: int, first: int) -> Rejection | None:
        most = undo.SPARE_UNDOS + undo.UNDOS_PER_BATCH * self._batches.count_of(seat)
        if self._undos.get(seat, 0) >= most:
            return Rejection("TOO_MANY_UNDOS", "table.undo_in_moderation", {"seat": str(seat), "most": str(most)})
        if self._requests.get(seat) == (first, undo.MOST_REQUESTS):
            values = {"version": str(first), "most": str(undo.MOST_REQUESTS)}
            return Rejection("ASKED_TOO_OFTEN", "table.undo_in_moderation", values)
        reach = sum(last - begin + 1 for begin, last in self._batches.since(first))
        return _TOO_FAR if reach > undo.MOST_UNDONE_EVENTS else None

    def in_force_since(self, first: int) -> list[tuple[int, int]]:
        """What an undo that takes back everything from a version on has to read: runs of versions, both inclusive."""
        return self._batches.since(first)

    def request_undo(
        self, seat: int, past: Sequence[GameEvent], command_id: str, time: int, *, unlimited: bool = False
    ) -> list[GameEvent] | Rejection:
        """Take back the seat's last batch in force and all that came after it, or ask the other people whether it may.

        ``past`` are the stored events of :meth:`in_force_since` :meth:`undo_from`, or all from there to the present.
        """
        self._expect_settled()
        first = self.undo_from(seat, unlimited=unlimited)
        if isinstance(first, Rejection):
            return first
        events = self._expect(past, first)
        if self._batches.is_last(first) and self._news < first:
            return self._take_back(seat, first, events, self.version, command_id, time)
        version = self.version + 1
        requested = self._event(version, GAME, seat, UndoRequested(first), (), command_id, time)
        voters = self._voters(seat)
        if not voters:
            undone = self._take_back(seat, first, events, version, command_id, time)
            return undone if isinstance(undone, Rejection) else [requested, *undone]
        gone = next((it for it in voters if it in self.resigned or self.created.seats[it - 1] != PERSON), 0)
        if gone:
            return Rejection("CONSENT_IMPOSSIBLE", "table.undo_consent", {"seat": str(gone)})
        # Only tried, on another table: the others vote first, and this one must not tell that anybody has asked.
        if undo.take_back_effects(self.table.copy(), events, self._shuffles) is None:
            return _NOT_PAST_SHUFFLE
        return [requested]

    def answer_undo(
        self, seat: int, request_version: int, consent: bool, past: Sequence[GameEvent], command_id: str, time: int
    ) -> list[GameEvent] | Rejection:
        """A person's vote on the undo that was requested at that version; the last consent carries it out.

        The seat that asked may decline too: that withdraws the request. A seat that a bot plays does not consent.
        ``past`` are the stored events of :meth:`in_force_since` the vote's ``first_version``, or all from there to the
        present.
        """
        self._expect_settled()
        vote = self.vote
        if vote is None or vote.version != request_version:
            return Rejection("NO_SUCH_UNDO", "table.undo_vote", {"version": str(request_version)})
        may_decline = seat in vote.waiting or seat in vote.consented or seat == vote.seat
        if not (seat in vote.waiting if consent else may_decline):
            return Rejection("NOT_ASKED", "table.undo_vote", {"seat": str(seat)})
        if consent and self.kinds[seat - 1] != PERSON:
            return _PLAYED_BY_BOT
        version = self.version + 1
        answer = UndoConsented(request_version) if consent else UndoDeclined(request_version)
        answered = self._event(version, GAME, seat, answer, (), command_id, time)
        if not consent or vote.waiting != (seat,):
            return [answered]
        events = self._expect(past, vote.first_version)
        undone = self._take_back(vote.seat, vote.first_version, events, version, command_id, time)
        return undone if isinstance(undone, Rejection) else [answered, *undone]

    def _expect(self, past: Sequence[GameEvent], first: int) -> Sequence[GameEvent]:
        """Of the events those in force from that version on, all of which must be there."""
        runs = self._batches.since(first)
        found = {event.originator_version: event for event in past}
        try:
            return [found[version] for begin, last in runs for version in range(begin, last + 1)]
        except KeyError as missing:
            raise ValueError(f"game {self.id}: an undo needs the events {runs}, not without {missing}") from None

    def _take_back(
        self, seat: int, first: int, events: Sequence[GameEvent], last: int, command_id: str, time: int
    ) -> list[GameEvent] | Rejection:
        back = undo.take_back_effects(self.table, events, self._shuffles)
        if back is None:
            return _NOT_PAST_SHUFFLE
        self._unsettled = True
        return [self._event(last + 1, GAME, seat, Undone(first, last), back, command_id, time)]

    # --- bookkeeping ---------------------------------------------------------------------------------------

    def _note(self, event: GameEvent) -> None:
        if event.originator_version != self.version + 1:
            raise ValueError(f"game {self.id}: event {event.originator_version} after version {self.version}")
        self.version += 1
        self.latest = max(self.latest, event.time)
        if event.command_id and event.command_id != self.seen.last:
            self.seen.add(event.command_id, self.version)
        if self.clocks is not None:
            self.clocks.note(event)
        detail = event.detail
        if event.given is not None:
            self._batches.add(event.originator_version, event.given.seat)
            self.vote = None
        if event.effects:
            self._note_effects(event)
        if type(detail) not in GAME_EVENT_TYPES:
            self._batches.extend(event.originator_version)
            return
        if isinstance(detail, SeatJoined):
            self._entropies[event.seat - 1] = detail.entropy
        elif isinstance(detail, GameStarted):
            self.status = RUNNING
            if self.play is None:
                self._bind()
        elif isinstance(detail, GameEnded):
            self.status = ENDED
            self.vote = None
        elif isinstance(detail, UndoRequested):
            self.vote = Vote(self.version, event.seat, detail.first_version, (), self.voters_left_after(event))
            asked, times = self._requests.get(event.seat, (0, 0))
            self._requests[event.seat] = detail.first_version, times + 1 if asked == detail.first_version else 1
            self._undos[event.seat] = self._undos.get(event.seat, 0) + 1
        elif isinstance(detail, UndoConsented) and self.vote is not None:
            waiting = self.voters_left_after(event)
            self.vote = replace(self.vote, consented=(*self.vote.consented, event.seat), waiting=waiting)
        elif isinstance(detail, UndoDeclined):
            self.vote = None
        elif isinstance(detail, Undone):
            self._batches.remove_from(detail.first_version)
            if self.vote is None:  # free; else it was counted when it was asked for
                self._undos[event.seat] = self._undos.get(event.seat, 0) + 1
            self.vote = None
        if type(detail) in SEAT_EVENTS:
            self._note_seat(event)

    def _note_seat(self, event: GameEvent) -> None:
        """Note who plays a seat now. This closes an open vote, unless the vote waits for the person who is back."""
        if not self.voters_left_after(event):
            self.vote = None
        if is_resignation(event):
            self.resigned[event.seat] = event.originator_version
        self._sit(updated_kinds(self.kinds, [event]))

    def _note_effects(self, event: GameEvent) -> None:
        """What stays even if it is taken back: that somebody was told something, and that a stack was shuffled."""
        if not undo.reveals_nothing(self.table, event.effects):
            self._news = event.originator_version
            for effect in event.effects:
                if isinstance(effect, Shuffle):
                    self._shuffles[effect.zone] = event.originator_version

    def _events(
        self, events: Sequence[Event], version: int, command_id: str, time: int, given: Given | None = None
    ) -> list[GameEvent]:
        """What was recorded, to be stored from that version on; what a seat has ``given`` stands in the first."""
        title = self.created.title
        check_events(self.title, events)
        found: list[GameEvent] = []
        for event in events:
            found.append(self._event(version, title, event.seat, event.detail, event.effects, command_id, time, given))
            version += 1
            given = None
        return found

    def _event(
        self,
        version: int,
        owner: str,
        seat: int,
        detail: Struct,
        effects: tuple[Effect, ...],
        command_id: str,
        time: int,
        given: Given | None = None,
    ) -> GameEvent:
        topic = f"{owner}.{type(detail).__name__}"
        time = max(time, self.latest)
        return GameEvent(self.id, version, topic, seat, command_id, time, detail, effects, given)
