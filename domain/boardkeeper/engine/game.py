"""The :class:`Game` of the in-process library."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Generic
from uuid import UUID

from msgspec import Struct

from boardkeeper.engine import arguments
from boardkeeper.engine.arguments import Clock
from boardkeeper.engine.command_checks import copy_command, rejected
from boardkeeper.engine.errors import MisuseError, Rejected, UnknownNameError, did_you_mean
from boardkeeper.engine.events import Event, full_event, is_event, redact_event
from boardkeeper.engine.past import Past
from boardkeeper.engine.records import make_record
from boardkeeper.engine.reentrancy import ReentrancyGuard
from boardkeeper.engine.saves import encode_save
from boardkeeper.engine.search_state import SearchState
from boardkeeper.engine.seats import Seat, bot_kind, played_by
from boardkeeper.engine.start import Seed, secret_of, start_game
from boardkeeper.engine.type_variables import BoardT_co, CommandT_co
from boardkeeper.game.events import GameEvent
from boardkeeper.game.forking import Fork, determinise, fork_game
from boardkeeper.game.game import ENDED
from boardkeeper.game.game import Game as Aggregate
from boardkeeper.game.record import Seal, Signer
from boardkeeper.game.seats import seat_names
from boardkeeper.game.sentences import offered_command, sentence
from boardkeeper.game.time_control import TimeControl
from boardkeeper.game.timeline import Timeline
from boardkeeper.game.undo import Vote
from boardkeeper.table.effects import Effect
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.visibility import OPERATOR
from boardkeeper.table.visible_table import VisibleTable, visible_table
from boardkeeper.titlekit.bots import ask_bot, chance_of
from boardkeeper.titlekit.previews import preview
from boardkeeper.titlekit.scores import ScoreSheet, score_sheet
from boardkeeper.titlekit.title import Play, Setup, Standing, TitleMeta
from boardkeeper.titlekit.title_guard import TitleFailedError

_OVER = Rejection("GAME_OVER", "table.game_over")

Commands = Struct | Sequence[Struct]
"""A command, or a batch of commands, of which all or none are carried out."""


class Game(Generic[BoardT_co, CommandT_co]):
    """One game with all seats taken. :func:`create`, :func:`load`, :func:`load_record` and several methods return one.

    Seats are numbered from 1. A *viewer* is a seat, ``SPECTATOR``, or ``OPERATOR``, which sees everything. Methods
    raise :class:`MisuseError` for a seat or viewer that does not exist, and while another call of the same game is
    running. Properties do not check for running calls. A game can be pickled; the copy has no clock.

    ``Game`` alone is a game of any title; ``Game[Board, Command]`` names the types of its boards and commands
    (:class:`TypedTitle`).
    """

    __slots__ = ("_clock", "_game", "_guard", "_history", "_names", "_pushed", "_seal", "_secret", "_timeline")

    def __init__(
        self,
        game: Aggregate,
        history: list[GameEvent],
        names: Sequence[str],
        secret: bytes,
        clock: Clock | None = None,
        seal: Seal | None = None,
    ) -> None:
        """Take over ``game`` and ``history``, its committed events. ``names`` are the names of the seats."""
        self._game = game
        self._history = history
        self._names = (*names, *[""] * (len(game.seats.kinds) - len(names)))
        self._secret = secret
        self._clock = clock
        self._seal = seal
        self._guard = ReentrancyGuard()
        self._timeline: Timeline | None = None
        self._pushed: list[tuple[tuple[int, int], int, Struct]] = []
        """For each pushed command: the state of the recorder before it, the seat and the command."""

    def __repr__(self) -> str:
        return f"<{self.title.id} for {len(self._names)}, version {self.version}{', over' * self.is_over}>"

    def __copy__(self) -> Game[BoardT_co, CommandT_co]:
        return self.clone()

    def __deepcopy__(self, memo: object) -> Game[BoardT_co, CommandT_co]:
        return self.clone()

    def __reduce__(self) -> tuple[Any, ...]:
        saved = encode_save(self._history, self._names, self._secret, self._seal)
        return _restore, (saved, [(seat, command) for _, seat, command in self._pushed])

    # --- description -----------------------------------------------------------------------------------------

    @property
    def id(self) -> UUID:
        """The id of the game. Games with the same seed have the same id."""
        return self._game.id

    @property
    def title(self) -> TitleMeta:
        """The catalogue entry of the title."""
        return self._game.title.meta

    @property
    def setup(self) -> Setup:
        """The edition, the number of seats, and all options and readings of the game."""
        setup = self._game.created.setup
        return Setup(setup.edition, setup.players, dict(setup.options), dict(setup.readings))

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats, beginning with seat 1."""
        game, names = self._game, self._seat_names("en")
        return tuple(
            Seat(number, name, played_by(kind), game.seats.bot(number) if played_by(kind) == "bot" else "")
            for number, (name, kind) in enumerate(zip(names, game.seats.kinds, strict=True), 1)
        )

    @property
    def commands(self) -> Mapping[str, type[Struct]]:
        """The command structs of the title by name. :meth:`command` makes a command."""
        return dict(self._game.title.commands)

    # --- state -----------------------------------------------------------------------------------------------

    @property
    def version(self) -> int:
        """The number of the game's events, without pushed commands."""
        return self._game.version

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, or would end with the pushed commands."""
        return self._play().is_over() if self._pushed else self._game.status == ENDED

    @property
    def to_move(self) -> tuple[int, ...]:
        """The seats that have to decide now, in seat order. Several seats can decide at the same time."""
        return tuple(self._game.table.deciding())

    @property
    def standings(self) -> tuple[Standing, ...]:
        """The standings, best first; empty before the end."""
        return tuple(self._play().standings() if self._pushed else self._game.standings())

    def board(self, viewer: int) -> BoardT_co:
        """Return the typed board as a viewer sees it."""
        with self._guard:
            return self._play().board(self._viewer(viewer))  # type: ignore[return-value]

    def table(self, viewer: int) -> VisibleTable:
        """Return the zones and markers as a viewer sees them, in a form that is the same for all titles."""
        with self._guard:
            return visible_table(self._game.table, self._viewer(viewer))

    def scores(self, viewer: int) -> ScoreSheet | None:
        """Return the score sheet as far as a viewer can know it, also while the game is running.

        Points that the viewer cannot know yet are ``None``. After the end every viewer knows all points. Returns
        ``None`` if the title has no score sheet and the game is still running.
        """
        with self._guard:
            game, known = self._game, self._viewer(viewer)
            if self.is_over:
                known = OPERATOR
            return score_sheet(game.title, game.created.setup, game.table, known, self.standings)

    def digest(self) -> str:
        """Return the SHA-256 of the whole table in hexadecimal. Equal tables have equal digests."""
        with self._guard:
            return self._game.table.digest()

    # --- commands --------------------------------------------------------------------------------------------

    def legal(self, seat: int) -> Sequence[CommandT_co]:
        """Return all commands that a seat can give now, in a stable order; none if it has nothing to decide."""
        with self._guard:
            if self._game.status == ENDED or self._play().is_over():
                return ()
            return self._game.legal(self._seat(seat))  # type: ignore[return-value]

    def command(self, name: str, **fields: Any) -> CommandT_co:
        """Make a command from its name and fields. Raises :class:`UnknownNameError` or :class:`MisuseError`.

        >>> from boardkeeper import engine
        >>> engine.create("orleans", 2, seed=1).command("SendToDeed", ded="the_plague")
        Traceback (most recent call last):
        boardkeeper.engine.errors.MisuseError: SendToDeed has no 'ded'; did you mean 'deed'?
        """
        kinds = self._game.title.commands
        kind = kinds.get(arguments.check_text("a command's name", name))
        if kind is None:
            raise UnknownNameError(f"command of {self.title.id}", name, kinds)
        for field in fields:
            if field not in kind.__struct_fields__:
                raise MisuseError(f"{name} has no {field!r}{did_you_mean(field, kind.__struct_fields__)}")
        return arguments.check_struct(name, fields, kind)  # type: ignore[return-value]

    def submit(self, seat: int, commands: Commands) -> tuple[Event, ...]:
        """Carry out a command or a batch, all or none, and return the events as the operator sees them.

        Raises :class:`Rejected`; then the game is unchanged.
        """
        with self._guard:
            self._expect_nothing_pushed("submit")
            copied = self._copy_commands(self._seat(seat), commands)
            return self._carry_out(lambda game, id, time: game.decide(seat, copied, id, time), f"{seat}:")

    def why_not(self, seat: int, commands: Commands) -> Rejected | None:
        """Return why :meth:`submit` would reject the commands; ``None`` if it would not. The game does not change."""
        with self._guard:
            self._expect_nothing_pushed("why_not")
            copied = self._copy_commands(self._seat(seat), commands)
            with self._restoring():
                rejection = self._game.check(seat, copied)
            return None if rejection is None else self._rejected(rejection)

    def check(self, seat: int, commands: Commands) -> tuple[Event, ...]:
        """Return the events that :meth:`submit` would return, without changing the game. Raises :class:`Rejected`.

        The events use the game's real dice. :meth:`preview` returns only what the seat may know in advance.
        """
        with self._guard:
            self._expect_nothing_pushed("check")
            copied = self._copy_commands(self._seat(seat), commands)
            decided = self._game.copy().decide(seat, copied, f"{seat}:{self.version + 1}", self._game.latest_time)
            if isinstance(decided, Rejection):
                raise self._rejected(decided)
            return tuple(map(full_event, decided))

    def preview(self, seat: int, command: Struct) -> tuple[Effect, ...]:
        """Return the effects of a command that its seat may know in advance; none if the command is rejected."""
        with self._guard:
            self._expect_nothing_pushed("preview")
            copied = copy_command(self._game.title, self._seat(seat), command)
            with self._restoring():
                return preview(self._play(), seat, copied)

    def suggest(self, seat: int, bot: str = "") -> CommandT_co:
        """Return the command that a bot would give, from what the seat sees.

        ``bot`` is the kind of bot; if empty, the seat's own, or the title's best one. At the same version the answer is
        always the same. Raises :class:`MisuseError` if the seat has nothing to decide.
        """
        with self._guard:
            game = self._game
            self._play()  # raises an error if the game has not begun
            legal = () if self.is_over else game.legal(self._seat(seat))
            if not legal:
                raise MisuseError(f"seat {seat} has nothing to decide; to_move lists the seats that have")
            arguments.check_text("a kind of bot", bot)
            own = "" if played_by(game.seats.kinds[seat - 1]) != "bot" else game.seats.bot(seat)
            kind = bot_kind(self.title, bot or own)
            chance = chance_of(game.bot_key(), self.version + len(self._pushed))
            setup, table = game.created.setup, game.table
            return ask_bot(game.title, setup, table, kind, seat, legal, chance)  # type: ignore[return-value]

    def play_bots(self) -> tuple[Event, ...]:
        """Let bots play their seats until a person has to decide or the game is over; return the events.

        Bots wait while a vote on an undo is open. In a game with clocks they do not wait for people whose seats bots
        play. After an interrupt, the commands that were carried out stay.
        """
        self._expect_nothing_pushed("play_bots")
        events: list[Event] = []
        while not self._game.undo.is_vote_blocking_bots and (
            seat := next((it for it in self.to_move if it in self._game.seats.bots), 0)
        ):
            events += self.submit(seat, self.suggest(seat))
        return tuple(events)

    # --- sentences -------------------------------------------------------------------------------------------

    def sentence(self, what: Event | Rejected | Struct, language: str = "en", *, seat: int = 0) -> str:
        """Return the sentence for an event, a command or a rejection of this game, in English or German (``de``).

        With ``seat``, a legal command is described as for this seat. The sentence of an event with hidden detail is
        empty. Raises :class:`MisuseError` for an event or command of another title.
        """
        if seat != 0:
            self._seat(seat)
        if isinstance(what, Rejected):
            return what.sentence(language)
        names = self._seat_names(arguments.check_language(language))
        if isinstance(what, Event):
            return "" if what.detail is None else self._render(language, names, what.seat, what.detail)
        return self._render(language, names, seat, what)

    def _render(self, language: str, names: Sequence[str], seat: int, detail: Struct) -> str:
        title, kind = self._game.title, type(detail)
        is_command = kind is title.commands.get(kind.__name__)
        if not (is_command or is_event(title, kind)):
            raise MisuseError(f"{detail!r} is not an event, a command or a rejection of {title.meta.id}")
        if seat and is_command and detail in self.legal(seat):
            detail = offered_command(self._play(), seat, detail)
        try:
            return sentence(language, title, names, seat, detail)
        except (LookupError, TitleFailedError) as error:
            raise MisuseError(f"{detail!r} names something that this game does not have: {error}") from error

    # --- history and undo ------------------------------------------------------------------------------------

    def events(self, viewer: int, after: int = 0) -> tuple[Event, ...]:
        """Return the events after a version as a viewer may see them."""
        with self._guard:
            self._viewer(viewer)
            self._version(after, 0)
            if viewer == OPERATOR:
                return tuple(map(full_event, self._history[after:]))
            events: list[Event] = []
            table = self._get_timeline().at(max(after, 1)).table
            for event in self._history[after:]:
                if event.originator_version > 1:
                    table.apply_all(event.effects)
                events.append(redact_event(table, event, viewer))
            return tuple(events)

    def at(self, version: int) -> Past[BoardT_co, CommandT_co]:
        """Return the state of the game at a version."""
        with self._guard:
            known = self._version(version, 1)
            moment = self._get_timeline().at(known, is_settled=self._game.end_of_command(known) == known)
            return Past(moment, len(self._names), self._game)

    def undo(self, seat: int) -> tuple[Event, ...]:
        """Undo a seat's last commands and everything after them, or open a :attr:`vote` of the other people.

        The undo is immediate if since then no random draw and no secret was revealed, and no other seat acted. A person
        whose seat a bot plays votes, too, after taking the seat back. Raises :class:`Rejected`.
        """
        with self._guard:
            self._expect_nothing_pushed("undo")
            self._seat(seat)
            past = tuple(self._history)
            return self._carry_out(lambda game, id, time: game.request_undo(seat, past, id, time), f"{seat}:")

    @property
    def vote(self) -> Vote | None:
        """The open vote on an undo, with the seats that have to answer (``waiting``); ``None`` without a vote."""
        return self._game.undo.vote

    def answer_undo(self, seat: int, *, consent: bool) -> tuple[Event, ...]:
        """Answer the open vote for a seat; the last consent carries out the undo. Raises :class:`Rejected`.

        A seat that a bot plays for a person cannot consent.
        """
        with self._guard:
            self._expect_nothing_pushed("answer_undo")
            self._seat(seat)
            if type(consent) is not bool:
                raise MisuseError(f"consent must be True or False, not {consent!r}")
            vote = self._game.undo.vote
            if vote is None:
                raise MisuseError("no seat has asked for an undo")
            past, asked = tuple(self._history), vote.version
            return self._carry_out(
                lambda game, id, time: game.answer_undo(seat, asked, consent, past, id, time), f"{seat}:"
            )

    # --- seats and clocks ------------------------------------------------------------------------------------

    def resign(self, seat: int, bot: str = "") -> tuple[Event, ...]:
        """Resign a person's seat: it ranks last, and a bot takes over. Raises :class:`Rejected`.

        ``bot`` is the kind of bot; if empty, the title's best one. The game ends if only one seat, or no person, has
        not resigned.

        >>> from boardkeeper import engine
        >>> game = engine.create("orleans", 2, seed=1)
        >>> events = game.resign(1)
        >>> game.is_over, game.standings[0].seat
        (True, 2)
        """
        return self._change_seat("resign", seat, bot, lambda game, kind, id, time: game.resign(seat, kind, id, time))

    def hand_over(self, seat: int, bot: str = "") -> tuple[Event, ...]:
        """Let a bot play a person's seat until :meth:`take_seat_back`. Raises :class:`Rejected`.

        ``bot`` is the kind of bot; if empty, the title's best one. This closes an open vote on an undo.
        """
        return self._change_seat(
            "hand_over", seat, bot, lambda game, kind, id, time: game.hand_to_bot(seat, kind, id, time)
        )

    def take_seat_back(self, seat: int) -> tuple[Event, ...]:
        """Let the person of a seat play it again instead of a bot. Raises :class:`Rejected`.

        This closes an open vote on an undo, unless the vote waits for this seat.
        """
        return self._change_seat(
            "take_seat_back", seat, "", lambda game, _, id, time: game.take_seat_back(seat, id, time)
        )

    @property
    def time_control(self) -> TimeControl | None:
        """The time control of the game; ``None`` without clocks."""
        return None if self._game.clocks is None else self._game.clocks.control

    def time_left(self, seat: int) -> int | None:
        """Return the remaining time of a seat in milliseconds, at least 0; ``None`` without clocks."""
        with self._guard:
            clocks, seat = self._game.clocks, self._seat(seat)
            if clocks is None:
                return None
            reading = clocks.reading(seat)
            elapsed = 0 if reading.since is None else max(0, self._now() - reading.since)
            return max(0, reading.left - elapsed)

    def expired(self) -> tuple[int, ...]:
        """Return the seats whose time has run out, the earliest first.

        The caller decides what happens: it calls :meth:`expire`, or lets the seats continue.
        """
        with self._guard:
            return () if self._game.clocks is None else tuple(self._game.clocks.expired(self._now()))

    def expire(self, seat: int, bot: str = "") -> tuple[Event, ...]:
        """Apply the :attr:`time_control` to a seat whose time has run out: a bot takes over, or the seat resigns.

        Raises :class:`Rejected` while the seat has time left.
        """
        return self._change_seat("expire", seat, bot, lambda game, kind, id, time: game.expire(seat, kind, id, time))

    def _change_seat(
        self, what: str, seat: int, bot: str, decide: Callable[[Aggregate, str, str, int], list[GameEvent] | Rejection]
    ) -> tuple[Event, ...]:
        with self._guard:
            self._expect_nothing_pushed(what)
            self._seat(seat)
            kind = bot_kind(self.title, bot)
            return self._carry_out(lambda game, id, time: decide(game, kind, id, time), f"{seat}:")

    def _now(self) -> int:
        """Return the time of the clock, but at least that of the latest event, in milliseconds."""
        return max(self._clock() if self._clock is not None else 0, self._game.latest_time)

    # --- copies and forks ------------------------------------------------------------------------------------

    def clone(self) -> Game[BoardT_co, CommandT_co]:
        """Return an independent copy with the same events **and the same future dice**.

        A search that must not use hidden information starts with :meth:`determinised`.
        """
        with self._guard:
            self._expect_nothing_pushed("clone")
            return Game(self._game.copy(), self._history.copy(), self._names, self._secret, self._clock, self._seal)

    def fork(self, seed: Seed | None = None, *, at: int = 0) -> Game[BoardT_co, CommandT_co]:
        """Return a new game with the same table and its own dice, from now or from version ``at``.

        If ``at`` is between the events of a command, the fork starts after the last of them. Raises :class:`Rejected`
        for a version at which the game was not running.
        """
        with self._guard:
            self._expect_nothing_pushed("fork")
            return self._start_fork(fork_game(self._copy_at(at), OPERATOR, b""), seed)

    def determinised(self, viewer: int, seed: Seed | None = None, *, at: int = 0) -> Game[BoardT_co, CommandT_co]:
        """Return a determinization: a copy in which everything that the viewer does not know is drawn again.

        Hidden components and future dice are drawn again. Secret decisions of other seats, such as plans behind raised
        screens, are drawn from those that were possible (see ``docs/engine.md``). The copy has no earlier events,
        because they would reveal hidden information. Two games that look equal to the viewer give equal copies for the
        same seed.

        >>> from boardkeeper import engine
        >>> game = engine.create("orleans", 2, options={"planning": "sealed"}, seed=1)
        >>> world = game.determinised(1, seed=2)
        >>> world.board(1) == game.board(1), world.board(2) == game.board(2)
        (True, False)

        Raises :class:`Rejected` for a version at which the game was not running.
        """
        with self._guard:
            self._expect_nothing_pushed("determinised")
            if self._viewer(viewer) == OPERATOR:
                raise MisuseError("nothing is hidden from OPERATOR; use fork() to continue with other dice")
            return self._start_fork(determinise(self._copy_at(at), viewer, secret_of(seed, "deal")), seed)

    def _copy_at(self, at: int) -> Aggregate:
        """Return a copy of the game at a version (0: now), or at the end of the command that the version is in."""
        until = self._game.end_of_command(self._version(at, 1)) if at != 0 else self.version
        if until < self.version:
            return Aggregate.load(self._game.title, self._secret, self._history[:until])
        return self._game.copy()

    def _start_fork(self, fork: Fork | Rejection, seed: Seed | None) -> Game[BoardT_co, CommandT_co]:
        if isinstance(fork, Rejection):
            raise self._rejected(fork)
        game, secret = self._game, secret_of(seed, "fork")
        begin = start_game(game.title, game.created.setup, game.seats.kinds, secret, self._clock, fork=fork)
        return Game(*begin, self._names, secret, self._clock)

    # --- search ----------------------------------------------------------------------------------------------

    def push(self, seat: int, command: Struct) -> None:
        """Carry out a command without events, until :meth:`pop`. Raises :class:`Rejected`.

        :meth:`legal`, :meth:`board`, :attr:`to_move` and others show the state after it. The dice are the game's real
        ones, so a search that must not know them uses a :meth:`determinised` copy.
        """
        with self._guard:
            play = self._play()
            copied = copy_command(self._game.title, self._seat(seat), command)
            recorder = play.recorder
            here = recorder.savepoint()
            if self._game.status == ENDED or play.is_over():
                raise self._rejected(_OVER)
            with self._restoring():
                rejection = play.decide(seat, copied)
                if rejection is not None:
                    recorder.rollback_to(here)
                    raise self._rejected(rejection)
                self._pushed.append((here, seat, copied))

    def pop(self) -> None:
        """Revert the last pushed command. Raises :class:`MisuseError` if there is none."""
        with self._guard:
            if not self._pushed:
                raise MisuseError("pop() needs a push() before it")
            self._pop_to(len(self._pushed) - 1)

    @property
    def pushed(self) -> int:
        """The number of pushed commands."""
        return len(self._pushed)

    @contextmanager
    def trying(self) -> Iterator[Game[BoardT_co, CommandT_co]]:
        """At the end of a ``with`` block, also after an error, revert all commands that were pushed in it.

        Raises :class:`MisuseError` at the end if a command that was pushed before the block was popped.

        >>> from boardkeeper import engine
        >>> game = engine.create("orleans", 2, seed=1)
        >>> before = game.digest()
        >>> with game.trying():
        ...     for _ in range(5):
        ...         game.push(game.to_move[0], game.legal(game.to_move[0])[0])
        >>> game.digest() == before
        True
        """
        before = [command for _, _, command in self._pushed]
        try:
            yield self
        except BaseException:
            with suppress(MisuseError), self._guard:
                self._pop_all_but(before)
            raise
        with self._guard:
            kept = self._pop_all_but(before)
        if kept < len(before):
            raise MisuseError(
                f"trying() needs as many push() as pop() inside it: {kept} of {len(before)} earlier ones are left"
            )

    def _pop_all_but(self, commands: list[Struct]) -> int:
        """Pop commands until only a prefix of these commands is left; return its length."""
        kept = 0
        for (_, _, pushed), command in zip(self._pushed, commands, strict=False):
            if pushed is not command:  # compare identities: an equal command could have been pushed again
                break
            kept += 1
        if kept < len(self._pushed):
            self._pop_to(kept)
        return kept

    def _pop_to(self, depth: int) -> None:
        with self._restoring():
            here = self._pushed[depth][0]
            self._play().recorder.rollback_to(here)
            del self._pushed[depth:]

    def search_state(
        self, viewer: int | None = None, *, seed: Seed | None = None
    ) -> SearchState[BoardT_co, CommandT_co]:
        """Return the table, with the pushed commands, as a state for search programs. Its dice are not the game's dice.

        With ``viewer``, everything that this viewer does not know is drawn again (see :meth:`determinised`). Without,
        the state has all hidden information. Raises :class:`Rejected` as :meth:`determinised` does.

        >>> from boardkeeper import engine
        >>> state = engine.create("orleans", 2, seed=1).search_state(viewer=1, seed=2)
        >>> before = state.key()
        >>> seat = state.to_move[0]
        >>> state.push(seat, state.legal(seat)[0])
        >>> state.pop()
        >>> state.key() == before
        True
        """
        with self._guard:
            play = self._play()
            if self._game.status == ENDED and not play.is_over():
                raise MisuseError("the game has ended early, so there is nothing to search")
            known = OPERATOR if viewer is None else self._viewer(viewer)
            title, setup = self._game.title, self._game.created.setup
            state: SearchState[BoardT_co, CommandT_co] = SearchState.of(title, setup, play.table, seed)
        return state if known == OPERATOR else state.determinise(known, seed)

    # --- saves and records -----------------------------------------------------------------------------------

    def save(self) -> bytes:
        """Return the whole game as bytes, with the secret of its dice, for :func:`boardkeeper.engine.load`."""
        with self._guard:
            self._expect_nothing_pushed("save")
            return encode_save(self._history, self._names, self._secret, self._seal)

    def record(self, viewer: int = OPERATOR, *, signer: Signer | None = None) -> bytes:
        """Return the game's record for a viewer: a file that any program can verify (``docs/record.md``).

        ``signer`` has the Ed25519 key that signs the record. Without it the signature is empty, and everything else can
        be verified. A game that was loaded from a record keeps its signature.
        """
        with self._guard:
            self._expect_nothing_pushed("record")
            self._viewer(viewer)
            return make_record(self.id, self._history, self._secret, viewer, arguments.check_signer(signer), self._seal)

    # --- private ---------------------------------------------------------------------------------------------

    def _carry_out(
        self, decide: Callable[[Aggregate, str, int], list[GameEvent] | Rejection], whose: str
    ) -> tuple[Event, ...]:
        """Decide and commit. The history is extended last, so that an interrupt leaves the game unchanged."""
        time = self._now()
        with self._restoring():
            decided = decide(self._game, f"{whose}{self.version + 1}", time)
            if isinstance(decided, Rejection):
                raise self._rejected(decided)
            events = tuple(map(full_event, decided))
            self._game.commit(decided)
            self._history += decided
        return events

    @contextmanager
    def _restoring(self) -> Iterator[None]:
        """Restore the game from its events and pushed commands if the block raises anything but :class:`Rejected`."""
        try:
            yield
        except Rejected:
            raise
        except BaseException:
            while True:
                try:
                    self._reload()
                    break
                except KeyboardInterrupt:  # restore first, then raise the first interrupt
                    continue
            raise

    def _reload(self) -> None:
        game = Aggregate.load(self._game.title, self._secret, self._history)
        play, tried = game.play, []
        for _, seat, command in self._pushed:
            assert play is not None
            tried.append((play.recorder.savepoint(), seat, command))
            play.decide(seat, command)
        self._game, self._pushed = game, tried

    def _play(self) -> Play:
        play = self._game.play
        if play is None:
            raise MisuseError("the game has not begun")
        return play

    def _get_timeline(self) -> Timeline:
        if self._timeline is None:
            self._timeline = Timeline(self._game.title, lambda after, until: self._history[after:until])
        return self._timeline

    def _seat_names(self, language: str) -> tuple[str, ...]:
        game = self._game
        return seat_names(language, game.title, game.seats.kinds, self._names)

    def _seat(self, seat: int) -> int:
        return arguments.check_seat(seat, len(self._names))

    def _viewer(self, viewer: int) -> int:
        return arguments.check_viewer(viewer, len(self._names))

    def _version(self, version: int, first: int) -> int:
        if type(version) is not int or not first <= version <= self.version:
            raise MisuseError(f"version must be {first} to {self.version}, not {version!r}")
        return version

    def _copy_commands(self, seat: int, commands: Commands) -> list[Struct]:
        """Return checked copies of commands, which the caller cannot change."""
        if isinstance(commands, Struct):
            return [copy_command(self._game.title, seat, commands)]
        if not isinstance(commands, Sequence):
            raise MisuseError(f"seat {seat} needs a command or a list of commands, not {commands!r}")
        if not commands:
            raise MisuseError(f"seat {seat} needs at least one command")
        return [copy_command(self._game.title, seat, command) for command in commands]

    def _expect_nothing_pushed(self, what: str) -> None:
        if self._pushed:
            raise MisuseError(f"{what}() is not possible after push(): call pop() first")

    def _rejected(self, rejection: Rejection) -> Rejected:
        return rejected(self._game.title, self._game.created.setup, rejection, self._seat_names)


def _restore(saved: bytes, pushed: Sequence[tuple[int, Struct]]) -> Game:
    """Return the game of a pickle."""
    from boardkeeper.engine.loading import load  # noqa: PLC0415  # `loading` imports this module

    game = load(saved)
    for seat, command in pushed:
        game.push(seat, command)
    return game
