"""All that is due lies on the table: a game that is read back in the middle of anything goes on alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

import pytest
from msgspec import Struct
from tests.titles.stories.eager import eager
from tests.titles.stories.kit import StoriesGame

from boardkeeper.table.dice import Dice
from boardkeeper.table.forking import layout_of
from boardkeeper.table.table import Table
from boardkeeper.titlekit.binding import Material
from boardkeeper.titles.stories import commands as c
from boardkeeper.titles.stories.material import Stories
from boardkeeper.titles.stories.phases.flow import HOOKS
from boardkeeper.titles.stories.play import StoriesPlay

SEED = "seed"


def read_back(play: StoriesPlay) -> StoriesPlay:
    """The rules on a fresh table on which everything lies as it does on that one, and nothing else is known."""
    t = play.t
    m = Material(Table(layout_of(play.table)), Dice(SEED.encode()))
    return StoriesPlay(Stories(m, t.data, len(t.seats), HOOKS))


def goes_on_alike(play: StoriesPlay, random: Random, moves: int) -> None:
    """Play on, and on a copy that was read back: the same is legal, and the same commands do the same."""
    other = read_back(play)
    for _ in range(moves):
        if play.is_over():
            break
        deciding = play.table.deciding()
        assert deciding == other.table.deciding()
        seat = random.choice(deciding)
        legal = list(play.legal(seat))
        assert list(other.legal(seat)) == legal
        command = eager(random, play, seat, legal)
        assert play.decide(seat, command) is None
        assert other.decide(seat, command) is None
        assert other.recorder.take() == play.recorder.take()
    assert other.table.contents() == play.table.contents()
    assert other.is_over() == play.is_over()
    assert other.standings() == play.standings()


# --- in the middle of everything -------------------------------------------------------------------------------


def rich(**readings: str) -> StoriesGame:
    """Three seats with some of everything."""
    game = StoriesGame(3, seed=SEED, **readings)
    for seat in (1, 2, 3):
        game.goods(seat, grain=2, fish=1, wood=1).coins(seat, 5).technology(seat).bag(seat, farmer=2, knight=1)
    return game.settle("c2r2", 1).settle("c3r2", 2).settle("c3r3", 3)


def two_tiles_passed() -> StoriesGame:
    """One of two bonuses of the fame track is chosen; the seat is in the middle of the round bonuses."""
    game = rich().era(1, 3).fame(1, 3).settle("c2r3", 1).village("c2r2", "c2r3").settle("c4r2", 1).village("c4r2")
    game.turn(5, "A5").enter("round_bonus")
    game.do(1, c.AdvanceEra())
    return game


def a_new_bonus_due() -> StoriesGame:
    """The bonus of the new era will follow once the second tile is settled."""
    game = rich(one_round_bonus_per_round="no").era(1, 3).fame(1, 3).era(2, 2).settle("c2r3", 1).settle("c4r2", 1)
    game.village("c2r2", "c2r3", "c4r2").turn(5, "A5").enter("round_bonus")
    game.do(1, c.AdvanceEra())
    return game


def last_on_the_fame_track() -> StoriesGame:
    """Three seats have a bonus due, and the second of them chooses."""
    game = rich()
    for seat in (1, 2, 3):
        game.fame(seat, 3)
    game.strike("B4", start=2)
    game.do(2, c.UnlockPlace("castle"))
    return game


def struck(card: str, *commands: tuple[int, Struct], **readings: str) -> Callable[[], StoriesGame]:
    """An event, and the commands after which somebody still decides in it."""

    def build() -> StoriesGame:
        game = rich(**readings)
        game.strike(card, start=2)
        for seat, command in commands:
            game.do(seat, command)
        return game

    return build


def hungry() -> StoriesGame:
    """Hunger: one of two food is given."""
    game = rich().era(2, 2).settle("c4r2", 2).settle("c4r3", 2).era(1, 2)
    game.turn(5, "A5").enter("round_bonus", start=2)
    game.do(2, c.GiveGood("fish"))
    return game


def tortured() -> StoriesGame:
    """One of three missing food is replaced."""
    game = rich().goods(2)
    game.strike("C1", start=2)
    game.do(2, c.SurrenderFortress())
    return game


def tortured_for_hunger() -> StoriesGame:
    """The round bonus waits until the torture is over."""
    game = rich().era(2, 2).goods(2).settle("c4r2", 2).settle("c4r3", 2)
    game.turn(5, "A5").enter("round_bonus", start=2)
    game.do(2, c.SurrenderSettler("c4r2"))
    return game


def sheltered() -> StoriesGame:
    """The Sacristy is asked for in an event."""
    game = rich().own(2, "sacristy").fill(2, "sacristy")
    game.strike("D3", start=2)
    return game


def sheltered_from_hunger() -> StoriesGame:
    """The Sacristy is asked for among the round bonuses."""
    game = rich().own(2, "sacristy").fill(2, "sacristy").era(2, 2)
    game.turn(5, "A5").enter("round_bonus", start=2)
    return game


def at_the_market() -> StoriesGame:
    """One of two trades is made."""
    game = rich().village("c2r2").fill(1, "market")
    game.act(1, c.UsePlace("market"), c.SellGood("wood"))
    return game


def at_the_town_hall() -> StoriesGame:
    """One of two followers has gone to a deed, past a tile of the fame track."""
    game = rich().fill(1, "town_hall", "craftsman", "trader").fame(1, 3)
    game.act(1, c.SendToDeed("town_hall", "any", "food_depot"))
    return game


def in_the_bathhouse() -> StoriesGame:
    """Two followers are drawn."""
    game = rich().own(1, "bathhouse").fill(1, "bathhouse")
    game.act(1, c.UsePlace("bathhouse"))
    return game


def in_debt() -> StoriesGame:
    """A debt is carried, and the next seat chooses."""
    game = rich(torture_empty="debt_stays").at(2, arrears=2)
    game.strike("D8", start=2)
    game.do(2, c.SellGood("grain"))
    return game


MIDDLES = {
    "fame_bonus two tiles": two_tiles_passed,
    "fame_bonus new bonus due": a_new_bonus_due,
    "fame_bonus three seats": last_on_the_fame_track,
    "give food": struck("B1", (2, c.GiveGood("grain"))),
    "give bandits": struck("B6"),
    "give hunger": hungry,
    "torture event": tortured,
    "torture hunger": tortured_for_hunger,
    "sacristy event": sheltered,
    "sacristy hunger": sheltered_from_hunger,
    "pay fire": struck("C6", (2, c.SurrenderTechnology())),
    "pay revolt": struck("D6", (2, c.PayCoins())),
    "invest": struck("B5", (2, c.GiveGood("wood"))),
    "newcomer": struck("A8", (2, c.DeclineBonus())),
    "fair": struck("D8", (2, c.SellGood("grain"))),
    "fair in debt": in_debt,
    "trek": struck("C8", (2, c.DeclineBonus())),
    "trade": at_the_market,
    "deed": at_the_town_hall,
    "bathhouse": in_the_bathhouse,
}
"""Games in the middle of something, by the decision that is open."""


@pytest.mark.parametrize("name", MIDDLES)
def test_what_was_read_back_in_the_middle_goes_on_alike(name: str) -> None:
    """Whatever is under way, a rest of it is due, and all of that lies on the table."""
    game = MIDDLES[name]()
    (seat,) = game.deciding()
    assert game.decision(seat) == name.split(maxsplit=1)[0]
    for attempt in range(3):
        goes_on_alike(read_back(game.play), Random(attempt), moves=40)


def test_whole_games_go_on_alike_after_every_command() -> None:
    """Games of eager seats, read back after each command: what is legal does not depend on how one came there."""
    met: Counter[str] = Counter()
    for seed in range(3):
        random = Random(seed)
        game = StoriesGame(2 + seed, seed=SEED, planning=("open", "sealed", "in_turn")[seed])
        play = game.play
        while not play.is_over():
            seat = random.choice(play.table.deciding())
            met[play.table.decisions[seat]] += 1
            legal = list(play.legal(seat))
            other = read_back(play)
            command = eager(random, play, seat, legal)
            assert list(other.legal(seat)) == legal
            assert other.decide(seat, command) is None
            assert play.decide(seat, command) is None
            assert other.recorder.take() == play.recorder.take()
    assert set(met) >= {"draw", "plan", "act", "fame_bonus", "give", "torture", "trade", "deed"}, met


def test_every_decision_is_tried_in_the_middle() -> None:
    """Each decision that can be open in this story is in one of the tests here, but for those that begin something."""
    beginnings = {"draw", "take_back", "plan", "act", "technology"}
    other_story = {"card", "choose_good", "church", "declare", "drawn", "look", "message", "offer", "raze", "unfed"}
    other_story.add("worth")
    decisions = set(StoriesPlay.dispatcher.legal_functions)
    assert {name.split(maxsplit=1)[0] for name in MIDDLES} == decisions - beginnings - other_story
