"""The captions that drawings of every title and the command line share, in the languages of the titles.

A title's drawing brings its own beside them, and may say one of these in another way.
"""

from __future__ import annotations

LANGUAGES = ("en", "de")

_EN = {
    "alone": "For a solo game, choose",
    "at_version": "version",
    "bots": "Bots",
    "components_and_rules": "{components} components and {rules} rules; list them with --json.",
    "damaged": "damaged from version {version}",
    "common": "shared",
    "default": "default",
    "each_seat": "per seat",
    "edition": "Edition",
    "ended": "finished",
    "examples": "seat 2",
    "free": "open",
    "game": "Game",
    "in_supply": "in supply",
    "joining": "waiting for players",
    "last_event": "Last event",
    "legend": "",
    "name": "Name",
    "only_in": " (only in {editions})",
    "only_with": " (with {numbers} players)",
    "open": "open",
    "option": "Option",
    "or": "or",
    "otherwise": "Or",
    "passed": "passed",
    "players": "players",
    "players_caption": "Players",
    "rank": "Rank",
    "reading": "Rules interpretation",
    "round": "Round",
    "rulebook": "Rulebook",
    "running": "in progress",
    "score_sheet": "Score sheet",
    "seat": "Seat",
    "seats": "Seats",
    "start_player": "start player",
    "state": "Status",
    "supply": "Supply",
    "take_back": "Take back",
    "title": "Title",
    "total": "Total",
    "version": "Version",
}

_DE = {
    "alone": "Für ein Solospiel wählen",
    "at_version": "Version",
    "bots": "Bots",
    "components_and_rules": "{components} Bestandteile und {rules} Regeln: siehe --json.",
    "damaged": "beschädigt ab {version}",
    "common": "für alle",
    "default": "Vorgabe",
    "each_seat": "für jeden Platz",
    "edition": "Ausgabe",
    "ended": "beendet",
    "examples": "platz 2",
    "free": "frei",
    "game": "Partie",
    "in_supply": "im Vorrat",
    "joining": "wartet auf Spieler",
    "last_event": "Letztes Ereignis",
    "legend": "",
    "name": "Name",
    "only_in": " (nur in {editions})",
    "only_with": " (zu {numbers} spielbar)",
    "open": "offen",
    "option": "Option",
    "or": "oder",
    "otherwise": "Oder",
    "passed": "gepasst",
    "players": "Spieler",
    "players_caption": "Spieler",
    "rank": "Rang",
    "reading": "Lesart",
    "round": "Runde",
    "rulebook": "Spielregel",
    "running": "läuft",
    "score_sheet": "Schlusswertung",
    "seat": "Platz",
    "seats": "Plätze",
    "start_player": "Startspieler",
    "state": "Status",
    "supply": "Vorrat",
    "take_back": "Zurücknehmen",
    "title": "Titel",
    "total": "Summe",
    "version": "Version",
}

CAPTIONS = {"en": _EN, "de": _DE}


def captions(language: str) -> dict[str, str]:
    """The captions in a language, English if it has none."""
    return dict(CAPTIONS.get(language, _EN))
