"""The captions of the drawing of Orléans, and the names that no catalogue entry carries."""

from __future__ import annotations

from boardkeeper.client.drawing.families.followers import words as family

_EN = {
    "citizens": "Citizens",
    "debt": "Owes",
    "development": "Development",
    "draws": "Draws",
    "examples": "ship farmer",
    "gives.build_station": "build a trading station",
    "gives.coins_per_station": "{} coins per trading station",
    "gives.coins_per_station.1": "1 coin per trading station",
    "gives.coins_per_status": "{} coins per point of status",
    "gives.coins_per_status.1": "1 coin per point of status",
    "gives.development": "{} development points",
    "gives.development.1": "1 development point",
    "gives.development_for_coins": "buy up to {} development points",
    "gives.travel": "travel: {}",
    "goods_detail": "By type",
    "goods_market": "Goods market",
    "goods_on_map": "Goods on the map",
    "goods_on_market": "Goods market",
    "hour_glass_tile": "Hour glass tiles",
    "legend": "■ follower  ⚙ technology  □ empty    * own follower    ► to decide  • start player",
    "map": "the map",
    "merchant": "Merchant",
    "owes": "owes",
    "place_tile": "Place tiles",
    "place_tiles": "Place tiles",
    "road": "Road",
    "station": "Station",
    "stations": "Stations",
    "status": "Status",
    "supplies": "supplies and place tiles",
    "tile": "tile",
    "town": "Town",
    "track": "Track",
    "tracks": "all tracks",
    "water": "Waterway",
    "ways": "all roads and waterways",
}

_DE = {
    "citizens": "Bürger",
    "debt": "Schuldet",
    "development": "Entwicklung",
    "draws": "Zieht",
    "examples": "schiff bauer",
    "gives.build_station": "Kontor bauen",
    "gives.coins_per_station": "{} Münzen je Kontor",
    "gives.coins_per_station.1": "1 Münze je Kontor",
    "gives.coins_per_status": "{} Münzen je Entwicklungsstand",
    "gives.coins_per_status.1": "1 Münze je Entwicklungsstand",
    "gives.development": "{} Entwicklungspunkte",
    "gives.development.1": "1 Entwicklungspunkt",
    "gives.development_for_coins": "bis zu {} Entwicklungspunkte kaufen",
    "gives.travel": "reisen: {}",
    "goods_detail": "davon",
    "goods_market": "Warenmarkt",
    "goods_on_map": "Waren auf der Karte",
    "goods_on_market": "Warenmarkt",
    "hour_glass_tile": "Stundenglaskarten",
    "legend": "■ dort liegt jemand  ⚙ Technik  □ leer    * eigener Gefolgsmann    ► entscheidet  • Startspieler",
    "map": "die Karte",
    "merchant": "Händlerfigur",
    "owes": "schuldet",
    "place_tile": "Ortskarten",
    "place_tiles": "Ortskarten",
    "road": "Landweg",
    "station": "Kontor",
    "stations": "Kontore",
    "status": "Stand",
    "supplies": "Vorräte und Ortskarten",
    "tile": "Karte",
    "town": "Stadt",
    "track": "Leiste",
    "tracks": "alle Leisten",
    "water": "Wasserweg",
    "ways": "alle Landwege und Wasserwege",
}

CAPTIONS = {"en": family.CAPTIONS["en"] | _EN, "de": family.CAPTIONS["de"] | _DE}

NAMES = {
    "en": family.NAMES["en"] | {"road": "Road", "water": "Waterway"},
    "de": family.NAMES["de"]
    | {
        "road": "Landweg",
        "water": "Wasserweg",
        "hour_glass": "Stundenglas",
        "census": "Volkszählung",
        "event": "Ereignis",
    },
}
"""What phases and the like are called, which are no components."""
