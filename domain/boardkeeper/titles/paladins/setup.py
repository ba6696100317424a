"""How the table of Paladins is laid: its zones and markers, and what lies where when the game starts."""

from __future__ import annotations

from functools import lru_cache

from boardkeeper.table.layout import MarkerSpec, TableLayout, ZoneSpec
from boardkeeper.table.visibility import only
from boardkeeper.titles.paladins.bindings import LEFT_OF_OPPONENT, UNDER, Paladins
from boardkeeper.titles.paladins.data import ATTRIBUTES, DEBT, JAR, RIGHT, WORKSHOP, Data
from boardkeeper.titles.paladins.events import OpponentPrepared, TableLaid
from boardkeeper.titles.paladins.opponent import track

_FAVOUR_SCHEME = "favour"


@lru_cache(maxsize=64)
def layout(data: Data, players: int) -> TableLayout:
    """The zones and markers for that many seats, with everything where the box has it."""
    people = 1 if data.alone else players
    zones = [ZoneSpec(id, contents=contents) for id, contents in _stores(data).items()]
    zones += [ZoneSpec(f"{row}.discard") for row in ("townsfolk", "outsiders", "suspicion", "tavern")]
    zones += [ZoneSpec(f"townsfolk.{at}") for at in range(1, len(data.row_silver) + 1)]
    zones += [ZoneSpec(f"outsiders.{at}") for at in range(1, len(data.faith_flags) + 1)]
    zones.append(ZoneSpec("tavern"))
    zones.append(ZoneSpec("starters", contents={f"starter.{seat}": 1 for seat in range(1, people + 1)}))
    zones += [ZoneSpec(f"order.{at}") for at in range(1, len(data.order_points) + 1)]
    for at in range(1, len(data.favour_rounds) + 1):
        zones += [ZoneSpec(f"favour.{at}"), ZoneSpec(f"favour.{at}.worker")]
    zones += [ZoneSpec(f"space.{space.id}") for space in data.spaces(people)]
    markers = [MarkerSpec(id) for id in ("round", "start_seat", "acting_seat", "action_workers", "tax")]
    markers += [MarkerSpec(id, "") for id in ("phase", "action", "inquisition")]
    markers += [MarkerSpec(f"due.{kind}") for kind in data.dues]
    for number in range(1, people + 1):
        _add_seat(data, number, zones, markers)
    if data.alone:
        _add_opponent(data, 2, zones, markers)
    return TableLayout(players, tuple(zones), tuple(markers))


def _stores(data: Data) -> dict[str, dict[str, int]]:
    """What lies in the general supply, in the decks, and in the box."""
    return {
        "supply": dict(data.supply),
        "debts": {DEBT: data.debts},
        "townsfolk.deck": dict.fromkeys(data.townsfolk, 1),
        "outsiders.deck": dict.fromkeys(data.outsiders, 1),
        "walls": dict.fromkeys(data.walls, 1),
        "tavern.deck": dict.fromkeys(data.tavern, 1),
        "suspicion.deck": dict(data.suspicion_counts),
        "orders.box": dict.fromkeys((f"order_{order}" for order in data.orders), 1),
        "favours.box": dict.fromkeys(data.favours, 1),
    }


def _add_side(data: Data, number: int, areas: dict[str, int], zones: list[ZoneSpec], markers: list[MarkerSpec]) -> None:
    own = f"seat.{number}"
    pieces = data.pieces
    zones += [
        ZoneSpec(f"{own}.monks", contents={f"monk.{number}": pieces}),
        ZoneSpec(f"{own}.outposts", contents={f"outpost.{number}": pieces}),
        ZoneSpec(f"{own}.jars", contents={JAR: pieces}),
        ZoneSpec(f"{own}.workshops", contents={WORKSHOP: len(data.workshop_row)}),
        ZoneSpec(f"{own}.suspicion", stack=True),
    ]
    zones += [ZoneSpec(f"{own}.{id}") for id in ("workers", "walls", "attacked", "converted", "unpaid", "paid")]
    zones += [ZoneSpec(f"{own}.{id}.{at}") for id, spaces in areas.items() for at in range(1, spaces + 1)]
    markers += [MarkerSpec(f"{own}.{id}") for id in (*ATTRIBUTES, "passed")]


def _add_seat(data: Data, number: int, zones: list[ZoneSpec], markers: list[MarkerSpec]) -> None:
    own, alone = f"seat.{number}", only(number)
    _add_side(data, number, {id: len(action.slots) for id, action in data.actions.items()}, zones, markers)
    zones.append(ZoneSpec(f"{own}.deck", alone, dict.fromkeys(data.paladins, 1)))
    hidden = ("again", "hand", "chosen", *(f"under.{at}" for at in range(1, UNDER + 1)))
    zones += [ZoneSpec(f"{own}.{id}", alone) for id in hidden]
    zones += [ZoneSpec(f"{own}.{id}") for id in ("paladin", "retired", "townsfolk", "inquiry")]
    zones += [ZoneSpec(f"{own}.jar.{kind}") for kind in data.jar_kinds]
    markers += [MarkerSpec(f"{own}.silver"), MarkerSpec(f"{own}.provisions")]


def _add_opponent(data: Data, number: int, zones: list[ZoneSpec], markers: list[MarkerSpec]) -> None:
    own = f"seat.{number}"
    areas = dict.fromkeys(LEFT_OF_OPPONENT, 1) | {id: len(data.actions[id].slots) for id in RIGHT}
    _add_side(data, number, areas, zones, markers)
    favours = data.schemes[_FAVOUR_SCHEME]
    others = {f"scheme_{id}": count for id, count in data.schemes.items() if id != _FAVOUR_SCHEME}
    zones.append(ZoneSpec("schemes.deck", contents=others))
    zones.append(ZoneSpec("schemes.favour", contents={f"scheme_{_FAVOUR_SCHEME}": favours}))
    zones += [ZoneSpec("schemes.discard"), ZoneSpec(f"{own}.turned_jars")]
    markers += [MarkerSpec(f"{own}.due.{kind}") for kind in data.dues]
    markers += [MarkerSpec(f"{own}.field"), MarkerSpec(f"{own}.moves")]
    markers += [MarkerSpec(f"{own}.moved.{attribute}") for attribute in ATTRIBUTES]
    markers.append(MarkerSpec("scheme", ""))


def set_up(t: Paladins) -> None:
    """Lay the table and go on to the first decision. Source: paladins.setup.*."""
    data = t.data
    for place in t.townsfolk:
        t.recorder.draw(t.townsfolk_deck, place)
    for place in t.outsiders:
        t.recorder.draw(t.outsider_deck, place)
    t.set(t.tax, t.tax_full)
    for seat in t.people:
        t.set(seat.silver, data.start_silver)
        t.set(seat.provisions, data.start_provisions)
    t.set(t.start, _first_seat(t))
    shown = [tuple(t.card_at(row, at) for at in range(len(row))) for row in (t.townsfolk, t.outsiders)]
    t.emit(None, TableLaid(len(t.people), t.tax_full, *shown))
    if t.opponent:
        _prepare_opponent(t)
    t.enter("founding")
    t.advance()


def _first_seat(t: Paladins) -> int:
    """The start player of the first round, whom chance names. Source: paladins.setup.start_player."""
    if len(t.people) == 1:
        return 1
    starter = t.recorder.pick(t.table.pile("starters"))[0]
    return int(starter.removeprefix("starter."))


def _prepare_opponent(t: Paladins) -> None:
    """Stack the opponent's markers and lay its first workshops. Source: paladins.opponent.setup.*."""
    opponent = t.opponent
    assert opponent is not None
    track.stack(t, opponent)
    t.set(opponent.field, 1)
    revealed = t.recorder.pick(t.orders_box, t.data.opponent_orders[t.data.options.opponent])
    actions = [order.removeprefix("order_") for order in revealed]
    for action in actions:
        t.move(WORKSHOP, opponent.workshops, opponent.areas[action].spaces[0])
    t.emit(opponent, OpponentPrepared(tuple(actions)))
