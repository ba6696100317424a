"""Random positions, for situations that are rare in games of bots.

Components are only moved, so that their total numbers stay correct.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from msgspec import Struct
from tests.oracle.chance import DrawMismatchError
from tests.oracle.orleans import play as oracle
from tests.oracle.orleans import scoring, tables
from tests.oracle.orleans.differ import Follower, chance_of
from tests.oracle.orleans.setup import spaces
from tests.titles.orleans.kit import OrleansGame

from boardkeeper.table.dice import Dice
from boardkeeper.table.table import Table
from boardkeeper.table.zones import Pile, Zone
from boardkeeper.titlekit.title import Setup
from boardkeeper.titles.orleans.title import TITLE

COINS = (0, 0, 0, 1, 1, 2, 3, 4, 5, 6, 9, 14, 20)
TOWNS = sorted({town for way in tables.WAYS for town in way[:2]})


class Position(OrleansGame):
    """A game whose position tests can change."""

    def __init__(self, setup: Setup, seed: str) -> None:
        self.setup = setup
        self.table = Table(TITLE.layout(setup))
        self.play = TITLE.play(self.table, Dice(seed.encode()), setup)
        self.components = self.table.components()
        self.play.set_up()
        self.laid = self.play.recorder.take()

    def zone(self, id: str) -> Zone:
        """Return a zone."""
        return self.table.zones[id]

    def pile(self, id: str) -> Pile:
        """Return a pile."""
        return self.table.pile(id)

    def shift(self, component: str, source: str, target: Zone, count: int = 1) -> None:
        """Move components without an event."""
        self.t.move(component, self.zone(source), target, count)
        self.play.recorder.clear()

    def tile(self, event: str, letter: str) -> None:
        """Set the hour glass tile of the round."""
        self.empty(self.pile("hour_glass.current"))
        self.bring(f"{event}.{letter}", self.pile("hour_glass.current"))


def tiles(game: Position) -> list[str]:
    """Return every hour glass tile of the game."""
    return sorted({tile for id in game.table.zones if id.startswith("hour_glass.") for tile in game.counts(id)})


def follow(game: Position, phase: str, start: int, follower: Follower, chance: random.Random) -> None:
    """Start a phase and play at random until the next planning phase or the end, comparing with the oracle."""
    sheet = follower.sheet()
    sheet.phase = phase
    sheet.start = start
    drawn = chance_of(game.enter(phase, start))
    follower.refresh()
    try:
        oracle.enter(sheet, phase, drawn)
    except DrawMismatchError as error:
        follower.fail(f"start of {phase}: {error}")
    follower.compare(sheet, drawn, f"start of {phase}")
    play_phases(game, follower, chance, "event", "census", "followers")


def play_phases(game: Position, follower: Follower, chance: random.Random, *phases: str) -> None:
    """Play at random during these phases, comparing with the oracle."""
    follower.refresh()
    while game.t.phase.value in phases:
        seat = chance.choice(game.deciding())
        follower.do(seat, _choose(follower.legal(seat), chance))


def _choose(legal: Sequence[Struct], chance: random.Random) -> Struct:
    """Choose a random command. All kinds of commands have the same probability."""
    kind = chance.choice(sorted({type(command).__name__ for command in legal}))
    return chance.choice([command for command in legal if type(command).__name__ == kind])


def randomize(game: Position, chance: random.Random) -> Position:
    """Give seats random components and markers."""
    poor = chance.random() < 0.4
    for seat in range(1, game.setup.players + 1):
        _clear(game, seat)
    for seat in range(1, game.setup.players + 1):
        _goods(game, seat, chance, poor)
        _tiles(game, seat, chance)
        _stations(game, seat, chance)
        _technology(game, seat, chance)
        _followers(game, seat, chance, poor)
        _markers(game, seat, chance, poor)
    _citizens(game, chance)
    return game


def _clear(game: Position, seat: int) -> None:
    side = game.seat(seat)
    game.empty(side.market)
    game.empty(side.bag)


def _goods(game: Position, seat: int, chance: random.Random, poor: bool) -> None:
    for good in tables.GOODS:
        count = min(chance.choice((0, 0, 0, 1) if poor else (0, 1, 2, 3)), game.counts("goods_market").get(good, 0))
        if count:
            game.shift(good, "goods_market", game.seat(seat).goods, count)


def _tiles(game: Position, seat: int, chance: random.Random) -> None:
    for stack in ("place_tiles.1", "place_tiles.2"):
        for tile in sorted(game.counts(stack)):
            if chance.random() < (0.4 if tile in ("sacristy", "gunpowder_tower", "bathhouse") else 0.1):
                game.shift(tile, stack, game.seat(seat).place_tiles)


def _stations(game: Position, seat: int, chance: random.Random) -> None:
    taken = {town for town in TOWNS if town != tables.HOME and game.counts(f"town.{town}")}
    free = [town for town in TOWNS if town not in taken]
    station = f"station.{seat}"
    for town in chance.sample(free, chance.choice((0, 0, 1, 2, 3))):
        game.shift(station, f"seat.{seat}.stations", game.zone(f"town.{town}"))
    if chance.random() < 0.5:
        left = game.counts(f"seat.{seat}.stations")[station]
        game.shift(station, f"seat.{seat}.stations", game.zone("removed"), left - chance.choice((0, 0, 1)))


def _technology(game: Position, seat: int, chance: random.Random) -> None:
    for _ in range(chance.choice((0, 0, 1, 2))):
        game.shift("technology", "technology", game.seat(seat).technology)
    if chance.random() < 0.5:
        takes = [id for id in _spaces(game, seat) if _asked(id) not in ("any", "monk") and _has_two(game, id)]
        tiles = [id for id in takes if id.startswith("place.")]
        game.shift("technology", "technology", game.zone(chance.choice(tiles or takes)))
        game.at(seat, technology_placed=1)


def _followers(game: Position, seat: int, chance: random.Random, poor: bool) -> None:
    side = game.seat(seat)
    free = [id for id in _spaces(game, seat) if not game.pile(id).total()]
    for own in tables.OWN:
        fits = [id for id in free if _asked(id) in (own.removeprefix("own_"), "any") and ".town_hall." not in id]
        where = chance.choice((side.bag.id, side.bag.id, side.market.id, *fits[:1]))
        game.shift(own, "box", game.zone(where))
        free = [id for id in free if id != where]
    for id in free:
        asked = _asked(id)
        who = chance.choice(_in_supply(game) or [""]) if asked == "any" else asked
        often = 0.8 if ".sacristy." in id else 0.3
        if chance.random() < often and game.counts("supply").get(who):
            game.shift(who, "supply", game.zone(id))
    for _ in range(chance.choice((0, 0, 1) if poor else (0, 1, 2, 3, 5, 8))):
        _from_supply(game, chance, side.bag)
    for _ in range(chance.randint(0, tables.MARKET_SPACES - side.market.total())):
        _from_supply(game, chance, side.market)


def _spaces(game: Position, seat: int) -> list[str]:
    """Return the zones of all action spaces of a seat, including the tower and tiles, sorted."""
    tiles = (f"place.{tile}" for tile in game.counts(game.seat(seat).place_tiles.id))
    board = (f"seat.{seat}.{place}" for place in tables.PLAYER_BOARD)
    options = game.setup.options
    return sorted(f"{zone}.{space}" for zone in (*tiles, *board) for _, space in spaces(zone.split(".")[-1], options))


def _has_two(game: Position, id: str) -> bool:
    place = id.split(".")[-2]
    return len(spaces(place, game.setup.options)) > 1


def _asked(id: str) -> str:
    return id.rsplit(".", maxsplit=1)[-1].removesuffix("_2")


def _from_supply(game: Position, chance: random.Random, target: Pile) -> None:
    """Move a random follower from the supply, if it is not empty."""
    left = _in_supply(game)
    if left:
        game.shift(chance.choice(left), "supply", target)


def _in_supply(game: Position) -> list[str]:
    return sorted(game.counts("supply"))


def _markers(game: Position, seat: int, chance: random.Random, poor: bool) -> None:
    space = chance.choice((0, 0, 0, 1, 8, 13, 26)) if poor else chance.randint(0, tables.DEVELOPMENT_END)
    farthest = min(tables.DEVELOPMENT_END, space + chance.choice((0, 0, 0, 1, 2, 5)))
    game.at(
        seat,
        coins=chance.choice(COINS[:6] if poor else COINS),
        development=space,
        best_development=farthest,
        merchant=chance.choice(TOWNS),
        farmers=chance.choice((0, 1, 1, 2, 2, 3, 8)),
        **{track: chance.randint(0, tables.TRACK_LENGTH[track]) for track in tables.TRACKS if track != "farmers"},
    )


def _citizens(game: Position, chance: random.Random) -> None:
    """Give each citizen that a marker has passed to a random seat."""
    seats = range(1, game.setup.players + 1)
    board = game.board(-1)
    gone = [
        f"track.development.{space}"
        for space in tables.DEVELOPMENT_CITIZENS
        if any(seat.best_development >= space for seat in board.seats)
    ]
    if any(seat.tracks["boatmen"] >= tables.BOATMEN_CITIZEN_SPACE for seat in board.seats):
        gone.append("track.boatmen")
    if any(seat.tracks["knights"] >= tables.KNIGHTS_CITIZEN_SPACE for seat in board.seats):
        gone.append("track.knights")
    for zone in gone:
        game.shift("citizen", zone, game.seat(chance.choice(seats)).citizens)


def equalize_scores(game: Position, follower: Follower, chance: random.Random) -> Position:
    """Give some seats the same number of points, so that ties occur."""
    sheet = follower.sheet()
    scoring.finish(sheet)
    goal = max(line.total for line in sheet.scores.values())
    for seat, line in sheet.scores.items():
        if chance.random() < 0.7:
            game.at(seat, coins=line.coins + goal - line.total)
    follower.refresh()
    return game
