"""Commission and Garrison: monks and outposts on the main board."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from tests.titles.paladins.holdings import TABLES, cards, change, holdings, place_workers, rich, taken, worth
from tests.titles.paladins.kit import PaladinsGame, detail

from boardkeeper.titles.paladins import commands as c
from boardkeeper.titles.paladins import events as e


class Sending(NamedTuple):
    """What is different between the two."""

    action: str
    piece: str
    needs: str
    gains: str
    command: type[c.PlaceMonk | c.PlaceOutpost]


COMMISSION = Sending("commission", "monk", "faith", "influence", c.PlaceMonk)
GARRISON = Sending("garrison", "outpost", "strength", "faith", c.PlaceOutpost)
FLAGS = {"commission": (0, 2, 4, 6, 8, 10), "garrison": (2, 3, 5, 7, 9, 11)}
PROVISIONS = (1, 1, 1, 2, 2, 3, 3)
SPACES = cards("spaces")


def sending(how: Sending, players: int = 2, level: int = 12, **choices: str) -> PaladinsGame:
    """A game in which seat 1 has placed its workers."""
    game = PaladinsGame(players, **choices).turn().at(1, provisions=9, **{how.needs: level})
    place_workers(game, how.action)
    return game


def costs(how: Sending) -> None:
    """Each piece costs as much as is printed above it, and is not sent for less."""
    for sent, provisions in enumerate(PROVISIONS):
        game = PaladinsGame(4).turn().pieces(1, how.piece, *SPACES[:sent])
        game.at(1, provisions=provisions - 1, **{how.needs: 12})
        game.many_workers()
        rule = f"paladins.{how.action}.cost"
        refused = game.reject(1, c.BeginAction(how.action, 3), rule, "NOT_ENOUGH_PROVISIONS")
        assert refused.values == {"has": str(provisions - 1), "needs": str(provisions)}

        game.at(1, provisions=provisions)
        place_workers(game, how.action)
        events = game.do(1, how.command("r3c"))

        assert game.seat(1).provisions.value == 0
        kind = e.MonkSent if how is COMMISSION else e.OutpostBuilt
        assert detail(events, kind) == kind("r3c", 3, provisions)


def flags(how: Sending) -> None:
    """Regions from left to right ask for more; what the space gives does not matter."""
    for region, flag in enumerate(FLAGS[how.action], 1):
        for level in (flag - 1, flag):
            if level < FLAGS[how.action][0]:
                continue
            game = sending(how, 4, level)
            reached = {command.space[1] for command in game.legal(1)}  # type: ignore[attr-defined]
            assert reached == {str(nth) for nth, needs in enumerate(FLAGS[how.action], 1) if needs <= level}
            if level < flag:
                rule = f"paladins.{how.action}.flag"
                refused = game.reject(1, how.command(f"r{region}a"), rule, "ATTRIBUTE_TOO_LOW")
                assert refused.values == {"attribute": how.needs, "has": str(level), "needs": str(flag)}


def free_space(how: Sending) -> None:
    """Neither a monk nor an outpost may stand there, whoever has sent it."""
    game = sending(how).pieces(1, "monk", "r1a").pieces(2, "outpost", "r1b").pieces(2, "monk", "r2a")
    rule = f"paladins.{how.action}.free_space"
    for space in ("r1a", "r1b", "r2a"):
        game.reject(1, how.command(space), rule, "SPACE_TAKEN")
    game.do(1, how.command("r2b"))
    assert game.counts("space.r2b") == {f"{how.piece}.1": 1}


def board_full(how: Sending) -> None:
    """With two players there are 25 spaces for 28 pieces."""
    game = PaladinsGame(2).turn().many_workers().at(1, provisions=9, faith=12, strength=12)
    spaces = [space.id for space, _ in game.t.spaces]
    assert len(spaces) == 25
    mine, others = spaces[:11], spaces[11:]
    sent, built = (mine[:4], mine[4:]) if how is COMMISSION else (mine[:7], mine[7:])
    game.pieces(1, "monk", *sent).pieces(1, "outpost", *built)
    game.pieces(2, "monk", *others[:7]).pieces(2, "outpost", *others[7:])
    game.reject(1, c.BeginAction(how.action, 3), f"paladins.{how.action}.free_space", "BOARD_FULL")


def space_reward(how: Sending, space: str) -> None:
    """The space's reward, and the attribute below the piece."""
    game = rich(PaladinsGame(4).turn().at(1, **{how.needs: 12}).display("townsfolk", "abbot_1"))
    place_workers(game, how.action)
    before = holdings(game)

    game.do(1, how.command(space))
    taken(game)

    gain = TABLES["spaces"][space]["gain"]
    assert change(before, holdings(game)) == {"provision": -1} | worth([*gain, how.gains])
    assert game.counts("seat.1.townsfolk") == ({"abbot_1": 1} if "free_recruit" in gain else {})
    assert game.seat(1).areas[how.action].is_open() is ("pray" in gain)
    assert game.counts(f"space.{space}") == {f"{how.piece}.1": 1}


def for_players(how: Sending, players: int) -> None:
    """Spaces for three and four, and those that anybody uses."""
    game = sending(how, players)
    listed = {command.space for command in game.legal(1)}  # type: ignore[attr-defined]
    usable = {id for id in SPACES if TABLES["spaces"][id]["players"] <= players}
    assert len(usable) == {2: 25, 3: 34, 4: 40}[players]
    assert listed == usable
    for space in {*SPACES} - usable:
        game.reject(1, how.command(space), f"paladins.{how.action}.players", "NOT_WITH_SO_MANY_PLAYERS")


def seven_times(how: Sending) -> None:
    """Seven pieces of that kind, whatever the other kind does."""
    game = PaladinsGame(4).turn().many_workers().at(1, provisions=9, faith=12, strength=12)
    game.pieces(1, how.piece, *SPACES[:7])
    game.reject(1, c.BeginAction(how.action, 3), f"paladins.{how.action}.seven_times", "NO_PIECE_LEFT")
    other = GARRISON if how is COMMISSION else COMMISSION
    assert c.BeginAction(other.action, 3) in game.legal(1)


def gain(how: Sending) -> None:
    """One point, on top of whatever the space gives."""
    game = sending(how)
    before = holdings(game)
    game.do(1, how.command("r4c"))
    assert change(before, holdings(game)) == {how.gains: 1, "merchant": 1, "provision": -1}


# --- commission ---------------------------------------------------------------------------------------------------


def test_paladins_commission_cost() -> None:
    costs(COMMISSION)


def test_paladins_commission_flag() -> None:
    flags(COMMISSION)


def test_paladins_commission_flag__to_begin() -> None:
    """The first region asks for nothing; when it is full, the next one is the nearest."""
    game = PaladinsGame(2).turn().many_workers().pieces(2, "monk", "r1a", "r1b").at(1, faith=1)
    refused = game.reject(1, c.BeginAction("commission", 3), "paladins.commission.flag", "ATTRIBUTE_TOO_LOW")
    assert refused.values == {"attribute": "faith", "has": "1", "needs": "2"}


def test_paladins_commission_free_space() -> None:
    free_space(COMMISSION)


def test_paladins_commission_free_space__and_none_is_left() -> None:
    board_full(COMMISSION)


@pytest.mark.parametrize("space", SPACES)
def test_paladins_commission_space(space: str) -> None:
    space_reward(COMMISSION, space)


def test_paladins_commission_gain() -> None:
    gain(COMMISSION)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_paladins_commission_players(players: int) -> None:
    for_players(COMMISSION, players)


def test_paladins_commission_seven_times() -> None:
    seven_times(COMMISSION)


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
    costs(GARRISON)


def test_paladins_garrison_flag() -> None:
    flags(GARRISON)


def test_paladins_garrison_free_space() -> None:
    free_space(GARRISON)


def test_paladins_garrison_free_space__and_none_is_left() -> None:
    board_full(GARRISON)


@pytest.mark.parametrize("space", SPACES)
def test_paladins_garrison_space(space: str) -> None:
    space_reward(GARRISON, space)


def test_paladins_garrison_gain() -> None:
    gain(GARRISON)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_paladins_garrison_players(players: int) -> None:
    for_players(GARRISON, players)


def test_paladins_garrison_seven_times() -> None:
    seven_times(GARRISON)


def test_paladins_garrison_space__in_the_rulebooks_example() -> None:
    """Three workers, 1 provision and 5 strength: an outpost in the third region lets pray, and uncovers 1 faith."""
    game = PaladinsGame(2).turn().paladin(1, "engelier").at(1, strength=2, provisions=1)
    game.occupied(1, "hunt", "labourer", "scout")
    place_workers(game, "garrison")
    before = holdings(game)
    game.do(1, c.PlaceOutpost("r3d"))
    assert game.legal(1) == [c.ClearArea("hunt"), c.ClearArea("garrison"), c.ForgoReward("pray")]
    game.do(1, c.ClearArea("hunt"))
    assert change(before, holdings(game)) == {"faith": 1, "provision": -1}
    assert game.seat(1).areas["hunt"].is_open()
    assert game.seat(1).outposts.total() == 6
