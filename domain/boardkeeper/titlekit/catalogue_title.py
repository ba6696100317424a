"""The catalogue and the texts of a title, made from its data files. Titles derive from it and add the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import Struct

from boardkeeper.table.rejections import Rejection
from boardkeeper.table.table import Table
from boardkeeper.titlekit.bots import Policy, choose
from boardkeeper.titlekit.policies import CommandPolicy
from boardkeeper.titlekit.sentences import TitleWords
from boardkeeper.titlekit.title import Component, Difference, Play, PositionProblem, Rule, Setup, TitleMeta


def structs_in(names: Mapping[str, object], *besides: type[Struct]) -> tuple[type[Struct], ...]:
    """Return the structs among the names of a module, in their order, except ``besides``."""
    return tuple(
        value
        for value in names.values()
        if isinstance(value, type) and issubclass(value, Struct) and value not in (Struct, *besides)
    )


class CatalogueTitle:
    """Implements :class:`TitleCatalogue`, :class:`TitleTexts` and a part of :class:`TitleRules`.

    A subclass must add ``layout``, ``play`` and ``exchangeable_zones``.
    """

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
        policy: CommandPolicy | None = None,
    ) -> None:
        """``components`` takes the id of an edition; ``bots`` has the policies of all bots except the random one."""
        self.meta = meta
        self.commands: Mapping[str, type[Struct]] = {command.__name__: command for command in commands}
        self.events: Mapping[str, type[Struct]] = {event.__name__: event for event in events}
        self._words = words
        self._components = components
        self._differences = differences
        self._bots = bots or {}
        self.policy = policy
        self.board_type = board

    def automata(self, setup: Setup) -> Sequence[int]:  # noqa: ARG002  # for subclasses
        """Return no seats: the rules play none."""
        return ()

    def check_position(self, table: Table, setup: Setup) -> Sequence[PositionProblem]:  # noqa: ARG002  # for subclasses
        """Return no problems: the rules accept any values of the markers."""
        return ()

    def components(self, setup: Setup) -> Sequence[Component]:
        return self._components(setup.edition)

    def rules(self) -> Sequence[Rule]:
        return list(self._words.rules().values())

    def differences(self) -> Sequence[Difference]:
        return self._differences()

    def sentence(self, language: str, names: Sequence[str], seat: int, detail: Struct) -> str:
        return self._words.sentence(language, names, seat, detail)

    def automaton_name(self, language: str) -> str:
        return self._words.automaton_name(language)

    def explain(self, language: str, names: Sequence[str], rejection: Rejection) -> str:
        return self._words.explain(language, names, rejection)

    def choose(self, bot: str, play: Play, seat: int, commands: Sequence[Struct], random: float) -> Struct:
        return choose(self._bots, bot, play, seat, commands, random)
