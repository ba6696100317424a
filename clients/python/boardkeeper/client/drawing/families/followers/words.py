"""The captions of what titles of the family have in common, and the names that no catalogue entry carries.

A title puts its own beside these, and may say one of them in another way.
"""

from __future__ import annotations

_EN = {
    "all_seats": "places of all seats",
    "always": "permanent effect",
    "bag": "Bag",
    "citizen": "Citizen",
    "coins": "Coins",
    "deed": "Deed",
    "deeds": "beneficial deeds",
    "drawn": "Drawn",
    "gives": "Gives",
    "gives.bathhouse": "draw {}, place 1",
    "gives.cancels_event": "protects against a negative event",
    "gives.coins": "{} coins",
    "gives.coins.1": "1 coin",
    "gives.good": "1 {}",
    "gives.market_extension": "market +{}",
    "gives.recruit": "recruit: {}",
    "gives.send_to_deeds": "send up to {} followers to deeds",
    "gives.send_to_deeds.1": "send 1 follower to a deed",
    "gives.stands_for": "{} in place of {}",
    "gives.technology": "{} technology tiles",
    "gives.technology.1": "1 technology tile",
    "goods": "Goods",
    "legend": "■ follower  ⚙ technology  □ empty    ► to decide  • start player",
    "market": "Market",
    "place": "Place",
    "planned": "planning finished",
    "ready": "ready",
    "spaces": "Spaces",
    "take_back": "Back to the market",
    "technology": "Technology",
    "technology_aside": "Unplaced technology",
    "there": "Present",
    "wanted": "Needed",
}

_DE = {
    "all_seats": "die Orte aller Plätze",
    "always": "gilt immer",
    "bag": "Beutel",
    "citizen": "Bürger",
    "coins": "Münzen",
    "deed": "Segensreiches Werk",
    "deeds": "segensreiche Werke",
    "drawn": "Gezogen",
    "gives": "Gibt",
    "gives.bathhouse": "{} ziehen, 1 einsetzen",
    "gives.cancels_event": "wehrt ein negatives Ereignis ab",
    "gives.coins": "{} Münzen",
    "gives.coins.1": "1 Münze",
    "gives.good": "1 {}",
    "gives.market_extension": "Markt +{}",
    "gives.recruit": "anwerben: {}",
    "gives.send_to_deeds": "bis zu {} zu Werken",
    "gives.send_to_deeds.1": "1 Gefolgsmann zu einem Werk",
    "gives.stands_for": "{} steht für {}",
    "gives.technology": "{} Technikplättchen",
    "gives.technology.1": "1 Technikplättchen",
    "goods": "Waren",
    "legend": "■ dort liegt jemand  ⚙ Technik  □ leer    ► entscheidet  • Startspieler",
    "market": "Markt",
    "place": "Ort",
    "planned": "Planung beendet",
    "ready": "bereit",
    "spaces": "Felder",
    "take_back": "Zurück auf den Markt",
    "technology": "Technik",
    "technology_aside": "Technik zu legen",
    "there": "Dort",
    "wanted": "Gesucht",
}

CAPTIONS = {"en": _EN, "de": _DE}

NAMES = {
    "en": {"any": "Any"},
    "de": {
        "any": "Beliebig",
        "technology": "Technik",
        "followers": "Gefolgsleute",
        "planning": "Planung",
        "actions": "Aktionen",
        "over": "Ende",
    },
}
"""What phases and the like are called, which are no components."""
