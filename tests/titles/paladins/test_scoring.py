"""The score sheet line by line, every outsider, and ties (pp. 24–25, 30–31)."""

from __future__ import annotations

import pytest
from tests.titles.paladins.adapter import DATA
from tests.titles.paladins.holdings import TABLES
from tests.titles.paladins.kit import PaladinsGame, detail, details

from boardkeeper.titles.paladins import commands as c
from boardkeeper.titles.paladins import events as e
from boardkeeper.titles.paladins import scoring
from boardkeeper.titles.paladins.events import SeatScored

WALLS = ("wall_01", "wall_02", "wall_07", "wall_08", "wall_13", "wall_15", "wall_17")
"""Walls without points."""
OF_EACH_SUIT = {
    "saracen": ("hunter_saracen", "champion_saracen", "marauder_saracen"),
    "byzantine": ("hunter_byzantine", "champion_byzantine", "traitor_byzantine"),
    "viking": ("lookout_viking", "marauder_viking", "traitor_viking"),
}


def create_game(players: int = 2, **choices: str) -> PaladinsGame:
    """Create a game in which seat 1 has no points."""
    game = PaladinsGame(players, **choices).turn(1, round=7).townsfolk(1).suspicion(1)
    return game.at(1, silver=0, provisions=0)


def set_times(game: PaladinsGame, action: str, times: int, number: int = 1) -> PaladinsGame:
    """Set how often a seat has carried out an action."""
    side = game.side(number)
    match action:
        case "commission":
            return game.exactly(side.monks, **{side.monk: 7 - times})
        case "garrison":
            return game.exactly(side.outposts, **{side.outpost: 7 - times})
        case "absolve":
            return game.exactly(side.jars, jar=7 - times)
        case "develop":
            return game.exactly(side.workshops, workshop=8 - times)
        case "fortify":
            return game.exactly(side.walls, **dict.fromkeys(WALLS[:times], 1))
        case "attack":
            return game.exactly(side.attacked, **dict.fromkeys(sorted(DATA.outsiders)[:times], 1))
        case _:
            mercenaries = sorted(id for id in DATA.outsiders if "lookout" in id or "hunter" in id or "archer" in id)
            return game.exactly(side.converted, **dict.fromkeys(mercenaries[:times], 1))


def score_sheet(game: PaladinsGame, seat: int = 1) -> SeatScored:
    """Return the current score sheet of a seat."""
    return scoring.sheet(game.t, game.side(seat))


def test_a_seat_that_did_nothing_has_no_points() -> None:
    assert score_sheet(create_game()).total == 0


def test_a_score_sheet_during_the_game_has_no_rank() -> None:
    assert {score_sheet(create_game(), seat).rank for seat in (1, 2)} == {0}


# --- lines -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", DATA.orders)
def test_paladins_scoring_orders(order: str) -> None:
    """At least five times the action; 4, 6 or 8 points by the place (page 8)."""
    others = [other for other in DATA.orders if other != order]
    for place, points in enumerate((4, 6, 8)):
        row = [*others[:place], order, *others[place:2]]
        for times, fulfilled in ((4, False), (5, True), (6, True), (7, True)):
            game = set_times(create_game().orders(*row), order, times)
            assert score_sheet(game).orders == ({order: points} if fulfilled else {}), (place, times)


def test_paladins_scoring_orders__only_revealed_ones() -> None:
    game = set_times(set_times(create_game(), "commission", 7), "convert", 7).orders("fortify")
    assert score_sheet(game).orders == {}


@pytest.mark.parametrize("attribute", ["faith", "strength", "influence"])
def test_paladins_scoring_attributes(attribute: str) -> None:
    """The example on page 25 has three of these: 16 for 11, 13 for 10 and 6 for 6."""
    points = [0, 0, 1, 1, 3, 3, 6, 6, 9, 11, 13, 16, 20]
    for level, expected in enumerate(points):
        scored = score_sheet(create_game().at(1, **{attribute: level}))
        assert (getattr(scored, attribute), scored.total) == (expected, expected), level


def test_paladins_scoring_attributes__without_the_paladin() -> None:
    """The paladin's addition counts only for actions in its round (page 9)."""
    assert score_sheet(create_game().paladin(1, "roland").at(1, strength=4)).strength == 3


@pytest.mark.parametrize(("times", "points"), [(0, 0), (4, 0), (5, 2), (6, 5), (7, 9)])
def test_paladins_scoring_commission(times: int, points: int) -> None:
    scored = score_sheet(set_times(create_game(), "commission", times))
    assert (scored.commission, scored.total) == (points, points)


@pytest.mark.parametrize(("times", "points"), [(0, 0), (4, 0), (5, 2), (6, 5), (7, 9)])
def test_paladins_scoring_garrison(times: int, points: int) -> None:
    scored = score_sheet(set_times(create_game(), "garrison", times))
    assert (scored.garrison, scored.total) == (points, points)


@pytest.mark.parametrize(("times", "points"), [(0, 0), (4, 0), (5, 1), (6, 3), (7, 6)])
def test_paladins_scoring_fortify(times: int, points: int) -> None:
    scored = score_sheet(set_times(create_game(), "fortify", times))
    assert (scored.fortify, scored.walls, scored.total) == (points, 0, points)


@pytest.mark.parametrize(("times", "points"), [(0, 0), (4, 0), (5, 1), (6, 3), (7, 6)])
def test_paladins_scoring_absolve(times: int, points: int) -> None:
    scored = score_sheet(set_times(create_game(), "absolve", times))
    assert (scored.absolve, scored.total) == (points, points)


@pytest.mark.parametrize(("times", "points"), [(0, 0), (5, 0), (6, 1), (7, 3), (8, 6)])
def test_paladins_scoring_develop(times: int, points: int) -> None:
    scored = score_sheet(set_times(create_game(), "develop", times))
    assert (scored.develop, scored.total) == (points, points)


@pytest.mark.parametrize("wall", sorted(DATA.walls))
def test_paladins_scoring_walls(wall: str) -> None:
    points = {"wall_03": 1, "wall_04": 1, "wall_05": 2, "wall_06": 2}.get(wall, 0)
    game = create_game()
    scored = score_sheet(game.exactly(game.seat(1).walls, **{wall: 1}))
    assert (scored.walls, scored.total) == (points, points)


@pytest.mark.parametrize(("unpaid", "paid", "points"), [(1, 0, -3), (0, 1, 1), (3, 2, -7), (0, 5, 5)])
def test_paladins_scoring_debts(unpaid: int, paid: int, points: int) -> None:
    scored = score_sheet(create_game().debts(1, unpaid=unpaid, paid=paid))
    assert (scored.unpaid_debts, scored.paid_debts, scored.total) == (-3 * unpaid, paid, points)


@pytest.mark.parametrize(
    ("silver", "provisions", "points"), [(2, 0, 0), (0, 2, 0), (2, 1, 1), (1, 2, 1), (3, 3, 2), (4, 4, 2), (5, 4, 3)]
)
def test_paladins_scoring_goods(silver: int, provisions: int, points: int) -> None:
    """A set may be mixed (page 25: 2 silver and 1 provision)."""
    scored = score_sheet(create_game().at(1, silver=silver, provisions=provisions))
    assert (scored.goods, scored.total) == (points, points)


# --- outsiders ---------------------------------------------------------------------------------------------------


def find_type(type: str, *suits: str) -> list[str]:
    """Return the ids of all outsiders of a type, which must have these suits."""
    found = sorted(id for id, card in TABLES["outsiders"].items() if card["type"] == type)
    assert found == sorted(f"{type}_{suit}" for suit in suits)
    return found


def outsider_points(game: PaladinsGame, *cards: str, seat: int = 1) -> list[int]:
    """Return the points of each of these outsiders if converted."""
    for card in cards:
        game.bring(card, game.side(seat).converted)
    found = score_sheet(game, seat).outsiders
    return [found[card] for card in cards]


def check_per_two(action: str, *cards: str) -> None:
    """Check that each card gives a point for every two times of an action."""
    for times in range(9 if action == "develop" else 8):
        for card in cards:
            game = create_game()
            assert outsider_points(set_times(game, action, times), card) == [times // 2], (card, times)


def test_paladins_outsiders_adventurer() -> None:
    check_per_two("commission", *find_type("adventurer", "saracen", "viking"))


def test_paladins_outsiders_archer() -> None:
    check_per_two("garrison", *find_type("archer", "saracen", "byzantine"))


def test_paladins_outsiders_lookout() -> None:
    check_per_two("fortify", *find_type("lookout", "byzantine", "viking"))


def test_paladins_outsiders_vigilante_scores() -> None:
    check_per_two("absolve", *find_type("vigilante", "saracen", "viking"))


def test_paladins_outsiders_guardian() -> None:
    check_per_two("develop", *find_type("guardian", "byzantine", "viking"))


@pytest.mark.parametrize(("hired", "points"), [(0, 0), (1, 0), (2, 1), (3, 1), (4, 2), (7, 3)])
def test_paladins_outsiders_hunter(hired: int, points: int) -> None:
    """Discarded townsfolk do not count, only hired ones."""
    for card in find_type("hunter", "saracen", "byzantine"):
        assert outsider_points(create_game().townsfolk(1, *sorted(DATA.townsfolk)[:hired]), card) == [points]


def check_per_suit(suit: str, *cards: str) -> None:
    """Check that each card gives a point for every attacked outsider of a suit."""
    others = [card for other, cards_of in OF_EACH_SUIT.items() if other != suit for card in cards_of]
    for attacked in range(4):
        for card in cards:
            game = create_game()
            assert all(DATA.outsiders[id].suit == suit for id in OF_EACH_SUIT[suit])
            game.exactly(game.seat(1).attacked, **dict.fromkeys((*OF_EACH_SUIT[suit][:attacked], *others), 1))
            assert outsider_points(game, card) == [attacked]


def test_paladins_outsiders_assassin() -> None:
    """The example on page 25: 3 points for three Saracens."""
    check_per_suit("saracen", *find_type("assassin", "byzantine", "viking"))


def test_paladins_outsiders_barbarian_scores() -> None:
    check_per_suit("byzantine", *find_type("barbarian", "saracen", "viking"))


def test_paladins_outsiders_invader() -> None:
    check_per_suit("viking", *find_type("invader", "saracen", "byzantine"))


def test_outsiders_that_count_attacked_ones_do_not_count_converted_ones() -> None:
    game = create_game()
    game.bring("hunter_saracen", game.seat(1).converted)
    assert outsider_points(game, "assassin_viking") == [0]


@pytest.mark.parametrize("paid", [0, 1, 4])
def test_paladins_outsiders_protector(paid: int) -> None:
    for card in find_type("protector", "saracen", "viking"):
        assert outsider_points(create_game().debts(1, unpaid=2, paid=paid), card) == [paid]


@pytest.mark.parametrize("orders", [0, 1, 2, 3])
def test_paladins_outsiders_champion(orders: int) -> None:
    """1 point, and another one for each fulfilled order."""
    for card in find_type("champion", "saracen", "byzantine"):
        game = create_game().orders("commission", "fortify", "garrison")
        for order in ("commission", "fortify", "garrison")[:orders]:
            set_times(game, order, 5)
        assert outsider_points(game, card) == [1 + orders]


@pytest.mark.parametrize("cards", [0, 1, 5])
def test_paladins_outsiders_thief(cards: int) -> None:
    for card in find_type("thief", "byzantine", "viking"):
        assert outsider_points(create_game().suspicion(1, *[1] * cards), card) == [cards]


def check_per_four(attribute: str, *cards: str) -> None:
    """Check that each card gives a point for every four points of an attribute."""
    for level in range(13):
        for card in cards:
            assert outsider_points(create_game().at(1, **{attribute: level}), card) == [level // 4]


def test_paladins_outsiders_warrior() -> None:
    """The example on page 25: 1 point for 6 faith."""
    check_per_four("faith", *find_type("warrior", "saracen", "byzantine"))


def test_paladins_outsiders_marauder() -> None:
    check_per_four("influence", *find_type("marauder", "saracen", "viking"))


def test_paladins_outsiders_arms_master() -> None:
    check_per_four("strength", *find_type("arms_master", "byzantine", "viking"))


def test_paladins_outsiders_mercenary() -> None:
    """One gives 2 points, two give 3 each, and so on (page 31)."""
    cards = sorted(id for id, card in TABLES["outsiders"].items() if card["type"] == "mercenary")
    assert len(cards) == 4
    for count in range(1, 5):
        for first in range(4):
            some = [cards[(first + at) % 4] for at in range(count)]
            assert outsider_points(create_game(), *some) == [1 + count] * count


@pytest.mark.parametrize("unpaid", [0, 1, 3])
def test_paladins_outsiders_traitor(unpaid: int) -> None:
    """Each unpaid debt costs one point less."""
    for card in find_type("traitor", "byzantine", "viking"):
        game = create_game().debts(1, unpaid=unpaid)
        assert outsider_points(game, card) == [unpaid]
        assert score_sheet(game).total == -2 * unpaid


@pytest.mark.parametrize(("reading", "second"), [("each_counts", 3), ("once_per_debt", 0)])
def test_paladins_scoring_second_traitor(reading: str, second: int) -> None:
    """The reading second_traitor."""
    game = create_game(second_traitor=reading).debts(1, unpaid=3)
    assert sorted(outsider_points(game, "traitor_byzantine", "traitor_viking")) == sorted((3, second))
    assert score_sheet(game).total == -9 + 3 + second


def test_paladins_scoring_outsiders() -> None:
    """Each counts separately and is on the sheet."""
    game = set_times(create_game(), "commission", 6).at(1, faith=9)
    outsider_points(game, "adventurer_saracen", "adventurer_viking", "warrior_saracen", "mercenary_viking")
    scored = score_sheet(game)
    assert scored.outsiders == {
        "adventurer_saracen": 3,
        "adventurer_viking": 3,
        "warrior_saracen": 2,
        "mercenary_viking": 2,
    }
    assert scored.total == 10 + scored.commission + scored.faith


def test_paladins_scoring_outsiders__not_attacked_ones() -> None:
    game = create_game()
    game.exactly(game.seat(1).attacked, mercenary_viking=1, champion_saracen=1)
    assert score_sheet(game).total == 0


# --- ties --------------------------------------------------------------------------------------------------------


def ranks(game: PaladinsGame) -> list[int]:
    """Return the ranks of all seats, in seat order, if the game ends now."""
    for seat in game.t.people:
        game.workers(seat.number)
    events = game.end_round()
    scored = details(events, e.SeatScored)
    by_seat = {standing.seat: standing.rank for standing in game.play.standings()}
    assert by_seat == {seat: score_sheet.rank for seat, score_sheet in scored.items()}
    return [scored[seat].rank for seat in sorted(scored)]


def create_tied_game() -> PaladinsGame:
    """Create a game at its end, with three seats without points."""
    game = create_game(3)
    for seat in (2, 3):
        game.at(seat, silver=0, provisions=0).townsfolk(seat).suspicion(seat)
    return game


def test_paladins_scoring_ties() -> None:
    """First the points from orders decide, then fewer suspicion cards."""
    assert ranks(create_tied_game().at(2, silver=3)) == [2, 1, 2]

    # Seat 1 has six points (an order and five monks), the others have eight for goods.
    game = (
        set_times(create_tied_game().orders("fortify", "commission"), "commission", 5).at(2, silver=24).at(3, silver=24)
    )
    game.suspicion(1, 0, 0, 0).suspicion(2, 1)
    assert ranks(game) == [1, 3, 2]

    game = create_tied_game().suspicion(1, 0, 0).suspicion(2, 2).suspicion(3, 0, 0)
    assert ranks(game) == [2, 1, 2]


def test_paladins_scoring_ties__shared() -> None:
    game = create_tied_game().at(1, silver=3).at(2, provisions=3).suspicion(1, 2).suspicion(2, 0)
    assert ranks(game) == [1, 1, 3]
    assert [standing.points for standing in game.play.standings()] == [1, 1, 0]


def test_ties_with_the_opponent_are_broken_too() -> None:
    game = create_game(2, opponent="easy").workers(2).debts(1, unpaid=1).debts(2, unpaid=1).suspicion(1, 0).suspicion(2)
    events = game.do(1, c.Pass())
    assert {seat: scored.rank for seat, scored in details(events, e.SeatScored).items()} == {1: 2, 2: 1}
    assert detail([event for event in events if event.seat == 2], e.SeatScored).total == -3
