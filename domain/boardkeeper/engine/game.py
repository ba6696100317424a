"""A game in your own process: ask, submit, look, try, take back, save."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, NoReturn
from uuid import UUID

from msgspec import Struct

from boardkeeper.engine import arguments
from boardkeeper.engine.arguments import Clock
from boardkeeper.engine.beginning import start_game
from boardkeeper.engine.errors import MisuseError, Rejected, UnknownNameError, did_you_mean
from boardkeeper.engine.events import Event, full_event, is_event, redact_event
from boardkeeper.engine.past import Past
from boardkeeper.engine.records import make_record
from boardkeeper.engine.reentrancy import ReentrancyGuard
from boardkeeper.engine.saving import encode_save
from boardkeeper.engine.seats import Seat, bot_kind, played_by
from boardkeeper.engine.seeds import Seed, secret_of
from boardkeeper.game.bot_dice import chance_of
from boardkeeper.game.events import GameEvent
from boardkeeper.game.game import ENDED, Fork
from boardkeeper.game.game import Game as Aggregate
from boardkeeper.game.record import Seal, Signer
from boardkeeper.game.seats import seat_names
from boardkeeper.game.sentences import explain, offered_command, sentence
from boardkeeper.game.time_control import TimeControl
from boardkeeper.game.timeline import Timeline
from boardkeeper.game.undo import Vote
from boardkeeper.table.effects import Effect
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.visibility import OPERATOR
from boardkeeper.table.visible_table import VisibleTable, visible_table
from boardkeeper.titlekit.bots import ask_bot
from boardkeeper.titlekit.previews import preview
from boardkeeper.titlekit.rules_catalogue import kernel_rules
from boardkeeper.titlekit.scores import ScoreSheet, score_sheet
from boardkeeper.titlekit.title import Play, Setup, Standing, TitleMeta
from boardkeeper.titlekit.title_guard import TitleFailedError

_OVER = Rejection("GAME_OVER", "table.game_over")

Commands = Struct | Sequence[Struct]
"""One command, or a batch that is carried out whole or not at all."""


class Game:
    """One game with everybody seated; made by ``create``, ``load``, ``load_record``, :meth:`clone` and :meth:`fork`.

    Seats are numbered from 1. A *viewer* is a seat, ``SPECTATOR`` or ``OPERATOR``, who sees everything. Methods raise
    :class:`MisuseError` for a seat or viewer that there is not, and while another call of the same game runs, for which
    attributes do not look.
    """

    __slots__ = ("_alone", "_clock", "_game", "_history", "_names", "_seal", "_secret", "_timeline", "_tried")

    def __init__(
        self,
        game: Aggregate,
        history: list[GameEvent],
        names: Sequence[str],
        secret: bytes,
        clock: Clock | None = None,
        seal: Seal | None = None,
    ) -> None:
        """``history`` are the committed events of ``game``; nobody else may have either. ``names`` are its seats'."""
        self._game = game
        self._history = history
        self._names = (*names, *[""] * (len(game.kinds) - len(names)))
        self._secret = secret
        self._clock = clock
        self._seal = seal
        self._alone = ReentrancyGuard()
        self._timeline: Timeline | None = None
        self._tried: list[tuple[tuple[int, int], int, Struct]] = []
        """What was pushed: where the recorder was before, the seat and the command."""

    def __repr__(self) -> str:
        return f"<{self.title.id} for {len(self._names)}, version {self.version}{', over' * self.is_over}>"

    def __copy__(self) -> Game:
        return self.clone()

    def __deepcopy__(self, memo: object) -> Game:
        return self.clone()

    def __reduce__(self) -> NoReturn:
        raise MisuseError("a game cannot be pickled: use save(), which returns bytes, and load()")

    # --- what it is ------------------------------------------------------------------------------------------

    @property
    def id(self) -> UUID:
        """The game's id; with a seed it follows from that."""
        return self._game.id

    @property
    def title(self) -> TitleMeta:
        """The catalogue entry of its title."""
        return self._game.title.meta

    @property
    def setup(self) -> Setup:
        """Edition, number of seats, and every option and reading in force."""
        setup = self._game.created.setup
        return Setup(setup.edition, setup.players, dict(setup.options), dict(setup.readings))

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Who sits at it, that of seat 1 first."""
        game, names = self._game, self._called("en")
        return tuple(
            Seat(number, name, played_by(kind), game.bot(number) if played_by(kind) == "bot" else "")
            for number, (name, kind) in enumerate(zip(names, game.kinds, strict=True), 1)
        )

    @property
    def commands(self) -> Mapping[str, type[Struct]]:
        """The commands of the title by name; :meth:`command` makes one."""
        return dict(self._game.title.commands)

    # --- where it is -----------------------------------------------------------------------------------------

    @property
    def version(self) -> int:
        """The number of its events; what is only pushed does not count."""
        return self._game.version

    @property
    def is_over(self) -> bool:
        """Whether it has ended, also by what is pushed."""
        return self._play().is_over() if self._tried else self._game.status == ENDED

    @property
    def to_move(self) -> tuple[int, ...]:
        """The seats that have to decide now, in seat order; several where decisions are simultaneous."""
        return tuple(self._game.table.deciding())

    @property
    def standings(self) -> tuple[Standing, ...]:
        """The result, best first; empty before the end."""
        return tuple(self._play().standings() if self._tried else self._game.standings())

    def board(self, viewer: int) -> Struct:
        """The typed board as a viewer sees it."""
        with self._alone:
            return self._play().board(self._viewer(viewer))

    def table(self, viewer: int) -> VisibleTable:
        """The zones and markers as a viewer sees them: the same words for every title."""
        with self._alone:
            return visible_table(self._game.table, self._viewer(viewer))

    def scores(self, viewer: int) -> ScoreSheet | None:
        """Return the score sheet as far as a viewer can know it, also while the game is running.

        Points that the viewer cannot know yet are ``None``. After the end every viewer knows all of it. The method
        returns ``None`` if the title has no score sheet and the game is still running.
        """
        with self._alone:
            game, known = self._game, self._viewer(viewer)
            if self.is_over:
                known = OPERATOR
            return score_sheet(game.title, game.created.setup, game.table, known, self.standings)

    def digest(self) -> str:
        """SHA-256 of the whole table in hexadecimal: equal tables have equal ones."""
        with self._alone:
            return self._game.table.digest()

    # --- commands --------------------------------------------------------------------------------------------

    def legal(self, seat: int) -> Sequence[Struct]:
        """Every command that a seat can give now, in a stable order; none if it has nothing to decide."""
        with self._alone:
            if self._game.status == ENDED or self._play().is_over():
                return ()
            return self._game.legal(self._seat(seat))

    def command(self, name: str, **fields: Any) -> Struct:
        """A command by its name and fields, checked; raises ``UnknownNameError`` or ``MisuseError``.

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
        return arguments.check_struct(name, fields, kind)

    def submit(self, seat: int, commands: Commands) -> tuple[Event, ...]:
        """Carry out a command, or a batch of them all or nothing, and return what happened, as the operator sees it.

        Raises :class:`Rejected` with nothing changed.
        """
        with self._alone:
            self._expect_nothing_tried("submit")
            given = self._given(self._seat(seat), commands)
            return self._carry_out(lambda game, id, time: game.decide(seat, given, id, time), f"{seat}:")

    def why_not(self, seat: int, commands: Commands) -> Rejected | None:
        """Why :meth:`submit` would refuse that, if it would; changes nothing."""
        with self._alone:
            self._expect_nothing_tried("why_not")
            given = self._given(self._seat(seat), commands)
            with self._whole():
                rejection = self._game.check(seat, given)
            return None if rejection is None else self._refused(rejection)

    def check(self, seat: int, commands: Commands) -> tuple[Event, ...]:
        """The events that :meth:`submit` would have, with the true dice; raises :class:`Rejected`, changes nothing.

        What a seat may know beforehand is in :meth:`preview`.
        """
        with self._alone:
            self._expect_nothing_tried("check")
            given = self._given(self._seat(seat), commands)
            decided = self._game.copy().decide(seat, given, f"{seat}:{self.version + 1}", self._game.latest)
            if isinstance(decided, Rejection):
                raise self._refused(decided)
            return tuple(map(full_event, decided))

    def preview(self, seat: int, command: Struct) -> tuple[Effect, ...]:
        """What a command would change at once, as its seat may know it; nothing for one that is refused."""
        with self._alone:
            self._expect_nothing_tried("preview")
            given = self._one(self._seat(seat), command)
            with self._whole():
                return preview(self._play(), seat, given)

    def suggest(self, seat: int, bot: str = "") -> Struct:
        """What a bot would do there, from what the seat sees: of that kind, else of the seat's own, else the best.

        It always answers the same at the same version. Raises :class:`MisuseError` if the seat has nothing to decide.
        """
        with self._alone:
            game = self._game
            self._play()  # raises an error if the game has not begun
            legal = () if self.is_over else game.legal(self._seat(seat))
            if not legal:
                raise MisuseError(f"seat {seat} has nothing to decide; to_move lists the seats that have")
            arguments.check_text("a kind of bot", bot)
            own = "" if played_by(game.kinds[seat - 1]) != "bot" else game.bot(seat)
            kind = bot_kind(self.title, bot or own)
            chance = chance_of(game.bot_key(), self.version + len(self._tried))
            return ask_bot(game.title, game.created.setup, game.table, kind, seat, legal, chance)

    def play_bots(self) -> tuple[Event, ...]:
        """Let the bots that have seats decide until a person has to, or the game is over; returns what happened.

        While a vote on an undo is open, a person has to answer it or withdraw it first, so the bots wait. In a game
        with clocks they do not wait for people whose seats bots play. The game carries out one command at a time:
        after an interrupt, the commands that were carried out stay.
        """
        self._expect_nothing_tried("play_bots")
        events: list[Event] = []
        while not self._game.is_vote_blocking_bots and (
            seat := next((it for it in self.to_move if it in self._game.bots), 0)
        ):
            events += self.submit(seat, self.suggest(seat))
        return tuple(events)

    # --- words -----------------------------------------------------------------------------------------------

    def sentence(self, what: Event | Rejected | Struct, language: str = "en", *, seat: int = 0) -> str:
        """An event, a command or a refusal of this game in plain words, in English or German (``de``).

        A command is said as it is offered to ``seat``, if that is given. Of a detail that a viewer may not know there
        is nothing to say. Raises :class:`MisuseError` for what is of another title.
        """
        if seat != 0:
            self._seat(seat)
        if isinstance(what, Rejected):
            return what.sentence(language)
        names = self._called(arguments.check_language(language))
        if isinstance(what, Event):
            return "" if what.detail is None else self._said(language, names, what.seat, what.detail)
        return self._said(language, names, seat, what)

    def _said(self, language: str, names: Sequence[str], seat: int, detail: Struct) -> str:
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

    # --- the past --------------------------------------------------------------------------------------------

    def events(self, viewer: int, after: int = 0) -> tuple[Event, ...]:
        """What has happened after a version, as a viewer may know it."""
        with self._alone:
            self._viewer(viewer)
            self._version(after, 0)
            if viewer == OPERATOR:
                return tuple(map(full_event, self._history[after:]))
            events: list[Event] = []
            table = self._past().at(max(after, 1)).table
            for event in self._history[after:]:
                if event.originator_version > 1:
                    table.apply_all(event.effects)
                events.append(redact_event(table, event, viewer))
            return tuple(events)

    def at(self, version: int) -> Past:
        """The game as it was at a version."""
        with self._alone:
            known = self._version(version, 1)
            moment = self._past().at(known, is_settled=self._game.end_of_command(known) == known)
            return Past(moment, len(self._names), self._game)

    def undo(self, seat: int) -> tuple[Event, ...]:
        """Take back a seat's last commands and all after them, or ask the others: then :attr:`vote` is open.

        It is free until chance or a secret was revealed, or another seat acted. A person whose seat
        was handed over to a bot is asked too, and can answer after taking the seat back. Raises :class:`Rejected`.
        """
        with self._alone:
            self._expect_nothing_tried("undo")
            self._seat(seat)
            past = tuple(self._history)
            return self._carry_out(lambda game, id, time: game.request_undo(seat, past, id, time), f"{seat}:")

    @property
    def vote(self) -> Vote | None:
        """The open vote on an undo, if there is one: who asked, and whose answer is ``waiting``."""
        return self._game.vote

    def answer_undo(self, seat: int, *, consent: bool) -> tuple[Event, ...]:
        """A seat's answer to the open vote; the last consent takes back. Raises :class:`Rejected`.

        A seat that was handed over to a bot does not consent until it is taken back.
        """
        with self._alone:
            self._expect_nothing_tried("answer_undo")
            self._seat(seat)
            if type(consent) is not bool:
                raise MisuseError(f"consent must be True or False, not {consent!r}")
            vote = self._game.vote
            if vote is None:
                raise MisuseError("no seat has asked for an undo")
            past, asked = tuple(self._history), vote.version
            return self._carry_out(
                lambda game, id, time: game.answer_undo(seat, asked, consent, past, id, time), f"{seat}:"
            )

    # --- who plays, and how long -----------------------------------------------------------------------------

    def resign(self, seat: int, bot: str = "") -> tuple[Event, ...]:
        """A person's seat gives up for good: it ranks last, and a bot of that kind, else the best, plays on for it.

        The game is over if that leaves one seat, or no person. Raises :class:`Rejected`.

        >>> from boardkeeper import engine
        >>> game = engine.create("orleans", 2, seed=1)
        >>> events = game.resign(1)
        >>> game.is_over, game.standings[0].seat
        (True, 2)
        """
        return self._seated("resign", seat, bot, lambda game, kind, id, time: game.resign(seat, kind, id, time))

    def hand_over(self, seat: int, bot: str = "") -> tuple[Event, ...]:
        """Have a bot of that kind, else the best, play a person's seat for the time being; raises :class:`Rejected`.

        :meth:`play_bots` plays for it then, until :meth:`take_seat_back`. A vote on an undo that was open is over.
        """
        return self._seated("hand_over", seat, bot, lambda game, kind, id, time: game.hand_to_bot(seat, kind, id, time))

    def take_seat_back(self, seat: int) -> tuple[Event, ...]:
        """Have the person of a seat that was handed over play it again; raises :class:`Rejected`.

        An open vote on an undo stays open if it waits for that seat, else it is over.
        """
        return self._seated("take_seat_back", seat, "", lambda game, _, id, time: game.take_seat_back(seat, id, time))

    @property
    def time_control(self) -> TimeControl | None:
        """How much time people have to decide, if the game has clocks."""
        return None if self._game.clocks is None else self._game.clocks.control

    def time_left(self, seat: int) -> int | None:
        """How many milliseconds a seat has left by the clock of the game, none below 0; ``None`` without clocks.

        Its clock runs while it has to decide, and starts anew, or has time added, as the :attr:`time_control` says.
        """
        with self._alone:
            clocks, seat = self._game.clocks, self._seat(seat)
            if clocks is None:
                return None
            reading = clocks.reading(seat)
            gone = 0 if reading.since is None else max(0, self._now() - reading.since)
            return max(0, reading.left - gone)

    def expired(self) -> tuple[int, ...]:
        """The seats whose time has run out by the clock of the game, the first to run out first.

        Nothing happens by itself then: whoever runs the game calls :meth:`expire`, or lets them decide all the same.
        """
        with self._alone:
            return () if self._game.clocks is None else tuple(self._game.clocks.expired(self._now()))

    def expire(self, seat: int, bot: str = "") -> tuple[Event, ...]:
        """Do what the :attr:`time_control` says of a seat whose time has run out: a bot plays on, or it resigns.

        Raises :class:`Rejected` while it has time.
        """
        return self._seated("expire", seat, bot, lambda game, kind, id, time: game.expire(seat, kind, id, time))

    def _seated(
        self, what: str, seat: int, bot: str, decide: Callable[[Aggregate, str, str, int], list[GameEvent] | Rejection]
    ) -> tuple[Event, ...]:
        with self._alone:
            self._expect_nothing_tried(what)
            self._seat(seat)
            kind = bot_kind(self.title, bot)
            return self._carry_out(lambda game, id, time: decide(game, kind, id, time), f"{seat}:")

    def _now(self) -> int:
        """The time of the clock, or of the latest event, if the clock was put back; without one nothing goes on."""
        return max(self._clock() if self._clock is not None else 0, self._game.latest)

    # --- other games from this one ---------------------------------------------------------------------------

    def clone(self) -> Game:
        """An independent copy, with the same past **and the same dice to come**.

        A search that must not know what nobody can know begins with :meth:`determinised`.
        """
        with self._alone:
            self._expect_nothing_tried("clone")
            return Game(self._game.copy(), self._history.copy(), self._names, self._secret, self._clock, self._seal)

    def fork(self, seed: Seed | None = None, *, at: int = 0) -> Game:
        """A new game that goes on from here, or from version ``at``, exactly as the table lies, with dice of its own.

        Of a version amid the events of a command it goes on from the last of them: nobody can do anything before.

        Raises :class:`Rejected` for a version at which the game did not run.
        """
        with self._alone:
            self._expect_nothing_tried("fork")
            return self._begin_from(self._copy_at(at).fork(OPERATOR, b""), seed)

    def determinised(self, viewer: int, seed: Seed | None = None, *, at: int = 0) -> Game:
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

        Raises :class:`Rejected` for a version at which the game did not run.
        """
        with self._alone:
            self._expect_nothing_tried("determinised")
            if self._viewer(viewer) == OPERATOR:
                raise MisuseError("nothing is hidden from OPERATOR; use fork() to continue with other dice")
            return self._begin_from(self._copy_at(at).determinize(viewer, secret_of(seed, "deal")), seed)

    def _copy_at(self, at: int) -> Aggregate:
        """The game once more as it was at a version, or is; nothing begins amid a command, whose end counts there."""
        until = self._game.end_of_command(self._version(at, 1)) if at != 0 else self.version
        if until < self.version:
            return Aggregate.load(self._game.title, self._secret, self._history[:until])
        return self._game.copy()

    def _begin_from(self, fork: Fork | Rejection, seed: Seed | None) -> Game:
        if isinstance(fork, Rejection):
            raise self._refused(fork)
        game, secret = self._game, secret_of(seed, "fork")
        begin = start_game(game.title, game.created.setup, game.kinds, secret, self._clock, fork=fork)
        return Game(*begin, self._names, secret, self._clock)

    # --- trying ----------------------------------------------------------------------------------------------

    def push(self, seat: int, command: Struct) -> None:
        """Carry out a command for the time being: :meth:`pop` takes it back, and nothing of it is stored.

        :meth:`legal`, :meth:`board`, :attr:`to_move` and the like tell what would be then. The dice are the game's own,
        so a search that must not know them pushes on a :meth:`determinised` copy. Raises :class:`Rejected`.
        """
        with self._alone:
            play = self._play()
            given = self._one(self._seat(seat), command)
            recorder = play.recorder
            here = recorder.savepoint()
            if self._game.status == ENDED or play.is_over():
                raise self._refused(_OVER)
            with self._whole():
                rejection = play.decide(seat, given)
                if rejection is not None:
                    recorder.rollback_to(here)
                    raise self._refused(rejection)
                self._tried.append((here, seat, given))

    def pop(self) -> None:
        """Take back what was pushed last; raises ``MisuseError`` if nothing is."""
        with self._alone:
            if not self._tried:
                raise MisuseError("pop() needs a push() before it")
            self._back_to(len(self._tried) - 1)

    @property
    def pushed(self) -> int:
        """How many commands are pushed."""
        return len(self._tried)

    @contextmanager
    def trying(self) -> Iterator[Game]:
        """Whatever is pushed inside is taken back at the end, also after an error; raises nothing over that.

        What was pushed before has to be left as it is: raises :class:`MisuseError` at the end if any of it was popped,
        even if something was pushed in its place.

        >>> from boardkeeper import engine
        >>> game = engine.create("orleans", 2, seed=1)
        >>> before = game.digest()
        >>> with game.trying():
        ...     for _ in range(5):
        ...         game.push(game.to_move[0], game.legal(game.to_move[0])[0])
        >>> game.digest() == before
        True
        """
        before = [command for _, _, command in self._tried]
        try:
            yield self
        except BaseException:
            with suppress(MisuseError), self._alone:
                self._back_to_these(before)
            raise
        with self._alone:
            kept = self._back_to_these(before)
        if kept < len(before):
            raise MisuseError(
                f"trying() needs as many push() as pop() inside it: {kept} of {len(before)} earlier ones are left"
            )

    def _back_to_these(self, commands: list[Struct]) -> int:
        """Pop whatever is not one of these commands, which were pushed once; returns how many of them are still."""
        kept = 0
        for (_, _, pushed), command in zip(self._tried, commands, strict=False):
            if pushed is not command:  # an equal one is not the same: something was popped and pushed again
                break
            kept += 1
        if kept < len(self._tried):
            self._back_to(kept)
        return kept

    def _back_to(self, depth: int) -> None:
        with self._whole():
            here = self._tried[depth][0]
            self._play().recorder.rollback_to(here)
            del self._tried[depth:]

    # --- keeping ---------------------------------------------------------------------------------------------

    def save(self) -> bytes:
        """The whole game, with the secret of its dice, for :func:`boardkeeper.engine.load` to go on from."""
        with self._alone:
            self._expect_nothing_tried("save")
            return encode_save(self._history, self._names, self._secret, self._seal)

    def record(self, viewer: int = OPERATOR, *, signer: Signer | None = None) -> bytes:
        """The game's record as a viewer may have it: one file that anybody can check (``docs/record.md``).

        ``signer`` has the Ed25519 key that signs it; without one it bears an empty signature, and everything but that
        can be checked. A game from a record keeps the signature that it came with.
        """
        with self._alone:
            self._expect_nothing_tried("record")
            self._viewer(viewer)
            return make_record(self.id, self._history, self._secret, viewer, arguments.check_signer(signer), self._seal)

    # --- within ----------------------------------------------------------------------------------------------

    def _carry_out(
        self, decide: Callable[[Aggregate, str, int], list[GameEvent] | Rejection], whose: str
    ) -> tuple[Event, ...]:
        """Decide and commit, all or nothing: its last step is that the history goes on."""
        time = self._now()
        with self._whole():
            decided = decide(self._game, f"{whose}{self.version + 1}", time)
            if isinstance(decided, Rejection):
                raise self._refused(decided)
            happened = tuple(map(full_event, decided))
            self._game.commit(decided)
            self._history += decided
        return happened

    @contextmanager
    def _whole(self) -> Iterator[None]:
        """Whatever breaks off inside (an interrupt, say) leaves the game as its events have it, and what is pushed."""
        try:
            yield
        except Rejected:
            raise
        except BaseException:
            while True:
                try:
                    self._reload()
                    break
                except KeyboardInterrupt:  # who is in a hurry: the first one is raised in a moment
                    continue
            raise

    def _reload(self) -> None:
        game = Aggregate.load(self._game.title, self._secret, self._history)
        play, tried = game.play, []
        for _, seat, command in self._tried:
            assert play is not None
            tried.append((play.recorder.savepoint(), seat, command))
            play.decide(seat, command)
        self._game, self._tried = game, tried

    def _play(self) -> Play:
        play = self._game.play
        if play is None:
            raise MisuseError("the game has not begun")
        return play

    def _past(self) -> Timeline:
        if self._timeline is None:
            self._timeline = Timeline(self._game.title, lambda after, until: self._history[after:until])
        return self._timeline

    def _called(self, language: str) -> tuple[str, ...]:
        game = self._game
        return seat_names(language, game.title, game.kinds, self._names)

    def _seat(self, seat: int) -> int:
        return arguments.check_seat(seat, len(self._names))

    def _viewer(self, viewer: int) -> int:
        return arguments.check_viewer(viewer, len(self._names))

    def _version(self, version: int, first: int) -> int:
        if type(version) is not int or not first <= version <= self.version:
            raise MisuseError(f"version must be {first} to {self.version}, not {version!r}")
        return version

    def _given(self, seat: int, commands: Commands) -> list[Struct]:
        """Commands of this title with fields of their types, which nobody else can change."""
        if isinstance(commands, Struct):
            return [self._one(seat, commands)]
        if not isinstance(commands, Sequence):
            raise MisuseError(f"seat {seat} needs a command or a list of commands, not {commands!r}")
        if not commands:
            raise MisuseError(f"seat {seat} needs at least one command")
        return [self._one(seat, command) for command in commands]

    def _one(self, seat: int, command: Struct) -> Struct:
        name = type(command).__name__
        kinds = self._game.title.commands
        kind = kinds.get(name)
        if kind is None or type(command) is not kind:
            if isinstance(command, (list, tuple)):
                raise MisuseError(f"seat {seat} needs a single command here, not a list")
            raise MisuseError(f"{command!r} is not a command of {self.title.id}{did_you_mean(name, kinds)}")
        return arguments.check_struct(name, command, kind)

    def _expect_nothing_tried(self, what: str) -> None:
        if self._tried:
            raise MisuseError(f"{what}() is not possible after push(): call pop() first")

    def _refused(self, rejection: Rejection) -> Rejected:
        title, edition = self._game.title, self._game.created.setup.edition

        def say(language: str) -> str:
            return explain(language, title, self._called(arguments.check_language(language)), rejection)

        rule = kernel_rules().get(rejection.rule) or next(
            (rule for rule in title.rules() if rule.id == rejection.rule), None
        )
        return Rejected(rejection, rule.references.get(edition, "") if rule is not None else "", say)
