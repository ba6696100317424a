"""What a title is to the catalogue, from its data: one half of :class:`boardkeeper.titlekit.title.Title`.

A title derives from it and adds the other half, its rules: ``layout``, ``play`` and ``unknown``, and where
it has something to say to them ``automata`` and ``unsound``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import Struct

from boardkeeper.table.rejections import Rejection
from boardkeeper.table.table import Table
from boardkeeper.titlekit.bots import Policy, choose
from boardkeeper.titlekit.sentences import TitleWords
from boardkeeper.titlekit.title import Component, Difference, Play, PositionProblem, Rule, Setup, TitleMeta


class CatalogueTitle:
    """A title's entry, commands, events, components, rules and words."""

    def __init__(
        self,
        meta: TitleMeta,
        words: TitleWords,
        commands: Iterable[type[Struct]],
        events: Iterable[type[Struct]],
        components: Callable[[str], Sequence[Component]],
        differences: Callable[[], Sequence[Difference]],
        *,
        board: type[Struct] | None = None,
        bots: Mapping[str, Policy] | None = None,
    ) -> None:
        """``components`` are those of an edition by its id, ``bots`` the kinds of bots beside the random one."""
        self.meta = meta
        self.commands: Mapping[str, type[Struct]] = {command.__name__: command for command in commands}
        self.events: Mapping[str, type[Struct]] = {event.__name__: event for event in events}
        self._words = words
        self._components = components
        self._differences = differences
        self._bots = bots or {}
        self.board_type = board

    def automata(self, setup: Setup) -> Sequence[int]:  # noqa: ARG002  # a title whose rules play seats says which
        """No seat is played by the rules."""
        return ()

    def unsound(self, table: Table, setup: Setup) -> Sequence[PositionProblem]:  # noqa: ARG002  # as above
        """The rules bear any numbers and words that the markers can have."""
        return ()

    def components(self, setup: Setup) -> Sequence[Component]:
        """The components of an edition with their provenance; raises ``ValueError`` for an unknown edition."""
        return self._components(setup.edition)

    def rules(self) -> Sequence[Rule]:
        """Every rule with its id."""
        return list(self._words.rules().values())

    def differences(self) -> Sequence[Difference]:
        """Everything in which the editions differ."""
        return self._differences()

    def sentence(self, language: str, names: Sequence[str], seat: int, detail: Struct) -> str:
        """A command or an event in plain words."""
        return self._words.sentence(language, names, seat, detail)

    def automaton(self, language: str) -> str:
        """What a seat that the rules play is called."""
        return self._words.automaton(language)

    def explain(self, language: str, names: Sequence[str], rejection: Rejection) -> str:
        """Why a command was refused: what failed, and the rule."""
        return self._words.explain(language, names, rejection)

    def choose(self, bot: str, play: Play, seat: int, commands: Sequence[Struct], random: float) -> Struct:
        """What a bot does; raises ``ValueError`` for an unknown kind of bot."""
        return choose(self._bots, bot, play, seat, commands, random)
