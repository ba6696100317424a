"""A title that fails when a test says so, in the functions or with the values that ``FAILING`` names."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from pebbles_title import DrawPebbles, PebblesDrawn, PebblesPlay, PebblesTitle

from boardkeeper.table.dice import Dice
from boardkeeper.table.layout import TableLayout
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.table import Table
from boardkeeper.titlekit.title import Play, Setup, Standing

FAILING: set[str] = set()
WRONG: Any = {
    "a text for a number": lambda play: play.recorder.emit(1, PebblesDrawn("two")),  # type: ignore[arg-type]
    "a number that no message can hold": lambda play: play.recorder.emit(1, PebblesDrawn(10**30)),
    "another struct": lambda play: play.recorder.emit(1, DrawPebbles(1)),
    "a seat that no game has": lambda play: play.recorder.emit(-3, PebblesDrawn(1)),
    "a marker with a fraction": lambda play: play.recorder.set(play.turn, 1.5),
    "a marker with nothing": lambda play: play.recorder.set(play.turn, None),
    "no seat decides": lambda play: play.recorder.ask(play.table.deciding()[0], ""),
    "a marker that no record can hold": lambda play: play.recorder.set(play.turn, 2**40),
}
"""Values that the server cannot store, send or record, or that prevent the continuation of a game."""


RAISED: list[BaseException] = []
"""The exception that the functions raise instead of a ``RuntimeError``."""


def fail(function: str) -> None:
    if function in FAILING:
        raise RAISED[0] if RAISED else RuntimeError(f"{function} is moody")


class MoodyPlay(PebblesPlay):
    def decide(self, seat: int, command: Struct) -> Rejection | None:
        rejection = super().decide(seat, command)
        fail("decide")  # after all changes, before the events are taken
        for value in FAILING & WRONG.keys():
            WRONG[value](self)
            self.recorder.emit(seat, PebblesDrawn(0))
        return rejection

    def legal(self, seat: int) -> Sequence[Struct]:
        if "a change while commands are listed" in FAILING:
            self.recorder.set(self.turn, 99)
        fail("legal")
        return super().legal(seat)

    def board(self, viewer: int) -> Any:
        fail("board")
        return super().board(viewer)

    def is_over(self) -> bool:
        fail("is_over")
        return "over at the start" in FAILING or super().is_over()

    def standings(self) -> Sequence[Standing]:
        if not self.is_over() or "standings" not in FAILING:
            return super().standings()
        points: Any = "most"
        return [Standing(seat, points, 1) for seat in range(1, self.players + 1)]

    def set_up(self) -> None:
        fail("set_up")
        if "no event at the start" in FAILING:
            self.recorder.ask(1, "draw")
            return
        super().set_up()


class MoodyTitle(PebblesTitle):
    meta = replace(PebblesTitle.meta, id="moody")

    def layout(self, setup: Setup) -> TableLayout:
        fail("layout")
        return super().layout(setup)

    def play(self, table: Table, dice: Dice, setup: Setup) -> MoodyPlay:
        fail("play")
        return MoodyPlay(table, dice, setup.players)

    def sentence(self, language: str, names: Sequence[str], seat: int, detail: Struct) -> str:
        fail("sentence")
        return super().sentence(language, names, seat, detail)

    def explain(self, language: str, names: Sequence[str], rejection: Rejection) -> str:
        fail("explain")
        return super().explain(language, names, rejection)

    def exchangeable_zones(self, table: Table, viewer: int) -> Sequence[Sequence[str]] | None:
        fail("unknown")
        return super().exchangeable_zones(table, viewer)

    def components(self, setup: Setup) -> Any:
        fail("components")
        return super().components(setup)

    def choose(self, bot: str, play: Play, seat: int, commands: Sequence[Struct], random: float) -> Struct:
        fail("choose")
        return super().choose(bot, play, seat, commands, random)


TITLE = MoodyTitle()
TOO_MANY = DrawPebbles(99)
