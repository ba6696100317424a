"""The end after sixteen rounds, and the score sheet."""

from __future__ import annotations

import pytest
from tests.titles.stories.kit import StoriesGame, detail, details, named

from boardkeeper.families.followers.events import PhaseBegun
from boardkeeper.titles.stories import events as e
from boardkeeper.titles.stories.cards import GOODS
from boardkeeper.titles.stories.scoring import sheets


def finish_and_score(game: StoriesGame) -> dict[int, e.SeatScored]:
    """Return the sheet of each seat after the last round; no seat has a choice in the round bonuses."""
    for seat in game.t.seats:
        game.era(seat.number, 5, carried_out=True)
    game.end()
    assert game.play.is_over()
    return compute_sheets(game)


def compute_sheets(game: StoriesGame) -> dict[int, e.SeatScored]:
    """Return the sheet of each seat for the current table."""
    return dict(enumerate(sheets(game.t), 1))


def create_bare_game(players: int = 2, **readings: str) -> StoriesGame:
    """The seats have their start village and nothing else."""
    game = StoriesGame(players, **readings)
    for seat in range(1, players + 1):
        game.goods(seat).fame(seat, 50)
    return game


# --- the end -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_stories_ending_sixteen_rounds(players: int) -> None:
    """After sixteen rounds all seats are scored at once."""
    game = StoriesGame(players)
    while not game.play.is_over():
        events = game.idle_round()
    assert game.t.round.value == 16
    assert list(details(events, e.SeatScored)) == list(range(1, players + 1))
    assert game.deciding() == []


def test_stories_ending_sixteen_rounds__with_the_last_bonus() -> None:
    """The last round has its event and its bonuses, and the fame bonuses from them."""
    game = StoriesGame(2).era(1, 3).fame(1, 3).fame(2, 50)
    game.end()
    assert game.decision(1) == "fame_bonus"
    events = game.idle(1)
    assert list(details(events, e.SeatScored)) == [1, 2]


def test_stories_ending_sixteen_rounds__not_before() -> None:
    game = create_bare_game()
    game.turn(15, "D1").enter("round_bonus")
    assert not game.play.is_over()
    assert game.t.round.value == 16
    assert game.play.standings() == []


# --- line by line --------------------------------------------------------------------------------------------


def test_example_sheet() -> None:
    """A sheet with every line: 11 + 21 + 15 + 12 + 24 = 83."""
    game = create_bare_game().coins(1, 11).goods(1, grain=2, fish=1, cheese=1, wood=1, wine=1, bread=1, brocade=1)
    for area in ("c1r3", "c2r2", "c2r3", "c3r2"):
        game.settle(area, 1)
    game.village("c2r2", "c3r2").church("c1r2", "c2r2").citizens(1, 4).fame(1, 63)
    game.coins(2, 2).goods(2, brocade=1)
    sheets = finish_and_score(game)
    assert sheets[1] == e.SeatScored(
        coins=11,
        goods={"grain": 2, "fish": 1, "cheese": 1, "wood": 1, "wine": 1, "bread": 1, "brocade": 1},
        goods_points=2 + 2 + 2 + 3 + 3 + 4 + 5,
        areas=5,
        area_points=15,
        villages=3,
        citizens=4,
        citizen_points=12,
        churches=2,
        church_points=24,
        total=11 + 21 + 15 + 12 + 24,
        rank=1,
    )
    assert sheets[2].total == 2 + 5 + 3
    assert sheets[2].rank == 2
    assert [(standing.seat, standing.points) for standing in game.play.standings()] == [(1, 83), (2, 10)]


@pytest.mark.parametrize("coins", [0, 1, 17])
def test_stories_scoring_coins(coins: int) -> None:
    """One point each."""
    line = compute_sheets(create_bare_game().coins(1, coins))[1]
    assert line.coins == coins
    assert line.total == 3 + coins


@pytest.mark.parametrize(("good", "value"), list(zip(GOODS, (1, 2, 2, 3, 3, 4, 5), strict=True)))
def test_stories_scoring_goods(good: str, value: int) -> None:
    line = compute_sheets(create_bare_game().goods(1, **{good: 2}))[1]
    assert line.goods == {good: 2}
    assert line.goods_points == 2 * value
    assert line.total == 3 + 2 * value


def test_stories_scoring_areas() -> None:
    """Three points for each controlled area, including areas with a village."""
    line = compute_sheets(create_bare_game().settle("c1r3", 1).settle("c2r2", 1).village("c2r2").settle("c4r3", 2))[1]
    assert (line.areas, line.area_points) == (3, 9)


def test_stories_scoring_areas__without_villages() -> None:
    """Reading ``village_is_area``."""
    line = compute_sheets(create_bare_game(village_is_area="no").settle("c1r3", 1).settle("c2r2", 1).village("c2r2"))[1]
    assert (line.areas, line.area_points, line.villages) == (1, 3, 2)


def test_stories_scoring_areas__abandoned_area() -> None:
    """An abandoned area scores for no seat."""
    game = create_bare_game().settle("c2r2", 1).village("c2r2").church("c2r2").fortress("c2r2", 1).citizens(1, 5)
    game.settle("c2r2")
    line = compute_sheets(game)[1]
    assert (line.areas, line.villages, line.churches) == (1, 1, 0)


@pytest.mark.parametrize(("villages", "citizens"), [(1, 0), (1, 4), (3, 4), (0, 9)])
def test_stories_scoring_citizens(villages: int, citizens: int) -> None:
    """The number of villages times the number of citizens."""
    game = create_bare_game().citizens(1, citizens)
    if not villages:
        game.fortress("c1r2", 0).settle("c1r2")
    for area in ("c1r3", "c2r2")[: max(villages - 1, 0)]:
        game.settle(area, 1).village(area)
    line = compute_sheets(game)[1]
    assert (line.villages, line.citizens, line.citizen_points) == (villages, citizens, villages * citizens)


def test_stories_scoring_churches() -> None:
    """Twelve points for each controlled church, also one that another seat built."""
    game = create_bare_game().settle("c2r2", 1).village("c2r2").church("c1r2", "c2r2", "c7r3")
    assert (compute_sheets(game)[1].churches, compute_sheets(game)[1].church_points) == (2, 24)
    game.settle("c2r2", 2)
    assert (compute_sheets(game)[1].church_points, compute_sheets(game)[2].church_points) == (12, 24)


def test_stories_scoring_nothing_else() -> None:
    """Fame, followers, cards, technology, fortresses and settlers in the supply score nothing."""
    game = create_bare_game().fame(1, 90).bag(1, monk=5).own(1, "pub", "cellar").technology(1, 5).unlock(1)
    assert compute_sheets(game)[1].total == 3


# --- shared areas --------------------------------------------------------------------------------------------


def create_shared_village(joint_control: str) -> StoriesGame:
    """Only seats 1 and 2 share a village with a church."""
    game = create_bare_game(joint_control=joint_control).era(1, 5).settle("c2r2", 1, 2).village("c2r2").church("c2r2")
    return game.citizens(1, 2).citizens(2, 3)


def test_stories_peace_joint_control__on_the_score_sheet() -> None:
    """Default of reading ``joint_control``: each seat counts area, village and church fully."""
    first, second = compute_sheets(create_shared_village("full_each")).values()
    assert (first.areas, first.villages, first.churches) == (2, 2, 1)
    assert (second.areas, second.villages, second.churches) == (2, 2, 1)
    assert (first.total, second.total) == (6 + 4 + 12, 6 + 6 + 12)


def test_stories_peace_split_control__on_the_score_sheet() -> None:
    """Reading ``joint_control``: they are divided among the seats, rounded down."""
    first, second = compute_sheets(create_shared_village("split_down")).values()
    assert (first.areas, first.villages, first.churches) == (1, 1, 0)
    assert (first.total, second.total) == (3 + 2, 3 + 3)


@pytest.mark.parametrize(
    ("areas", "seats", "counted"), [(2, 2, 1), (3, 2, 1), (3, 3, 1), (5, 3, 1), (6, 3, 2), (4, 4, 1)]
)
def test_stories_peace_split_control__sum_of_shares(areas: int, seats: int, counted: int) -> None:
    """Shares are added before they are rounded: six thirds are two."""
    game = create_bare_game(4, joint_control="split_down")
    for seat in range(1, seats + 1):
        game.era(seat, 5)
    free = [area for area in game.t.areas if not game.stands_on(area)]
    for area in free[:areas]:
        game.settle(area, *range(1, seats + 1))
    assert compute_sheets(game)[1].areas == 1 + counted


# --- ties ----------------------------------------------------------------------------------------------------


def finish_and_rank(game: StoriesGame) -> dict[int, int]:
    """Return the rank of each seat, which must be the same in the sheets and in the standings."""
    sheets = {seat: line.rank for seat, line in finish_and_score(game).items()}
    assert {standing.seat: standing.rank for standing in game.play.standings()} == sheets
    return sheets


def test_stories_scoring_ties() -> None:
    """Default of reading ``tie_settlers``: in a tie the seat with more fame wins; with the same fame both win."""
    assert finish_and_rank(create_bare_game().coins(1, 5).coins(2, 5).fame(1, 60).fame(2, 61)) == {1: 2, 2: 1}
    assert finish_and_rank(create_bare_game().coins(1, 5).coins(2, 5).fame(1, 60).fame(2, 60)) == {1: 1, 2: 1}


def test_stories_scoring_shared() -> None:
    """Reading ``tie_settlers``: they share the rank."""
    game = create_bare_game(tie_settlers="shared").coins(1, 5).coins(2, 5).fame(1, 60).fame(2, 61)
    assert finish_and_rank(game) == {1: 1, 2: 1}


def test_stories_scoring_most_points() -> None:
    """Fame decides only ties; after a shared rank the next rank is skipped."""
    game = create_bare_game(4).coins(1, 5).coins(2, 4).coins(3, 5).fame(2, 90)
    assert finish_and_rank(game) == {1: 1, 2: 3, 3: 1, 4: 4}


# --- the round -----------------------------------------------------------------------------------------------


def test_stories_round_phases() -> None:
    """Event card, followers, planning, actions, event, round bonus, start player: in this order."""
    game = StoriesGame(2)
    for seat in (1, 2):
        game.market(seat).bag(seat, farmer=2)
    steps = [game.enter("dawn")]
    while game.t.round.value == 2:
        steps.append(game.idle(game.deciding()[0]))
    names_of_steps = ("RoundBegun", "StartPlayerChanged")
    names = [
        event.detail.phase if isinstance(event.detail, PhaseBegun) else event.name
        for events in steps
        for event in events
        if event.name in names_of_steps or isinstance(event.detail, PhaseBegun)
    ]
    assert names == [
        *("RoundBegun", "followers", "planning", "actions", "event", "round_bonus", "StartPlayerChanged"),
        *("RoundBegun", "followers"),
    ]


@pytest.mark.parametrize(("players", "start", "following"), [(2, 1, 2), (2, 2, 1), (3, 2, 3), (3, 3, 1), (4, 4, 1)])
def test_stories_round_start_player(players: int, start: int, following: int) -> None:
    """The token moves to the next seat, which begins the next round."""
    game = StoriesGame(players)
    events = game.turn(5, "A5").enter("round_bonus", start)
    assert [event.seat for event in named(events, "StartPlayerChanged")] == [following]
    assert game.t.start.value == following
    assert detail(events, e.RoundBegun).start_seat == following


def test_stories_running_out_coins() -> None:
    """The number of coins is unlimited."""
    game = StoriesGame(2).coins(1, 500).coins(2, 500)
    game.strike("C2")
    assert [game.seat(seat).coins.value for seat in (1, 2)] == [502, 502]
