"""Setup: the table before the first planning phase, and checks of the goods on the map."""

from __future__ import annotations

from collections import Counter

from tests.oracle.orleans import tables
from tests.oracle.orleans.sheet import Sheet, Side

from boardkeeper.titles.orleans.board import Board


def initial_sheet(players: int, choices: dict[str, str], board: Board) -> Sheet:
    """Return the table in round 1, phase 4. The random goods on the map and in the box are copied from the board.

    Phases 2 and 3 have no effect, because no seat leads on the farmers track and all bags are empty.
    """
    ways = {(frozenset(way.towns), way.kind): Counter(way.goods) for way in board.ways}
    market = Counter(tables.GOODS_IN_BOX) - Counter({good: board.box.get(good, 0) for good in tables.GOODS})
    for goods in ways.values():
        market -= goods
    return Sheet(
        choices=choices,
        round=1,
        phase="planning",
        start=1,
        event="pilgrimage",
        letter="START",
        glass=_hour_glass(choices),
        turned=Counter(),
        reached=0,
        supply=Counter(tables.SUPPLY[players]),
        goods_market=market,
        technology=tables.TECHNOLOGY_TILES[players],
        stack_1=sorted(tables.TILES_1),
        stack_2=sorted(tables.TILES_2),
        citizens=sorted(tables.CITIZENS_BESIDE_DEEDS),
        ways=ways,
        deeds={deed: (Counter(), True) for deed in tables.DEEDS},
        removed=Counter(),
        sides=[_side(seat, choices) for seat in range(1, players + 1)],
    )


def _side(seat: int, choices: dict[str, str]) -> Side:
    return Side(
        seat=seat,
        coins=tables.START_COINS,
        merchant=tables.HOME,
        tracks=dict.fromkeys(tables.TRACKS, 0),
        development=0,
        farthest=0,
        goods=Counter(),
        citizens=0,
        stations_left=tables.STATIONS_EACH,
        stations=[],
        technology=0,
        farmer_only=0,
        technology_placed=0,
        market=Counter(tables.OWN),
        drawn=Counter(),
        bag=Counter(),
        tiles=[],
        spaces={where: "" for place in tables.PLAYER_BOARD for where in spaces(place, choices)},
        choice="plan",
        debt=0,
        arrears=0,
        food_due=0,
        declined=0,
        made=0,
    )


def spaces(place: str, choices: dict[str, str]) -> list[tuple[str, str]]:
    """Return the spaces of a place, named by the required character. A second one of a kind has a number."""
    asked = (tables.PLAYER_BOARD | tables.TILES_1 | tables.TILES_2)[place]
    if place == "bathhouse":
        asked = () if choices["bathhouse"] == "passive" else (choices["bathhouse_space"],)
    return [
        (place, f"{character}_{at + 1}" if character in asked[:at] else character) for at, character in enumerate(asked)
    ]


def _hour_glass(choices: dict[str, str]) -> Counter[str]:
    if choices["hour_glass"] == "ungraded":
        return Counter({f"{event}.U": 2 if event == "pilgrimage" else 3 for event in tables.EVENTS})
    short = choices["hour_glass_split"].upper()  # this letter has no Pilgrimage: it is the first tile of the game
    return Counter(
        f"{event}.{letter}" for letter in "ABC" for event in tables.EVENTS if event != "pilgrimage" or letter != short
    )


def wrong_ways(sheet: Sheet, players: int) -> list[str]:
    """Describe missing roads and waterways, and those with a wrong number of goods."""
    expected = {
        (frozenset((one, other)), kind): tables.spaces_on_way(frozenset((one, other)), kind, players)
        for one, other, kind, _ in tables.WAYS
    }
    found = {way: goods.total() for way, goods in sheet.ways.items()}
    lines = [
        f"{way}: {found.get(way)} goods, not {count}" for way, count in expected.items() if found.get(way) != count
    ]
    lines += [f"{way} is not on the map" for way in found if way not in expected]
    if sum(found.values()) != tables.GOODS_ON_MAP[players]:
        lines.append(f"{sum(found.values())} goods on the map")
    return lines


def wrong_places(board: Board) -> list[str]:
    """Describe player boards with wrong places or requirements."""
    lines: list[str] = []
    for seat in board.seats:
        found = {place.place: tuple(space.requires for space in place.spaces) for place in seat.places}
        if found != tables.PLAYER_BOARD:
            lines.append(f"seat {seat.seat}: {found}")
    return lines


def left_in_box(edition: str, players: int, board: Board) -> Counter[str]:
    """Return the components that this number of players does not use. The goods follow from the map and the market."""
    box = Counter(tables.BOX_CHARACTERS[edition]) - Counter(tables.SUPPLY[players])
    unused = range(players + 1, tables.BOX_COLOURS[edition] + 1)
    box.update(dict.fromkeys(tables.OWN, len(unused)))
    box.update({f"station.{seat}": tables.STATIONS_EACH for seat in unused})
    box[tables.TECHNOLOGY] = tables.BOX_TECHNOLOGY[edition] - tables.TECHNOLOGY_TILES[players]
    goods = Counter(tables.GOODS_IN_BOX) - Counter(board.goods_market)
    for way in board.ways:
        goods -= Counter(way.goods)
    if goods.total() != tables.GOODS_REMOVED[players]:
        raise ValueError(f"{goods} were removed, not {tables.GOODS_REMOVED[players]} goods")
    return +(box + goods)
