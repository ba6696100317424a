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


def bare(players: int = 2, **choices: str) -> PaladinsGame:
    """A seat 1 that has nothing worth a point."""
    game = PaladinsGame(players, **choices).turn(1, round=7).hired(1).suspicion(1)
    return game.at(1, silver=0, provisions=0)


def done(game: PaladinsGame, action: str, times: int, number: int = 1) -> PaladinsGame:
    """Let a seat have carried out an action so often."""
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


def sheet(game: PaladinsGame, seat: int = 1) -> SeatScored:
    """The score sheet of a seat as things stand."""
    return scoring.sheet(game.t, game.side(seat))


def test_a_seat_that_did_nothing_has_no_points() -> None:
    assert sheet(bare()).total == 0


def test_a_sheet_as_things_stand_has_no_rank() -> None:
    assert {sheet(bare(), seat).rank for seat in (1, 2)} == {0}


# --- lines -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", DATA.orders)
def test_paladins_scoring_orders(order: str) -> None:
    """Five of its action or more; 4, 6 and 8 points by its place (page 8)."""
    others = [other for other in DATA.orders if other != order]
    for place, points in enumerate((4, 6, 8)):
        row = [*others[:place], order, *others[place:2]]
        for times, fulfilled in ((4, False), (5, True), (6, True), (7, True)):
            game = done(bare().orders(*row), order, times)
            assert sheet(game).orders == ({order: points} if fulfilled else {}), (place, times)


def test_paladins_scoring_orders__only_revealed_ones() -> None:
    game = done(done(bare(), "commission", 7), "convert", 7).orders("fortify")
    assert sheet(game).orders == {}


@pytest.mark.parametrize("attribute", ["faith", "strength", "influence"])
def test_paladins_scoring_attributes(attribute: str) -> None:
    """The example on page 25 has three of these: 16 for 11, 13 for 10 and 6 for 6."""
    points = [0, 0, 1, 1, 3, 3, 6, 6, 9, 11, 13, 16, 20]
    for level, expected in enumerate(points):
        scored = sheet(bare().at(1, **{attribute: level}))
        assert (getattr(scored, attribute), scored.total) == (expected, expected), level


def test_paladins_scoring_attributes__without_the_paladin() -> None:
    """What a paladin adds is for its round and for what actions ask (page 9)."""
    assert sheet(bare().paladin(1, "roland").at(1, strength=4)).strength == 3


@pytest.mark.parametrize(("times", "points"), [(0, 0), (4, 0), (5, 2), (6, 5), (7, 9)])
def test_paladins_scoring_commission(times: int, points: int) -> None:
    scored = sheet(done(bare(), "commission", times))
    assert (scored.commission, scored.total) == (points, points)


@pytest.mark.parametrize(("times", "points"), [(0, 0), (4, 0), (5, 2), (6, 5), (7, 9)])
def test_paladins_scoring_garrison(times: int, points: int) -> None:
    scored = sheet(done(bare(), "garrison", times))
    assert (scored.garrison, scored.total) == (points, points)


@pytest.mark.parametrize(("times", "points"), [(0, 0), (4, 0), (5, 1), (6, 3), (7, 6)])
def test_paladins_scoring_fortify(times: int, points: int) -> None:
    scored = sheet(done(bare(), "fortify", times))
    assert (scored.fortify, scored.walls, scored.total) == (points, 0, points)


@pytest.mark.parametrize(("times", "points"), [(0, 0), (4, 0), (5, 1), (6, 3), (7, 6)])
def test_paladins_scoring_absolve(times: int, points: int) -> None:
    scored = sheet(done(bare(), "absolve", times))
    assert (scored.absolve, scored.total) == (points, points)


@pytest.mark.parametrize(("times", "points"), [(0, 0), (5, 0), (6, 1), (7, 3), (8, 6)])
def test_paladins_scoring_develop(times: int, points: int) -> None:
    scored = sheet(done(bare(), "develop", times))
    assert (scored.develop, scored.total) == (points, points)


@pytest.mark.parametrize("wall", sorted(DATA.walls))
def test_paladins_scoring_walls(wall: str) -> None:
    points = {"wall_03": 1, "wall_04": 1, "wall_05": 2, "wall_06": 2}.get(wall, 0)
    game = bare()
    scored = sheet(game.exactly(game.seat(1).walls, **{wall: 1}))
    assert (scored.walls, scored.total) == (points, points)


@pytest.mark.parametrize(("unpaid", "paid", "points"), [(1, 0, -3), (0, 1, 1), (3, 2, -7), (0, 5, 5)])
def test_paladins_scoring_debts(unpaid: int, paid: int, points: int) -> None:
    scored = sheet(bare().debts(1, unpaid=unpaid, paid=paid))
    assert (scored.unpaid_debts, scored.paid_debts, scored.total) == (-3 * unpaid, paid, points)


@pytest.mark.parametrize(
    ("silver", "provisions", "points"), [(2, 0, 0), (0, 2, 0), (2, 1, 1), (1, 2, 1), (3, 3, 2), (4, 4, 2), (5, 4, 3)]
)
def test_paladins_scoring_goods(silver: int, provisions: int, points: int) -> None:
    """A set may be mixed (page 25: 2 silver and 1 provision)."""
    scored = sheet(bare().at(1, silver=silver, provisions=provisions))
    assert (scored.goods, scored.total) == (points, points)


# --- outsiders ---------------------------------------------------------------------------------------------------


def each(type: str, *suits: str) -> list[str]:
    """The ids of all outsiders of a type, which are these."""
    found = sorted(id for id, card in TABLES["outsiders"].items() if card["type"] == type)
    assert found == sorted(f"{type}_{suit}" for suit in suits)
    return found


def worth(game: PaladinsGame, *cards: str, seat: int = 1) -> list[int]:
    """What each of these is worth if converted."""
    for card in cards:
        game.bring(card, game.side(seat).converted)
    found = sheet(game, seat).outsiders
    return [found[card] for card in cards]


def per_two(action: str, *cards: str) -> None:
    """Each of these is worth a point for each two times, rounded down."""
    for times in range(9 if action == "develop" else 8):
        for card in cards:
            game = bare()
            assert worth(done(game, action, times), card) == [times // 2], (card, times)


def test_paladins_outsiders_adventurer() -> None:
    per_two("commission", *each("adventurer", "saracen", "viking"))


def test_paladins_outsiders_archer() -> None:
    per_two("garrison", *each("archer", "saracen", "byzantine"))


def test_paladins_outsiders_lookout() -> None:
    per_two("fortify", *each("lookout", "byzantine", "viking"))


def test_paladins_outsiders_vigilante_scores() -> None:
    per_two("absolve", *each("vigilante", "saracen", "viking"))


def test_paladins_outsiders_guardian() -> None:
    per_two("develop", *each("guardian", "byzantine", "viking"))


@pytest.mark.parametrize(("hired", "points"), [(0, 0), (1, 0), (2, 1), (3, 1), (4, 2), (7, 3)])
def test_paladins_outsiders_hunter(hired: int, points: int) -> None:
    """Recruiting that was a discard leaves nothing to count: only hired townsfolk lie beside the board."""
    for card in each("hunter", "saracen", "byzantine"):
        assert worth(bare().hired(1, *sorted(DATA.townsfolk)[:hired]), card) == [points]


def per_suit(suit: str, *cards: str) -> None:
    """Each of these is worth a point for each outsider of a suit that was attacked."""
    others = [card for other, cards_of in OF_EACH_SUIT.items() if other != suit for card in cards_of]
    for attacked in range(4):
        for card in cards:
            game = bare()
            assert all(DATA.outsiders[id].suit == suit for id in OF_EACH_SUIT[suit])
            game.exactly(game.seat(1).attacked, **dict.fromkeys((*OF_EACH_SUIT[suit][:attacked], *others), 1))
            assert worth(game, card) == [attacked]


def test_paladins_outsiders_assassin() -> None:
    """The example on page 25 has 3 for three Saracens."""
    per_suit("saracen", *each("assassin", "byzantine", "viking"))


def test_paladins_outsiders_barbarian_scores() -> None:
    per_suit("byzantine", *each("barbarian", "saracen", "viking"))


def test_paladins_outsiders_invader() -> None:
    per_suit("viking", *each("invader", "saracen", "byzantine"))


def test_those_who_count_attacked_ones_do_not_count_converted_ones() -> None:
    game = bare()
    game.bring("hunter_saracen", game.seat(1).converted)
    assert worth(game, "assassin_viking") == [0]


@pytest.mark.parametrize("paid", [0, 1, 4])
def test_paladins_outsiders_protector(paid: int) -> None:
    for card in each("protector", "saracen", "viking"):
        assert worth(bare().debts(1, unpaid=2, paid=paid), card) == [paid]


@pytest.mark.parametrize("orders", [0, 1, 2, 3])
def test_paladins_outsiders_champion(orders: int) -> None:
    """1 point, and another one for each fulfilled order."""
    for card in each("champion", "saracen", "byzantine"):
        game = bare().orders("commission", "fortify", "garrison")
        for order in ("commission", "fortify", "garrison")[:orders]:
            done(game, order, 5)
        assert worth(game, card) == [1 + orders]


@pytest.mark.parametrize("cards", [0, 1, 5])
def test_paladins_outsiders_thief(cards: int) -> None:
    for card in each("thief", "byzantine", "viking"):
        assert worth(bare().suspicion(1, *[1] * cards), card) == [cards]


def per_four(attribute: str, *cards: str) -> None:
    """Each of these is worth a point for each four points of an attribute."""
    for level in range(13):
        for card in cards:
            assert worth(bare().at(1, **{attribute: level}), card) == [level // 4]


def test_paladins_outsiders_warrior() -> None:
    """The example on page 25 has 1 for 6 faith."""
    per_four("faith", *each("warrior", "saracen", "byzantine"))


def test_paladins_outsiders_marauder() -> None:
    per_four("influence", *each("marauder", "saracen", "viking"))


def test_paladins_outsiders_arms_master() -> None:
    per_four("strength", *each("arms_master", "byzantine", "viking"))


def test_paladins_outsiders_mercenary() -> None:
    """One is worth 2, two are worth 3 each, and so on (page 31)."""
    cards = sorted(id for id, card in TABLES["outsiders"].items() if card["type"] == "mercenary")
    assert len(cards) == 4
    for count in range(1, 5):
        for first in range(4):
            some = [cards[(first + at) % 4] for at in range(count)]
            assert worth(bare(), *some) == [1 + count] * count


@pytest.mark.parametrize("unpaid", [0, 1, 3])
def test_paladins_outsiders_traitor(unpaid: int) -> None:
    """One point less is lost for each unpaid debt."""
    for card in each("traitor", "byzantine", "viking"):
        game = bare().debts(1, unpaid=unpaid)
        assert worth(game, card) == [unpaid]
        assert sheet(game).total == -2 * unpaid


@pytest.mark.parametrize(("reading", "second"), [("each_counts", 3), ("once_per_debt", 0)])
def test_paladins_scoring_second_traitor(reading: str, second: int) -> None:
    """The reading second_traitor."""
    game = bare(second_traitor=reading).debts(1, unpaid=3)
    assert sorted(worth(game, "traitor_byzantine", "traitor_viking")) == sorted((3, second))
    assert sheet(game).total == -9 + 3 + second


def test_paladins_scoring_outsiders() -> None:
    """Each counts by itself, and each is on the sheet."""
    game = done(bare(), "commission", 6).at(1, faith=9)
    worth(game, "adventurer_saracen", "adventurer_viking", "warrior_saracen", "mercenary_viking")
    scored = sheet(game)
    assert scored.outsiders == {
        "adventurer_saracen": 3,
        "adventurer_viking": 3,
        "warrior_saracen": 2,
        "mercenary_viking": 2,
    }
    assert scored.total == 10 + scored.commission + scored.faith


def test_paladins_scoring_outsiders__not_the_attacked_ones() -> None:
    game = bare()
    game.exactly(game.seat(1).attacked, mercenary_viking=1, champion_saracen=1)
    assert sheet(game).total == 0


@pytest.mark.parametrize(("choice", "debts", "cards"), [("destroy_debt", 0, 1), ("discard_suspicion", 1, 0)])
def test_paladins_outsiders_vigilante(choice: str, debts: int, cards: int) -> None:
    """The option vigilante: what else the Saracen one gives when attacked."""
    game = bare(vigilante=choice).workers(1, scout=1, fighter=1, labourer=1).at(1, strength=2)
    game.debts(1, unpaid=1).suspicion(1, 0).display("outsiders", "vigilante_saracen")

    game.act(1, "attack", 3, c.AttackOutsider("vigilante_saracen"), c.TakeReward(choice))

    assert (game.seat(1).unpaid.total(), game.seat(1).suspicion.total()) == (debts, cards)
    assert game.seat(1).workers.items == {"cleric": 1}
    assert game.seat(1).attributes["influence"].value == 1


@pytest.mark.parametrize(("choice", "strength"), [("two", 2), ("one", 1)])
def test_paladins_outsiders_barbarian(choice: str, strength: int) -> None:
    """The option barbarian: what the Viking one gives when converted."""
    game = bare(barbarian=choice).workers(1, cleric=1, fighter=1, labourer=1).display("outsiders", "barbarian_viking")

    game.act(1, "convert", 3, c.ConvertOutsider("barbarian_viking"))

    assert game.seat(1).attributes["strength"].value == strength


# --- ties --------------------------------------------------------------------------------------------------------


def ranks(game: PaladinsGame) -> list[int]:
    """The ranks of all seats, in seat order, when the game ends now."""
    for seat in game.t.people:
        game.workers(seat.number)
    events = game.end_round()
    scored = details(events, e.SeatScored)
    by_seat = {standing.seat: standing.rank for standing in game.play.standings()}
    assert by_seat == {seat: sheet.rank for seat, sheet in scored.items()}
    return [scored[seat].rank for seat in sorted(scored)]


def three() -> PaladinsGame:
    """Three seats with nothing, at the end of the game."""
    game = bare(3)
    for seat in (2, 3):
        game.at(seat, silver=0, provisions=0).hired(seat).suspicion(seat)
    return game


def test_paladins_scoring_ties() -> None:
    """Equal points: who has more of them from orders is ahead, then who has fewer suspicion cards."""
    assert ranks(three().at(2, silver=3)) == [2, 1, 2]

    # six points for the order and five monks against eight points of goods
    game = done(three().orders("fortify", "commission"), "commission", 5).at(2, silver=24).at(3, silver=24)
    game.suspicion(1, 0, 0, 0).suspicion(2, 1)
    assert ranks(game) == [1, 3, 2]

    game = three().suspicion(1, 0, 0).suspicion(2, 2).suspicion(3, 0, 0)
    assert ranks(game) == [2, 1, 2]


def test_paladins_scoring_ties__shared() -> None:
    game = three().at(1, silver=3).at(2, provisions=3).suspicion(1, 2).suspicion(2, 0)
    assert ranks(game) == [1, 1, 3]
    assert [standing.points for standing in game.play.standings()] == [1, 1, 0]


def test_the_opponent_takes_part_in_ties() -> None:
    game = bare(2, opponent="easy").workers(2).debts(1, unpaid=1).debts(2, unpaid=1).suspicion(1, 0).suspicion(2)
    events = game.do(1, c.Pass())
    assert {seat: scored.rank for seat, scored in details(events, e.SeatScored).items()} == {1: 2, 2: 1}
    assert detail([event for event in events if event.seat == 2], e.SeatScored).total == -3
