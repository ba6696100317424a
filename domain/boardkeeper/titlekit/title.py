"""The interface of a title (:class:`Title`) and the types in it.

A *title* is a game that can be played. A *setup* is an edition, a number of players and their choices
of options and readings; a *reading* is how a game interprets a rule that the rulebook leaves open.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from msgspec import Struct

from boardkeeper.table.dice import Dice
from boardkeeper.table.layout import TableLayout
from boardkeeper.table.recorder import Recorder
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.table import Table

Text = dict[str, str]
"""A text in every language, by language code: ``{"en": …, "de": …}``."""


class ChoiceMeta(Struct, frozen=True):
    """A choice of an option or reading.

    ``players`` are the numbers of players that can choose it; empty: all.
    """

    id: str
    text: Text
    players: tuple[int, ...] = ()


class OptionMeta(Struct, frozen=True):
    """An option or a reading, chosen when a game is created.

    ``default`` is the id of a choice. ``rule`` is the id of the rule that it changes. ``legacy_choice`` is the choice
    of games that are older than the option; empty: no such games exist. ``editions`` (ids) have it; empty: all.
    """

    id: str
    text: Text
    choices: tuple[ChoiceMeta, ...]
    default: str
    rule: str = ""
    legacy_choice: str = ""
    editions: tuple[str, ...] = ()

    def is_for(self, edition: str) -> bool:
        """Return whether an edition has this option or reading."""
        return not self.editions or edition in self.editions


class SeatColor(Struct, frozen=True):
    """The colour of a seat: its id, as typed boards name it, and its provenance (see :class:`Component`)."""

    seat: int
    id: str
    text: Text
    provenance: str


class Supply(Struct, frozen=True):
    """The components at the start of a game for a number of players, by component id or by kind.

    ``common`` is shared, ``each_seat`` belongs to every seat, ``unused`` stays in the box.
    """

    players: int
    common: dict[str, int]
    each_seat: dict[str, int]
    unused: dict[str, int]
    provenance: str


class EditionMeta(Struct, frozen=True):
    """An edition of a title.

    ``players`` are the smallest and largest number of players, ``rulebook`` describes the printed rules, ``readings``
    are the choices that differ from the defaults, ``supplies`` has one entry for each number of players.
    """

    id: str
    text: Text
    players: tuple[int, int]
    rulebook: Text
    readings: dict[str, str] = {}
    seat_colors: tuple[SeatColor, ...] = ()
    supplies: tuple[Supply, ...] = ()


class BotMeta(Struct, frozen=True):
    """A kind of bot."""

    id: str
    text: Text


class TitleMeta(Struct, frozen=True):
    """The catalogue entry of a title. Reading it does not load the rules."""

    id: str
    text: Text
    designer: str
    publisher: str
    maturity: str
    """``playable``: all rules are implemented, and most printed facts are known. ``reconstructed``: all rules are
    implemented, but many facts on boards and cards are our own."""
    editions: tuple[EditionMeta, ...]
    default_edition: str
    options: tuple[OptionMeta, ...]
    readings: tuple[OptionMeta, ...]
    sources: dict[str, str] = {}
    """Descriptions of the sources that provenances name, by key."""
    alone: dict[str, str] = {}
    """The options of a game with one person against the rules; empty: one person cannot play."""
    bots: tuple[BotMeta, ...] = ()
    """The kinds of bots, the strongest first."""
    rules_versions: tuple[str, ...] = ("2", "3")
    """The supported versions of its rules; the last one is that of new games.

    "1": an undo stores all reverted effects. "2": an undo is stored in short form. "3": only people consent to undos,
    not bots that play for them. See docs/record.md, 4.1.
    """
    maturity_text: Text = {}
    """A sentence that explains :attr:`maturity`: which facts are printed, and which are our own."""

    def edition(self, id: str) -> EditionMeta:
        """Return the edition with this id; raises ``KeyError``."""
        for edition in self.editions:
            if edition.id == id:
                return edition
        raise KeyError(id)

    def with_legacy_choices(self, setup: Setup) -> Setup:
        """Return the setup of a stored game with the choices of options that are newer than the game."""
        options = _legacy_choices(self.options, setup.edition) | setup.options
        readings = _legacy_choices(self.readings, setup.edition) | setup.readings
        return Setup(setup.edition, setup.players, options, readings)


def _legacy_choices(options: tuple[OptionMeta, ...], edition: str) -> dict[str, str]:
    return {option.id: option.legacy_choice for option in options if option.legacy_choice and option.is_for(edition)}


class Setup(Struct, frozen=True):
    """The edition, number of players, options and readings of a game, fixed by its first event."""

    edition: str
    players: int
    options: dict[str, str] = {}
    readings: dict[str, str] = {}


class Standing(Struct, frozen=True):
    """The result of a seat. Winners have rank 1; seats with equal results share a rank."""

    seat: int
    points: int
    rank: int


class Component(Struct, frozen=True):
    """The catalogue entry of a component.

    ``facts`` are texts for people, ``values`` are the same facts as JSON values. ``in_box`` is the number in the box, 0
    for what is printed on another component. ``provenance`` says where the facts come from and how reliable they are.
    """

    id: str
    kind: str
    text: Text
    facts: dict[str, str]
    provenance: str
    values: dict[str, Any] = {}
    in_box: int = 0


class Rule(Struct, frozen=True):
    """A rule: its id, our own sentence, and the place in the rulebook of each edition."""

    id: str
    text: Text
    references: dict[str, str]


class Difference(Struct, frozen=True):
    """A difference between editions.

    ``id`` is ``players``, ``reading.<id>``, ``component.<id>`` (the number in the box) or ``table.<path>`` (a fact of a
    component). ``values`` and ``references`` (places in the rulebook) are by edition; ``rules`` are ids of the affected
    rules.
    """

    id: str
    values: dict[str, str]
    rules: tuple[str, ...] = ()
    references: dict[str, str] = {}


class PositionProblem(Struct, frozen=True):
    """A problem of a position.

    ``field`` is a field of the table, for example ``markers[round]``; empty: the whole position. ``message`` continues
    a sentence that begins with the field: "must be 1 to 18, not 19".
    """

    field: str
    message: str


class PositionError(ValueError):
    """No game of the title can begin from a table; ``problems`` lists everything that is wrong with it."""

    def __init__(self, problems: Sequence[PositionProblem]) -> None:
        super().__init__(
            "; ".join(
                f"`{problem.field}` {problem.message}" if problem.field else f"the position {problem.message}"
                for problem in problems
            )
        )
        self.problems = tuple(problems)


class Play(Protocol):
    """The rules of a title, bound to one table.

    A play can have further, optional attributes: ``scores`` (:class:`boardkeeper.titlekit.scores.ScoredPlay`);
    ``points()``, which quickly returns the points of each seat if the game ended now, on the whole table;
    ``offer(seat, command)``, which returns a legal command with the facts that its sentence needs, such as its price;
    and ``known``, the ids that each field of a command may name (:class:`boardkeeper.titlekit.known_ids.KnownIds`).
    """

    @property
    def table(self) -> Table:
        """The table that the rules are bound to."""

    @property
    def recorder(self) -> Recorder:
        """The recorder of the rules. The caller takes its events, or rolls them back."""

    def set_up(self) -> None:
        """Set up the game and advance to the first decision."""

    def decide(self, seat: int, command: Struct) -> Rejection | None:
        """Carry out a command of a seat, or return why the rules reject it.

        After a rejection the table may be changed: the caller calls ``recorder.rollback()``.
        """

    def legal(self, seat: int) -> Sequence[Struct]:
        """Return every command that :meth:`decide` accepts from a seat now, in a stable order."""

    def board(self, viewer: int) -> Struct:
        """Return the typed board (:attr:`TitleCatalogue.board_type`) as a viewer may see it."""

    def is_over(self) -> bool:
        """Return whether the game has ended."""

    def standings(self) -> Sequence[Standing]:
        """Return the result, best first; empty before the end."""


class TitleCatalogue(Protocol):
    """The data of a title that clients can read without a game."""

    @property
    def meta(self) -> TitleMeta:
        """The catalogue entry."""

    @property
    def commands(self) -> Mapping[str, type[Struct]]:
        """The structs of commands by name."""

    @property
    def events(self) -> Mapping[str, type[Struct]]:
        """The structs of event details by name."""

    @property
    def board_type(self) -> type[Struct] | None:
        """The struct of typed boards, named ``Board``; ``None`` if clients read the table instead."""

    def components(self, setup: Setup) -> Sequence[Component]:
        """Return the components of an edition; raises ``ValueError`` for an unknown edition."""

    def rules(self) -> Sequence[Rule]:
        """Return all rules."""

    def differences(self) -> Sequence[Difference]:
        """Return everything in which the editions differ."""


class TitleTexts(Protocol):
    """The texts of a title. ``language`` is a language code; an unknown one gives English.

    ``names`` are the names of all seats, that of seat 1 first; it may be empty.
    """

    def automaton_name(self, language: str) -> str:
        """Return the default name of a seat that the rules play; empty if the title has no such seats."""

    def sentence(self, language: str, names: Sequence[str], seat: int, detail: Struct) -> str:
        """Return a command or event as a sentence; ``seat`` is 0 for events of the whole table."""

    def explain(self, language: str, names: Sequence[str], rejection: Rejection) -> str:
        """Return why a command was rejected: what failed, and the rule."""


class TitleRules(Protocol):
    """The rules of a title."""

    def layout(self, setup: Setup) -> TableLayout:
        """Return the zones and markers of a table; raises ``ValueError`` for an unknown edition or player count."""

    def play(self, table: Table, dice: Dice, setup: Setup) -> Play:
        """Return the rules, bound to a table."""

    def automata(self, setup: Setup) -> Sequence[int]:
        """Return the seats that the rules play. They never decide; their turns are parts of other seats' commands."""

    def choose(self, bot: str, play: Play, seat: int, commands: Sequence[Struct], random: float) -> Struct:
        """Return the command that a bot of this kind chooses; raises ``ValueError`` for an unknown kind.

        ``play`` is a play on the table as the seat sees it (:mod:`boardkeeper.titlekit.redaction`), valid during this
        call. ``random`` in [0, 1) is the only source of randomness.
        """

    def check_position(self, table: Table, setup: Setup) -> Sequence[PositionProblem]:
        """Return everything that the rules contradict on a table that another program wrote.

        The table has the zones, markers and known components of the title; their totals may be wrong. Check what the
        rules rely on, above all the ranges of markers that they count by or use as keys. Set markers that are out of
        range to a possible value, so that the rules can list the legal commands. A title without checks must work
        with any numbers and words. See :mod:`boardkeeper.titlekit.soundness`.
        """

    def exchangeable_zones(self, table: Table, viewer: int) -> Sequence[Sequence[str]] | None:
        """Return groups of zones (ids) whose hidden components a viewer cannot distinguish.

        A fork deals the hidden components of each group again. Hidden zones in no group do not change, because the
        viewer can infer their contents. ``None``: the viewer cannot fork the table, because exchanging components
        cannot replace all hidden information, for example secret plans.
        """


class Title(TitleCatalogue, TitleTexts, TitleRules, Protocol):
    """A title: its catalogue, its texts and its rules. The service and the engine know a title only by this interface.

    :class:`boardkeeper.titlekit.simple.SimpleTitle` and :class:`boardkeeper.titlekit.bound_title.BoundTitle` implement
    most of it. Some extensions are optional: :class:`boardkeeper.titlekit.drawing.DrawnTitle`,
    :class:`DeterminisableTitle` and :class:`boardkeeper.titlekit.command_space.EnumerableTitle`.
    """


@runtime_checkable
class DeterminisableTitle(Protocol):
    """A title whose players decide in secret, with a way to draw other secrets for search programs.

    A title whose only secrets are dealt components needs only :meth:`TitleRules.exchangeable_zones`.
    """

    def determinise(self, play: Play, viewer: int, dice: Dice) -> None:
        """Replace everything that a viewer cannot know by another possibility.

        Deal hidden components again (:func:`boardkeeper.table.forking.redeal`), draw each secret decision from those
        that its seat could have made, and set hidden markers accordingly. Do not change what the
        viewer sees. The result must depend only on what the viewer sees and on ``dice``. Record nothing.
        """
