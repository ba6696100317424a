"""The Bathhouse: an action that places a follower from the bag."""

from __future__ import annotations

import pytest
from tests.titles.orleans.kit import OrleansGame, detail, named

from boardkeeper.table.effects import Event
from boardkeeper.titles.orleans import commands as c
from boardkeeper.titles.orleans import events as e

BATHE = c.UsePlace("bathhouse")


def ready(activator: str = "farmer", *owned: str, choices: dict[str, str] | None = None, **bag: int) -> OrleansGame:
    """Create a game in which only seat 1 still acts, with an activated Bathhouse and these followers in its bag."""
    game = (
        OrleansGame(4, **(choices or {}))
        .own(1, "bathhouse", *owned)
        .market(1)
        .fill(1, "bathhouse", activator)
        .bag(1, **bag)
    )
    game.turn(4, "income", "A")
    game.enter("actions", start=2)
    game.idle(2, 3, 4)
    return game


def visit(game: OrleansGame) -> list[Event]:
    """Use the Bathhouse."""
    return game.do(1, BATHE)


def legal_placements(game: OrleansGame) -> set[tuple[str, str, str]]:
    """Return the followers and spaces of all legal placements."""
    return {(x.follower, x.place, x.space) for x in game.legal(1) if isinstance(x, c.PlaceDrawnFollower)}


def test_orleans_bathhouse_draw() -> None:
    """Two followers are drawn from the bag, and one of them is placed at once (p. 8)."""
    game = ready(knight=3, scholar=3)

    drawn = detail(visit(game), e.BathhouseVisited).followers

    assert len(drawn) == 2
    assert game.seat(1).drawn.total() == 2
    assert game.seat(1).bag.total() == 4
    assert game.deciding() == [1]
    events = game.do(1, c.PlaceDrawnFollower(drawn[0], "scriptorium", drawn[0]))
    assert detail(events, e.DrawnFollowerPlaced).follower == drawn[0]
    assert game.counts(f"seat.1.scriptorium.{drawn[0]}") == {drawn[0]: 1}


def test_orleans_bathhouse_draw__at_random() -> None:
    """Other dice draw other followers (p. 8)."""
    seen = set()
    for seed in range(30):
        game = (
            OrleansGame(2, seed=str(seed)).own(1, "bathhouse").fill(1, "bathhouse").bag(1, knight=1, monk=1, trader=1)
        )
        game.enter("actions")
        seen.add(tuple(sorted(detail(game.do(1, BATHE), e.BathhouseVisited).followers)))

    assert seen == {("knight", "monk"), ("knight", "trader"), ("monk", "trader")}


def test_orleans_bathhouse_drawn_follower() -> None:
    """Only a drawn follower is placed, none of the market, the bag or the Bathhouse itself (p. 8)."""
    game = ready("boatman", knight=2)
    visit(game)
    game.market(1, own_trader=1).bring("scholar", game.seat(1).bag)

    for follower, place, space in (
        ("own_trader", "wagon", "trader"),
        ("scholar", "scriptorium", "scholar"),
        ("boatman", "ship", "boatman"),
    ):
        game.reject(1, c.PlaceDrawnFollower(follower, place, space), "orleans.bathhouse.drawn_follower", "NOT_DRAWN")


def test_orleans_bathhouse_drawn_follower__usual_rules_of_placing() -> None:
    """A drawn follower is placed like any other: on a free, own and matching space; stand-ins count (p. 4, 8)."""
    game = ready("farmer", "herb_garden", "cellar", boatman=2).own(2, "shipping_line").fill(1, "ship", "farmer")
    visit(game)

    for place, space, rule in (
        ("scriptorium", "knight", "orleans.planning.matching_space"),
        ("cellar", "monk", "orleans.wild.never_for_monk"),
        ("ship", "farmer", "orleans.planning.free_space"),
        ("shipping_line", "boatman", "orleans.planning.own_place"),
    ):
        game.reject(1, c.PlaceDrawnFollower("boatman", place, space), rule)
    game.do(1, c.PlaceDrawnFollower("boatman", "guildhall", "craftsman"))


def test_orleans_bathhouse_must_place() -> None:
    """If one of the two fits a space, the seat must place it: it cannot pass or act (p. 8)."""
    game = ready(knight=1, scholar=1).fill(1, "guildhall")
    for place in ("ship", "wagon"):
        game.fill(1, place, "", "", "technology")
    game.fill(1, "scriptorium", "technology").fill(1, "town_hall", "monk", "monk")
    game.fill(1, "monastery", "technology")
    visit(game)

    assert game.legal(1) == [c.PlaceDrawnFollower("scholar", "scriptorium", "scholar")]
    for command in (c.Pass(), c.UsePlace("guildhall"), c.KeepTechnology()):
        game.reject(1, command, "table.wrong_decision")
    game.do(1, c.PlaceDrawnFollower("scholar", "scriptorium", "scholar"))


def test_orleans_bathhouse_not_there() -> None:
    """No drawn follower is placed on the Bathhouse, also after its own follower has left (p. 8)."""
    game = ready(knight=1, monk=1)
    visit(game)

    assert not [place for _, place, _ in legal_placements(game) if place == "bathhouse"]
    for follower in ("knight", "monk"):
        game.reject(1, c.PlaceDrawnFollower(follower, "bathhouse", "any"), "orleans.bathhouse.not_there")
    game.do(1, c.PlaceDrawnFollower("monk", "ship", "farmer"))
    assert game.counts("place.bathhouse.any") == {}


def test_orleans_bathhouse_not_tower() -> None:
    """The Gunpowder Tower is filled only in phase 3, so not from the Bathhouse (our ruling on p. 8)."""
    game = ready("farmer", "gunpowder_tower", knight=2)
    visit(game)

    assert not [place for _, place, _ in legal_placements(game) if place == "gunpowder_tower"]
    game.reject(1, c.PlaceDrawnFollower("knight", "gunpowder_tower", "any"), "orleans.bathhouse.not_tower")


def test_orleans_bathhouse_town_hall() -> None:
    """A neutral follower may go from the Bathhouse to the Town Hall, a marked one may not (our ruling on p. 8)."""
    game = ready(knight=1, own_trader=1)
    visit(game)

    game.reject(1, c.PlaceDrawnFollower("own_trader", "town_hall", "any"), "orleans.town_hall.no_own_followers")
    game.do(1, c.PlaceDrawnFollower("knight", "town_hall", "any"))

    game.do(1, c.SendToDeed("town_hall", "any", "city_wall"))


@pytest.mark.parametrize(("placed", "other", "space"), [("knight", "monk", "knight"), ("monk", "knight", "scholar")])
def test_orleans_bathhouse_rest_returns(placed: str, other: str, space: str) -> None:
    """The other drawn follower and the one on the Bathhouse return to the bag (p. 8)."""
    game = ready("own_farmer", knight=1, monk=1)
    visit(game)

    game.do(1, c.PlaceDrawnFollower(placed, "scriptorium", space))

    assert game.seat(1).bag.counts() == {other: 1, "own_farmer": 1}
    assert not game.seat(1).drawn.items
    assert game.counts("place.bathhouse.any") == {}
    game.reject(1, BATHE, "orleans.actions.activated")


def test_orleans_bathhouse_rest_returns__two_of_one_character() -> None:
    """Of two knights drawn one is placed, the other returns (p. 8)."""
    game = ready("farmer", knight=2)
    visit(game)

    game.do(1, c.PlaceDrawnFollower("knight", "ship", "knight"))

    assert game.seat(1).bag.counts() == {"knight": 1, "farmer": 1}


def test_orleans_bathhouse_none_fits() -> None:
    """If neither drawn follower fits a free space, both return and the action ends (p. 8)."""
    game = ready("farmer", knight=2).fill(1, "town_hall", "monk", "monk").fill(1, "scriptorium", "technology")
    for place in ("ship", "wagon", "guildhall"):
        game.fill(1, place, "", "", "knight")

    events = visit(game)

    assert detail(events, e.DrawnFollowersReturned).followers == ("knight", "knight")
    assert game.seat(1).bag.counts() == {"knight": 2, "farmer": 1}
    assert not game.seat(1).drawn.items
    assert game.counts("place.bathhouse.any") == {}
    assert game.legal(1)[-1] == c.Pass()
    assert game.t.action_place.value == ""


def test_orleans_bathhouse_usable_at_once() -> None:
    """A place that the Bathhouse completes may be used later in the same phase (our ruling on p. 8)."""
    game = ready(scholar=2).fill(1, "scriptorium", "knight")
    game.reject(1, c.UsePlace("scriptorium"), "orleans.actions.activated")
    visit(game)
    game.do(1, c.PlaceDrawnFollower("scholar", "scriptorium", "scholar"))

    game.do(1, c.UsePlace("scriptorium"))

    assert game.seat(1).development.value == 1


def test_orleans_bathhouse_usable_at_once__as_a_separate_action() -> None:
    """The Bathhouse is one action: the other seats act before the completed place is used (p. 4, 8)."""
    game = OrleansGame(2).own(1, "bathhouse").fill(1, "bathhouse").bag(1, scholar=2).fill(1, "scriptorium", "knight")
    game.enter("actions")
    visit(game)
    game.do(1, c.PlaceDrawnFollower("scholar", "scriptorium", "scholar"))

    assert game.deciding() == [2]


def test_orleans_bathhouse_short_bag() -> None:
    """If the bag contains one follower, only this one is drawn (our ruling)."""
    game = ready("knight", scholar=1)

    events = visit(game)

    assert detail(events, e.BathhouseVisited).followers == ("scholar",)
    assert {follower for follower, _, _ in legal_placements(game)} == {"scholar"}
    game.do(1, c.PlaceDrawnFollower("scholar", "scriptorium", "scholar"))
    assert game.seat(1).bag.counts() == {"knight": 1}


def test_orleans_bathhouse_short_bag__empty() -> None:
    """From an empty bag no follower is drawn; that of the Bathhouse returns and the action ends (our ruling)."""
    game = ready("knight")

    events = visit(game)

    assert detail(events, e.BathhouseVisited).followers == ()
    assert not named(events, "DrawnFollowerPlaced")
    assert game.seat(1).bag.counts() == {"knight": 1}
    assert game.legal(1) == [c.Pass()]


# --- options and other readings ------------------------------------------------------------------------------


@pytest.mark.parametrize("activator", ["farmer", "monk", "scholar", "own_trader"])
def test_orleans_bathhouse_any_character(activator: str) -> None:
    """Its space takes any character, marked ones too (reconstructed; p. 8)."""
    game = OrleansGame(2).own(1, "bathhouse").market(1, **{activator: 1}).bag(1, knight=2)
    game.enter("planning")
    game.do(1, c.PlaceFollower(activator, "bathhouse", "any"))
    game.idle_until("actions")

    visit(game)

    game.do(1, c.PlaceDrawnFollower("knight", "ship", "knight"))
    assert game.seat(1).bag.counts() == {activator: 1, "knight": 1}


def test_orleans_bathhouse_any_character__unless_an_option_names_one() -> None:
    """With this option the space requires a knight: a monk may stand in, a scholar may not."""
    game = OrleansGame(2, bathhouse_space="knight").own(1, "bathhouse").market(1, scholar=1, monk=1)
    game.enter("planning")

    game.reject(1, c.PlaceFollower("scholar", "bathhouse", "knight"), "orleans.planning.matching_space")
    game.do(1, c.PlaceFollower("monk", "bathhouse", "knight"))


def test_orleans_bathhouse_tower() -> None:
    """With this reading a follower may go from the Bathhouse to the Gunpowder Tower, also a marked one."""
    game = ready("farmer", "gunpowder_tower", choices={"bathhouse_tower": "allowed"}, own_trader=1, knight=1)
    game.fill(1, "gunpowder_tower", "monk")
    visit(game)

    game.reject(1, c.PlaceDrawnFollower("knight", "gunpowder_tower", "any"), "orleans.planning.free_space")
    game.do(1, c.PlaceDrawnFollower("own_trader", "gunpowder_tower", "any_2"))

    assert game.counts("place.gunpowder_tower.any_2") == {"own_trader": 1}


def test_orleans_bathhouse_tower__or_another_place() -> None:
    game = ready("farmer", "gunpowder_tower", choices={"bathhouse_tower": "allowed"}, knight=1, monk=1)
    visit(game)

    assert c.PlaceDrawnFollower("knight", "gunpowder_tower", "any") in game.legal(1)
    game.do(1, c.PlaceDrawnFollower("knight", "ship", "knight"))


def test_orleans_bathhouse_not_town_hall() -> None:
    """With this reading no follower goes from the Bathhouse to the Town Hall, even if no other space is free."""
    game = ready(choices={"bathhouse_town_hall": "forbidden"}, knight=1, scholar=1)
    visit(game)
    for follower in ("knight", "scholar"):
        game.reject(1, c.PlaceDrawnFollower(follower, "town_hall", "any"), "orleans.bathhouse.not_town_hall")

    game = ready(choices={"bathhouse_town_hall": "forbidden"}, knight=2).fill(1, "scriptorium", "technology")
    for place in ("ship", "wagon", "guildhall"):
        game.fill(1, place, "", "", "monk")
    assert named(visit(game), "DrawnFollowersReturned")


def test_orleans_bathhouse_activator_after_draw() -> None:
    """The follower on the Bathhouse is not in the bag during the draw, so it is never drawn (our ruling)."""
    for seed in range(20):
        game = (
            OrleansGame(2, seed=str(seed)).own(1, "bathhouse").fill(1, "bathhouse", "monk").bag(1, knight=1, trader=1)
        )
        game.enter("actions")

        assert sorted(detail(visit(game), e.BathhouseVisited).followers) == ["knight", "trader"]


def test_orleans_bathhouse_activator_before_draw() -> None:
    """With this reading the follower on the Bathhouse returns before the draw and may be drawn, but not put back."""
    game = ready("monk", choices={"bathhouse_activator": "before_draw"}, knight=1)

    assert sorted(detail(visit(game), e.BathhouseVisited).followers) == ["knight", "monk"]

    game.reject(1, c.PlaceDrawnFollower("monk", "bathhouse", "any"), "orleans.bathhouse.not_there")
    game.do(1, c.PlaceDrawnFollower("monk", "ship", "boatman"))
    assert game.seat(1).bag.counts() == {"knight": 1}


def test_orleans_bathhouse_full_draw() -> None:
    """With this reading the Bathhouse needs two followers in the bag."""
    for knights in (0, 1):
        game = ready(choices={"bathhouse_short_bag": "needs_all"}, knight=knights)
        game.reject(1, BATHE, "orleans.bathhouse.full_draw", "BAG_TOO_SMALL")

    visit(ready(choices={"bathhouse_short_bag": "needs_all"}, knight=2))


def test_orleans_bathhouse_full_draw__with_the_follower_that_returns_first() -> None:
    """If the follower on the Bathhouse returns before the draw, it counts as one of the two."""
    choices = {"bathhouse_short_bag": "needs_all", "bathhouse_activator": "before_draw"}

    ready(choices=choices).reject(1, BATHE, "orleans.bathhouse.full_draw")

    assert len(detail(visit(ready(choices=choices, knight=1)), e.BathhouseVisited).followers) == 2


def passive(**bag: int) -> OrleansGame:
    """Create a game in which seat 1 owns a Bathhouse of the first printings and has not drawn yet."""
    game = OrleansGame(2, bathhouse="passive").own(1, "bathhouse").market(1).bag(1, **bag)
    game.enter("followers")
    return game


def test_orleans_bathhouse_passive() -> None:
    """As in the first printings: after drawing, two more are drawn; one is kept and the other is put back."""
    game = passive(knight=3, scholar=4)

    events = game.do(1, c.DrawFollowers(4))
    extra = detail(events, e.BathhouseVisited).followers
    assert len(extra) == 2
    game.reject(1, c.KeepFollower("monk"), "orleans.bathhouse.drawn_follower")
    game.do(1, c.KeepFollower(extra[1]))

    assert game.seat(1).market.total() == 5
    assert game.seat(1).bag.total() == 2
    assert not game.seat(1).drawn.items


@pytest.mark.parametrize(("market", "drawn", "extra"), [(4, 3, 2), (4, 4, 0), (0, 4, 1)])
def test_orleans_bathhouse_passive__room_and_bag(market: int, drawn: int, extra: int) -> None:
    """The market needs room for an extra draw; a bag with one follower gives one."""
    game = passive(knight=5).market(1, farmer=market)

    events = game.do(1, c.DrawFollowers(drawn))

    visits = [event.detail for event in events if isinstance(event.detail, e.BathhouseVisited)]
    assert sum(len(visit.followers) for visit in visits) == extra


def test_orleans_bathhouse_passive__no_action() -> None:
    """It has no space, and no action in phase 5."""
    game = passive()
    assert game.t.data.places["bathhouse"].verb != "bathhouse"
    game.market(1, farmer=1)
    game.enter("planning")
    game.reject(1, c.PlaceFollower("farmer", "bathhouse", "any"), "orleans.planning.space_exists")
    game.idle_until("actions")

    game.reject(1, BATHE, "orleans.actions.no_action")
