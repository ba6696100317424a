"""The supplies for each number of players, for the catalogue."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from boardkeeper.titlekit.title import Supply

_ONCE = ("game_board", "starter")
"""Pieces that exist once for all players."""

_OF_THE_OPPONENT = ("scheme", "resource_marker")
"""Components that only the solo opponent uses."""


def supplies(tables: dict[str, Any]) -> Iterator[Supply]:
    """Yield the supplies for each number of players, without the pieces of the solo opponent."""
    pieces = {**tables["pieces"], **tables["cards"]}
    in_box = {id: piece["in_box"] for id, piece in pieces.items()}
    start = {id: tables["start"][id] for id in ("silver", "provision")}
    own = {id: count for id, count in tables["each_seat"].items() if id in in_box}
    own["paladin"] = len(tables["paladins"])
    placed = {
        "order": len(tables["order_places"]["rounds"]),
        "favour": len(tables["favour_places"]["rounds"]),
    }
    everything = ("debt", "townsfolk", "outsider", "wall", "suspicion", "tavern", *_ONCE)
    seats = max(tables["edition"]["players"])
    for players in tables["edition"]["players"]:
        workers = {id: worker["in_box"] for id, worker in tables["workers"].items()}
        left = {id: in_box[id] - count * players for id, count in start.items()}
        unused = {id: in_box[id] - count for id, count in placed.items()}
        unused |= {id: in_box[id] for id in _OF_THE_OPPONENT}
        unused |= {id: count * (seats - players) for id, count in own.items()}
        yield Supply(
            players=players,
            common={**workers, **left, **{id: in_box[id] for id in everything}, **placed},
            each_seat={**start, **own},
            unused={id: count for id, count in unused.items() if count},
            provenance="rulebook",
        )
