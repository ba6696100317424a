"""Drawing followers, taking them back, and planning."""

from __future__ import annotations

import pytest
from tests.titles.stories.kit import StoriesGame, detail

from boardkeeper.table.visibility import only, redact_effects
from boardkeeper.titles.stories import commands as c
from boardkeeper.titles.stories import events as e

DRAWS = {1: 4, 2: 7, 3: 5, 4: 6, 5: 7}
"""The number of followers drawn in each era."""


def create_drawing_game(era: int = 1, *, market: int = 0) -> StoriesGame:
    """Seat 1 draws, with this number of followers on its market and nine in its bag."""
    game = StoriesGame().era(1, era).market(1, farmer=market).bag(1, fisherman=9)
    game.enter("followers")
    return game


def create_planning_game(players: int = 2, planning: str = "open", **market: int) -> StoriesGame:
    """Planning, with these followers on the market of seat 1."""
    game = StoriesGame(players, planning=planning)
    game.market(1, **market).enter("planning")
    return game


def place(follower: str, place: str, space: str = "") -> c.PlaceFollower:
    """Place a follower on a space, by default on that of its character."""
    return c.PlaceFollower(follower, place, space or follower)


# --- drawing -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("era", "draws"), DRAWS.items())
def test_stories_drawing_eras(era: int, draws: int) -> None:
    """Each seat draws by its own era."""
    game = StoriesGame().era(1, era).bag(1, farmer=9).bag(2, farmer=9).market(1).market(2)
    game.enter("followers")
    assert game.listed(1, c.DrawFollowers) == [c.DrawFollowers(count) for count in range(draws + 1)]
    assert game.listed(2, c.DrawFollowers) == [c.DrawFollowers(count) for count in range(4 + 1)]
    game.reject(2, c.DrawFollowers(5), "stories.drawing.limit")
    game.do(1, c.DrawFollowers(draws))


@pytest.mark.parametrize(("era", "draws"), DRAWS.items())
def test_stories_drawing_limit(era: int, draws: int) -> None:
    """The number of the era; one fewer in a hard winter."""
    game = create_drawing_game(era)
    game.reject(1, c.DrawFollowers(draws + 1), "stories.drawing.limit", "TOO_MANY_DRAWS")
    game.turn(5, "B7")
    game.reject(1, c.DrawFollowers(draws), "stories.drawing.limit", "TOO_MANY_DRAWS")
    game.do(1, c.DrawFollowers(draws - 1))


def test_stories_drawing_market_spaces() -> None:
    """The market has eight spaces, with a Hayloft ten, including those already taken."""
    game = create_drawing_game(2, market=6)
    game.reject(1, c.DrawFollowers(3), "stories.drawing.market_room", "TOO_MANY_DRAWS")
    game.own(1, "hayloft").do(1, c.DrawFollowers(4))
    assert game.seat(1).market.total() == 10


def test_stories_drawing_random() -> None:
    """The dice choose the followers."""
    drawn = set()
    for seed in "abcdefgh":
        game = StoriesGame(seed=seed).market(1).bag(1, farmer=2, fisherman=2, craftsman=2, trader=2)
        game.enter("followers")
        drawn.add(detail(game.do(1, c.DrawFollowers(3)), e.FollowersDrawn).followers)
    assert len(drawn) > 2


def test_stories_drawing_first_round() -> None:
    """In the first round the bags are empty: all seats plan at once."""
    game = StoriesGame(3)
    assert (game.t.round.value, game.t.phase.value, game.deciding()) == (1, "planning", [1, 2, 3])


def test_stories_drawing_idle_followers() -> None:
    """A follower that is not placed stays on the market for the next round."""
    game = StoriesGame().next_event("A1").market(1, scholar=3).bag(1, fisherman=9)
    game.idle_round()
    assert game.seat(1).market.counts() == {"scholar": 3}


def test_stories_drawing_own_bag() -> None:
    """Only the owner sees the content of a bag."""
    game = create_drawing_game()
    assert game.table.zones["seat.1.bag"].visibility == only(1)


# --- taking back ---------------------------------------------------------------------------------------------


def create_taking_back_game() -> StoriesGame:
    """Seat 1 draws, with a trader and a farmer on its Fishery."""
    game = StoriesGame().market(1).bag(1, fisherman=9).fill(1, "fishery")
    game.enter("followers")
    return game


def test_stories_taking_back_costs_a_draw() -> None:
    """Each follower taken back costs one draw."""
    game = create_taking_back_game()
    events = game.do(1, c.TakeBackFollower("fishery", "trader"))
    assert detail(events, e.FollowerTakenBack) == e.FollowerTakenBack("trader", "fishery", "trader")
    assert game.seat(1).market.counts() == {"trader": 1}
    game.reject(1, c.DrawFollowers(4), "stories.drawing.limit", "TOO_MANY_DRAWS")
    game.do(1, c.DrawFollowers(3))


def test_stories_taking_back_limit() -> None:
    """The draws of the era limit drawing and taking back together."""
    game = create_taking_back_game().era(1, 1).fill(1, "farm").fill(1, "market")
    for key in (("fishery", "farmer"), ("fishery", "trader"), ("farm", "fisherman"), ("farm", "craftsman")):
        game.do(1, c.TakeBackFollower(*key))
    game.reject(1, c.TakeBackFollower("market", "trader"), "stories.taking_back.limit", "NO_DRAW_LEFT")


def test_stories_taking_back_after_drawing() -> None:
    """After drawing fewer followers a seat may still take some back."""
    game = create_taking_back_game()
    game.do(1, c.DrawFollowers(3))
    assert game.decision(1) == "take_back"
    game.do(1, c.TakeBackFollower("fishery", "farmer"))
    assert game.t.phase.value == "planning"
    game = create_taking_back_game()
    game.do(1, c.DrawFollowers(3), c.FinishTakingBack())
    assert game.t.phase.value == "planning"


def test_stories_taking_back_before_drawing() -> None:
    """Reading ``taking_back_time``: no follower can be taken back after drawing."""
    game = StoriesGame(taking_back_time="before_drawing").market(1).bag(1, fisherman=9).fill(1, "fishery")
    game.enter("followers")
    game.do(1, c.TakeBackFollower("fishery", "farmer"), c.DrawFollowers(1))
    assert game.t.phase.value == "planning"


def test_stories_taking_back_possible_draws() -> None:
    """Reading ``taking_back``: only draws that the bag allows can be given up."""
    game = StoriesGame(taking_back="possible_draws").market(1).bag(1, fisherman=1).fill(1, "fishery")
    game.enter("followers")
    game.do(1, c.TakeBackFollower("fishery", "farmer"))
    rule = "stories.taking_back.possible_draws"
    game.reject(1, c.TakeBackFollower("fishery", "trader"), rule, "NO_DRAW_LEFT")
    game.reject(1, c.DrawFollowers(1), rule, "TOO_MANY_DRAWS")


# --- planning ------------------------------------------------------------------------------------------------


def test_stories_planning_from_market() -> None:
    """A follower comes from the own market, not from the bag, the supply or another seat's market."""
    game = create_planning_game(farmer=1).bag(1, trader=1).market(2, craftsman=1)
    for follower in ("trader", "craftsman", "fisherman"):
        game.reject(1, place(follower, "town_hall", "any"), "stories.planning.from_market", "NOT_ON_MARKET")
    game.do(1, place("farmer", "fishery"))
    game.reject(1, place("farmer", "university"), "stories.planning.from_market")


def test_stories_planning_own_place() -> None:
    """A locked base place card, a card that no seat has taken, or one of another seat is no own place."""
    game = create_planning_game(farmer=1).own(2, "granary")
    for other in ("castle", "winery", "granary"):
        game.reject(1, place("farmer", other), "stories.planning.own_place", "NOT_YOUR_SPACE")
    game.unlock(1, "castle").do(1, place("farmer", "castle"))


@pytest.mark.parametrize("follower", ["farmer", "fisherman", "craftsman", "trader", "knight", "scholar"])
def test_stories_planning_matching_space(follower: str) -> None:
    """A follower fits the spaces of its character and those for any."""
    game = StoriesGame().unlock(1).own(1, "pub", "library", "cellar").market(1, **{follower: 1})
    game.enter("planning")
    spaces = game.seat(1).estate().spaces
    fitting = {key for key, space in spaces.items() if {follower, "any"} & set(space.requires.split("|"))}
    placed = {(command.place, command.space) for command in game.listed(1, c.PlaceFollower)}
    assert placed == fitting
    for key in set(spaces) - fitting:
        rule = "stories.wild.never_for_monk" if spaces[key].requires == "monk" else "stories.planning.matching_space"
        game.reject(1, place(follower, *key), rule)


def test_stories_planning_either_character() -> None:
    """A space for two characters accepts either of them, but no third, and only one follower."""
    game = create_planning_game(farmer=1, fisherman=1, knight=2, craftsman=1)
    for follower in ("fisherman", "craftsman"):
        game.reject(1, place(follower, "territory", "farmer"), "stories.planning.matching_space", "WRONG_CHARACTER")
    game.do(1, place("knight", "territory", "farmer"), place("knight", "territory", "fisherman"))
    game.reject(1, place("farmer", "territory"), "stories.planning.free_space", "SPACE_TAKEN")
    game.do(1, c.WithdrawFollower("territory", "farmer"), place("farmer", "territory"))


def test_stories_planning_either_character__during_a_crusade() -> None:
    """The farmer may still be placed where knights are forbidden."""
    game = StoriesGame().turn(9, "C7").market(1, farmer=1, knight=1)
    game.enter("planning")
    game.reject(1, place("knight", "territory", "farmer"), "stories.events.crusade", "FORBIDDEN_NOW")
    game.do(1, place("farmer", "territory"))


def test_stories_planning_partly() -> None:
    """A place may be filled partly; it cannot be used then."""
    game = create_planning_game(fisherman=1)
    game.do(1, place("fisherman", "farm"))
    game.idle_until("actions")
    game.reject(1, c.UsePlace("farm"), "stories.actions.activated", "NOT_ACTIVATED")
    game.fill(1, "farm", "", "craftsman").do(1, c.UsePlace("farm"))


def test_stories_planning_keep_on_market() -> None:
    game = create_planning_game(fisherman=1, farmer=2)
    game.do(1, c.FinishPlanning())
    assert game.seat(1).market.counts() == {"fisherman": 1, "farmer": 2}


def test_stories_planning_only_this_phase() -> None:
    """A follower placed in an earlier round stays."""
    game = create_planning_game(trader=1).fill(1, "fishery", "farmer")
    game.do(1, place("trader", "fishery"))
    game.reject(1, c.WithdrawFollower("fishery", "farmer"), "stories.planning.only_this_phase", "NOT_PLACED_NOW")
    game.reject(1, c.WithdrawFollower("farm", "fisherman"), "stories.planning.only_this_phase", "SPACE_EMPTY")


def test_stories_planning_final() -> None:
    game = create_planning_game(farmer=2)
    game.do(1, place("farmer", "fishery"), c.FinishPlanning())
    assert game.legal(1) == []
    game.reject(1, c.WithdrawFollower("fishery", "farmer"), "table.not_deciding")


def test_stories_planning_open() -> None:
    """With open plans every viewer sees at once what is placed."""
    game = create_planning_game(farmer=1)
    (event,) = game.do(1, place("farmer", "fishery"))
    for viewer in (0, 2):
        assert redact_effects(game.table, event.effects, viewer)[1]


def test_stories_planning_sealed() -> None:
    """With sealed plans other viewers see nothing before all seats have finished."""
    game = create_planning_game(planning="sealed", farmer=1)
    (event,) = game.do(1, place("farmer", "fishery"))
    for viewer, is_seen in ((0, False), (1, True), (2, False)):
        assert redact_effects(game.table, event.effects, viewer)[1] is is_seen
    game.do(1, c.FinishPlanning())
    events = game.idle(2)
    placed = [event.detail for event in events if isinstance(event.detail, e.PlansRevealed) and event.seat == 1]
    assert [[(one.follower, one.place) for one in plans.placements] for plans in placed] == [[("farmer", "fishery")]]


# --- acting --------------------------------------------------------------------------------------------------


def test_stories_actions_any_order() -> None:
    """A seat uses its activated places in any order."""
    for first, second in (("granary", "sawmill"), ("sawmill", "granary")):
        game = StoriesGame().own(1, "granary", "sawmill").fill(1, "granary").fill(1, "sawmill")
        game.act(1, c.UsePlace(first))
        game.idle(2)
        game.do(1, c.UsePlace(second))


def test_stories_actions_voluntary() -> None:
    """A seat may pass although it could act."""
    game = StoriesGame().own(1, "granary").fill(1, "granary")
    game.act(1, c.Pass())
    assert game.deciding() == [2]


def test_stories_actions_until_all_passed() -> None:
    """A seat that has not passed continues to act, also if all others have passed."""
    game = StoriesGame(3).own(1, "granary", "sawmill", "ferry").fill(1, "granary").fill(1, "sawmill").fill(1, "ferry")
    game.act(1, c.UsePlace("granary"))
    game.idle(2, 3)
    game.do(1, c.UsePlace("sawmill"))
    assert game.deciding() == [1]
    game.do(1, c.UsePlace("ferry"), c.Pass())
    assert game.t.phase.value != "actions"


def test_stories_actions_unused_stay() -> None:
    """An unused place is still activated in the next round."""
    game = StoriesGame().next_event("A5").own(1, "granary").fill(1, "granary")
    game.act(1, c.Pass())
    game.idle_round()
    game.idle_until("actions")
    game.idle(2)
    game.do(1, c.UsePlace("granary"))
