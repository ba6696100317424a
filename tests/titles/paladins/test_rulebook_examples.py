"""The rulebook's scoring examples, line by line of the score sheet (pp. 25 and 30)."""

from __future__ import annotations

from tests.titles.paladins.kit import PaladinsGame

from boardkeeper.titles.paladins import scoring


def test_the_players_example_scores_66_points() -> None:
    """Page 25."""
    game = PaladinsGame(2).turn(1, round=7).townsfolk(1)
    seat = game.seat(1)
    game.orders("fortify", "attack", "commission")
    game.at(1, strength=11, influence=10, faith=6, silver=2, provisions=1)
    game.pieces(1, "monk", "r1a", "r1b", "r2a", "r2b", "r3a", "r3b")
    for wall in ("wall_03", "wall_05", "wall_01", "wall_15", "wall_16", "wall_19"):
        game.bring(wall, seat.walls)
    for card in ("adventurer_saracen", "warrior_saracen", "warrior_byzantine", "assassin_viking"):
        game.bring(card, seat.converted)
    for card in ("archer_saracen", "hunter_saracen", "invader_saracen", "guardian_viking"):
        game.bring(card, seat.attacked)
    game.debts(1, unpaid=1, paid=2)

    sheet = scoring.sheet(game.t, seat)

    assert sheet.orders == {"fortify": 4, "commission": 8}
    assert (sheet.strength, sheet.influence, sheet.faith) == (16, 13, 6)
    assert sheet.commission == 5
    assert (sheet.fortify, sheet.walls) == (3, 3)
    assert sheet.outsiders == {
        "adventurer_saracen": 3,
        "warrior_saracen": 1,
        "warrior_byzantine": 1,
        "assassin_viking": 3,
    }
    assert (sheet.paid_debts, sheet.unpaid_debts) == (2, -3)
    assert sheet.goods == 1
    assert (sheet.develop, sheet.garrison, sheet.absolve) == (0, 0, 0)
    assert sheet.total == 66


def test_the_opponents_example_scores_76_points() -> None:
    """Page 30: no points for workshops, silver and provisions, but at least one for each converted outsider."""
    game = PaladinsGame(2, opponent="standard").turn(1, round=7)
    opponent = game.opponent()
    for area in opponent.right:
        game.empty(area.spaces[0], "seat.2.workshops").empty(area.spaces[1], "seat.2.workshops")
    game.orders("attack", "commission", "garrison")
    game.at(2, strength=12, faith=11, influence=10)
    game.pieces(2, "monk", "r1a", "r1b", "r2a", "r2b", "r3a", "r3b")
    game.pieces(2, "outpost", "r2c", "r2d", "r3c", "r3d", "r3e")
    for action in ("commission", "fortify", "garrison", "absolve", "attack", "convert"):
        game.workshop(2, action, 1)
    cards = ("arms_master_viking", "lookout_byzantine", "guardian_viking", "protector_saracen", "invader_saracen")
    for card in (*cards, "hunter_byzantine"):
        game.bring(card, opponent.converted)
    for card in ("warrior_saracen", "adventurer_viking", "assassin_viking"):
        game.bring(card, opponent.attacked)
    for wall in ("wall_01", "wall_02"):
        game.bring(wall, opponent.walls)
    game.debts(2, unpaid=2, paid=1)

    sheet = scoring.sheet(game.t, opponent)

    assert sheet.orders == {"commission": 6, "garrison": 8}
    assert sheet.strength + sheet.faith + sheet.influence == 49
    assert (sheet.commission, sheet.garrison) == (5, 2)
    assert sheet.outsiders == {
        "arms_master_viking": 3,
        "lookout_byzantine": 1,
        "guardian_viking": 3,
        "protector_saracen": 1,
        "invader_saracen": 2,
        "hunter_byzantine": 1,
    }
    assert (sheet.paid_debts, sheet.unpaid_debts) == (1, -6)
    assert (sheet.develop, sheet.goods, sheet.walls, sheet.fortify, sheet.absolve) == (0, 0, 0, 0, 0)
    assert sheet.total == 76
