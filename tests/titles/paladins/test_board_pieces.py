"""Commission and Garrison: monks and outposts on the main board."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from tests.titles.paladins.holdings import TABLES, change, change_by, enrich, holdings, ids_of, place_workers, take_all
from tests.titles.paladins.kit import PaladinsGame, detail

from boardkeeper.titles.paladins import commands as c
from boardkeeper.titles.paladins import events as e


class PieceAction(NamedTuple):
    """The differences between Commission and Garrison."""

    name: str
    piece: str
    needs: str
    gains: str
    command: type[c.PlaceMonk | c.PlaceOutpost]


COMMISSION = PieceAction("commission", "monk", "faith", "influence", c.PlaceMonk)
GARRISON = PieceAction("garrison", "outpost", "strength", "faith", c.PlaceOutpost)
FLAGS = {"commission": (0, 2, 4, 6, 8, 10), "garrison": (2, 3, 5, 7, 9, 11)}
PROVISIONS = (1, 1, 1, 2, 2, 3, 3)
SPACES = ids_of("spaces")


def start_action(action: PieceAction, players: int = 2, level: int = 12, **choices: str) -> PaladinsGame:
    """Create a game in which seat 1 has placed its workers."""
    game = PaladinsGame(players, **choices).turn().at(1, provisions=9, **{action.needs: level})
    place_workers(game, action.name)
    return game


def check_costs(action: PieceAction) -> None:
    """Check the printed price of each piece."""
    for sent, provisions in enumerate(PROVISIONS):
        game = PaladinsGame(4).turn().pieces(1, action.piece, *SPACES[:sent])
        game.at(1, provisions=provisions - 1, **{action.needs: 12})
        game.many_workers()
        rule = f"paladins.{action.name}.cost"
        rejection = game.reject(1, c.BeginAction(action.name, 3), rule, "NOT_ENOUGH_PROVISIONS")
        assert rejection.values == {"has": str(provisions - 1), "needs": str(provisions)}

        game.at(1, provisions=provisions)
        place_workers(game, action.name)
        events = game.do(1, action.command("r3c"))

        assert game.seat(1).provisions.value == 0
        kind = e.MonkSent if action is COMMISSION else e.OutpostBuilt
        assert detail(events, kind) == kind("r3c", 3, provisions)


def check_flags(action: PieceAction) -> None:
    """Check the attribute that each region needs, from left to right."""
    for region, flag in enumerate(FLAGS[action.name], 1):
        for level in (flag - 1, flag):
            if level < FLAGS[action.name][0]:
                continue
            game = start_action(action, 4, level)
            reached = {command.space[1] for command in game.legal(1)}  # type: ignore[attr-defined]
            assert reached == {str(nth) for nth, needs in enumerate(FLAGS[action.name], 1) if needs <= level}
            if level < flag:
                rule = f"paladins.{action.name}.flag"
                rejection = game.reject(1, action.command(f"r{region}a"), rule, "ATTRIBUTE_TOO_LOW")
                assert rejection.values == {"attribute": action.needs, "has": str(level), "needs": str(flag)}


def check_free_space(action: PieceAction) -> None:
    """Check that a space with a piece of any seat and kind is not free."""
    game = start_action(action).pieces(1, "monk", "r1a").pieces(2, "outpost", "r1b").pieces(2, "monk", "r2a")
    rule = f"paladins.{action.name}.free_space"
    for space in ("r1a", "r1b", "r2a"):
        game.reject(1, action.command(space), rule, "SPACE_TAKEN")
    game.do(1, action.command("r2b"))
    assert game.counts("space.r2b") == {f"{action.piece}.1": 1}


def check_board_full(action: PieceAction) -> None:
    """Check that the action is rejected on a full board: with two players, 25 spaces for 28 pieces."""
    game = PaladinsGame(2).turn().many_workers().at(1, provisions=9, faith=12, strength=12)
    spaces = [space.id for space, _ in game.t.spaces]
    assert len(spaces) == 25
    mine, others = spaces[:11], spaces[11:]
    sent, built = (mine[:4], mine[4:]) if action is COMMISSION else (mine[:7], mine[7:])
    game.pieces(1, "monk", *sent).pieces(1, "outpost", *built)
    game.pieces(2, "monk", *others[:7]).pieces(2, "outpost", *others[7:])
    game.reject(1, c.BeginAction(action.name, 3), f"paladins.{action.name}.free_space", "BOARD_FULL")


def check_space_reward(action: PieceAction, space: str) -> None:
    """Check the space's reward, and the attribute below the piece."""
    game = enrich(PaladinsGame(4).turn().at(1, **{action.needs: 12}).display("townsfolk", "abbot_1"))
    place_workers(game, action.name)
    before = holdings(game)

    game.do(1, action.command(space))
    take_all(game)

    gain = TABLES["spaces"][space]["gain"]
    assert change(before, holdings(game)) == {"provision": -1} | change_by([*gain, action.gains])
    assert game.counts("seat.1.townsfolk") == ({"abbot_1": 1} if "free_recruit" in gain else {})
    assert game.seat(1).areas[action.name].is_open() is ("pray" in gain)
    assert game.counts(f"space.{space}") == {f"{action.piece}.1": 1}


def check_players(action: PieceAction, players: int) -> None:
    """Check which spaces each number of players uses."""
    game = start_action(action, players)
    listed = {command.space for command in game.legal(1)}  # type: ignore[attr-defined]
    usable = {id for id in SPACES if TABLES["spaces"][id]["players"] <= players}
    assert len(usable) == {2: 25, 3: 34, 4: 40}[players]
    assert listed == usable
    for space in {*SPACES} - usable:
        game.reject(1, action.command(space), f"paladins.{action.name}.players", "NOT_WITH_SO_MANY_PLAYERS")


def check_seven_times(action: PieceAction) -> None:
    """Check the limit of seven pieces of this kind, independent of the other kind."""
    game = PaladinsGame(4).turn().many_workers().at(1, provisions=9, faith=12, strength=12)
    game.pieces(1, action.piece, *SPACES[:7])
    game.reject(1, c.BeginAction(action.name, 3), f"paladins.{action.name}.seven_times", "NO_PIECE_LEFT")
    other = GARRISON if action is COMMISSION else COMMISSION
    assert c.BeginAction(other.name, 3) in game.legal(1)


def check_gain(action: PieceAction) -> None:
    """Check that the action gives one point of its attribute besides the reward of the space."""
    game = start_action(action)
    before = holdings(game)
    game.do(1, action.command("r4c"))
    assert change(before, holdings(game)) == {action.gains: 1, "merchant": 1, "provision": -1}


# --- commission ---------------------------------------------------------------------------------------------------


def test_paladins_commission_cost() -> None:
    check_costs(COMMISSION)


def test_paladins_commission_flag() -> None:
    check_flags(COMMISSION)


def test_paladins_commission_flag__to_begin() -> None:
    """The first region needs nothing; if it is full, the next one is the nearest."""
    game = PaladinsGame(2).turn().many_workers().pieces(2, "monk", "r1a", "r1b").at(1, faith=1)
    rejection = game.reject(1, c.BeginAction("commission", 3), "paladins.commission.flag", "ATTRIBUTE_TOO_LOW")
    assert rejection.values == {"attribute": "faith", "has": "1", "needs": "2"}


def test_paladins_commission_free_space() -> None:
    check_free_space(COMMISSION)


def test_paladins_commission_free_space__on_a_full_board() -> None:
    check_board_full(COMMISSION)


@pytest.mark.parametrize("space", SPACES)
def test_paladins_commission_space(space: str) -> None:
    check_space_reward(COMMISSION, space)


def test_paladins_commission_gain() -> None:
    check_gain(COMMISSION)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_paladins_commission_players(players: int) -> None:
    check_players(COMMISSION, players)


def test_paladins_commission_seven_times() -> None:
    check_seven_times(COMMISSION)


def test_paladins_commission_flag__in_the_rulebooks_example() -> None:
    """Two workers beside a workshop, 1 provision, 2 faith and 1 of the paladin: a scout and 1 influence."""
    game = PaladinsGame(2).turn().paladin(1, "anseis").workshop(1, "commission", 1).at(1, faith=2, provisions=1)
    before = holdings(game)
    game.workers(1, labourer=1, cleric=1)
    game.do(1, c.BeginAction("commission", 2))
    game.reject(1, c.PlaceMonk("r3a"), "paladins.commission.flag", "ATTRIBUTE_TOO_LOW")
    game.do(1, c.PlaceMonk("r2c"))
    assert change(before, holdings(game)) == {"scout": 1, "influence": 1, "provision": -1}
    assert game.seat(1).monks.total() == 6


# --- garrison -----------------------------------------------------------------------------------------------------


def test_paladins_garrison_cost() -> None:
    check_costs(GARRISON)


def test_paladins_garrison_flag() -> None:
    check_flags(GARRISON)


def test_paladins_garrison_free_space() -> None:
    check_free_space(GARRISON)


def test_paladins_garrison_free_space__on_a_full_board() -> None:
    check_board_full(GARRISON)


@pytest.mark.parametrize("space", SPACES)
def test_paladins_garrison_space(space: str) -> None:
    check_space_reward(GARRISON, space)


def test_paladins_garrison_gain() -> None:
    check_gain(GARRISON)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_paladins_garrison_players(players: int) -> None:
    check_players(GARRISON, players)


def test_paladins_garrison_seven_times() -> None:
    check_seven_times(GARRISON)


def test_paladins_garrison_space__in_the_rulebooks_example() -> None:
    """Three workers, 1 provision and 5 strength: an outpost in the third region prays and uncovers 1 faith."""
    game = PaladinsGame(2).turn().paladin(1, "engelier").at(1, strength=2, provisions=1)
    game.occupy(1, "hunt", "labourer", "scout")
    place_workers(game, "garrison")
    before = holdings(game)
    game.do(1, c.PlaceOutpost("r3d"))
    assert game.legal(1) == [c.ClearArea("hunt"), c.ClearArea("garrison"), c.ForgoReward("pray")]
    game.do(1, c.ClearArea("hunt"))
    assert change(before, holdings(game)) == {"faith": 1, "provision": -1}
    assert game.seat(1).areas["hunt"].is_open()
    assert game.seat(1).outposts.total() == 6
