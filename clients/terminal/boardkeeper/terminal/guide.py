"""Status lines and effects of commands in words, for any title.

They use the catalogue and the table, and no rules. They are shorter if the server sends an incomplete catalogue.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from boardkeeper.terminal.drawing.board import scalar_text
from boardkeeper.terminal.drawing.viewpoint import Viewpoint
from boardkeeper.v1 import catalog_pb2, effect_pb2, scores_pb2, table_pb2

OWN_MARKERS = ("money", "count", "due")
OWN_ZONES = ("goods", "workers")
"""Kinds of zones with components that a seat pays with, see ``docs/catalogue.md``."""
NUMBERS = frozenset({"money", "count", "track", "track_best", "due", "era"})
"""Kinds of markers whose change is paid or gained."""
STOCK = frozenset({"money", "count", "track", "era"})
"""Kinds of markers that count a seat's stock."""
PAID = frozenset({"money", "count"})
"""Kinds of markers that a seat pays from."""
MINUS = "−"
WORDS = frozenset({"town", "place"})
ALONE = frozenset({"flag", "internal", "seat", "phase", "screen"})
"""Kinds of markers that record the progress of a turn: a change of one is neither a cost nor a gain."""


class Guide:
    """Describes the state of a table and the effects of commands in words."""

    def __init__(self, viewpoint: Viewpoint, texts: Mapping[str, str]) -> None:
        self._viewpoint = viewpoint
        self._texts = texts
        self._zones = viewpoint.zones
        self._markers = viewpoint.markers

    # --- where the game is -----------------------------------------------------------------------------------

    def where(self, table: table_pb2.Table, decision: str) -> list[str]:
        """Return texts for the round, the phase and the decision."""
        found: dict[str, str] = {}
        for marker, value in self._values(table, 0):
            if marker.kind == "round" and value != "0":
                found.setdefault("round", f"{marker.text} {self._viewpoint.value(marker, value)}")
            elif marker.kind == "phase" and value:
                found.setdefault("phase", self._viewpoint.value(marker, value))
        asked = self._viewpoint.decisions.get(decision, "")
        return [it for it in (found.get("round", ""), found.get("phase", ""), asked) if it]

    def owned(self, table: table_pb2.Table, seat: int) -> list[str]:
        """Return the components and numbers that a seat can pay with, and its debts."""
        notes = [
            f"{marker.text} {value}"
            for kind in OWN_MARKERS
            for marker, value in self._values(table, seat)
            if marker.kind == kind and (kind == "money" or (value not in ("0", "") and (marker.chart or kind == "due")))
        ]
        for zone in table.zones:
            entry = self._zones.get(zone.id)
            if entry is not None and entry.seat == seat and entry.kind in OWN_ZONES and zone.contents:
                notes.append(self._viewpoint.amounts({held.component: held.count for held in zone.contents}))
        return notes

    def scored(self, sheet: scores_pb2.ScoreSheet) -> list[str]:
        """Return the score of each seat if the game ended now, with a question mark for unknown points."""
        if not sheet.running:
            return []
        partial = {seat for line in sheet.lines for seat in line.unknown_seats}
        totals = enumerate(sheet.totals, 1)
        return [f"{self._viewpoint.seat(seat)} {total}{' + ?' if seat in partial else ''}" for seat, total in totals]

    def _values(self, table: table_pb2.Table, seat: int) -> Iterator[tuple[catalog_pb2.MarkerEntry, str]]:
        """Yield the visible markers of a seat with their values."""
        for marker in table.markers:
            entry = self._markers.get(marker.id)
            if entry is not None and entry.seat == seat and marker.HasField("value"):
                yield entry, scalar_text(marker.value)

    # --- what a command changes ------------------------------------------------------------------------------

    def changes(self, effects: Iterable[effect_pb2.Effect], seat: int) -> list[str]:
        """Return texts for the costs and gains of a seat: ``Coins −3``, ``+1 Wine``, ``Farmer: Market → Farm``."""
        moved: Counter[tuple[str, str, str]] = Counter()
        first: dict[str, effect_pb2.Scalar] = {}
        last: dict[str, effect_pb2.Scalar] = {}
        chance: list[str] = []
        for effect in effects:
            match effect.WhichOneof("effect"):
                case "move":
                    moved[effect.move.component, effect.move.source, effect.move.target] += effect.move.count
                case "set":
                    first.setdefault(effect.set.marker, effect.set.before)
                    last[effect.set.marker] = effect.set.after
                case "draw":
                    text = self._texts["draws"].format(
                        count=len(effect.draw.drawn), zone=self._place(effect.draw.zone, seat)
                    )
                    chance.append(text)
        found = [self._set(id, first[id], last[id], seat) for id in last]
        found += [self._moved(*what, count, seat) for what, count in moved.items()]
        return [it for it in found if it] + chance

    def outcome(self, effects: Iterable[effect_pb2.Effect], seat: int) -> list[str]:
        """Return texts for the changes of a seat's stock: its numbers and its goods."""
        return self.changes((it for it in effects if self._is_stock(it, seat)), seat)

    def _is_stock(self, effect: effect_pb2.Effect, seat: int) -> bool:
        match effect.WhichOneof("effect"):
            case "set":
                marker = self._markers.get(effect.set.marker)
                return marker is not None and marker.seat == seat and marker.kind in STOCK
            case "move":
                ends = [
                    it for id in (effect.move.source, effect.move.target) if (it := self._zones.get(id)) is not None
                ]
                kinds = [it.kind for it in ends if it.seat == seat]
                return len(kinds) == 1 and kinds[0] in OWN_ZONES
        return False

    def costs(self, effects: Sequence[effect_pb2.Effect], seat: int) -> list[str]:
        """Return texts for the payments of a seat: numbers such as coins, and goods that it gives away."""
        paid = [it for it in effects if it.WhichOneof("effect") == "set" and self._is_paid_from(it.set.marker, seat)]
        goods: Counter[str] = Counter()
        for effect in effects:
            if effect.WhichOneof("effect") == "move" and self._is_given_away(effect.move, seat):
                goods[effect.move.component] += effect.move.count
        return [it for it in self.changes(paid, seat) if MINUS in it] + [self._viewpoint.amounts(goods)] * bool(goods)

    def _is_paid_from(self, id: str, seat: int) -> bool:
        marker = self._markers.get(id)
        return marker is not None and marker.seat == seat and marker.kind in PAID

    def _is_given_away(self, move: effect_pb2.Move, seat: int) -> bool:
        source, target = self._zones.get(move.source), self._zones.get(move.target)
        is_own = source is not None and source.seat == seat and source.kind in OWN_ZONES
        return is_own and (target is None or target.seat != seat)

    def is_idle(self, effects: Sequence[effect_pb2.Effect], seat: int) -> bool:
        """Return whether effects only record progress: nothing is moved, drawn, revealed, paid or gained."""
        for effect in effects:
            if effect.WhichOneof("effect") != "set":
                return False
            marker = self._markers.get(effect.set.marker)
            if marker is None or marker.kind not in ALONE or marker.seat not in (0, seat):
                return False
        return True

    def _set(self, id: str, before: effect_pb2.Scalar, after: effect_pb2.Scalar, seat: int) -> str:
        marker = self._markers.get(id)
        if marker is None:
            return ""
        name = self._of(marker.seat, marker.text, seat)
        if marker.kind in NUMBERS and after.WhichOneof("value") == "number":
            by = after.number - before.number
            return f"{name} {_signed(by)}" if by else ""
        return f"{name}: {self._viewpoint.value(marker, scalar_text(after))}" if marker.kind in WORDS else ""

    def _moved(self, component: str, source: str, target: str, count: int, seat: int) -> str:
        what = self._viewpoint.amounts({component: count})
        mine = [(it := self._zones.get(id)) is not None and it.seat == seat for id in (source, target)]
        match mine:
            case [False, True]:
                return f"+{count} {self._viewpoint.name(component)}"
            case [True, False]:
                return f"{what}: → {self._place(target, seat)}"
            case _:
                return f"{what}: {self._place(source, seat)} → {self._place(target, seat)}"

    def _place(self, id: str, seat: int) -> str:
        entry = self._zones.get(id)
        return self._viewpoint.name(id) if entry is None else self._of(entry.seat, entry.text, seat)

    def _of(self, owner: int, text: str, seat: int) -> str:
        return text if owner in (0, seat) else f"{self._viewpoint.seat(owner)}: {text}"


def _signed(number: int) -> str:
    return f"+{number}" if number > 0 else f"{MINUS}{-number}"
