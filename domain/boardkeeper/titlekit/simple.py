"""Write a small title in one module: :class:`SimpleTitle` derives everything from its table, moves and events.

Such a title has one edition. It consists of

* a :class:`SimpleTable`, which declares the zones and markers, sets up the game and computes the points;
* a :class:`Move` for each command: its options, its rules, and the changes that it makes;
* an event struct for each sentence of the log.

``examples/titles`` has complete games; docs/adding-a-title.md explains them step by step. For a title with several
editions or with readings, see the packages in ``boardkeeper.titles``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from inspect import getdoc
from typing import Any, ClassVar, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from boardkeeper.table.dice import Dice
from boardkeeper.table.layout import TableLayout
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import sees
from boardkeeper.titlekit import soundness
from boardkeeper.titlekit.binding import Material as Material  # noqa: PLC0414  # authors import it from here
from boardkeeper.titlekit.bots import Policy
from boardkeeper.titlekit.catalogue_title import CatalogueTitle
from boardkeeper.titlekit.command_space import each_of
from boardkeeper.titlekit.drawing import DecisionEntry, Drawing
from boardkeeper.titlekit.material import Declaration
from boardkeeper.titlekit.rules_catalogue import LANGUAGES
from boardkeeper.titlekit.scores import ScoreLine
from boardkeeper.titlekit.sentences import TitleWords, Words
from boardkeeper.titlekit.soundness import DecisionCheck, DecisionChecks, Limits
from boardkeeper.titlekit.standings import standings
from boardkeeper.titlekit.title import (
    BotMeta,
    Component,
    EditionMeta,
    OptionMeta,
    PositionProblem,
    Rule,
    Setup,
    Standing,
    Text,
    TitleMeta,
)
from boardkeeper.titlekit.turn_flow import OVER, CommandDispatcher, TurnFlow, TurnFlowPlay

EDITION = "standard"
"""The only edition of a small title."""

PLAY = "play"
"""The phase until the end of the game."""

TURN = "turn"
"""The name of the default decision."""


def text(en: str, de: str = "") -> Text:
    """Return a text in every language; the German one defaults to the English one."""
    return {"en": en, "de": de or en}


# --- the table -----------------------------------------------------------------------------------------------------


def _readable(id: str) -> str:
    return id.rpartition(".")[2].replace("_", " ").capitalize()


class Seat:
    """The base class of seats. A subclass declares the zones and markers of a seat in ``__init__``."""

    def __init__(self, m: Material, number: int) -> None:  # noqa: ARG002  # subclasses declare their material
        self.number = number


S = TypeVar("S", bound=Seat)
T = TypeVar("T")


class SimpleTable(TurnFlow[S]):
    """The base class of tables. A subclass declares the shared zones and markers in ``__init__``.

    ``setup`` has the number of players and the options of the game. Change the table only with ``move``, ``set``,
    ``emit`` and the methods of ``recorder`` (:class:`boardkeeper.table.recorder.Recorder`).
    """

    seat_type: ClassVar[type[Any]] = Seat
    """The class of the seats."""

    score_is_public: ClassVar[bool] = False
    """Whether :meth:`points` reads only public information. If so, clients show the score during the game."""

    def __init__(self, m: Material, setup: Setup) -> None:
        super().__init__(m, {}, phase=PLAY, start=1)
        self.setup = setup
        self.seats = tuple(self.seat_type(m.seat(number), number) for number in range(1, setup.players + 1))

    def set_up(self) -> None:
        """Set up the game: deal, emit at least one event, and give the first turn."""
        raise NotImplementedError

    def points(self, seat: S) -> tuple[int, ...]:
        """Return the points of a seat, followed by its tie-breakers (higher is better)."""
        raise NotImplementedError

    def next_seat(self, seat: S) -> S:
        """Return the next seat in turn order."""
        return self.after(seat.number)[0]

    def give_turn(self, seat: S, decision: str = TURN) -> None:
        """Open a decision for this seat, and close those of all others."""
        for other in self.seats:
            self.ask(other, decision if other is seat else "")

    def end_game(self) -> None:
        """End the game: close all decisions, so that the standings are final."""
        for seat in self.seats:
            self.ask(seat, "")
        self.set(self.phase, OVER)


# --- moves ---------------------------------------------------------------------------------------------------------


class Move:
    """A type of command that a seat can give in a decision.

    ``options(t, seat)`` yields all commands of this type that make sense on the table, legal or not; a command without
    fields needs no ``options``. ``rules`` are predicates ``rule(t, seat, command)``: a command is legal if all return
    true. ``carry_out(t, seat, command)`` changes the table. ``values`` has all values of each field that can ever be
    legal, for action spaces; it is optional. Raises ``ValueError`` if ``options`` is missing, or ``values`` of a field.

    The docstrings of ``options`` and of the predicates are shown to players, as the rule in one sentence. Their ids are
    ``<title>.<command>.<function>``, for example ``liars_cards.bid.is_higher``.
    """

    def __init__(
        self,
        command: type[Struct],
        carry_out: Callable[[Any, Any, Any], None],
        *,
        options: Callable[[Any, Any], Iterable[Struct]] | None = None,
        rules: Sequence[Callable[[Any, Any, Any], bool]] = (),
        decision: str = TURN,
        values: Mapping[str, Iterable[Any]] | None = None,
    ) -> None:
        if options is None and command.__struct_fields__:
            raise ValueError(f"Move({command.__name__}) needs `options`, because the command has fields")
        if values is not None and values.keys() != {*command.__struct_fields__}:
            raise ValueError(f"Move({command.__name__}) needs `values` for: {', '.join(command.__struct_fields__)}")
        self.command = command
        self.carry_out = carry_out
        self.options = options
        self.predicates = tuple(rules)
        self.decision = decision
        self._values = {} if values is None else {field: tuple(each) for field, each in values.items()}

    def all_commands(self) -> Sequence[Struct] | None:
        """Return all combinations of the values of the fields; ``None`` without ``values``."""
        fields = self.command.__struct_fields__
        if not self._values and fields:
            return None
        return list(each_of(self.command, *(self._values[field] for field in fields)))

    def rule_id(self, title: str, rule: Callable[..., object]) -> str:
        """Return the id of the rule of a predicate or of ``options``."""
        return f"{title}.{_snake_case(self.command.__name__)}.{rule.__name__}"

    def legal(self, t: Any, seat: Any) -> list[Struct]:
        """Return the legal commands."""
        options = [self.command()] if self.options is None else self.options(t, seat)
        return [it for it in options if all(allows(t, seat, it) for allows in self.predicates)]

    def decide(self, title: str, t: Any, seat: Any, command: Struct) -> Rejection | None:
        """Carry out a command, or return the rejection by the first rule that forbids it."""
        if self.options is not None and command not in list(self.options(t, seat)):
            return self._rejection(title, self.options, command)
        for allows in self.predicates:
            if not allows(t, seat, command):
                return self._rejection(title, allows, command)
        self.carry_out(t, seat, command)
        return None

    def _rejection(self, title: str, rule: Callable[..., object], command: Struct) -> Rejection:
        values = {name: str(getattr(command, name)) for name in command.__struct_fields__}
        return Rejection("NOT_ALLOWED", self.rule_id(title, rule), values)


def _snake_case(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


class Board(Struct, frozen=True):
    """An empty board: clients read the table of a small title instead."""


class SimplePlay(TurnFlowPlay[SimpleTable[Any]]):
    """The rules of a small title on one table (see :class:`boardkeeper.titlekit.title.Play`)."""

    def __init__(self, t: SimpleTable[Any], rules: CommandDispatcher[Any]) -> None:
        super().__init__(t)
        self._rules = rules

    def decide(self, seat: int, command: Struct) -> Rejection | None:
        return self._rules.decide(self.t, seat, command)

    def legal(self, seat: int) -> Sequence[Struct]:
        return self._rules.legal(self.t, seat)

    @property
    def known(self) -> Mapping[str, frozenset[str]]:
        """No field of a command has a closed list of ids."""
        return {}

    def set_up(self) -> None:
        self.t.set_up()

    def board(self, viewer: int) -> Board:  # noqa: ARG002  # part of the interface
        return Board()

    def scores(self) -> tuple[ScoreLine, ...]:
        """Return the points of all seats if they are public, otherwise nothing."""
        points = tuple(self.t.points(it)[0] for it in self.t.seats) if self.t.score_is_public else ()
        return (ScoreLine("points", text("Points", "Punkte"), points),) if points else ()

    def points(self) -> tuple[int, ...]:
        """Return the points of each seat if the game ended now."""
        return tuple(self.t.points(it)[0] for it in self.t.seats)

    def standings(self) -> list[Standing]:
        return standings({it.number: self.t.points(it) for it in self.t.seats}) if self.is_over() else []


# --- the title -----------------------------------------------------------------------------------------------------

JOINTS = {
    "en": {"and": "and", "nothing": "nothing", "seat": "Seat {}"},
    "de": {"and": "und", "nothing": "nichts", "seat": "Platz {}"},
}

BOTS = (BotMeta("random", text("Random bot: plays any legal move", "Zufallsbot: spielt beliebige erlaubte Züge")),)


STRONG = BotMeta(
    "sensible", text("Quick bot: plays for the most points", "Schneller Bot: spielt auf die meisten Punkte")
)

Strategy = Callable[[Any, Any, Sequence[Struct]], Struct]
"""Chooses one of at least two legal commands. Takes the redacted table, the seat and the commands."""


class DerivedWords(TitleWords):
    """Sentences and rules made from docstrings. Raises ``ValueError`` for a missing docstring or an unknown field."""

    def __init__(
        self,
        id: str,
        moves: Sequence[Move],
        events: Iterable[type[Struct]],
        names: Mapping[str, Text],
        german: Mapping[str, str],
    ) -> None:
        super().__init__("")
        structs = {"commands": [move.command for move in moves], "events": list(events)}
        for language in LANGUAGES:
            translations = german if language == "de" else {}
            templates = {
                group: {it.__name__: translations.get(it.__name__) or _first_line(it) for it in kinds}
                for group, kinds in structs.items()
            }
            named = {"components": {id: {"name": name[language]} for id, name in names.items()}}
            words = self._words[language] = Words({**templates, "names": named, "joints": JOINTS[language]})
            for struct in (it for kinds in structs.values() for it in kinds):
                _check_fields(struct, words)
        for move in moves:
            for function in (*((move.options,) if move.options else ()), *move.predicates):
                rule = move.rule_id(id, function)
                sentence = " ".join((getdoc(function) or "").split())
                if not sentence:
                    raise ValueError(f"{function.__name__} needs a docstring: the rule {rule} in one sentence")
                end = rule.removeprefix(f"{id}.")
                self._rules[rule] = Rule(rule, text(sentence, german.get(end, "")), {EDITION: ""})

    def rules(self) -> Mapping[str, Rule]:
        """Return every rule by its id."""
        return self._rules


def _check_fields(struct: type[Struct], words: Words) -> None:
    """Raise ``ValueError`` if the sentence of a command or event has a field that the struct lacks."""
    known = {"seat", *struct.__struct_fields__}
    for group in words.templates.values():
        for field in group[struct.__name__].fields() if struct.__name__ in group else ():
            if field.name not in known:
                raise ValueError(
                    f"the sentence of {struct.__name__} has {{{field.name}}}: use one of {', '.join(sorted(known))}"
                )


def _first_line(struct: type[Struct]) -> str:
    doc = (struct.__doc__ or "").strip().partition("\n\n")[0]
    if not doc:
        raise ValueError(f"{struct.__name__} needs a docstring: what it says, for example '{{seat}} takes {{coins}}.'")
    return " ".join(doc.split())


class SimpleTitle(CatalogueTitle):
    """A small title (see :class:`boardkeeper.titlekit.title.Title`).

    Required arguments:

    * ``id``: the id of the title, which is also the name of its entry point.
    * ``table``: the class of its table.
    * ``en``: its name; ``de`` is the German one.
    * ``players``: the smallest and largest number of players.
    * ``moves`` and ``events``: its moves and event structs. The first paragraph of the docstring of a command or event
      is its sentence, a template of :mod:`boardkeeper.titlekit.sentences`.

    Optional arguments:

    * ``german``: translations of sentences by the name of the struct, and of rules by the end of their ids
      (``bid.is_higher``).
    * ``components``: names of the components in the zones, by id. ``decisions``: names of the decisions, if there are
      others than ``turn``.
    * ``options``: options of a game. The table reads the choices from its ``setup``.
    * ``strategy``: the policy of a strong bot, a pure function. Without it there are only random bots.
    * ``ranges``, ``words`` and ``problems``: checks of tables that other programs wrote, which can have any values and
      any component in any zone. ``ranges`` has the smallest and largest value of numbers, ``words`` the possible
      words, both by the last part of the marker's id. ``problems`` takes the table and the layout, and returns all
      other problems (:func:`boardkeeper.titlekit.soundness.must`).
    """

    def __init__(
        self,
        id: str,
        table: type[SimpleTable[Any]],
        *,
        en: str,
        de: str = "",
        players: tuple[int, int],
        moves: Sequence[Move],
        events: Sequence[type[Struct]],
        components: Mapping[str, Text] | None = None,
        decisions: Mapping[str, Text] | None = None,
        ranges: Mapping[str, tuple[int, int]] | None = None,
        words: Mapping[str, Collection[str]] | None = None,
        problems: Callable[[Any, TableLayout], Iterable[PositionProblem]] | None = None,
        options: Sequence[OptionMeta] = (),
        strategy: Strategy | None = None,
        designer: str = "traditional",
        publisher: str = "public domain",
        german: Mapping[str, str] | None = None,
    ) -> None:
        edition = EditionMeta(EDITION, text("Standard rules", "Standardregeln"), players, text("none", "keines"))
        meta = TitleMeta(
            id,
            text(en, de),
            designer,
            publisher,
            maturity="playable",
            maturity_text=text("All rules are implemented.", "Alle Regeln gelten."),
            editions=(edition,),
            default_edition=EDITION,
            options=tuple(options),
            readings=(),
            bots=(*((STRONG,) if strategy else ()), *BOTS),
            rules_versions=("3",),
        )
        sentences = DerivedWords(id, moves, events, components or {}, german or {})
        commands = {move.command: None for move in moves}
        bots = {STRONG.id: _policy(strategy)} if strategy else {}
        super().__init__(meta, sentences, commands, events, self._from_layout, lambda: (), board=Board, bots=bots)
        self._table = table
        self._ranges = ranges or {}
        self._words_of_markers = words or {}
        self._problems = problems
        self._declare = lru_cache(maxsize=32)(self._declare_uncached)
        self._component_names = components or {}
        self._decisions = decisions or {TURN: text("Make a move", "Mache einen Zug")}
        self._checks = {move.decision: DecisionCheck((PLAY,)) for move in moves}
        self._dispatcher = _dispatcher(id, moves)
        self._moves = tuple(moves)

    def _from_layout(self, edition: str) -> Sequence[Component]:
        """Return the components in the zones of the largest layout."""
        totals: dict[str, int] = {}
        for zone in self.layout(Setup(edition, self.meta.editions[0].players[1])).zones:
            for id, count in zone.contents.items():
                totals[id] = totals.get(id, 0) + count
        names = self._component_names
        return [
            Component(id, "component", names.get(id) or text(_readable(id)), {}, "rulebook", {}, count)
            for id, count in totals.items()
        ]

    def _declared(self, setup: Setup) -> Declaration:
        """Return what the table class declares; raises ``ValueError`` for an unknown edition or player count."""
        fewest, most = self.meta.editions[0].players
        if setup.edition != EDITION or not fewest <= setup.players <= most:
            raise ValueError(f"{self.meta.id} has the edition {EDITION!r} for {fewest} to {most} players")
        return self._declare(setup.players, tuple(sorted(setup.options.items())))

    def _declare_uncached(self, players: int, options: tuple[tuple[str, str], ...]) -> Declaration:
        declaration = Declaration()
        self._table(declaration, Setup(EDITION, players, dict(options)))
        return declaration

    def layout(self, setup: Setup) -> TableLayout:
        return self._declared(setup).layout

    def drawing(self, setup: Setup) -> Drawing:
        decisions = tuple(DecisionEntry(id, name) for id, name in self._decisions.items())
        return replace(self._declared(setup).drawing(self.components(setup)), decisions=decisions)

    def play(self, table: Table, dice: Dice, setup: Setup) -> SimplePlay:
        return SimplePlay(self._table(Material(table, dice), setup), self._dispatcher)

    def command_space(self, setup: Setup) -> Sequence[Struct] | None:  # noqa: ARG002  # part of the interface
        """Return all commands of all moves; ``None`` if a move with fields has no ``values``."""
        found: dict[Struct, None] = {}
        for move in self._moves:
            commands = move.all_commands()
            if commands is None:
                return None
            found |= dict.fromkeys(commands)
        return list(found)

    def exchangeable_zones(self, table: Table, viewer: int) -> Sequence[Sequence[str]] | None:
        """Return all zones that the viewer does not see as one group, for forks.

        This is correct if only the dice decide which components are in them. Override it if players choose hidden
        components, or take visible ones into a hidden zone: see "Forks and search" in docs/adding-a-title.md.
        """
        hidden = [zone.id for zone in table.zones.values() if not sees(table, zone, viewer)]
        return [hidden] if len(hidden) > 1 else []

    def check_position(self, table: Table, setup: Setup) -> Sequence[PositionProblem]:
        """Return the problems of a table that another program wrote; if it has none, the legal commands that fail."""
        limited = self.limits(setup)
        laid, play = self.layout(setup), self.play(table, Dice(b""), setup)
        # `problems` of the title can check how many seats may decide at the same time.
        checks = DecisionChecks(self._checks, (PLAY,), "phase")
        others = [self._other_problems(play, laid)]
        return soundness.problems(play.t, limited.ranges, limited.words, {}, others, checks) or list(_failing(play))

    def limits(self, setup: Setup) -> Limits:
        """Return the ranges and words of markers. The zones can have any components."""
        ranges = _by_pattern({"start_seat": (1, setup.players), **self._ranges})
        return Limits(ranges, _by_pattern(self._words_of_markers))

    def _other_problems(self, play: SimplePlay, laid: TableLayout) -> Iterator[PositionProblem]:
        if self._problems is not None:
            yield from self._problems(play.t, laid)


def _policy(strategy: Strategy) -> Policy:
    return lambda play, seat, commands: strategy(play.t, play.t.seats[seat - 1], commands)


def _by_pattern(by_name: Mapping[str, T]) -> Mapping[str, T]:
    """Return values by patterns of ids; ``by_name`` has them by the last part of ids."""
    return {f"{name}|*.{name}": value for name, value in by_name.items()}


def _failing(play: SimplePlay) -> Iterator[PositionProblem]:
    """Try each legal command, and yield a problem for each that raises an exception."""
    for seat in play.table.deciding():
        for command in play.legal(seat):
            try:
                play.decide(seat, command)
            except Exception as error:  # noqa: BLE001  # rules may raise anything for an impossible table
                yield PositionProblem("", f"makes the rules fail: {command!r} of seat {seat} raises {error!r}")
            play.recorder.rollback()


def _dispatcher(title: str, moves: Sequence[Move]) -> CommandDispatcher[Any]:
    """Return the dispatcher of the moves."""
    by_decision: dict[str, list[Move]] = {}
    for move in moves:
        by_decision.setdefault(move.decision, []).append(move)

    def decide(move: Move) -> Callable[[Any, Any, Any], Rejection | None]:
        return lambda t, seat, command: move.decide(title, t, seat, command)

    def legal(each: Sequence[Move]) -> Callable[[Any, Any], Sequence[Struct]]:
        return lambda t, seat: [command for move in each for command in move.legal(t, seat)]

    decisions = by_decision.items()
    return CommandDispatcher(
        {decision: (legal(each), {move.command: decide(move) for move in each}) for decision, each in decisions}
    )
