"""The supplies for each number of players, for the catalogue."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from boardkeeper.titlekit.title import Supply


def supplies(tables: dict[str, Any]) -> Iterator[Supply]:
    """Yield the supply for each number of players."""
    for players in tables["edition"]["players"]:
        supply = tables["supply"][str(players)]
        yield Supply(
            players=players,
            common=_common(tables, supply),
            each_seat=_each_seat(tables),
            unused={component: count for component, count in _unused(tables, players) if count},
            provenance=supply["provenance"],
        )


def _common(tables: dict[str, Any], supply: dict[str, Any]) -> dict[str, int]:
    ways = tables["map"]["ways"].values()
    on_map = sum(mark not in supply["empty_way_marks"] for way in ways for mark in way["spaces"])
    goods = sum(good["tiles"] for good in tables["goods"].values()) - supply["goods_removed"]
    return {
        **{character: supply[character] for character in tables["characters"]},
        "technology": supply["technology"],
        "citizen": citizens(tables),
        "goods_on_map": on_map,
        "goods_on_market": goods - on_map,
        "place_tile": len(tables["place_tiles"]),
        "hour_glass_tile": sum(map(len, tables["hour_glass"]["piles"].values())),
        "start_player": 1,
    }


def citizens(tables: dict[str, Any]) -> int:
    """Return the number of citizens: one per deed, those on tracks, and one for the most trading stations."""
    on_tracks = sum("citizen" in track for track in tables["tracks"].values())
    return len(tables["deeds"]) + len(tables["development"]["citizens"]) + on_tracks + 1


def _each_seat(tables: dict[str, Any]) -> dict[str, int]:
    game = tables["game"]
    pieces = {id: piece["each_seat"] for id, piece in tables["pieces"].items() if "each_seat" in piece}
    followers = {f"own_{follower}": 1 for follower in game["start_followers"]}
    return {"coins": game["start_coins"], **followers, "station": game["trading_stations"], **pieces}


def _unused(tables: dict[str, Any], players: int) -> Iterator[tuple[str, int]]:
    most = max(tables["edition"]["players"])
    supply, largest = tables["supply"][str(players)], tables["supply"][str(most)]
    for component in (*tables["characters"], "technology"):
        yield component, largest[component] - supply[component]
    yield "good", supply["goods_removed"]
    for component, count in _each_seat(tables).items():
        if component != "coins":
            yield component, count * (most - players)
