"""What a title is to the rest of the house: its catalogue entry, its words and its rules.

``game`` and the service know a title by these types only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from msgspec import Struct

from boardkeeper.table.dice import Dice
from boardkeeper.table.layout import TableLayout
from boardkeeper.table.recorder import Recorder
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.table import Table

Text = dict[str, str]
"""A text for people by language code: ``{"en": …, "de": …}``."""


class ChoiceMeta(Struct, frozen=True):
    """One value that an option or reading can take.

    ``players`` are the numbers of players with which it can be chosen; empty: with every number.
    """

    id: str
    text: Text
    players: tuple[int, ...] = ()


class OptionMeta(Struct, frozen=True):
    """Something chosen when a game is created: an option of play, or how an open rule is read.

    ``unsaid`` is what holds in a game that was created before there was this to choose; empty if there is no such game.
    ``editions`` are those in which there is this to choose, by id; empty: all.
    """

    id: str
    text: Text
    choices: tuple[ChoiceMeta, ...]
    default: str
    rule: str = ""
    unsaid: str = ""
    editions: tuple[str, ...] = ()

    def is_for(self, edition: str) -> bool:
        """Whether there is this to choose in that edition."""
        return not self.editions or edition in self.editions


class SeatColor(Struct, frozen=True):
    """The colour that a seat plays: its id, as boards name it, and how sure that is."""

    seat: int
    id: str
    text: Text
    provenance: str


class Supply(Struct, frozen=True):
    """What a table begins with for so many players, each by component id or, where they are not told apart, by kind.

    ``common`` lies out for everybody, ``each_seat`` is what every seat has, ``unused`` stays in the box.
    """

    players: int
    common: dict[str, int]
    each_seat: dict[str, int]
    unused: dict[str, int]
    provenance: str


class EditionMeta(Struct, frozen=True):
    """One printing: players (fewest, most), rulebook, the readings that it selects, colours of seats, and supplies."""

    id: str
    text: Text
    players: tuple[int, int]
    rulebook: Text
    readings: dict[str, str] = {}
    seat_colors: tuple[SeatColor, ...] = ()
    supplies: tuple[Supply, ...] = ()


class BotMeta(Struct, frozen=True):
    """A kind of bot that a title has, the one that plays best first."""

    id: str
    text: Text


class TitleMeta(Struct, frozen=True):
    """A title's catalogue entry, readable without its rules."""

    id: str
    text: Text
    designer: str
    publisher: str
    maturity: str
    """How far our version is: ``playable`` if every rule is in force and most of what is printed is known,
    ``reconstructed`` if every rule is, but much of what boards and cards say is ours."""
    editions: tuple[EditionMeta, ...]
    default_edition: str
    options: tuple[OptionMeta, ...]
    readings: tuple[OptionMeta, ...]
    sources: dict[str, str] = {}
    """What the keys in provenances stand for."""
    alone: dict[str, str] = {}
    """The options with which one person plays against the rules; empty if the title is not for one."""
    bots: tuple[BotMeta, ...] = ()
    """The kinds of bots that can take a seat, the one that plays best first."""
    rules_versions: tuple[str, ...] = ("2", "3")
    """The versions of its rules that it can still decide by, the present one last: what new games have.

    Up to "1", which 0.1.0 wrote, an undo stored the way back in full, since then in short. Up to "2" a bot that plays
    for a person consents to undos, since then only people do. See docs/record.md, 4.1.
    """
    maturity_text: Text = {}
    """What :attr:`maturity` means for this title, in a sentence: which of it is printed so, and which is ours."""

    def edition(self, id: str) -> EditionMeta:
        """The edition of that id; raises ``KeyError``."""
        for edition in self.editions:
            if edition.id == id:
                return edition
        raise KeyError(id)

    def understood(self, setup: Setup) -> Setup:
        """The setup of a game on record, with what there was not to choose yet when that game was created."""
        options = _unsaid(self.options, setup.edition) | setup.options
        readings = _unsaid(self.readings, setup.edition) | setup.readings
        return Setup(setup.edition, setup.players, options, readings)


def _unsaid(offered: tuple[OptionMeta, ...], edition: str) -> dict[str, str]:
    """What holds in a game of an edition that does not say it."""
    return {option.id: option.unsaid for option in offered if option.unsaid and option.is_for(edition)}


class Setup(Struct, frozen=True):
    """What a game of a title is played with; fixed in its first event."""

    edition: str
    players: int
    options: dict[str, str] = {}
    readings: dict[str, str] = {}


class Standing(Struct, frozen=True):
    """One seat's result; winners share rank 1."""

    seat: int
    points: int
    rank: int


class Component(Struct, frozen=True):
    """A catalogue entry of one component: what it is, its names and how sure its facts are.

    ``facts`` are for people; ``values`` are the same as JSON values: numbers, truth values, texts, lists and objects.
    ``in_box`` is how many the box holds, 0 for what is printed on something else.
    """

    id: str
    kind: str
    text: Text
    facts: dict[str, str]
    provenance: str
    values: dict[str, Any] = {}
    in_box: int = 0


class Rule(Struct, frozen=True):
    """One rule: its id, our own sentence, and where each edition's rulebook says it."""

    id: str
    text: Text
    references: dict[str, str]


class Difference(Struct, frozen=True):
    """One thing in which editions differ.

    ``id`` says what: ``players``, ``reading.<id>``, ``component.<id>`` (how many are in the box) or ``table.<path>``
    (what a component says). ``values`` is what each edition has, ``rules`` are the ids of the rules that it touches and
    ``references`` where each edition's rulebook speaks of them.
    """

    id: str
    values: dict[str, str]
    rules: tuple[str, ...] = ()
    references: dict[str, str] = {}


class PositionProblem(Struct, frozen=True):
    """One thing that is wrong with a position: a field of the table, and a message that continues the sentence.

    "`markers[round]` must be 1 to 18, not 19". Without a field it is about the position as a whole.
    """

    field: str
    message: str


class PositionError(ValueError):
    """A table that no game of its title can begin from; ``problems`` lists everything that is wrong with it."""

    def __init__(self, problems: Sequence[PositionProblem]) -> None:
        super().__init__(
            "; ".join(
                f"`{problem.field}` {problem.message}" if problem.field else f"the position {problem.message}"
                for problem in problems
            )
        )
        self.problems = tuple(problems)


class Play(Protocol):
    """One table with the title's names bound to it."""

    @property
    def table(self) -> Table:
        """The table itself."""

    @property
    def recorder(self) -> Recorder:
        """Where the rules record; the owner of the play takes events from it or rolls back."""

    def set_up(self) -> None:
        """Lay the table and go on to the first decision."""

    def decide(self, seat: int, command: Struct) -> Rejection | None:
        """Carry out a command through the recorder, or say why not."""

    def legal(self, seat: int) -> Sequence[Struct]:
        """Every command that :meth:`decide` would accept from that seat now, in a stable order."""

    def board(self, viewer: int) -> Struct:
        """The typed board as a viewer sees it."""

    def is_over(self) -> bool:
        """Whether the game has ended."""

    def standings(self) -> Sequence[Standing]:
        """The result, best first; empty before the end."""


class Title(Protocol):
    """A title's rules and words."""

    @property
    def meta(self) -> TitleMeta:
        """The catalogue entry."""

    @property
    def commands(self) -> Mapping[str, type[Struct]]:
        """Command structs by name."""

    @property
    def events(self) -> Mapping[str, type[Struct]]:
        """Event details by name."""

    def automata(self, setup: Setup) -> Sequence[int]:
        """The seats that the rules play themselves: never asked, taken by nobody; their turns are part of others'."""

    def automaton(self, language: str) -> str:
        """What such a seat is called if it has no name; empty where no setup has one, or there is no word for it."""

    def layout(self, setup: Setup) -> TableLayout:
        """The zones and markers of a table; raises ``ValueError`` for an unknown edition or player count."""

    @property
    def board_type(self) -> type[Struct] | None:
        """The struct of typed boards, named ``Board``; ``None`` if the title has none and clients read the table."""

    def unsound(self, table: Table, setup: Setup) -> Sequence[PositionProblem]:
        """Return everything that the rules contradict on a table that another program wrote.

        The table has the zones, markers and known components of the title; their totals may be wrong. Report what the
        rules take for granted, above all the ranges of markers that they count or look something up by; where a marker
        is out of its range, set it to a possible value, so that the rules can be asked for the legal commands. A title
        without such checks must work with any numbers and words. See :mod:`boardkeeper.titlekit.soundness`.
        """

    def unknown(self, table: Table, viewer: int) -> Sequence[Sequence[str]] | None:
        """What a fork of this table has to deal anew for a viewer: groups of zones that exchange what he cannot see.

        Hidden zones that are in no group are kept: he can tell what is in them from what he saw. ``None`` where what is
        hidden now cannot be dealt anew by any exchange.
        """

    def play(self, table: Table, dice: Dice, setup: Setup) -> Play:
        """Bind the title's names to a table."""

    def components(self, setup: Setup) -> Sequence[Component]:
        """The components of an edition, for the catalogue."""

    def rules(self) -> Sequence[Rule]:
        """Every rule with its id."""

    def differences(self) -> Sequence[Difference]:
        """Everything in which the editions differ."""

    def sentence(self, language: str, names: Sequence[str], seat: int, detail: Struct) -> str:
        """A command or event of a seat (0: of the whole table) in plain words; ``names`` are those of all seats."""

    def explain(self, language: str, names: Sequence[str], rejection: Rejection) -> str:
        """Why a command was refused, in plain words: what failed, and the rule; ``names`` are those of all seats."""

    def choose(self, bot: str, play: Play, seat: int, commands: Sequence[Struct], random: float) -> Struct:
        """Return what a bot of that kind does: one of ``commands``.

        ``play`` is this title's play on the table as the seat sees it (:mod:`boardkeeper.titlekit.redaction`). It is
        valid for this call only. ``random`` in [0, 1) is the only source of chance.
        Raises ``ValueError`` for an unknown kind.
        """
