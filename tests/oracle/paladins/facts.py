"""The contents of cards and boards, typed in by hand from the component list and not from the title's data.

Spaces, cards and places are in the printed order, from left to right.
"""

from __future__ import annotations

from typing import NamedTuple

Gains = tuple[str, ...]


class Space(NamedTuple):
    """A space of the main board."""

    region: int
    gains: Gains
    players: int


class Townsman(NamedTuple):
    """A card of the townsfolk: its reward when discarded, when hired, and what triggers its ability."""

    discard: Gains
    instant: Gains
    trigger: str
    reward: Gains


class Outsider(NamedTuple):
    """A card of the outsiders."""

    suit: str
    attack: Gains
    strength: int
    points: str


class Paladin(NamedTuple):
    """A paladin: workers, passing points of attributes, and the action that it helps."""

    workers: Gains
    bonus: dict[str, int]
    action: str
    silver_off: int
    provisions_off: int
    gains: Gains


class Favour(NamedTuple):
    """A King's Favour."""

    worker: str
    silver: int
    provisions: int
    gains: Gains
    choice: tuple[Gains, ...]


class Wall(NamedTuple):
    """A card of the walls."""

    gains: Gains
    points: int
    choice: tuple[Gains, ...]


SPACES = {
    "r1a": Space(1, ("free_recruit",), 1),
    "r1b": Space(1, ("silver", "silver"), 1),
    "r1c": Space(1, ("labourer",), 3),
    "r1d": Space(1, ("discard_suspicion",), 4),
    "r2a": Space(2, ("free_recruit",), 1),
    "r2b": Space(2, ("silver", "silver"), 1),
    "r2c": Space(2, ("scout",), 1),
    "r2d": Space(2, ("discard_suspicion",), 1),
    "r2e": Space(2, ("labourer",), 4),
    "r2f": Space(2, ("silver", "silver"), 3),
    "r2g": Space(2, ("discard_suspicion",), 3),
    "r3a": Space(3, ("labourer",), 1),
    "r3b": Space(3, ("merchant",), 1),
    "r3c": Space(3, ("silver", "silver"), 1),
    "r3d": Space(3, ("pray",), 1),
    "r3e": Space(3, ("scout",), 1),
    "r3f": Space(3, ("fighter",), 1),
    "r3g": Space(3, ("free_recruit",), 3),
    "r3h": Space(3, ("pay_debt",), 3),
    "r3i": Space(3, ("silver", "silver"), 4),
    "r4a": Space(4, ("fighter",), 1),
    "r4b": Space(4, ("pray",), 1),
    "r4c": Space(4, ("merchant",), 1),
    "r4d": Space(4, ("cleric",), 1),
    "r4e": Space(4, ("pay_debt",), 1),
    "r4f": Space(4, ("labourer", "scout"), 1),
    "r4g": Space(4, ("silver", "silver"), 1),
    "r4h": Space(4, ("pray",), 3),
    "r4i": Space(4, ("labourer", "labourer"), 4),
    "r4j": Space(4, ("silver", "silver"), 3),
    "r5a": Space(5, ("pray",), 1),
    "r5b": Space(5, ("labourer", "fighter"), 1),
    "r5c": Space(5, ("pay_debt",), 1),
    "r5d": Space(5, ("labourer", "merchant"), 1),
    "r5e": Space(5, ("labourer", "cleric"), 1),
    "r5f": Space(5, ("pay_debt",), 4),
    "r5g": Space(5, ("labourer", "labourer"), 3),
    "r6a": Space(6, ("pay_debt",), 1),
    "r6b": Space(6, ("pray",), 3),
    "r6c": Space(6, ("labourer", "labourer"), 4),
}
TOWNSFOLK = {
    "abbot_1": Townsman(("cleric", "labourer"), (), "absolve", ("labourer",)),
    "abbot_2": Townsman(("pray",), ("provision",), "absolve", ("provision",)),
    "abbot_3": Townsman(("destroy_debt",), ("discard_suspicion",), "absolve", ("tax",)),
    "acolyte_1": Townsman(("cleric",), (), "commission", ("labourer",)),
    "acolyte_2": Townsman(("pray",), ("silver",), "commission", ("silver",)),
    "acolyte_3": Townsman(("discard_suspicion", "discard_suspicion"), ("discard_suspicion",), "commission", ("tax",)),
    "architect_1": Townsman(("criminal",), (), "develop", ("labourer",)),
    "architect_2": Townsman(("labourer", "provision"), ("provision",), "develop", ("provision",)),
    "architect_3": Townsman(("tax", "tax"), ("discard_suspicion",), "develop", ("tax",)),
    "conspirator_1": Townsman(("discard_suspicion", "discard_suspicion"), (), "inquisition", ("discard_suspicion",)),
    "conspirator_2": Townsman(("criminal",), (), "inquisition", ("discard_suspicion",)),
    "debt_collector_1": Townsman(("labourer", "labourer"), (), "pay_debt", ("labourer",)),
    "debt_collector_2": Townsman(("destroy_debt",), (), "pay_debt", ("fighter",)),
    "debt_collector_3": Townsman(("discard_suspicion", "discard_suspicion"), (), "pay_debt", ("scout",)),
    "defender_1": Townsman(("strength",), (), "attack", ("labourer",)),
    "defender_2": Townsman(("labourer", "provision"), ("provision",), "attack", ("provision",)),
    "defender_3": Townsman(("tax", "tax"), ("discard_suspicion",), "attack", ("tax",)),
    "gatekeeper_1": Townsman(("merchant", "labourer"), (), "fortify", ("labourer",)),
    "gatekeeper_2": Townsman(("scout",), ("silver",), "fortify", ("silver",)),
    "gatekeeper_3": Townsman(("tax", "tax"), ("discard_suspicion",), "fortify", ("tax",)),
    "missionary_1": Townsman(("pray",), (), "convert", ("labourer",)),
    "missionary_2": Townsman(("faith",), ("provision",), "convert", ("provision",)),
    "missionary_3": Townsman(("scout", "labourer"), ("discard_suspicion",), "convert", ("tax",)),
    "peddler_1": Townsman(("labourer", "labourer"), (), "inquisition", ("labourer",)),
    "peddler_2": Townsman(("labourer", "provision"), (), "inquisition", ("provision", "provision")),
    "peddler_3": Townsman(("discard_suspicion", "discard_suspicion"), (), "inquisition", ("silver", "silver")),
    "squire_1": Townsman(("fighter",), (), "inquisition", ("strength",)),
    "squire_2": Townsman(("influence",), (), "inquisition", ("influence",)),
    "squire_3": Townsman(("criminal",), (), "inquisition", ("faith",)),
    "watchman_1": Townsman(("fighter", "labourer"), (), "garrison", ("labourer",)),
    "watchman_2": Townsman(("labourer", "provision"), ("silver",), "garrison", ("silver",)),
    "watchman_3": Townsman(("merchant",), ("discard_suspicion",), "garrison", ("tax",)),
}
OUTSIDERS = {
    "adventurer_saracen": Outsider("saracen", ("influence", "labourer", "scout"), 1, "per_2_commission"),
    "archer_saracen": Outsider("saracen", ("influence", "provision", "provision"), 1, "per_2_garrison"),
    "barbarian_saracen": Outsider("saracen", ("influence", "labourer", "scout"), 2, "per_attacked_byzantine"),
    "champion_saracen": Outsider(
        "saracen", ("influence", "discard_suspicion", "scout"), 1, "one_plus_per_fulfilled_order"
    ),
    "hunter_saracen": Outsider("saracen", ("influence", "destroy_debt"), 1, "per_2_hired_townsfolk"),
    "invader_saracen": Outsider("saracen", ("influence", "influence"), 2, "per_attacked_viking"),
    "marauder_saracen": Outsider("saracen", ("influence", "influence"), 1, "per_4_influence"),
    "mercenary_saracen_1": Outsider(
        "saracen", ("influence", "labourer", "provision"), 1, "one_plus_per_converted_mercenary"
    ),
    "mercenary_saracen_2": Outsider("saracen", ("influence", "tax", "tax"), 1, "one_plus_per_converted_mercenary"),
    "protector_saracen": Outsider("saracen", ("influence", "labourer", "labourer"), 1, "per_paid_debt"),
    "vigilante_saracen": Outsider("saracen", ("influence", "destroy_debt", "cleric"), 1, "per_2_absolve"),
    "warrior_saracen": Outsider("saracen", ("influence", "cleric"), 1, "per_4_faith"),
    "archer_byzantine": Outsider("byzantine", ("influence", "scout", "provision"), 1, "per_2_garrison"),
    "arms_master_byzantine": Outsider("byzantine", ("influence", "fighter"), 1, "per_4_strength"),
    "assassin_byzantine": Outsider("byzantine", ("influence", "labourer", "provision"), 2, "per_attacked_saracen"),
    "champion_byzantine": Outsider(
        "byzantine", ("influence", "discard_suspicion", "merchant"), 1, "one_plus_per_fulfilled_order"
    ),
    "guardian_byzantine": Outsider("byzantine", ("influence", "labourer", "labourer"), 1, "per_2_develop"),
    "hunter_byzantine": Outsider(
        "byzantine", ("influence", "discard_suspicion", "fighter"), 1, "per_2_hired_townsfolk"
    ),
    "invader_byzantine": Outsider("byzantine", ("influence", "tax", "provision"), 2, "per_attacked_viking"),
    "lookout_byzantine": Outsider("byzantine", ("influence", "labourer", "merchant"), 1, "per_2_fortify"),
    "mercenary_byzantine": Outsider(
        "byzantine", ("influence", "discard_suspicion", "labourer"), 1, "one_plus_per_converted_mercenary"
    ),
    "thief_byzantine": Outsider("byzantine", ("influence", "criminal"), 1, "per_suspicion"),
    "traitor_byzantine": Outsider("byzantine", ("influence", "destroy_debt"), 1, "per_unpaid_debt_minus_less"),
    "warrior_byzantine": Outsider("byzantine", ("influence", "provision", "provision"), 1, "per_4_faith"),
    "adventurer_viking": Outsider("viking", ("influence", "labourer", "cleric"), 1, "per_2_commission"),
    "arms_master_viking": Outsider("viking", ("influence", "labourer", "provision"), 1, "per_4_strength"),
    "assassin_viking": Outsider("viking", ("influence", "labourer", "fighter"), 2, "per_attacked_saracen"),
    "barbarian_viking": Outsider("viking", ("influence", "tax", "provision"), 2, "per_attacked_byzantine"),
    "guardian_viking": Outsider("viking", ("influence", "merchant", "provision"), 1, "per_2_develop"),
    "lookout_viking": Outsider("viking", ("influence", "merchant"), 1, "per_2_fortify"),
    "marauder_viking": Outsider("viking", ("influence", "criminal"), 1, "per_4_influence"),
    "mercenary_viking": Outsider(
        "viking", ("influence", "labourer", "labourer"), 1, "one_plus_per_converted_mercenary"
    ),
    "protector_viking": Outsider("viking", ("influence", "labourer", "provision"), 1, "per_paid_debt"),
    "thief_viking": Outsider("viking", ("influence", "tax", "tax"), 1, "per_suspicion"),
    "traitor_viking": Outsider("viking", ("influence", "criminal"), 1, "per_unpaid_debt_minus_less"),
    "vigilante_viking": Outsider("viking", ("influence", "destroy_debt"), 1, "per_2_absolve"),
}
PALADINS = {
    "anseis": Paladin(("merchant", "scout"), {"influence": 3, "faith": 1}, "fortify", 0, 99, ()),
    "berengier": Paladin(("merchant", "fighter"), {"strength": 3, "influence": 1}, "garrison", 0, 99, ()),
    "engelier": Paladin(("fighter", "scout"), {"strength": 3, "faith": 1}, "attack", 0, 0, ("silver", "silver")),
    "gerier": Paladin(("cleric", "fighter"), {"faith": 3, "influence": 1}, "convert", 99, 0, ()),
    "gerin": Paladin(("merchant", "labourer"), {"influence": 4}, "conspire", 0, 0, ("silver", "silver")),
    "girard": Paladin(("scout", "scout"), {"influence": 2, "faith": 2}, "hunt", 0, 0, ("provision", "provision")),
    "ivoire": Paladin(("cleric", "merchant"), {"influence": 3, "strength": 1}, "absolve", 99, 0, ()),
    "ivon": Paladin(("cleric", "scout"), {"faith": 3, "strength": 1}, "commission", 0, 99, ()),
    "oliver": Paladin(("cleric", "cleric"), {"faith": 4}, "pray", 99, 0, ()),
    "otton": Paladin(("merchant", "merchant"), {"strength": 2, "faith": 2}, "trade", 0, 0, ("silver", "silver")),
    "roland": Paladin(("fighter", "labourer"), {"strength": 4}, "recruit", 99, 0, ()),
    "samson": Paladin(("labourer", "scout"), {"influence": 2, "strength": 2}, "develop", 2, 0, ()),
}
FAVOURS = {
    "favour_01": Favour("scout", 0, 0, ("free_recruit",), ()),
    "favour_02": Favour("cleric", 0, 0, ("discard_suspicion", "tax", "tax"), ()),
    "favour_03": Favour("any", 0, 0, ("criminal", "criminal"), ()),
    "favour_04": Favour("criminal", 0, 0, (), (("faith",), ("strength",), ("influence",))),
    "favour_05": Favour("fighter", 1, 0, (), (("pay_debt",), ("discard_suspicion", "discard_suspicion"))),
    "favour_06": Favour("any", 0, 0, ("take_debt", "scout", "merchant", "fighter"), ()),
    "favour_07": Favour("merchant", 0, 1, (), (("free_develop",), ("fighter", "cleric"))),
    "favour_08": Favour("criminal", 0, 0, ("labourer", "labourer", "labourer"), ()),
    "favour_09": Favour("any", 0, 0, ("provision", "provision", "tax"), ()),
    "favour_10": Favour("any", 0, 0, ("pray",), ()),
}
WALLS = {
    "wall_01": Wall(("strength", "strength"), 0, ()),
    "wall_02": Wall(("strength", "strength"), 0, ()),
    "wall_03": Wall(("strength", "labourer"), 1, ()),
    "wall_04": Wall(("strength", "labourer"), 1, ()),
    "wall_05": Wall(("strength",), 2, ()),
    "wall_06": Wall(("strength",), 2, ()),
    "wall_07": Wall(("strength",), 0, (("pay_debt",), ("silver", "silver"))),
    "wall_08": Wall(("strength",), 0, (("pay_debt",), ("silver", "silver"))),
    "wall_09": Wall(("strength",), 0, (("discard_suspicion",), ("silver", "silver"))),
    "wall_10": Wall(("strength",), 0, (("discard_suspicion",), ("silver", "silver"))),
    "wall_11": Wall(("strength",), 0, (("discard_suspicion",), ("silver", "silver"))),
    "wall_12": Wall(("strength",), 0, (("pay_debt",), ("silver", "silver"))),
    "wall_13": Wall(("strength", "labourer", "labourer", "labourer"), 0, ()),
    "wall_14": Wall(("strength",), 0, (("discard_suspicion",), ("silver", "silver"))),
    "wall_15": Wall(("strength", "labourer", "labourer"), 0, ()),
    "wall_16": Wall(("strength", "labourer", "merchant"), 0, ()),
    "wall_17": Wall(("strength", "labourer", "fighter"), 0, ()),
    "wall_18": Wall(("strength", "labourer", "scout"), 0, ()),
    "wall_19": Wall(("strength", "scout"), 0, ()),
    "wall_20": Wall(("strength", "merchant"), 0, ()),
    "wall_21": Wall(("strength", "fighter"), 0, ()),
    "wall_22": Wall(("strength", "labourer", "cleric"), 0, ()),
    "wall_23": Wall(("strength", "scout", "merchant"), 0, ()),
    "wall_24": Wall(("strength", "cleric"), 0, ()),
}
TAVERN = {
    "tavern_01": ("cleric", "scout", "labourer", "labourer"),
    "tavern_02": ("fighter", "fighter", "scout", "criminal"),
    "tavern_03": ("merchant", "merchant", "scout", "criminal"),
    "tavern_04": ("fighter", "fighter", "criminal", "labourer"),
    "tavern_05": ("cleric", "scout", "scout", "criminal"),
    "tavern_06": ("fighter", "merchant", "scout", "criminal"),
    "tavern_07": ("merchant", "merchant", "labourer", "labourer"),
    "tavern_08": ("merchant", "merchant", "scout", "scout"),
    "tavern_09": ("cleric", "cleric", "fighter", "scout"),
    "tavern_10": ("cleric", "cleric", "merchant", "scout"),
    "tavern_11": ("fighter", "fighter", "merchant", "criminal"),
    "tavern_12": ("fighter", "scout", "criminal", "criminal"),
    "tavern_13": ("merchant", "merchant", "scout", "labourer"),
    "tavern_14": ("cleric", "cleric", "merchant", "labourer"),
    "tavern_15": ("fighter", "merchant", "scout", "scout"),
    "tavern_16": ("fighter", "criminal", "criminal", "labourer"),
    "tavern_17": ("cleric", "labourer", "criminal", "labourer"),
    "tavern_18": ("cleric", "cleric", "merchant", "merchant"),
    "tavern_19": ("fighter", "fighter", "labourer", "labourer"),
    "tavern_20": ("cleric", "cleric", "cleric", "fighter"),
    "tavern_21": ("cleric", "cleric", "fighter", "merchant"),
    "tavern_22": ("scout", "scout", "scout", "labourer"),
    "tavern_23": ("fighter", "merchant", "criminal", "criminal"),
    "tavern_24": ("fighter", "criminal", "labourer", "labourer"),
}
AREAS = {
    "develop": ("any", "any"),
    "recruit": ("any", "fighter"),
    "hunt": ("any", "scout"),
    "trade": ("any", "merchant"),
    "pray": ("cleric",),
    "conspire": ("any",),
    "commission": ("scout", "any", "cleric"),
    "fortify": ("merchant", "any", "scout"),
    "garrison": ("merchant", "any", "fighter"),
    "absolve": ("cleric", "any", "merchant"),
    "attack": ("scout", "any", "fighter"),
    "convert": ("fighter", "any", "cleric"),
}
RIGHT = ("commission", "fortify", "garrison", "absolve", "attack", "convert")
PROVISIONS = (1, 1, 1, 2, 2, 3, 3)
ABSOLVE_SILVER = (1, 2, 2, 2, 3, 3, 3)
CONVERT_SILVER = (0, 1, 2, 2, 2, 3, 3)
WALL_NUMBERS = (0, 1, 3, 5, 7, 9, 11)
JAR_NUMBERS = (0, 2, 4, 6, 8, 10, 12)
JAR_SPACES = {
    "free_recruit": (("free_recruit",), 1),
    "labourer": (("labourer",), 1),
    "pray": (("pray",), 2),
    "faith": (("faith",), 1),
    "provision": (("provision", "provision"), 1),
    "discard_suspicion": (("discard_suspicion",), 2),
    "pay_debt": (("pay_debt",), 2),
}
WORKSHOPS = ("scout", "merchant", "fighter", "cleric", "scout", "merchant", "fighter", "cleric")
FAITH = (0, 2, 4, 6, 8, 10)
STRENGTH = (2, 3, 5, 7, 9, 11)
ROW_SILVER = (3, 2, 2, 1, 0)
ROW_DEBT = (True, True, False, False, False)
TAX = {1: 5, 2: 6, 3: 7, 4: 8}
SUSPICION = {"suspicion_0": 6, "suspicion_1": 8, "suspicion_2": 10}
ATTRIBUTE_POINTS = (0, 0, 1, 1, 3, 3, 6, 6, 9, 11, 13, 16, 20)
TIMES_POINTS = {
    "commission": {5: 2, 6: 5, 7: 9},
    "garrison": {5: 2, 6: 5, 7: 9},
    "fortify": {5: 1, 6: 3, 7: 6},
    "absolve": {5: 1, 6: 3, 7: 6},
    "develop": {6: 1, 7: 3, 8: 6},
}
ORDER_POINTS = (4, 6, 8)
SCHEMES = {
    "scheme_commission": 1,
    "scheme_fortify": 1,
    "scheme_garrison": 1,
    "scheme_absolve": 1,
    "scheme_attack": 1,
    "scheme_convert": 1,
    "scheme_order": 3,
    "scheme_recruit": 3,
}
OPPONENT_ORDERS = {"easy": 1, "standard": 3, "hard": 5}
DEBTS = 24
IN_THE_BOX = {
    "labourer": 22,
    "scout": 18,
    "merchant": 18,
    "fighter": 18,
    "cleric": 18,
    "criminal": 18,
    "silver": 50,
    "provision": 40,
}
WORKERS = ("labourer", "scout", "merchant", "fighter", "cleric", "criminal")
ATTRIBUTES = ("faith", "strength", "influence")
ROUNDS = 7
