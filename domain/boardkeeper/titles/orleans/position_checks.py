"""What can be wrong with a position by itself: numbers, names, and what lies where.

A position may be one that no game ever reached, but not one that the rules contradict: its components are exactly
those of the game, each lies where it may lie, and each marker is somewhere on its track.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from boardkeeper.families.followers.board import PlaceView, SpaceView
from boardkeeper.families.followers.data import MONK, OWN, TECHNOLOGY, Space, is_marked
from boardkeeper.table.title import PositionProblem
from boardkeeper.titles.orleans import setup
from boardkeeper.titles.orleans.board import Board, DeedView, SeatView
from boardkeeper.titles.orleans.data import CHARACTERS, GOODS, STATION, TRACKS, Data, Place
from boardkeeper.titles.orleans.material import box
from boardkeeper.titles.orleans.position_contents import Lying

PHASES = ("census", "followers", "planning", "actions", "event")
"""The phases that can wait for somebody; no game begins in another."""

MOST = 999_999_999
"""More than any game needs; what is made of it still fits into a field of the board on the wire, and into a record."""

COUNTS = (
    "coins",
    "debt",
    "arrears",
    "given_up_draws",
    "draws_made",
    "food_due",
    "technology_placed",
    "farmer_only_technology",
)
"""The fields of a seat that are mere counts."""


def of_seats(players: int, board: Board) -> list[PositionProblem]:
    """Whether the seats are those of the game: without them nothing else can be told."""
    if [seat.seat for seat in board.seats] == list(range(1, players + 1)):
        return []
    return [PositionProblem("seats", f"must be the seats 1 to {players}, in order")]


def of_each_thing(data: Data, players: int, board: Board, lying: Iterable[Lying]) -> list[PositionProblem]:
    """What is wrong with each thing by itself, in the order of the board."""
    return [
        *_table(data, players, board),
        *(problem for seat in board.seats for problem in _seat(data, board, seat)),
        *(problem for deed in board.deeds for problem in _deed(data, deed)),
        *_ways(data, players, board),
        *_stations(data, board),
        *_citizens(data, board),
        *_zones(data, players, lying),
    ]


def of_counts(data: Data, players: int, board: Board, lying: list[Lying]) -> list[PositionProblem]:
    """Whether the components are those of the game; asked of a board that hides nothing, or all in a bag is missing.

    What lies somewhere in an impossible number is not counted, nor what there is not and lies where nothing may.
    """
    if any(sum(seat.bag.values()) != seat.bag_count for seat in board.seats):
        return []
    return [
        *_totals(data, lying, sound(data, players, lying)),
        *_box(data, players, board),
        *_own_followers(data, board, lying),
    ]


def sound(data: Data, players: int, lying: Iterable[Lying]) -> list[Lying]:
    """What lies where it may lie, in a number that there can be."""
    zones = {zone.id for zone in setup.declared(data, players).layout.zones}
    return [entry for entry in lying if entry.zone in zones and 0 <= entry.number <= MOST and _fits(data, entry)]


def _fits(data: Data, entry: Lying) -> bool:
    key = tuple(entry.zone.split(".")[-2:])
    space = data.space.get(key) if len(key) == 2 else None
    if space is None:
        return _belongs(data, entry.zone, entry.component)
    return _may_lie(data, data.places[space.place], space, entry.component)


def _table(data: Data, players: int, board: Board) -> Iterator[PositionProblem]:
    if not 1 <= board.round <= data.rounds:
        yield PositionProblem("round", f"must be 1 to {data.rounds}, not {board.round}")
    if board.phase not in PHASES:
        yield PositionProblem("phase", f"must be one of: {', '.join(PHASES)} (not {board.phase!r})")
    if not 1 <= board.start_seat <= players:
        yield PositionProblem("start_seat", f"must be 1 to {players}, not {board.start_seat}")
    if not 0 <= board.event_seats <= players:
        yield PositionProblem("event_seats", f"must be 0 to {players}, not {board.event_seats}")
    if any(not 0 <= counter <= MOST for counter in board.draws.values()):
        yield PositionProblem("draws", f"must have values from 0 to {MOST}")
    yield from _hour_glass(data, board)


def _hour_glass(data: Data, board: Board) -> Iterator[PositionProblem]:
    turned = sum(board.turned.values())
    if turned != board.round - 1:
        yield PositionProblem(
            "turned", f"must have {board.round - 1} tiles in round {board.round}, one for each past round, not {turned}"
        )
    pile = board.hour_glass.strength
    if board.hour_glass.event not in data.piles.get(pile, ()):
        yield PositionProblem("hour_glass", f"has a tile that does not exist: {board.hour_glass.event}.{pile}")
    if pile not in data.piles:
        return
    order = list(data.piles)
    for tile, count in board.hour_glass.remaining.items():
        earlier = tile.partition(".")[2]
        if count and earlier in order[: order.index(pile)]:
            yield PositionProblem(
                "hour_glass.remaining", f"cannot have {tile}: it is turned before the tiles of part {pile}"
            )


# --- seats -----------------------------------------------------------------------------------------------------


def _seat(data: Data, board: Board, seat: SeatView) -> Iterator[PositionProblem]:
    at = f"seats[{seat.seat}]"
    if seat.merchant not in data.towns:
        yield PositionProblem(f"{at}.merchant", f"must be a town on the map, not {seat.merchant!r}")
    if set(seat.tracks) != set(TRACKS):
        yield PositionProblem(f"{at}.tracks", f"must have exactly these tracks: {', '.join(TRACKS)}")
    for track, position in seat.tracks.items():
        if not 0 <= position <= data.track_length.get(track, 0):
            yield PositionProblem(f"{at}.tracks.{track}", f"must be 0 to {data.track_length.get(track, 0)}")
    for name in ("development", "best_development"):
        if not 0 <= getattr(seat, name) <= data.last_development:
            yield PositionProblem(f"{at}.{name}", f"must be 0 to {data.last_development}")
    for name in COUNTS:
        if not 0 <= getattr(seat, name) <= MOST:
            yield PositionProblem(f"{at}.{name}", f"must be 0 to {MOST}")
    if seat.draws_made and not data.takes_back_after_drawing:
        yield PositionProblem(f"{at}.draws_made", "must be 0 unless followers may be taken back after drawing")
    if sum(seat.bag.values()) != seat.bag_count:
        yield PositionProblem(f"{at}.bag", f"must show all {seat.bag_count} followers: a position has nothing hidden")
    yield from _places(data, board, seat, at)


def _places(data: Data, board: Board, seat: SeatView, at: str) -> Iterator[PositionProblem]:
    tiles = tuple(sorted({place.place for place in seat.places if place.place in data.place_tiles}))
    if tuple(place.place for place in seat.places) != (*data.board_places, *tiles):
        yield PositionProblem(f"{at}.places", "must be the places of the player board, then the place tiles by id")
    for place in seat.places:
        if place.place in data.places:
            yield from _spaces(data, board, tiles, place, f"{at}.places[{place.place}]")


def _spaces(data: Data, board: Board, tiles: tuple[str, ...], view: PlaceView, at: str) -> Iterator[PositionProblem]:
    place = data.places[view.place]
    if [space.space for space in view.spaces] != [space.id for space in place.spaces]:
        yield PositionProblem(at, f"must have the spaces {', '.join(space.id for space in place.spaces) or 'none'}")
    if sum(space.occupant == TECHNOLOGY for space in view.spaces) > 1:
        yield PositionProblem(at, "must not have more than one technology tile")
    for seen in view.spaces:
        space = data.space.get((place.id, seen.space))
        if space is not None:
            yield from _space(data, board, tiles, seen, space, f"{at}.spaces[{space.id}]")


def _space(
    data: Data, board: Board, tiles: tuple[str, ...], seen: SpaceView, space: Space, at: str
) -> Iterator[PositionProblem]:
    possible = not seen.occupant or _may_lie(data, data.places[space.place], space, seen.occupant)
    if not possible:
        yield PositionProblem(at, f"cannot have the occupant {seen.occupant!r}")
    if not (seen.placed_now or seen.from_tower):
        return
    if board.phase in PHASES and board.phase != "planning":
        yield PositionProblem(at, "can have placed_now and from_tower only in the phase planning")
    if not seen.placed_now:
        yield PositionProblem(at, "must have placed_now, because it has from_tower")
    elif possible and board.phase == "planning" and not data.hand(tiles).fits.get(seen.occupant, 0) & space.bit:
        yield PositionProblem(at, f"cannot have placed_now with {seen.occupant or 'nothing'!r}")


def _may_lie(data: Data, place: Place, space: Space, occupant: str) -> bool:
    """Whether it can have come there; stand-ins may have been placed before their Herb Garden or School was lost."""
    if occupant == TECHNOLOGY:
        return data.takes_technology(place) and space.requires != MONK
    if place.market_extension:
        return occupant in data.followers
    stand_ins = tuple(tile for tile in data.place_tiles if data.places[tile].stands_for)
    fits = data.hand(tuple(sorted({*stand_ins, *_tile(data, place)}))).fits
    return bool(fits.get(occupant, 0) & space.bit)


def _tile(data: Data, place: Place) -> tuple[str, ...]:
    return (place.id,) if place.id in data.place_tiles else ()


# --- the board -------------------------------------------------------------------------------------------------


def _deed(data: Data, deed: DeedView) -> Iterator[PositionProblem]:
    at = f"deeds[{deed.deed}]"
    known = data.deeds.get(deed.deed)
    if known is None:
        yield PositionProblem(at, "is not a deed of this edition")
        return
    for follower, count in deed.followers.items():
        if count > known.spaces.get(follower, 0):
            yield PositionProblem(
                at, f"cannot have {count} {follower}: it has {known.spaces.get(follower, 0)} spaces for them"
            )
    complete = all(deed.followers.get(follower, 0) == count for follower, count in known.spaces.items())
    if complete and deed.citizen:
        yield PositionProblem(at, "must not have its citizen, because it is complete")
    if not complete and not deed.citizen:
        yield PositionProblem(at, "must have its citizen, because it is not complete")


def _ways(data: Data, players: int, board: Board) -> Iterator[PositionProblem]:
    known = {way.id: way for way in data.ways}
    empty = data.supplies[players].empty_way_marks
    for way in board.ways:
        at = f"ways[{way.way}]"
        if way.way not in known:
            yield PositionProblem(at, "is not a way of this edition")
            continue
        spaces = sum(mark not in empty for mark in known[way.way].spaces)
        if sum(way.goods.values()) > spaces:
            yield PositionProblem(at, f"must have at most {spaces} goods with {players} players")


def _stations(data: Data, board: Board) -> Iterator[PositionProblem]:
    built = Counter(town for seat in board.seats for town in seat.stations)
    for seat in board.seats:
        for town, count in Counter(seat.stations).items():
            if town not in data.towns:
                yield PositionProblem(f"seats[{seat.seat}].stations", f"must be towns on the map, not {town!r}")
            elif count > 1:
                yield PositionProblem(f"seats[{seat.seat}].stations", f"must not have {town} twice")
    for town, count in built.items():
        if count > 1 and town != data.shared_station_town:
            yield PositionProblem("seats.stations", f"must not have {count} trading stations in {town}")


def _citizens(data: Data, board: Board) -> Iterator[PositionProblem]:
    at = "citizens_on_tracks"
    furthest = max(max(seat.development, seat.best_development) for seat in board.seats)
    passed = {f"development.{space}": furthest >= space for space in data.development_citizens}
    for track, space in data.track_citizens.items():
        passed[track] = any(seat.tracks.get(track, 0) >= space for seat in board.seats)
    for home, count in Counter(board.citizens_on_tracks).items():
        if count > 1:
            yield PositionProblem(at, f"must not have {home} twice")
        if passed.get(home):
            yield PositionProblem(at, f"must not have {home}: a seat has reached that space")
    if "most_stations" not in board.citizens_on_tracks:
        yield PositionProblem(at, "must have most_stations: this citizen stays until the end of the game")


# --- components ------------------------------------------------------------------------------------------------


def _zones(data: Data, players: int, lying: Iterable[Lying]) -> Iterator[PositionProblem]:
    zones = {zone.id for zone in setup.declared(data, players).layout.zones}
    for field, zone, component, count in lying:
        if zone not in zones:
            yield PositionProblem(field, f"cannot have {component}: this game does not use that space")
        elif count and not _belongs(data, zone, component):
            yield PositionProblem(field, f"cannot have {component}")
        if not 0 <= count <= MOST:
            yield PositionProblem(field, f"must have 0 to {MOST} {component}, not {count}")


def _belongs(data: Data, zone: str, component: str) -> bool:
    """Whether the rules ever put such a component there; for zones whose contents the board names freely."""
    kind = zone.rpartition(".")[2] if zone.startswith("seat.") else zone.partition(".")[0]
    match kind:
        case "supply":
            return component in CHARACTERS
        case "goods_market" | "way" | "goods":
            return component in GOODS
        case "market" | "drawn" | "bag":
            return component in data.followers
        case "place_tiles" if component in data.place_tiles and not zone.startswith("seat."):
            return data.places[component].category == zone.rpartition(".")[2]
        case "place_tiles":
            return component in data.place_tiles
        case "hour_glass":
            event, _, pile = component.partition(".")
            return event in data.piles.get(pile, ())
        case "removed":
            unmarked = (*CHARACTERS, *GOODS, *data.place_tiles, TECHNOLOGY)
            return component in unmarked or component.startswith(f"{STATION}.")
        case _:
            return True


def _totals(data: Data, lying: list[Lying], sound: list[Lying]) -> Iterator[PositionProblem]:
    there: Counter[str] = Counter()
    for _, _, component, count in lying:
        there[component] += count
    expected = box(data)
    impossible = {component for _, _, component, count in lying if not 0 <= count <= MOST}
    strange = {component for _, _, component, count in sound if count} - set(expected)
    for component in sorted({*expected, *strange} - impossible):
        if there[component] != expected.get(component, 0):
            kind = f"{STATION}s of seat {component[-1]}" if component.startswith(STATION) else component
            message = f"must be {expected.get(component, 0)} in total, not {there[component]}"
            yield PositionProblem(f"components.{kind}", message)


def _box(data: Data, players: int, board: Board) -> Iterator[PositionProblem]:
    """What a game of so many players never takes out of the box; which goods were removed is chance."""
    unused = setup.unused(data, players)
    there = {component: count for component, count in board.box.items() if component not in GOODS}
    for component in sorted(set(unused) | set(there)):
        if there.get(component, 0) != unused.get(component, 0):
            message = (
                f"must have {unused.get(component, 0)} {component} with {players} players,"
                f" not {there.get(component, 0)}"
            )
            yield PositionProblem("box", message)
    goods = sum(board.box.get(good, 0) for good in GOODS)
    removed = data.supplies[players].goods_removed
    if goods != removed:
        yield PositionProblem("box", f"must have {removed} goods with {players} players, not {goods}")


def _own_followers(data: Data, board: Board, lying: Iterable[Lying]) -> Iterator[PositionProblem]:
    """Marked followers never leave their seat, so each has one of each kind."""
    there: Counter[tuple[int, str]] = Counter()
    owner = {f"place.{place.place}": seat.seat for seat in board.seats for place in seat.places}
    for _, zone, component, count in lying:
        if is_marked(component) and zone != "box":
            head, _, tail = zone.partition(".")
            seat = int(tail.partition(".")[0]) if head == "seat" else owner.get(f"place.{tail.partition('.')[0]}", 0)
            there[seat, component] += count
    for seat in range(1, len(board.seats) + 1):
        for follower in data.start_followers:
            if there[seat, OWN + follower] != 1:
                message = f"must have one {OWN + follower}, not {there[seat, OWN + follower]}"
                yield PositionProblem(f"seats[{seat}]", message)
