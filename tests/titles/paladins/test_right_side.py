"""Fortify, Absolve, Attack and Convert."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.titles.paladins.holdings import TABLES, cards, change, holdings, place_workers, rich, taken, worth
from tests.titles.paladins.kit import PaladinsGame, detail, every, named

from boardkeeper.titles.paladins import commands as c
from boardkeeper.titles.paladins import events as e

STRENGTH = (2, 3, 5, 7, 9, 11)
FAITH = (0, 2, 4, 6, 8, 10)

# --- fortify ------------------------------------------------------------------------------------------------------

WALLS = ("wall_05", "wall_06", "wall_19", "wall_20", "wall_21", "wall_24", "wall_01")


def walled(built: int, **markers: int) -> PaladinsGame:
    """A game in which seat 1 has built walls, and can do everything else."""
    game = PaladinsGame(2).turn().at(1, **{"provisions": 9, "influence": 12} | markers).many_workers()
    for wall in WALLS[:built]:
        game.bring(wall, game.seat(1).walls)
    return game


@pytest.mark.parametrize(("built", "provisions"), [*enumerate((1, 1, 1, 2, 2, 3, 3))])
def test_paladins_fortify_cost(built: int, provisions: int) -> None:
    game = walled(built, provisions=provisions - 1)
    refused = game.reject(1, c.BeginAction("fortify", 3), "paladins.fortify.cost", "NOT_ENOUGH_PROVISIONS")
    assert refused.values == {"has": str(provisions - 1), "needs": str(provisions)}

    game.at(1, provisions=provisions).next_wall("wall_02")
    built_now = detail(place_workers(game, "fortify"), e.WallBuilt)

    assert game.seat(1).provisions.value == 0
    assert built_now == e.WallBuilt("wall_02", built + 1, provisions)


@pytest.mark.parametrize(("built", "influence"), [*enumerate((0, 1, 3, 5, 7, 9, 11))])
def test_paladins_fortify_influence(built: int, influence: int) -> None:
    begin = c.BeginAction("fortify", 3)
    assert begin in walled(built, influence=influence).legal(1)
    if influence:
        game = walled(built, influence=influence - 1)
        refused = game.reject(1, begin, "paladins.fortify.influence", "ATTRIBUTE_TOO_LOW")
        assert refused.values == {"attribute": "influence", "has": str(influence - 1), "needs": str(influence)}


@pytest.mark.parametrize("wall", cards("walls"))
def test_paladins_fortify_draw(wall: str) -> None:
    """What each card shows, one strength at least; of two options the left one here."""
    game = rich(PaladinsGame(2).turn()).next_wall(wall)
    before = holdings(game)

    events = place_workers(game, "fortify")
    taken(game)

    table = TABLES["walls"][wall]
    left = table.get("choice", [[]])[0]
    assert detail(events, e.WallBuilt).wall == wall
    assert change(before, holdings(game)) == {"provision": -1} | worth([*table["gain"], *left])
    assert "strength" in table["gain"]
    assert game.counts("seat.1.walls") == {wall: 1}


def test_paladins_fortify_draw__brings_strength_at_least_one() -> None:
    """As the rulebook says of every wall."""
    assert min(table["gain"].count("strength") for table in TABLES["walls"].values()) == 1


def test_paladins_fortify_draw__in_the_rulebooks_example() -> None:
    """The fourth wall, with 2 influence and 3 of Anséis, who also spares the provisions; the fifth asks for 7 and 2."""
    game = walled(3, influence=2, provisions=0).paladin(1, "anseis").next_wall("wall_17")
    assert game.seat(1).level("influence") == 5
    place_workers(game, "fortify")
    assert game.seat(1).attributes["strength"].value == 1
    assert game.counts("seat.1.workers") == {"labourer": 1, "fighter": 1}
    assert (game.seat(1).provisions.value, game.seat(1).walls.total()) == (0, 4)

    (area,) = [area for area in game.board(1).seats[0].areas if area.action == "fortify"]
    assert (area.attribute, area.needs, area.provisions) == ("influence", 7, 2)
    game = walled(4, influence=6, provisions=2)
    game.reject(1, c.BeginAction("fortify", 3), "paladins.fortify.influence", "ATTRIBUTE_TOO_LOW")
    game.at(1, influence=7, provisions=1)
    game.reject(1, c.BeginAction("fortify", 3), "paladins.fortify.cost", "NOT_ENOUGH_PROVISIONS")


def test_paladins_fortify_draw__is_the_luck_of_the_draw() -> None:
    """Nobody chooses the card, and a card that was drawn is not drawn again."""
    drawn = set()
    game = walled(0)
    for _ in range(6):
        drawn.add(detail(place_workers(game, "fortify"), e.WallBuilt).wall)
        taken(game)
        for space in game.seat(1).areas["fortify"].spaces:
            game.empty(space)
        game.turn().at(1, provisions=9)
    assert len(drawn) == 6
    assert game.t.walls.total() == 18


def test_paladins_fortify_walls_run_out() -> None:
    game = walled(0)
    game.empty(game.t.walls)
    game.reject(1, c.BeginAction("fortify", 3), "paladins.fortify.walls_run_out", "NO_WALL_LEFT")


def test_paladins_fortify_seven_times() -> None:
    game = walled(7)
    game.reject(1, c.BeginAction("fortify", 3), "paladins.fortify.seven_times", "NO_PIECE_LEFT")


# --- absolve ------------------------------------------------------------------------------------------------------

JARS = ("labourer", "pray", "pray", "faith", "provision", "discard_suspicion", "pay_debt")
NUMBERS = {"even": (0, 2, 4, 6, 8, 10, 12), "odd": (0, 1, 3, 5, 7, 9, 11)}


def absolved(times: int, *, choices: dict[str, str] | None = None, **markers: int) -> PaladinsGame:
    """A game in which seat 1 has placed jars on spaces from the left, and can do everything else."""
    game = PaladinsGame(2, **choices or {}).turn().at(1, **{"silver": 9, "influence": 12} | markers).many_workers()
    for space in JARS[:times]:
        game.t.move("jar", game.seat(1).jars, game.seat(1).jar_spaces[space])
    game.play.recorder.clear()
    return game


@pytest.mark.parametrize(("times", "silver"), [*enumerate((1, 2, 2, 2, 3, 3, 3))])
def test_paladins_absolve_cost(times: int, silver: int) -> None:
    game = absolved(times, silver=silver - 1)
    refused = game.reject(1, c.BeginAction("absolve", 3), "paladins.absolve.cost", "NOT_ENOUGH_SILVER")
    assert refused.values == {"has": str(silver - 1), "needs": str(silver)}

    game.at(1, silver=silver)
    place_workers(game, "absolve")
    done = detail(game.do(1, c.PlaceJar("free_recruit")), e.Absolved)

    assert done == e.Absolved("free_recruit", times + 1, silver)
    assert game.seat(1).silver.value == 0


@pytest.mark.parametrize("choice", NUMBERS)
def test_paladins_absolve_influence(choice: str) -> None:
    begin = c.BeginAction("absolve", 3)
    for times, number in enumerate(NUMBERS[choice]):
        assert begin in absolved(times, choices={"jar_numbers": choice}, influence=number).legal(1)
        if number:
            game = absolved(times, choices={"jar_numbers": choice}, influence=number - 1)
            refused = game.reject(1, begin, "paladins.absolve.influence", "ATTRIBUTE_TOO_LOW")
            assert refused.values == {"attribute": "influence", "has": str(number - 1), "needs": str(number)}


@pytest.mark.parametrize("choice", NUMBERS)
def test_paladins_absolve_jar_numbers(choice: str) -> None:
    """Seven that rise, and the first jar asks for no influence."""
    asked = []
    for times in range(7):
        game = absolved(times, choices={"jar_numbers": choice})
        (area,) = [area for area in game.board(1).seats[0].areas if area.action == "absolve"]
        asked.append(area.needs)
    assert tuple(asked) == NUMBERS[choice]


SPACES = {
    "free_recruit": 1,
    "labourer": 1,
    "pray": 2,
    "faith": 1,
    "provision": 1,
    "discard_suspicion": 2,
    "pay_debt": 2,
}


@pytest.mark.parametrize(("choice", "suspicion"), [("two_for_suspicion", 2), ("one_for_suspicion", 1)])
def test_paladins_absolve_jar_spaces(choice: str, suspicion: int) -> None:
    for space, count in (SPACES | {"discard_suspicion": suspicion}).items():
        game = absolved(0, choices={"jar_spaces": choice})
        for _ in range(count):
            game.t.move("jar", game.seat(1).jars, game.seat(1).jar_spaces[space])
        game.play.recorder.clear()
        place_workers(game, "absolve")
        game.reject(1, c.PlaceJar(space), "paladins.absolve.space", "SPACE_TAKEN")
        assert len(game.legal(1)) == 6
    (kinds,) = [seat.jar_spaces for seat in absolved(0, choices={"jar_spaces": choice}).board(0).seats[:1]]
    assert {kind.space: kind.spaces for kind in kinds} == SPACES | {"discard_suspicion": suspicion}


JAR_GAINS = {
    "labourer": ["labourer"],
    "faith": ["faith"],
    "provision": ["provision", "provision"],
    "discard_suspicion": ["discard_suspicion"],
    "pay_debt": ["pay_debt"],
    "pray": ["pray"],
    "free_recruit": ["free_recruit"],
}


@pytest.mark.parametrize("space", JAR_GAINS)
def test_paladins_absolve_space(space: str) -> None:
    game = rich(absolved(0)).display("townsfolk", "abbot_1")
    place_workers(game, "absolve")
    before = holdings(game)

    game.do(1, c.PlaceJar(space))
    taken(game)

    every_time = ["faith", "discard_suspicion"]
    assert Counter(change(before, holdings(game))) == Counter({"silver": -1} | worth([*JAR_GAINS[space], *every_time]))
    assert game.counts(f"seat.1.jar.{space}") == {"jar": 1}
    assert game.counts("seat.1.townsfolk") == ({"abbot_1": 1} if space == "free_recruit" else {})
    assert game.seat(1).areas["absolve"].is_open() is (space == "pray")


def test_paladins_absolve_space__says_what_it_gives() -> None:
    spaces = absolved(0).board(0).seats[0].jar_spaces
    assert {space.space: [*space.gains] for space in spaces} == JAR_GAINS


def test_paladins_absolve_space__is_one_for_jars() -> None:
    game = absolved(0)
    place_workers(game, "absolve")
    game.reject(1, c.PlaceJar("r1a"), "paladins.absolve.space", "SPACE_TAKEN")
    game.reject(1, c.PlaceJar("nowhere"), "table.known_ids", "UNKNOWN_ID")


def test_paladins_absolve_space__in_the_rulebooks_example() -> None:
    """The first time: no influence, 1 silver; a debt is paid, a suspicion card goes, and 1 faith comes."""
    game = absolved(0, silver=1, influence=0).debts(1, unpaid=1).suspicion(1, 1)
    place_workers(game, "absolve")
    before = holdings(game)
    game.do(1, c.PlaceJar("pay_debt"))
    taken(game)
    assert change(before, holdings(game)) == {"silver": -1, "unpaid": -1, "paid": 1, "suspicion": -1, "faith": 1}
    assert game.deciding() == [2]


def test_paladins_absolve_gain() -> None:
    """The newest suspicion card goes; who has none discards none."""
    game = absolved(0).suspicion(1, 2, 1)
    place_workers(game, "absolve")
    events = game.do(1, c.PlaceJar("labourer")) + taken(game)
    assert detail(events, e.SuspicionDiscarded).suspicion == "suspicion_1"
    assert game.counts("seat.1.suspicion") == {"suspicion_2": 1}
    assert game.seat(1).attributes["faith"].value == 1
    assert [(gained.gains, gained.source) for gained in every(events, e.Gained)] == [
        (("faith",), "absolve"),
        (("labourer",), "jar_labourer"),
    ]

    game = absolved(0)
    place_workers(game, "absolve")
    assert not named(game.do(1, c.PlaceJar("labourer")), "SuspicionDiscarded")
    assert game.seat(1).attributes["faith"].value == 1


def test_paladins_absolve_seven_times() -> None:
    game = absolved(7)
    game.reject(1, c.BeginAction("absolve", 3), "paladins.absolve.seven_times", "NO_PIECE_LEFT")


# --- attack -------------------------------------------------------------------------------------------------------

ROW = (
    "warrior_saracen",
    "guardian_byzantine",
    "lookout_viking",
    "mercenary_viking",
    "archer_saracen",
    "protector_saracen",
)


def attacking(strength: int, silver: int = 9, row: tuple[str, ...] = ROW, **choices: str) -> PaladinsGame:
    """A game in which seat 1 has placed its workers to attack."""
    game = PaladinsGame(2, **choices).turn().display("outsiders", *row).at(1, strength=strength, silver=silver)
    place_workers(game, "attack")
    return game


def test_paladins_attack_on_display() -> None:
    game = attacking(12)
    game.reject(1, c.AttackOutsider("thief_viking"), "paladins.attack.on_display", "NOT_ON_DISPLAY")
    game.do(1, c.AttackOutsider(ROW[2]))
    assert [place.total() for place in game.t.outsiders] == [1, 1, 0, 1, 1, 1], "the place stays empty in the round"
    game = PaladinsGame(2).turn().display("outsiders").many_workers()
    game.reject(1, c.BeginAction("attack", 3), "paladins.attack.on_display", "NOBODY_ON_DISPLAY")


@pytest.mark.parametrize("at", range(6))
def test_paladins_attack_strength(at: int) -> None:
    """With as much as the flag above it says, an attack costs nothing; with less it costs silver."""
    game = attacking(STRENGTH[at], 0)
    assert {command.outsider for command in game.legal(1)} == {*ROW[: at + 1]}  # type: ignore[attr-defined]
    assert detail(game.do(1, c.AttackOutsider(ROW[at])), e.OutsiderAttacked).silver == 0
    if at < 5:
        game = attacking(STRENGTH[at], 0)
        rule = "paladins.attack.silver_for_strength"
        game.reject(1, c.AttackOutsider(ROW[at + 1]), rule, "NOT_ENOUGH_SILVER")


@pytest.mark.parametrize("strength", range(12))
@pytest.mark.parametrize("at", range(6))
def test_paladins_attack_silver_for_strength(strength: int, at: int) -> None:
    """One silver for two missing points, or for the last one."""
    missing = max(0, STRENGTH[at] - strength)
    silver = missing // 2 + missing % 2
    game = attacking(strength, silver + 1)
    before = game.seat(1).silver.value
    game.do(1, c.AttackOutsider(ROW[at]))
    assert before - game.seat(1).silver.value == silver


def test_paladins_attack_silver_for_strength__in_the_rulebooks_example() -> None:
    """5 strength against 7: for 1 silver the Mercenary brings 1 influence and two labourers, and lies face down."""
    game = attacking(5, 1)
    before = holdings(game)
    game.do(1, c.AttackOutsider("mercenary_viking"))
    assert change(before, holdings(game)) == {"silver": -1, "influence": 1, "labourer": 2}
    assert game.counts("seat.1.attacked") == {"mercenary_viking": 1}


@pytest.mark.parametrize(
    ("strength", "row", "target", "silver"),
    [
        (5, ROW, 3, 1),
        (5, ROW, 5, 3),
        (4, ROW, 2, 1),
        (0, ROW, 0, 1),
        (0, ROW, 2, 3),
        (5, (*ROW[:3], "", *ROW[4:]), 4, 1),
        (5, (*ROW[:2], "", *ROW[3:]), 3, 1),
        (11, ROW, 5, 0),
    ],
)
def test_paladins_attack_silver_for_strength__by_cards_skipped(
    strength: int, row: tuple[str, ...], target: int, silver: int
) -> None:
    """One for each outsider after the last within reach, the attacked one included; an empty place costs nothing."""
    game = attacking(strength, 9, row, attack_top_up="by_cards_skipped")
    assert detail(game.do(1, c.AttackOutsider(row[target])), e.OutsiderAttacked).silver == silver
    assert game.seat(1).silver.value == 9 - silver


def test_paladins_attack_silver_for_strength__must_be_there_to_begin() -> None:
    game = PaladinsGame(2).turn().display("outsiders", "", "", "lookout_viking").at(1, strength=2, silver=1)
    game.many_workers()
    rule = "paladins.attack.silver_for_strength"
    refused = game.reject(1, c.BeginAction("attack", 3), rule, "NOT_ENOUGH_SILVER")
    assert refused.values == {"has": "1", "needs": "2"}


@pytest.mark.parametrize("outsider", cards("outsiders"))
def test_paladins_attack_reward(outsider: str) -> None:
    """Each card's, among it at least 1 influence, and nothing of what converting it would give."""
    game = rich(PaladinsGame(2).turn().at(1, strength=2)).display("outsiders", outsider)
    place_workers(game, "attack")
    before = holdings(game)

    game.do(1, c.AttackOutsider(outsider))
    taken(game)

    attack = TABLES["outsiders"][outsider]["attack"]
    assert change(before, holdings(game)) == worth(attack)
    assert "influence" in attack


def test_paladins_attack_keeps_card() -> None:
    game = attacking(2)
    game.do(1, c.AttackOutsider(ROW[0]))
    assert (game.counts("seat.1.attacked"), game.counts("seat.1.converted")) == ({ROW[0]: 1}, {})
    game.end_round()
    assert game.counts("seat.1.attacked") == {ROW[0]: 1}


def test_paladins_attack_unlimited() -> None:
    """An eighth time as well as a first."""
    game = PaladinsGame(2).turn().display("outsiders", ROW[0]).at(1, strength=2).many_workers()
    for outsider in cards("outsiders")[20:28]:
        game.bring(outsider, game.seat(1).attacked)
    assert game.seat(1).attacked.total() == 8
    assert c.BeginAction("attack", 3) in game.legal(1)


# --- convert ------------------------------------------------------------------------------------------------------

SAINTS = (
    "warrior_byzantine",
    "archer_byzantine",
    "thief_viking",
    "traitor_viking",
    "marauder_viking",
    "vigilante_viking",
    "hunter_saracen",
)


def converting(times: int, *, place: bool = True, **markers: int) -> PaladinsGame:
    """A game in which seat 1 has converted outsiders and, unless said otherwise, placed its workers."""
    game = PaladinsGame(2).turn().display("outsiders", *ROW).at(1, **{"silver": 9, "faith": 12} | markers)
    for outsider in SAINTS[:times]:
        game.bring(outsider, game.seat(1).converted)
    game.many_workers()
    if place:
        place_workers(game, "convert")
    return game


def test_paladins_convert_on_display() -> None:
    game = converting(0)
    game.reject(1, c.ConvertOutsider("thief_viking"), "paladins.convert.on_display", "NOT_ON_DISPLAY")
    game = converting(0, place=False).display("outsiders")
    game.reject(1, c.BeginAction("convert", 3), "paladins.convert.on_display", "NOBODY_ON_DISPLAY")


@pytest.mark.parametrize(("times", "silver"), [*enumerate((0, 1, 2, 2, 2, 3, 3))])
def test_paladins_convert_cost(times: int, silver: int) -> None:
    if silver:
        game = converting(times, place=False, silver=silver - 1)
        refused = game.reject(1, c.BeginAction("convert", 3), "paladins.convert.cost", "NOT_ENOUGH_SILVER")
        assert refused.values == {"has": str(silver - 1), "needs": str(silver)}
    game = converting(times, silver=silver)
    done = detail(game.do(1, c.ConvertOutsider(ROW[0])), e.OutsiderConverted)
    assert (done.silver, game.seat(1).silver.value) == (silver, 0)


@pytest.mark.parametrize("at", range(6))
def test_paladins_convert_faith(at: int) -> None:
    """Silver does not help, and a card that is worth less faith does not, either."""
    game = converting(0, faith=FAITH[at])
    assert {command.outsider for command in game.legal(1)} == {*ROW[: at + 1]}  # type: ignore[attr-defined]
    if at < 5:
        refused = game.reject(1, c.ConvertOutsider(ROW[at + 1]), "paladins.convert.faith", "ATTRIBUTE_TOO_LOW")
        assert refused.values == {"attribute": "faith", "has": str(FAITH[at]), "needs": str(FAITH[at + 1])}


def test_paladins_convert_faith__to_begin() -> None:
    game = converting(0, place=False, faith=3).display("outsiders", "", "", "lookout_viking")
    refused = game.reject(1, c.BeginAction("convert", 3), "paladins.convert.faith", "ATTRIBUTE_TOO_LOW")
    assert refused.values == {"attribute": "faith", "has": "3", "needs": "4"}


@pytest.mark.parametrize("outsider", cards("outsiders"))
def test_paladins_convert_strength(outsider: str) -> None:
    """Each card's, and nothing of what attacking it would give."""
    game = rich(PaladinsGame(2).turn()).display("outsiders", outsider)
    place_workers(game, "convert")
    before = holdings(game)

    game.do(1, c.ConvertOutsider(outsider))

    strength = TABLES["outsiders"][outsider]["strength"]
    assert change(before, holdings(game)) == {"strength": strength}
    assert strength >= 1
    assert game.deciding() == [2]


def test_paladins_convert_strength__in_the_rulebooks_example() -> None:
    """Third of all: 2 silver and 4 faith, one of them the paladin's, for an Assassin who asks for 2."""
    game = converting(2, faith=3, silver=2).paladin(1, "anseis").display("outsiders", ROW[0], "assassin_viking")
    assert game.seat(1).level("faith") == 4
    before = holdings(game)
    game.do(1, c.ConvertOutsider("assassin_viking"))
    assert change(before, holdings(game)) == {"silver": -2, "strength": 2}


def test_paladins_convert_kept_open() -> None:
    game = converting(0)
    game.do(1, c.ConvertOutsider("archer_saracen"))
    assert (game.counts("seat.1.converted"), game.counts("seat.1.attacked")) == ({"archer_saracen": 1}, {})
    assert game.board(2).seats[0].converted == ("archer_saracen",)
    points = game.board(2).seats[0].points
    game.pieces(1, "outpost", "r1a", "r1b")
    assert game.board(2).seats[0].points == points + 1, "an Archer is worth a point for two outposts"


def test_paladins_convert_seven_times() -> None:
    game = converting(7, place=False)
    game.reject(1, c.BeginAction("convert", 3), "paladins.convert.seven_times", "NO_PIECE_LEFT")


@pytest.mark.parametrize(("choice", "other"), [("destroy_debt", "suspicion"), ("discard_suspicion", "unpaid")])
def test_paladins_outsiders_vigilante__attacked(choice: str, other: str) -> None:
    game = rich(PaladinsGame(2, vigilante=choice).turn().at(1, strength=2)).display("outsiders", "vigilante_saracen")
    place_workers(game, "attack")
    before = holdings(game)
    game.do(1, c.AttackOutsider("vigilante_saracen"))
    taken(game)
    assert change(before, holdings(game)) == worth(["influence", "cleric", choice])
    assert other not in change(before, holdings(game))


@pytest.mark.parametrize(("choice", "strength"), [("two", 2), ("one", 1)])
def test_paladins_outsiders_barbarian__converted(choice: str, strength: int) -> None:
    game = PaladinsGame(2, barbarian=choice).turn().display("outsiders", "barbarian_viking")
    place_workers(game, "convert")
    game.do(1, c.ConvertOutsider("barbarian_viking"))
    assert game.seat(1).attributes["strength"].value == strength
