"""The supplies of a story for each number of players, for the catalogue."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from boardkeeper.titlekit.title import Supply

TILES = {"start_villages": "start_village", "manor_farm": "manor_farm"}
"""Tables of tiles in some stories, with the id of the tile."""

CARDS = {
    "place_cards": "place_card",
    "deeds": "deed",
    "towns": "town",
    "events": "event",
    "bonus_tiles": "bonus_tile",
    "missions": "mission",
    "messages": "message",
}
"""Tables of cards and tiles that exist once, with their kinds."""

NUMBERED = {"eras": "era", "fame_tiles": "fame_tile"}
"""Tables of tiles that exist once and whose ids are numbers, with their kinds."""

TOWNS = 2
"""Number of towns; each starts with settlers of every seat."""


def supplies(tables: Mapping[str, Any]) -> list[Supply]:
    """Return the supplies for each number of players after the seats have taken their start components."""
    return [_supply(tables, players) for players in tables["edition"]["players"]]


def _supply(tables: Mapping[str, Any], players: int) -> Supply:
    each_seat = _each_seat(tables, players)
    laid = Counter(_laid_out(tables, players))
    everything = Counter(in_box(tables))
    taken = Counter({id: count * players for id, count in each_seat.items()})
    for id in (*tables["characters"], *tables["goods"], "message"):  # taken from the common supply
        laid[id] -= taken[id]
    return Supply(
        players=players,
        common={id: count for id, count in laid.items() if count > 0},
        each_seat=each_seat,
        unused=dict(everything - laid - taken),
        provenance=tables["supply"][str(players)]["provenance"],
    )


def stacks(tables: Mapping[str, Any], players: int) -> dict[str, int]:
    """Return the numbers of followers, goods and technology tiles in a game, with those that the seats start with."""
    row = tables["supply"][str(players)]
    return {id: row[id] for id in (*tables["characters"], *tables["goods"], "technology")}


def in_box(tables: Mapping[str, Any]) -> dict[str, int]:
    """Return the number of components in the box, by id or, if all have the same use, by kind."""
    seats = max(tables["edition"]["players"])
    box = {**stacks(tables, 4), **_cards(tables)}
    box |= {"landscape": sum(landscape["tiles"] for landscape in tables["landscapes"].values())}
    box |= {"base_place": seats * len(tables["base_places"])}
    for group, id in TILES.items():
        if group in tables:
            box[id] = tables[group]["tiles"]
    for id, piece in tables["pieces"].items():
        if id not in box:
            box[id] = piece.get("in_box", piece.get("each_seat", 0) * seats or 1)
    return box


def _cards(tables: Mapping[str, Any]) -> dict[str, int]:
    """Return the number of cards and tiles of each kind."""
    cards = {kind: len(tables[group]) for group, kind in {**CARDS, **NUMBERED}.items() if group in tables}
    if "nations" in tables:
        cards["nation"] = sum(nation["cards"] for nation in tables["nations"].values())
    return cards


def _laid_out(tables: Mapping[str, Any], players: int) -> dict[str, int]:
    """Return the common supply, including what the seats take from it."""
    box = in_box(tables)
    shared = {id: box[id] for id in box if "each_seat" not in tables["pieces"].get(id, {})}
    shared.pop("base_place")
    shared.pop("nation", None)
    shared |= stacks(tables, players)
    spaces = len(tables["map"]["players"][str(players)]["spaces"])
    if "start_villages" in tables:
        shared |= {"start_village": players, "landscape": spaces - players}
    if "event_deck" in tables:
        shared["event"] = tables["event_deck"]["each"] * len(tables["event_deck"]["letters"])
    if "secrets" in tables:
        shared["mission"] = tables["secrets"]["missions_open_each"] * len(tables["nations"])
        shared["message"] = tables["secrets"]["messages_kept"] * players
    return shared


def _each_seat(tables: Mapping[str, Any], players: int) -> dict[str, int]:
    game = tables["game"]
    settlers = {at: count for at, count in tables["start_settlers"].items() if at not in ("box", "provenance")}
    settlers["each_town"] = settlers.get("each_town", 0) * TOWNS
    fortresses = tables["start_fortresses"][str(players)]
    own = {id: piece["each_seat"] for id, piece in tables["pieces"].items() if "each_seat" in piece}
    begun = {
        "coins": game["start_coins"],
        **Counter(game["start_followers"]),
        **Counter(game["start_goods"]),
        **own,
        "settler": sum(settlers.values()),
        "fortress": sum(fortresses.values()) - fortresses["box"],
        "base_place": len(tables["base_places"]),
    }
    if "secrets" in tables:
        begun |= {"nation": 1, "message": tables["secrets"]["messages_kept"]}
    return {id: count for id, count in begun.items() if count}
