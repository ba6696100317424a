"""Fortify, Absolve, Attack and Convert."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.titles.paladins.holdings import TABLES, change, change_by, enrich, holdings, ids_of, place_workers, take_all
from tests.titles.paladins.kit import PaladinsGame, all_details, detail, named

from boardkeeper.titles.paladins import commands as c
from boardkeeper.titles.paladins import events as e

STRENGTH = (2, 3, 5, 7, 9, 11)
FAITH = (0, 2, 4, 6, 8, 10)

# --- fortify ------------------------------------------------------------------------------------------------------

WALLS = ("wall_05", "wall_06", "wall_19", "wall_20", "wall_21", "wall_24", "wall_01")


def create_game_with_walls(built: int, **markers: int) -> PaladinsGame:
    """Create a game in which seat 1 has built walls and can do everything else."""
    game = PaladinsGame(2).turn().at(1, **{"provisions": 9, "influence": 12} | markers).many_workers()
    for wall in WALLS[:built]:
        game.bring(wall, game.seat(1).walls)
    return game


@pytest.mark.parametrize(("built", "provisions"), [*enumerate((1, 1, 1, 2, 2, 3, 3))])
def test_paladins_fortify_cost(built: int, provisions: int) -> None:
    game = create_game_with_walls(built, provisions=provisions - 1)
    rejection = game.reject(1, c.BeginAction("fortify", 3), "paladins.fortify.cost", "NOT_ENOUGH_PROVISIONS")
    assert rejection.values == {"has": str(provisions - 1), "needs": str(provisions)}

    game.at(1, provisions=provisions).next_wall("wall_02")
    built_now = detail(place_workers(game, "fortify"), e.WallBuilt)

    assert game.seat(1).provisions.value == 0
    assert built_now == e.WallBuilt("wall_02", built + 1, provisions)


@pytest.mark.parametrize(("built", "influence"), [*enumerate((0, 1, 3, 5, 7, 9, 11))])
def test_paladins_fortify_influence(built: int, influence: int) -> None:
    begin = c.BeginAction("fortify", 3)
    assert begin in create_game_with_walls(built, influence=influence).legal(1)
    if influence:
        game = create_game_with_walls(built, influence=influence - 1)
        rejection = game.reject(1, begin, "paladins.fortify.influence", "ATTRIBUTE_TOO_LOW")
        assert rejection.values == {"attribute": "influence", "has": str(influence - 1), "needs": str(influence)}


@pytest.mark.parametrize("wall", ids_of("walls"))
def test_paladins_fortify_draw(wall: str) -> None:
    """The reward of each card contains at least 1 strength; here the left option is chosen."""
    game = enrich(PaladinsGame(2).turn()).next_wall(wall)
    before = holdings(game)

    events = place_workers(game, "fortify")
    take_all(game)

    table = TABLES["walls"][wall]
    left = table.get("choice", [[]])[0]
    assert detail(events, e.WallBuilt).wall == wall
    assert change(before, holdings(game)) == {"provision": -1} | change_by([*table["gain"], *left])
    assert "strength" in table["gain"]
    assert game.counts("seat.1.walls") == {wall: 1}


def test_paladins_fortify_draw__brings_strength_at_least_one() -> None:
    assert min(table["gain"].count("strength") for table in TABLES["walls"].values()) == 1


def test_paladins_fortify_draw__in_the_rulebooks_example() -> None:
    """The fourth wall: 2 influence, 3 more of Anséis, who also makes it free. The fifth needs 7 and 2 provisions."""
    game = create_game_with_walls(3, influence=2, provisions=0).paladin(1, "anseis").next_wall("wall_17")
    assert game.seat(1).level("influence") == 5
    place_workers(game, "fortify")
    assert game.seat(1).attributes["strength"].value == 1
    assert game.counts("seat.1.workers") == {"labourer": 1, "fighter": 1}
    assert (game.seat(1).provisions.value, game.seat(1).walls.total()) == (0, 4)

    (area,) = [area for area in game.board(1).seats[0].areas if area.action == "fortify"]
    assert (area.attribute, area.needs, area.provisions) == ("influence", 7, 2)
    game = create_game_with_walls(4, influence=6, provisions=2)
    game.reject(1, c.BeginAction("fortify", 3), "paladins.fortify.influence", "ATTRIBUTE_TOO_LOW")
    game.at(1, influence=7, provisions=1)
    game.reject(1, c.BeginAction("fortify", 3), "paladins.fortify.cost", "NOT_ENOUGH_PROVISIONS")


def test_paladins_fortify_draw__is_random() -> None:
    """No player chooses the card, and no card is drawn twice."""
    drawn = set()
    game = create_game_with_walls(0)
    for _ in range(6):
        drawn.add(detail(place_workers(game, "fortify"), e.WallBuilt).wall)
        take_all(game)
        for space in game.seat(1).areas["fortify"].spaces:
            game.empty(space)
        game.turn().at(1, provisions=9)
    assert len(drawn) == 6
    assert game.t.walls.total() == 18


def test_paladins_fortify_walls_run_out() -> None:
    game = create_game_with_walls(0)
    game.empty(game.t.walls)
    game.reject(1, c.BeginAction("fortify", 3), "paladins.fortify.walls_run_out", "NO_WALL_LEFT")


def test_paladins_fortify_seven_times() -> None:
    game = create_game_with_walls(7)
    game.reject(1, c.BeginAction("fortify", 3), "paladins.fortify.seven_times", "NO_PIECE_LEFT")


# --- absolve ------------------------------------------------------------------------------------------------------

JARS = ("labourer", "pray", "pray", "faith", "provision", "discard_suspicion", "pay_debt")
NUMBERS = {"even": (0, 2, 4, 6, 8, 10, 12), "odd": (0, 1, 3, 5, 7, 9, 11)}


def create_game_with_jars(times: int, *, choices: dict[str, str] | None = None, **markers: int) -> PaladinsGame:
    """Create a game in which seat 1 has placed jars from the left and can do everything else."""
    game = PaladinsGame(2, **choices or {}).turn().at(1, **{"silver": 9, "influence": 12} | markers).many_workers()
    for space in JARS[:times]:
        game.t.move("jar", game.seat(1).jars, game.seat(1).jar_spaces[space])
    game.play.recorder.clear()
    return game


@pytest.mark.parametrize(("times", "silver"), [*enumerate((1, 2, 2, 2, 3, 3, 3))])
def test_paladins_absolve_cost(times: int, silver: int) -> None:
    game = create_game_with_jars(times, silver=silver - 1)
    rejection = game.reject(1, c.BeginAction("absolve", 3), "paladins.absolve.cost", "NOT_ENOUGH_SILVER")
    assert rejection.values == {"has": str(silver - 1), "needs": str(silver)}

    game.at(1, silver=silver)
    place_workers(game, "absolve")
    event = detail(game.do(1, c.PlaceJar("free_recruit")), e.Absolved)

    assert event == e.Absolved("free_recruit", times + 1, silver)
    assert game.seat(1).silver.value == 0


@pytest.mark.parametrize("choice", NUMBERS)
def test_paladins_absolve_influence(choice: str) -> None:
    begin = c.BeginAction("absolve", 3)
    for times, number in enumerate(NUMBERS[choice]):
        assert begin in create_game_with_jars(times, choices={"jar_numbers": choice}, influence=number).legal(1)
        if number:
            game = create_game_with_jars(times, choices={"jar_numbers": choice}, influence=number - 1)
            rejection = game.reject(1, begin, "paladins.absolve.influence", "ATTRIBUTE_TOO_LOW")
            assert rejection.values == {"attribute": "influence", "has": str(number - 1), "needs": str(number)}


@pytest.mark.parametrize("choice", NUMBERS)
def test_paladins_absolve_jar_numbers(choice: str) -> None:
    """Seven rising numbers; the first jar needs no influence."""
    needs = []
    for times in range(7):
        game = create_game_with_jars(times, choices={"jar_numbers": choice})
        (area,) = [area for area in game.board(1).seats[0].areas if area.action == "absolve"]
        needs.append(area.needs)
    assert tuple(needs) == NUMBERS[choice]


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
        game = create_game_with_jars(0, choices={"jar_spaces": choice})
        for _ in range(count):
            game.t.move("jar", game.seat(1).jars, game.seat(1).jar_spaces[space])
        game.play.recorder.clear()
        place_workers(game, "absolve")
        game.reject(1, c.PlaceJar(space), "paladins.absolve.space", "SPACE_TAKEN")
        assert len(game.legal(1)) == 6
    (kinds,) = [seat.jar_spaces for seat in create_game_with_jars(0, choices={"jar_spaces": choice}).board(0).seats[:1]]
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
    game = enrich(create_game_with_jars(0)).display("townsfolk", "abbot_1")
    place_workers(game, "absolve")
    before = holdings(game)

    game.do(1, c.PlaceJar(space))
    take_all(game)

    every_time = ["faith", "discard_suspicion"]
    assert Counter(change(before, holdings(game))) == Counter(
        {"silver": -1} | change_by([*JAR_GAINS[space], *every_time])
    )
    assert game.counts(f"seat.1.jar.{space}") == {"jar": 1}
    assert game.counts("seat.1.townsfolk") == ({"abbot_1": 1} if space == "free_recruit" else {})
    assert game.seat(1).areas["absolve"].is_open() is (space == "pray")


def test_paladins_absolve_space__shows_its_reward() -> None:
    spaces = create_game_with_jars(0).board(0).seats[0].jar_spaces
    assert {space.space: [*space.gains] for space in spaces} == JAR_GAINS


def test_paladins_absolve_space__must_be_a_jar_space() -> None:
    game = create_game_with_jars(0)
    place_workers(game, "absolve")
    game.reject(1, c.PlaceJar("r1a"), "paladins.absolve.space", "SPACE_TAKEN")
    game.reject(1, c.PlaceJar("nowhere"), "table.known_ids", "UNKNOWN_ID")


def test_paladins_absolve_space__in_the_rulebooks_example() -> None:
    """The first jar: no influence, 1 silver; the seat pays a debt, discards a suspicion card and gains 1 faith."""
    game = create_game_with_jars(0, silver=1, influence=0).debts(1, unpaid=1).suspicion(1, 1)
    place_workers(game, "absolve")
    before = holdings(game)
    game.do(1, c.PlaceJar("pay_debt"))
    take_all(game)
    assert change(before, holdings(game)) == {"silver": -1, "unpaid": -1, "paid": 1, "suspicion": -1, "faith": 1}
    assert game.deciding() == [2]


def test_paladins_absolve_gain() -> None:
    """The seat discards its newest suspicion card, if it has one."""
    game = create_game_with_jars(0).suspicion(1, 2, 1)
    place_workers(game, "absolve")
    events = game.do(1, c.PlaceJar("labourer")) + take_all(game)
    assert detail(events, e.SuspicionDiscarded).suspicion == "suspicion_1"
    assert game.counts("seat.1.suspicion") == {"suspicion_2": 1}
    assert game.seat(1).attributes["faith"].value == 1
    assert [(gained.gains, gained.source) for gained in all_details(events, e.Gained)] == [
        (("faith",), "absolve"),
        (("labourer",), "jar_labourer"),
    ]

    game = create_game_with_jars(0)
    place_workers(game, "absolve")
    assert not named(game.do(1, c.PlaceJar("labourer")), "SuspicionDiscarded")
    assert game.seat(1).attributes["faith"].value == 1


def test_paladins_absolve_seven_times() -> None:
    game = create_game_with_jars(7)
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


def start_attack(strength: int, silver: int = 9, row: tuple[str, ...] = ROW, **choices: str) -> PaladinsGame:
    """Create a game in which seat 1 has placed its workers to attack."""
    game = PaladinsGame(2, **choices).turn().display("outsiders", *row).at(1, strength=strength, silver=silver)
    place_workers(game, "attack")
    return game


def test_paladins_attack_on_display() -> None:
    game = start_attack(12)
    game.reject(1, c.AttackOutsider("thief_viking"), "paladins.attack.on_display", "NOT_ON_DISPLAY")
    game.do(1, c.AttackOutsider(ROW[2]))
    assert [place.total() for place in game.t.outsiders] == [1, 1, 0, 1, 1, 1], "the place stays empty in the round"
    game = PaladinsGame(2).turn().display("outsiders").many_workers()
    game.reject(1, c.BeginAction("attack", 3), "paladins.attack.on_display", "NOBODY_ON_DISPLAY")


@pytest.mark.parametrize("at", range(6))
def test_paladins_attack_strength(at: int) -> None:
    """An attack with the strength of the flag above costs nothing; with less it costs silver."""
    game = start_attack(STRENGTH[at], 0)
    assert {command.outsider for command in game.legal(1)} == {*ROW[: at + 1]}  # type: ignore[attr-defined]
    assert detail(game.do(1, c.AttackOutsider(ROW[at])), e.OutsiderAttacked).silver == 0
    if at < 5:
        game = start_attack(STRENGTH[at], 0)
        rule = "paladins.attack.silver_for_strength"
        game.reject(1, c.AttackOutsider(ROW[at + 1]), rule, "NOT_ENOUGH_SILVER")


@pytest.mark.parametrize("strength", range(12))
@pytest.mark.parametrize("at", range(6))
def test_paladins_attack_silver_for_strength(strength: int, at: int) -> None:
    """One silver for every two missing points or part of them."""
    missing = max(0, STRENGTH[at] - strength)
    silver = missing // 2 + missing % 2
    game = start_attack(strength, silver + 1)
    before = game.seat(1).silver.value
    game.do(1, c.AttackOutsider(ROW[at]))
    assert before - game.seat(1).silver.value == silver


def test_paladins_attack_silver_for_strength__in_the_rulebooks_example() -> None:
    """5 strength against 7: for 1 silver the Mercenary brings 1 influence and two labourers, and is kept face down."""
    game = start_attack(5, 1)
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
    """One silver for each outsider beyond reach, up to the attacked one; empty places cost nothing."""
    game = start_attack(strength, 9, row, attack_top_up="by_cards_skipped")
    assert detail(game.do(1, c.AttackOutsider(row[target])), e.OutsiderAttacked).silver == silver
    assert game.seat(1).silver.value == 9 - silver


def test_paladins_attack_silver_for_strength__is_needed_to_begin() -> None:
    game = PaladinsGame(2).turn().display("outsiders", "", "", "lookout_viking").at(1, strength=2, silver=1)
    game.many_workers()
    rule = "paladins.attack.silver_for_strength"
    rejection = game.reject(1, c.BeginAction("attack", 3), rule, "NOT_ENOUGH_SILVER")
    assert rejection.values == {"has": "1", "needs": "2"}


@pytest.mark.parametrize("outsider", ids_of("outsiders"))
def test_paladins_attack_reward(outsider: str) -> None:
    """Each card's attack reward, with at least 1 influence, and not its reward for converting."""
    game = enrich(PaladinsGame(2).turn().at(1, strength=2)).display("outsiders", outsider)
    place_workers(game, "attack")
    before = holdings(game)

    game.do(1, c.AttackOutsider(outsider))
    take_all(game)

    attack = TABLES["outsiders"][outsider]["attack"]
    assert change(before, holdings(game)) == change_by(attack)
    assert "influence" in attack


def test_paladins_attack_keeps_card() -> None:
    game = start_attack(2)
    game.do(1, c.AttackOutsider(ROW[0]))
    assert (game.counts("seat.1.attacked"), game.counts("seat.1.converted")) == ({ROW[0]: 1}, {})
    game.end_round()
    assert game.counts("seat.1.attacked") == {ROW[0]: 1}


def test_paladins_attack_unlimited() -> None:
    """A ninth attack is as possible as the first."""
    game = PaladinsGame(2).turn().display("outsiders", ROW[0]).at(1, strength=2).many_workers()
    for outsider in ids_of("outsiders")[20:28]:
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


def start_conversion(times: int, *, place: bool = True, **markers: int) -> PaladinsGame:
    """Create a game in which seat 1 has converted outsiders and, by default, placed its workers."""
    game = PaladinsGame(2).turn().display("outsiders", *ROW).at(1, **{"silver": 9, "faith": 12} | markers)
    for outsider in SAINTS[:times]:
        game.bring(outsider, game.seat(1).converted)
    game.many_workers()
    if place:
        place_workers(game, "convert")
    return game


def test_paladins_convert_on_display() -> None:
    game = start_conversion(0)
    game.reject(1, c.ConvertOutsider("thief_viking"), "paladins.convert.on_display", "NOT_ON_DISPLAY")
    game = start_conversion(0, place=False).display("outsiders")
    game.reject(1, c.BeginAction("convert", 3), "paladins.convert.on_display", "NOBODY_ON_DISPLAY")


@pytest.mark.parametrize(("times", "silver"), [*enumerate((0, 1, 2, 2, 2, 3, 3))])
def test_paladins_convert_cost(times: int, silver: int) -> None:
    if silver:
        game = start_conversion(times, place=False, silver=silver - 1)
        rejection = game.reject(1, c.BeginAction("convert", 3), "paladins.convert.cost", "NOT_ENOUGH_SILVER")
        assert rejection.values == {"has": str(silver - 1), "needs": str(silver)}
    game = start_conversion(times, silver=silver)
    event = detail(game.do(1, c.ConvertOutsider(ROW[0])), e.OutsiderConverted)
    assert (event.silver, game.seat(1).silver.value) == (silver, 0)


@pytest.mark.parametrize("at", range(6))
def test_paladins_convert_faith(at: int) -> None:
    """Neither silver nor a card with a lower flag makes up for missing faith."""
    game = start_conversion(0, faith=FAITH[at])
    assert {command.outsider for command in game.legal(1)} == {*ROW[: at + 1]}  # type: ignore[attr-defined]
    if at < 5:
        rejection = game.reject(1, c.ConvertOutsider(ROW[at + 1]), "paladins.convert.faith", "ATTRIBUTE_TOO_LOW")
        assert rejection.values == {"attribute": "faith", "has": str(FAITH[at]), "needs": str(FAITH[at + 1])}


def test_paladins_convert_faith__to_begin() -> None:
    game = start_conversion(0, place=False, faith=3).display("outsiders", "", "", "lookout_viking")
    rejection = game.reject(1, c.BeginAction("convert", 3), "paladins.convert.faith", "ATTRIBUTE_TOO_LOW")
    assert rejection.values == {"attribute": "faith", "has": "3", "needs": "4"}


@pytest.mark.parametrize("outsider", ids_of("outsiders"))
def test_paladins_convert_strength(outsider: str) -> None:
    """Each card's strength, and not its reward for attacking."""
    game = enrich(PaladinsGame(2).turn()).display("outsiders", outsider)
    place_workers(game, "convert")
    before = holdings(game)

    game.do(1, c.ConvertOutsider(outsider))

    strength = TABLES["outsiders"][outsider]["strength"]
    assert change(before, holdings(game)) == {"strength": strength}
    assert strength >= 1
    assert game.deciding() == [2]


def test_paladins_convert_strength__in_the_rulebooks_example() -> None:
    """The third conversion: 2 silver and 4 faith, one of it the paladin's, for an Assassin that needs 2."""
    game = start_conversion(2, faith=3, silver=2).paladin(1, "anseis").display("outsiders", ROW[0], "assassin_viking")
    assert game.seat(1).level("faith") == 4
    before = holdings(game)
    game.do(1, c.ConvertOutsider("assassin_viking"))
    assert change(before, holdings(game)) == {"silver": -2, "strength": 2}


def test_paladins_convert_kept_open() -> None:
    game = start_conversion(0)
    game.do(1, c.ConvertOutsider("archer_saracen"))
    assert (game.counts("seat.1.converted"), game.counts("seat.1.attacked")) == ({"archer_saracen": 1}, {})
    assert game.board(2).seats[0].converted == ("archer_saracen",)
    points = game.board(2).seats[0].points
    game.pieces(1, "outpost", "r1a", "r1b")
    assert game.board(2).seats[0].points == points + 1, "an Archer gives a point for two outposts"


def test_paladins_convert_seven_times() -> None:
    game = start_conversion(7, place=False)
    game.reject(1, c.BeginAction("convert", 3), "paladins.convert.seven_times", "NO_PIECE_LEFT")


@pytest.mark.parametrize("choice", ["destroy_debt", "discard_suspicion"])
def test_paladins_outsiders_vigilante(choice: str) -> None:
    """The option vigilante: another reward for attacking the Saracen one."""
    game = PaladinsGame(2, vigilante=choice).turn().at(1, strength=2).display("outsiders", "vigilante_saracen")
    place_workers(enrich(game), "attack")
    before = holdings(game)
    game.do(1, c.AttackOutsider("vigilante_saracen"), c.TakeReward(choice))
    assert change(before, holdings(game)) == change_by(["influence", "cleric", choice])


@pytest.mark.parametrize(("choice", "strength"), [("two", 2), ("one", 1)])
def test_paladins_outsiders_barbarian(choice: str, strength: int) -> None:
    """The option barbarian: the strength for converting the Viking one."""
    game = PaladinsGame(2, barbarian=choice).turn().display("outsiders", "barbarian_viking")
    place_workers(game, "convert")
    game.do(1, c.ConvertOutsider("barbarian_viking"))
    assert game.seat(1).attributes["strength"].value == strength
