"""The table contains the whole state: a game restored from its table continues in the same way."""

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


def restore(play: StoriesPlay) -> StoriesPlay:
    """Return a play on a fresh table with the same contents, and nothing else."""
    t = play.t
    m = Material(Table(layout_of(play.table)), Dice(SEED.encode()))
    return StoriesPlay(Stories(m, t.data, len(t.seats), HOOKS))


def check_continuation(play: StoriesPlay, random: Random, moves: int) -> None:
    """Continue a play and a restored copy, and check that legal commands and events are the same."""
    other = restore(play)
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


# --- open decisions ------------------------------------------------------------------------------------------


def create_rich_game(**readings: str) -> StoriesGame:
    """Three seats with some of everything."""
    game = StoriesGame(3, seed=SEED, **readings)
    for seat in (1, 2, 3):
        game.goods(seat, grain=2, fish=1, wood=1).coins(seat, 5).technology(seat).bag(seat, farmer=2, knight=1)
    return game.settle("c2r2", 1).settle("c3r2", 2).settle("c3r3", 3)


def pass_two_tiles() -> StoriesGame:
    """One of two fame bonuses is chosen, during the round bonuses."""
    game = create_rich_game().era(1, 3).fame(1, 3).settle("c2r3", 1).village("c2r2", "c2r3").settle("c4r2", 1)
    game.village("c4r2")
    game.turn(5, "A5").enter("round_bonus")
    game.do(1, c.AdvanceEra())
    return game


def owe_new_round_bonus() -> StoriesGame:
    """The bonus of the new era follows after the second tile."""
    game = create_rich_game(one_round_bonus_per_round="no").era(1, 3).fame(1, 3).era(2, 2).settle("c2r3", 1)
    game.settle("c4r2", 1)
    game.village("c2r2", "c2r3", "c4r2").turn(5, "A5").enter("round_bonus")
    game.do(1, c.AdvanceEra())
    return game


def let_three_seats_choose() -> StoriesGame:
    """Three seats have a fame bonus, and the second of them has chosen."""
    game = create_rich_game()
    for seat in (1, 2, 3):
        game.fame(seat, 3)
    game.strike("B4", start=2)
    game.do(2, c.UnlockPlace("castle"))
    return game


def begin_event(card: str, *commands: tuple[int, Struct], **readings: str) -> Callable[[], StoriesGame]:
    """Return a function that begins an event and gives commands, after which a seat still has a decision."""

    def build() -> StoriesGame:
        game = create_rich_game(**readings)
        game.strike(card, start=2)
        for seat, command in commands:
            game.do(seat, command)
        return game

    return build


def give_one_food() -> StoriesGame:
    """Hunger: one of two food is given."""
    game = create_rich_game().era(2, 2).settle("c4r2", 2).settle("c4r3", 2).era(1, 2)
    game.turn(5, "A5").enter("round_bonus", start=2)
    game.do(2, c.GiveGood("fish"))
    return game


def surrender_one_item() -> StoriesGame:
    """One of three missing food is replaced."""
    game = create_rich_game().goods(2)
    game.strike("C1", start=2)
    game.do(2, c.SurrenderFortress())
    return game


def surrender_for_hunger() -> StoriesGame:
    """The round bonuses wait for the end of the torture."""
    game = create_rich_game().era(2, 2).goods(2).settle("c4r2", 2).settle("c4r3", 2)
    game.turn(5, "A5").enter("round_bonus", start=2)
    game.do(2, c.SurrenderSettler("c4r2"))
    return game


def offer_sacristy_in_event() -> StoriesGame:
    """The Sacristy is offered in an event."""
    game = create_rich_game().own(2, "sacristy").fill(2, "sacristy")
    game.strike("D3", start=2)
    return game


def offer_sacristy_in_hunger() -> StoriesGame:
    """The Sacristy is offered during the round bonuses."""
    game = create_rich_game().own(2, "sacristy").fill(2, "sacristy").era(2, 2)
    game.turn(5, "A5").enter("round_bonus", start=2)
    return game


def make_one_trade() -> StoriesGame:
    """One of two trades is made."""
    game = create_rich_game().village("c2r2").fill(1, "market")
    game.act(1, c.UsePlace("market"), c.SellGood("wood"))
    return game


def send_one_follower() -> StoriesGame:
    """One of two followers is sent to a deed, which reaches a fame tile."""
    game = create_rich_game().fill(1, "town_hall", "craftsman", "trader").fame(1, 3)
    game.act(1, c.SendToDeed("town_hall", "any", "food_depot"))
    return game


def draw_in_bathhouse() -> StoriesGame:
    """Two followers are drawn."""
    game = create_rich_game().own(1, "bathhouse").fill(1, "bathhouse")
    game.act(1, c.UsePlace("bathhouse"))
    return game


def carry_debt() -> StoriesGame:
    """A debt is carried, and the next seat chooses."""
    game = create_rich_game(torture_empty="debt_stays").at(2, arrears=2)
    game.strike("D8", start=2)
    game.do(2, c.SellGood("grain"))
    return game


OPEN_DECISIONS = {
    "fame_bonus two tiles": pass_two_tiles,
    "fame_bonus new bonus due": owe_new_round_bonus,
    "fame_bonus three seats": let_three_seats_choose,
    "give food": begin_event("B1", (2, c.GiveGood("grain"))),
    "give bandits": begin_event("B6"),
    "give hunger": give_one_food,
    "torture event": surrender_one_item,
    "torture hunger": surrender_for_hunger,
    "sacristy event": offer_sacristy_in_event,
    "sacristy hunger": offer_sacristy_in_hunger,
    "pay fire": begin_event("C6", (2, c.SurrenderTechnology())),
    "pay revolt": begin_event("D6", (2, c.PayCoins())),
    "invest": begin_event("B5", (2, c.GiveGood("wood"))),
    "newcomer": begin_event("A8", (2, c.DeclineBonus())),
    "fair": begin_event("D8", (2, c.SellGood("grain"))),
    "fair in debt": carry_debt,
    "trek": begin_event("C8", (2, c.DeclineBonus())),
    "trade": make_one_trade,
    "deed": send_one_follower,
    "bathhouse": draw_in_bathhouse,
}
"""Functions that create games, by the open decision (first word)."""


@pytest.mark.parametrize("name", OPEN_DECISIONS)
def test_restored_game_continues_in_the_same_way(name: str) -> None:
    game = OPEN_DECISIONS[name]()
    (seat,) = game.deciding()
    assert game.decision(seat) == name.split(maxsplit=1)[0]
    for attempt in range(3):
        check_continuation(restore(game.play), Random(attempt), moves=40)


def test_game_restored_after_every_command_continues_in_the_same_way() -> None:
    """Games of eager seats."""
    counts: Counter[str] = Counter()
    for seed in range(3):
        random = Random(seed)
        game = StoriesGame(2 + seed, seed=SEED, planning=("open", "sealed", "in_turn")[seed])
        play = game.play
        while not play.is_over():
            seat = random.choice(play.table.deciding())
            counts[play.table.decisions[seat]] += 1
            legal = list(play.legal(seat))
            other = restore(play)
            command = eager(random, play, seat, legal)
            assert list(other.legal(seat)) == legal
            assert other.decide(seat, command) is None
            assert play.decide(seat, command) is None
            assert other.recorder.take() == play.recorder.take()
    assert set(counts) >= {"draw", "plan", "act", "fame_bonus", "give", "torture", "trade", "deed"}, counts


def test_all_decisions_are_covered() -> None:
    """Each decision of this story, except those that start an action."""
    starts = {"draw", "take_back", "plan", "act", "technology"}
    other_story = {"card", "choose_good", "church", "declare", "drawn", "look", "message", "offer", "raze", "unfed"}
    other_story.add("worth")
    decisions = set(StoriesPlay.dispatcher.legal_functions)
    assert {name.split(maxsplit=1)[0] for name in OPEN_DECISIONS} == decisions - starts - other_story
