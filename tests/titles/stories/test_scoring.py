"""The end after sixteen rounds, and the score sheet."""

from __future__ import annotations

import pytest
from tests.titles.stories.kit import StoriesGame, detail, details, named

from boardkeeper.families.followers.events import PhaseBegun
from boardkeeper.titles.stories import events as e
from boardkeeper.titles.stories.cards import GOODS
from boardkeeper.titles.stories.scoring import sheets


def scores(game: StoriesGame) -> dict[int, e.SeatScored]:
    """The sheet of each seat after the last round; nobody has a round bonus to choose anything for."""
    for seat in game.t.seats:
        game.era(seat.number, 5, carried_out=True)
    game.end()
    assert game.play.is_over()
    return scored(game)


def scored(game: StoriesGame) -> dict[int, e.SeatScored]:
    """The same lines, from the table as it lies."""
    return dict(enumerate(sheets(game.t), 1))


def bare(players: int = 2, **readings: str) -> StoriesGame:
    """Seats that have their start village and nothing else."""
    game = StoriesGame(players, **readings)
    for seat in range(1, players + 1):
        game.goods(seat).fame(seat, 50)
    return game


# --- the end ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_stories_ending_sixteen_rounds(players: int) -> None:
    """Sixteen rounds are played, whatever happens in them; then all are scored at once."""
    game = StoriesGame(players)
    while not game.play.is_over():
        events = game.idle_round()
    assert game.t.round.value == 16
    assert list(details(events, e.SeatScored)) == list(range(1, players + 1))
    assert game.deciding() == []


def test_stories_ending_sixteen_rounds__with_the_last_bonus() -> None:
    """The sixteenth round has its event and its bonuses, and what fame brings with them is still chosen."""
    game = StoriesGame(2).era(1, 3).fame(1, 3).fame(2, 50)
    game.end()
    assert game.decision(1) == "fame_bonus"
    events = game.idle(1)
    assert list(details(events, e.SeatScored)) == [1, 2]


def test_stories_ending_sixteen_rounds__not_before() -> None:
    """After the fifteenth there is another."""
    game = bare()
    game.turn(15, "D1").enter("round_bonus")
    assert not game.play.is_over()
    assert game.t.round.value == 16
    assert game.play.standings() == []


# --- line by line ----------------------------------------------------------------------------------------------


def test_the_worked_example_line_by_line() -> None:
    """A sheet with every line: 11 + 21 + 15 + 12 + 24 = 83."""
    game = bare().coins(1, 11).goods(1, grain=2, fish=1, cheese=1, wood=1, wine=1, bread=1, brocade=1)
    for area in ("c1r3", "c2r2", "c2r3", "c3r2"):
        game.settle(area, 1)
    game.village("c2r2", "c3r2").church("c1r2", "c2r2").citizens(1, 4).fame(1, 63)
    game.coins(2, 2).goods(2, brocade=1)
    sheets = scores(game)
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
    """A point each."""
    line = scored(bare().coins(1, coins))[1]
    assert line.coins == coins
    assert line.total == 3 + coins


@pytest.mark.parametrize(("good", "value"), list(zip(GOODS, (1, 2, 2, 3, 3, 4, 5), strict=True)))
def test_stories_scoring_goods(good: str, value: int) -> None:
    """Each good counts its value."""
    line = scored(bare().goods(1, **{good: 2}))[1]
    assert line.goods == {good: 2}
    assert line.goods_points == 2 * value
    assert line.total == 3 + 2 * value


def test_stories_scoring_areas() -> None:
    """Three points for each area that one controls; a village stands on one."""
    line = scored(bare().settle("c1r3", 1).settle("c2r2", 1).village("c2r2").settle("c4r3", 2))[1]
    assert (line.areas, line.area_points) == (3, 9)


def test_stories_scoring_areas__without_villages() -> None:
    """The other reading: a village is no area."""
    line = scored(bare(village_is_area="no").settle("c1r3", 1).settle("c2r2", 1).village("c2r2"))[1]
    assert (line.areas, line.area_points, line.villages) == (1, 3, 2)


def test_stories_scoring_areas__left_ones() -> None:
    """Where nobody stands any more nobody scores, whoever built there."""
    game = bare().settle("c2r2", 1).village("c2r2").church("c2r2").fortress("c2r2", 1).citizens(1, 5)
    game.settle("c2r2")
    line = scored(game)[1]
    assert (line.areas, line.villages, line.churches) == (1, 1, 0)


@pytest.mark.parametrize(("villages", "citizens"), [(1, 0), (1, 4), (3, 4), (0, 9)])
def test_stories_scoring_citizens(villages: int, citizens: int) -> None:
    """The number of villages times that of citizens."""
    game = bare().citizens(1, citizens)
    if not villages:
        game.fortress("c1r2", 0).settle("c1r2")
    for area in ("c1r3", "c2r2")[: max(villages - 1, 0)]:
        game.settle(area, 1).village(area)
    line = scored(game)[1]
    assert (line.villages, line.citizens, line.citizen_points) == (villages, citizens, villages * citizens)


def test_stories_scoring_churches() -> None:
    """Twelve points for each church that one controls, whoever built it."""
    game = bare().settle("c2r2", 1).village("c2r2").church("c1r2", "c2r2", "c7r3")
    assert (scored(game)[1].churches, scored(game)[1].church_points) == (2, 24)
    game.settle("c2r2", 2)
    assert (scored(game)[1].church_points, scored(game)[2].church_points) == (12, 24)


def test_stories_scoring_nothing_else() -> None:
    """Fame, followers, cards, technology, fortresses and settlers in the supply score nothing."""
    game = bare().fame(1, 90).bag(1, monk=5).own(1, "pub", "cellar").technology(1, 5).unlock(1)
    assert scored(game)[1].total == 3


# --- what is shared --------------------------------------------------------------------------------------------


def shared(joint_control: str) -> StoriesGame:
    """Seats 1 and 2 share a village with a church; nobody else is there."""
    game = bare(joint_control=joint_control).era(1, 5).settle("c2r2", 1, 2).village("c2r2").church("c2r2")
    return game.citizens(1, 2).citizens(2, 3)


def test_stories_peace_joint_control__on_the_score_sheet() -> None:
    """Our ruling: who is there counts it in full, area, village and church."""
    first, second = scored(shared("full_each")).values()
    assert (first.areas, first.villages, first.churches) == (2, 2, 1)
    assert (second.areas, second.villages, second.churches) == (2, 2, 1)
    assert (first.total, second.total) == (6 + 4 + 12, 6 + 6 + 12)


def test_stories_peace_split_control__on_the_score_sheet() -> None:
    """The other reading: it is divided among them, rounded down."""
    first, second = scored(shared("split_down")).values()
    assert (first.areas, first.villages, first.churches) == (1, 1, 0)
    assert (first.total, second.total) == (3 + 2, 3 + 3)


@pytest.mark.parametrize(
    ("areas", "seats", "counted"), [(2, 2, 1), (3, 2, 1), (3, 3, 1), (5, 3, 1), (6, 3, 2), (4, 4, 1)]
)
def test_stories_peace_split_control__in_sum(areas: int, seats: int, counted: int) -> None:
    """What one shares is summed up before it is rounded, exactly: six thirds are two."""
    game = bare(4, joint_control="split_down")
    for seat in range(1, seats + 1):
        game.era(seat, 5)
    free = [area for area in game.t.areas if not game.stands_on(area)]
    for area in free[:areas]:
        game.settle(area, *range(1, seats + 1))
    assert scored(game)[1].areas == 1 + counted


# --- ties ------------------------------------------------------------------------------------------------------


def ranks(game: StoriesGame) -> dict[int, int]:
    """The rank of each seat, which its sheet and the standings say alike."""
    sheets = {seat: line.rank for seat, line in scores(game).items()}
    assert {standing.seat: standing.rank for standing in game.play.standings()} == sheets
    return sheets


def test_stories_scoring_ties() -> None:
    """Our ruling: in a tie who is farther on the fame track wins, else both do."""
    assert ranks(bare().coins(1, 5).coins(2, 5).fame(1, 60).fame(2, 61)) == {1: 2, 2: 1}
    assert ranks(bare().coins(1, 5).coins(2, 5).fame(1, 60).fame(2, 60)) == {1: 1, 2: 1}


def test_stories_scoring_shared() -> None:
    """The other reading: they share, whatever their fame."""
    game = bare(tie_settlers="shared").coins(1, 5).coins(2, 5).fame(1, 60).fame(2, 61)
    assert ranks(game) == {1: 1, 2: 1}


def test_stories_scoring_most_points() -> None:
    """Fame decides nothing where points differ; a shared rank leaves out the next one."""
    game = bare(4).coins(1, 5).coins(2, 4).coins(3, 5).fame(2, 90)
    assert ranks(game) == {1: 1, 2: 3, 3: 1, 4: 4}


# --- the round -------------------------------------------------------------------------------------------------


def test_stories_round_phases() -> None:
    """Event card, followers, planning, actions, event, round bonus, start player: in this order."""
    game = StoriesGame(2)
    for seat in (1, 2):
        game.market(seat).bag(seat, farmer=2)
    told = [game.enter("dawn")]
    while game.t.round.value == 2:
        told.append(game.idle(game.deciding()[0]))
    phases = ("RoundBegun", "StartPlayerChanged")
    names = [
        event.detail.phase if isinstance(event.detail, PhaseBegun) else event.name
        for events in told
        for event in events
        if event.name in phases or isinstance(event.detail, PhaseBegun)
    ]
    assert names == [
        *("RoundBegun", "followers", "planning", "actions", "event", "round_bonus", "StartPlayerChanged"),
        *("RoundBegun", "followers"),
    ]


@pytest.mark.parametrize(("players", "start", "following"), [(2, 1, 2), (2, 2, 1), (3, 2, 3), (3, 3, 1), (4, 4, 1)])
def test_stories_round_start_player(players: int, start: int, following: int) -> None:
    """The token goes on clockwise, from the last seat to the first; who has it begins the next round."""
    game = StoriesGame(players)
    events = game.turn(5, "A5").enter("round_bonus", start)
    assert [event.seat for event in named(events, "StartPlayerChanged")] == [following]
    assert game.t.start.value == following
    assert detail(events, e.RoundBegun).start_seat == following


def test_stories_running_out_coins() -> None:
    """However many the seats have already, there are coins for everybody."""
    game = StoriesGame(2).coins(1, 500).coins(2, 500)
    game.strike("C2")
    assert [game.seat(seat).coins.value for seat in (1, 2)] == [502, 502]
