"""Hostile records that cost their readers much time or memory. Most of them have a valid chain and signature.

Some contain no game; the others exist once for each title.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import Any

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import Struct

from boardkeeper.game.choices import complete
from boardkeeper.game.events import GameCreated, GameEnded, GameEvent
from boardkeeper.game.record import (
    MAX_IMPORT_BYTES,
    MAX_LINE_BYTES,
    canonical,
    commitment,
    first_link,
    next_link,
    sealer,
    write_record,
)
from boardkeeper.service.storage.service_key import ServiceKey
from boardkeeper.table import dice
from boardkeeper.table.effects import Effect
from boardkeeper.table.forking import layout_of
from boardkeeper.table.layout import MAX_NUMBER, TableLayout
from boardkeeper.table.table import Table
from boardkeeper.testkit.games import ID
from boardkeeper.titlekit.title import Setup, Title
from boardkeeper.titles.registry import list_metas, load_title

Bomb = Callable[[int], bytes]
"""Makes a record of about this number of bytes."""

GameBomb = Callable[[int, Title], bytes]
"""Makes such a record of a game of a title."""

KEY = ServiceKey(Ed25519PrivateKey.from_private_bytes(bytes(32)))
HEADER = canonical({"record": "boardkeeper-record", "format": 1, "game": str(ID), "viewer": "whole"}) + b"\n"
SECRET = bytes(32)
_HASH, _SALT = "0" * 64, "0" * 32


def forge(title: Title, zones: list[Any], effects: Iterable[list[Any]], seats: int = 2, **more: Any) -> bytes:
    """Make a record with these zones and one event for each list of effects, with a valid chain and signature."""
    setup = msgspec.to_builtins(complete(title.meta, Setup("", 2))) | {"players": seats}
    layout = {"seats": seats, "zones": zones, "markers": [["turn", 0, "public"]], "decisions": []}
    created = {
        "title": title.meta.id,
        "setup": setup,
        "seats": ["person"] * seats,
        "rules_version": title.meta.rules_versions[-1],
        "dice": dice.ALGORITHM,
        "commitment": dice.commitment(SECRET),
        "server_build": "",
        "layout": layout,
        "position": False,
        "forked_game": "",
        "forked_version": 0,
    } | more
    lines = [HEADER]
    link, version, size = first_link(str(ID)), 0, 0

    def add(topic: str, detail: Any, effects: list[Any]) -> None:
        nonlocal link, version, size
        version += 1
        event = {"topic": topic, "detail": detail, "effects": effects}
        hidden = [_HASH] * (seats + 1)
        parts = [commitment(bytes.fromhex(_SALT), canonical(event)), *hidden]
        link = next_link(link, version, 0, "", 0, None, parts)
        line = {
            "version": version,
            "seat": 0,
            "command_id": "",
            "time": 0,
            "event": event,
            "salt": _SALT,
            "given": None,
        }
        lines.append(canonical(line | {"parts": [None, *hidden], "link": link}) + b"\n")
        size += len(lines[-1])

    add("game.GameCreated", created, [])
    for changed in effects:
        add(f"{title.meta.id}.{_event_without_fields(title)[0]}", {}, changed)
        if size > MAX_IMPORT_BYTES - 3000:
            lines.pop()
            version, link = version - 1, _link_of(lines[-1])
            break
    add("game.GameEnded", {"secret": SECRET.hex(), "ranks": [1] * seats}, [])
    return b"".join(lines) + canonical(sealer(KEY)(str(ID), version, link)) + b"\n"


def _link_of(line: bytes) -> str:
    return line.partition(b'"link":"')[2][:64].decode()


def zone(
    id: str, contents: dict[str, int], *, stack: bool = False, counter: int = 0, sees: str = "public"
) -> list[Any]:
    """Return a zone of a layout; the contents of a stack have an order."""
    order = [kind for kind, count in contents.items() for _ in range(count)] if stack else []
    return [id, sees, {} if stack else contents, stack, counter, order]


def fill_events(effect: Any, size: int) -> Iterator[list[Any]]:
    """Yield events full of one effect, or of some in turn, up to this number of bytes."""
    effects = effect if isinstance(effect[0], list) else [effect]
    length = len(canonical(effects))
    a_line = max(1, min(size, MAX_LINE_BYTES - 2000) // length)
    for _ in range(max(1, size // (a_line * length))):
        yield effects * a_line


def many_kinds(size: int) -> dict[str, int]:
    """Return as many kinds of components as this number of bytes allows."""
    return {f"{number:05}": 1 for number in range(min(60_000, size // 20))}


def write_impossible_game(title: Title, layout: Any, effects: Iterable[list[Any]]) -> bytes:
    """Make a well-formed record of an impossible game: all formats, salts and hashes are valid.

    It begins from a position, so only the title's rules can find the fault.
    """
    created = GameCreated(
        title=title.meta.id,
        setup=complete(title.meta, Setup("", 2)),
        seats=("person", "person"),
        rules_version=title.meta.rules_versions[-1],
        dice=dice.ALGORITHM,
        commitment=dice.commitment(SECRET),
        server_build="",
        layout=msgspec.convert(layout, TableLayout),
        position=True,
    )
    ended = GameEnded(SECRET.hex(), (1, 1))
    name, detail = _event_without_fields(title)
    events = [
        ("game.GameCreated", created, []),
        *((f"{title.meta.id}.{name}", detail(), changed) for changed in effects),
        ("game.GameEnded", ended, []),
    ]
    stored = (
        GameEvent(ID, version, topic, 0, "", 0, what, msgspec.convert(changed, tuple[Effect, ...]))
        for version, (topic, what, changed) in enumerate(events, 1)
    )
    return b"".join(write_record(ID, stored, SECRET, sealer(KEY)))


def _event_without_fields(title: Title) -> tuple[str, type[Struct]]:
    """Return an event of a title that has no fields."""
    return next((event, detail) for event, detail in title.events.items() if not detail.__struct_fields__)


def starting_table(title: Title) -> Any:
    """Return the starting table of a title for two players, as in a record."""
    setup = complete(title.meta, Setup("", 2))
    table = Table(title.layout(setup))
    title.play(table, dice.Dice(SECRET), setup).set_up()
    return msgspec.to_builtins(layout_of(table))


def multiply_contents(title: Title) -> Any:
    """Return that table with as many components as a table can have."""
    layout = starting_table(title)
    most = 100_000 // sum(sum(zone[2].values()) + len(zone[5]) for zone in layout["zones"])
    for zone in layout["zones"]:
        zone[2], zone[5] = {kind: count * most for kind, count in zone[2].items()}, zone[5] * most
    return layout


def raise_markers(title: Title) -> Any:
    """Return that table with an extreme value of every marker."""
    layout = starting_table(title)
    for marker in layout["markers"]:
        marker[1] = MAX_NUMBER if isinstance(marker[1], int) else "x" * 200
    return layout


def move_back_and_forth(title: Title, size: int) -> Iterator[list[Any]]:
    """Move one of the title's components to another zone and back, in a record slightly smaller than ``size``."""
    full, empty = (
        next(zone for zone in starting_table(title)["zones"] if not zone[3] and bool(zone[2]) is it)
        for it in (True, False)
    )
    kind = min(full[2])
    return fill_events([["m", kind, 1, full[0], empty[0]], ["m", kind, 1, empty[0], full[0]]], size - size // 20)


OF_NO_GAME: dict[str, Bomb] = {
    "brackets": lambda size: b"[" * size,
    "brackets in lines": lambda size: HEADER + (b"[" * 1000 + b"\n") * (size // 1001),
    "newlines": lambda size: b"\n" * size,
    "newlines after a header": lambda size: HEADER + b"\n" * size,
    "nothing": bytes,
    "invalid UTF-8": lambda size: HEADER + b"\xff\xfe\xed\xa0\x80\n" * (size // 6),
    "one line": lambda size: b'{"a":"' + b"x" * size + b'"}\n',
    "a huge number": lambda size: HEADER + b'{"a":' + b"9" * min(size, MAX_LINE_BYTES - 100) + b"}\n",
    "a long exponent": lambda size: HEADER + b'{"a":1e' + b"9" * min(size, 100_000) + b"}\n",
    "deep objects": lambda size: HEADER + b'{"a":' * (min(size, MAX_LINE_BYTES - 100) // 5) + b"\n",
    "backslashes": lambda size: HEADER + b'{"a":"' + b"\\" * min(size, MAX_LINE_BYTES - 100) + b'"}\n',
    "many names": lambda size: HEADER + canonical({f"é{it}": it for it in range(min(size, 900_000) // 16)}) + b"\n",
    "seals": lambda size: HEADER + (canonical(sealer(KEY)(str(ID), 0, _HASH)) + b"\n") * (size // 350),
    "headers": lambda size: HEADER * (size // len(HEADER)),
    "parts": lambda _: HEADER + canonical({"parts": [_HASH] * 15_000}) + b"\n",
}
OF_A_GAME: dict[str, GameBomb] = {
    "too many components": lambda _, title: forge(title, [zone("a", {"x": 2**53 - 1})], []),
    "too many components in total": lambda _, title: forge(
        title, [zone(f"z{it}", {"x": 99_999}) for it in range(1000)], []
    ),
    "a negative number of components": lambda _, title: forge(
        title, [zone("a", {"x": -(10**9)}), zone("b", {"x": 10**9})], []
    ),
    "the highest counter": lambda _, title: forge(
        title, [zone("a", {"x": 9}, counter=2**53 - 1)], [[["d", "a", 2**53 - 1, ["x"] * 9]]]
    ),
    "moves of too many": lambda _, title: forge(
        title, [zone("a", {"x": 9}), zone("b", {})], [[["m", "x", 2**53 - 1, "a", "b"]]]
    ),
    "draws of too many": lambda _, title: forge(title, [zone("a", {"x": 9})], [[["d", "a", 0, ["x"] * 150_000]]]),
    "too many seats": lambda _, title: forge(title, [zone("a", {"x": 1})], [], seats=5000),
    "draws of nothing": lambda size, title: forge(
        title, [zone("a", many_kinds(size))], fill_events(["d", "a", 0, []], size)
    ),
    "shuffles of nothing": lambda size, title: forge(
        title, [zone("a", {}, stack=True)], fill_events(["r", "a", 0, [], []], size)
    ),
    "draws of one": lambda size, title: forge(
        title, [zone("a", {"x": 50_000})], fill_events(["d", "a", 0, ["x"] * 40_000], size)
    ),
    "shuffles of one kind": lambda size, title: forge(
        title, [zone("a", {"x": 20_000}, stack=True)], fill_events(["r", "a", 0, ["x"] * 20_000, ["x"] * 20_000], size)
    ),
    "a stack back and forth": lambda size, title: forge(
        title,
        [zone("a", {"x": 100_000}, stack=True), zone("b", {}, stack=True)],
        fill_events([["m", "x", 100_000, "a", "b"], ["m", "x", 100_000, "b", "a"]], size),
    ),
    "a pile back and forth": lambda size, title: forge(
        title,
        [zone("a", {"x": 100_000}), zone("b", {})],
        fill_events([["m", "x", 100_000, "a", "b"], ["m", "x", 100_000, "b", "a"]], size),
    ),
    "one component back and forth": lambda size, title: forge(
        title,
        [zone("a", many_kinds(size) | {"x": 1}), zone("b", {})],
        fill_events([["m", "x", 1, "a", "b"], ["m", "x", 1, "b", "a"]], size),
    ),
    "hidden zones of sixteen seats": lambda size, title: forge(
        title,
        [zone("a", {"x": 9}, sees="seat.1"), zone("b", {}, sees="seat.2")],
        fill_events([["m", "x", 1, "a", "b"], ["m", "x", 1, "b", "a"]], size),
        seats=16,
    ),
    "reveals": lambda size, title: forge(
        title,
        [zone("a", many_kinds(size))],
        fill_events([["v", "a", "public", "count"], ["v", "a", "count", "public"]], size),
    ),
    "the starting table back and forth": lambda size, title: write_impossible_game(
        title, starting_table(title), move_back_and_forth(title, size)
    ),
    "the starting table multiplied": lambda size, title: write_impossible_game(
        title, multiply_contents(title), move_back_and_forth(title, size)
    ),
    "the starting table with extreme markers": lambda size, title: write_impossible_game(
        title, raise_markers(title), move_back_and_forth(title, size)
    ),
    "events without effects": lambda size, title: forge(title, [zone("a", {"x": 9})], ([] for _ in range(size // 450))),
}


def _of(bomb: GameBomb, title: str) -> Bomb:
    return lambda size: bomb(size, load_title(title))


BOMBS: dict[str, Bomb] = OF_NO_GAME | {
    f"{name}, {meta.id}": _of(bomb, meta.id) for name, bomb in OF_A_GAME.items() for meta in list_metas()
}
"""All bombs by name."""


def damage(record: bytes, chance: Random) -> bytes:
    """Flip bits of a record, or delete, duplicate or insert bytes."""
    found = bytearray(record)
    for _ in range(chance.choice([1, 1, 2, 5, 50])):
        at = chance.randrange(len(found) or 1)
        match chance.randrange(6):
            case 0 | 1:
                if found:
                    found[at] ^= 1 << chance.randrange(8)
            case 2:
                del found[at : at + chance.randrange(1, 5000)]
            case 3:
                found[at:at] = chance.randbytes(chance.randrange(1, 100))
            case 4:
                start = chance.randrange(len(found) or 1)
                found[at:at] = found[start : start + chance.randrange(1, 5000)]
            case _:
                found[at:at] = chance.choice([b"[" * 10_000, b"9" * 10_000, b"\n" * 100, b'{"', b"\x00" * 9, b"\xff"])
    return bytes(found)
