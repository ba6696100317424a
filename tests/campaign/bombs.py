"""Records made to hurt whoever reads them: each as large as a record may be, and most of them chained and signed.

Some are of no game at all; the others are made once of each title.
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
    LARGEST_IMPORT,
    LONGEST_LINE,
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
from boardkeeper.table.layout import LARGEST_NUMBER, TableLayout
from boardkeeper.table.table import Table
from boardkeeper.testkit.games import ID
from boardkeeper.titlekit.title import Setup, Title
from boardkeeper.titles.registry import list_metas, load_title

Bomb = Callable[[int], bytes]
"""Makes a record of about so many bytes."""

GameBomb = Callable[[int, Title], bytes]
"""The same of a game of a title."""

KEY = ServiceKey(Ed25519PrivateKey.from_private_bytes(bytes(32)))
HEADER = canonical({"record": "boardkeeper-record", "format": 1, "game": str(ID), "viewer": "whole"}) + b"\n"
SECRET = bytes(32)
_HASH, _SALT = "0" * 64, "0" * 32


def forged(title: Title, zones: list[Any], effects: Iterable[list[Any]], seats: int = 2, **more: Any) -> bytes:
    """A record of a game with these zones and one event for each list of effects, chained and signed by its forger."""
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

    def add(topic: str, detail: Any, changed: list[Any]) -> None:
        nonlocal link, version, size
        version += 1
        event = {"topic": topic, "detail": detail, "effects": changed}
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
        add(f"{title.meta.id}.{_silent(title)[0]}", {}, changed)
        if size > LARGEST_IMPORT - 3000:
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
    """A zone of a layout; of a stack the contents lie in order."""
    order = [kind for kind, count in contents.items() for _ in range(count)] if stack else []
    return [id, sees, {} if stack else contents, stack, counter, order]


def filled(effect: Any, size: int) -> Iterator[list[Any]]:
    """Events full of one effect, or of some that take turns, up to that many bytes."""
    effects = effect if isinstance(effect[0], list) else [effect]
    length = len(canonical(effects))
    a_line = max(1, min(size, LONGEST_LINE - 2000) // length)
    for _ in range(max(1, size // (a_line * length))):
        yield effects * a_line


def many(size: int) -> dict[str, int]:
    """As many kinds of components as fit."""
    return {f"{number:05}": 1 for number in range(min(60_000, size // 20))}


def told(title: Title, layout: Any, effects: Iterable[list[Any]]) -> bytes:
    """A record as true as one can be whose game is none: every form and salt of it is right.

    It begins from a position, so that the title's rules have to say what is wrong with that table.
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
    silent, detail = _silent(title)
    events = [
        ("game.GameCreated", created, []),
        *((f"{title.meta.id}.{silent}", detail(), changed) for changed in effects),
        ("game.GameEnded", ended, []),
    ]
    stored = (
        GameEvent(ID, version, topic, 0, "", 0, what, msgspec.convert(changed, tuple[Effect, ...]))
        for version, (topic, what, changed) in enumerate(events, 1)
    )
    return b"".join(write_record(ID, stored, SECRET, sealer(KEY)))


def _silent(title: Title) -> tuple[str, type[Struct]]:
    """An event of a title that has nothing to say."""
    return next((name, detail) for name, detail in title.events.items() if not detail.__struct_fields__)


def own_table(title: Title) -> Any:
    """A table of a title for two when the first is asked, as it stands in a record."""
    setup = complete(title.meta, Setup("", 2))
    table = Table(title.layout(setup))
    title.play(table, dice.Dice(SECRET), setup).set_up()
    return msgspec.to_builtins(layout_of(table))


def heaped(title: Title) -> Any:
    """The same with as much of everything as there may be."""
    layout = own_table(title)
    most = 100_000 // sum(sum(zone[2].values()) + len(zone[5]) for zone in layout["zones"])
    for zone in layout["zones"]:
        zone[2], zone[5] = {kind: count * most for kind, count in zone[2].items()}, zone[5] * most
    return layout


def extreme(title: Title) -> Any:
    """The same with every marker where none has been."""
    layout = own_table(title)
    for marker in layout["markers"]:
        marker[1] = LARGEST_NUMBER if isinstance(marker[1], int) else "x" * 200
    return layout


def to_and_fro(title: Title, size: int) -> Iterator[list[Any]]:
    """Something of a title's own taken elsewhere and back; a record of it stays a little smaller than that."""
    full, empty = (
        next(zone for zone in own_table(title)["zones"] if not zone[3] and bool(zone[2]) is it) for it in (True, False)
    )
    kind = min(full[2])
    return filled([["m", kind, 1, full[0], empty[0]], ["m", kind, 1, empty[0], full[0]]], size - size // 20)


OF_NO_GAME: dict[str, Bomb] = {
    "brackets": lambda size: b"[" * size,
    "brackets in lines": lambda size: HEADER + (b"[" * 1000 + b"\n") * (size // 1001),
    "newlines": lambda size: b"\n" * size,
    "newlines after a header": lambda size: HEADER + b"\n" * size,
    "nothing": bytes,
    "no text": lambda size: HEADER + b"\xff\xfe\xed\xa0\x80\n" * (size // 6),
    "one line": lambda size: b'{"a":"' + b"x" * size + b'"}\n',
    "a huge number": lambda size: HEADER + b'{"a":' + b"9" * min(size, LONGEST_LINE - 100) + b"}\n",
    "a long exponent": lambda size: HEADER + b'{"a":1e' + b"9" * min(size, 100_000) + b"}\n",
    "deep objects": lambda size: HEADER + b'{"a":' * (min(size, LONGEST_LINE - 100) // 5) + b"\n",
    "backslashes": lambda size: HEADER + b'{"a":"' + b"\\" * min(size, LONGEST_LINE - 100) + b'"}\n',
    "many names": lambda size: HEADER + canonical({f"é{it}": it for it in range(min(size, 900_000) // 16)}) + b"\n",
    "seals": lambda size: HEADER + (canonical(sealer(KEY)(str(ID), 0, _HASH)) + b"\n") * (size // 350),
    "headers": lambda size: HEADER * (size // len(HEADER)),
    "parts": lambda _: HEADER + canonical({"parts": [_HASH] * 15_000}) + b"\n",
}
OF_A_GAME: dict[str, GameBomb] = {
    "more components than there are": lambda _, title: forged(title, [zone("a", {"x": 2**53 - 1})], []),
    "components that add up": lambda _, title: forged(title, [zone(f"z{it}", {"x": 99_999}) for it in range(1000)], []),
    "less than nothing": lambda _, title: forged(title, [zone("a", {"x": -(10**9)}), zone("b", {"x": 10**9})], []),
    "a last counter": lambda _, title: forged(
        title, [zone("a", {"x": 9}, counter=2**53 - 1)], [[["d", "a", 2**53 - 1, ["x"] * 9]]]
    ),
    "more moved than there are": lambda _, title: forged(
        title, [zone("a", {"x": 9}), zone("b", {})], [[["m", "x", 2**53 - 1, "a", "b"]]]
    ),
    "more drawn than there are": lambda _, title: forged(
        title, [zone("a", {"x": 9})], [[["d", "a", 0, ["x"] * 150_000]]]
    ),
    "seats": lambda _, title: forged(title, [zone("a", {"x": 1})], [], seats=5000),
    "draws of nothing": lambda size, title: forged(title, [zone("a", many(size))], filled(["d", "a", 0, []], size)),
    "shuffles of nothing": lambda size, title: forged(
        title, [zone("a", {}, stack=True)], filled(["r", "a", 0, [], []], size)
    ),
    "draws of one": lambda size, title: forged(
        title, [zone("a", {"x": 50_000})], filled(["d", "a", 0, ["x"] * 40_000], size)
    ),
    "shuffles of one kind": lambda size, title: forged(
        title, [zone("a", {"x": 20_000}, stack=True)], filled(["r", "a", 0, ["x"] * 20_000, ["x"] * 20_000], size)
    ),
    "a stack to and fro": lambda size, title: forged(
        title,
        [zone("a", {"x": 100_000}, stack=True), zone("b", {}, stack=True)],
        filled([["m", "x", 100_000, "a", "b"], ["m", "x", 100_000, "b", "a"]], size),
    ),
    "a pile to and fro": lambda size, title: forged(
        title,
        [zone("a", {"x": 100_000}), zone("b", {})],
        filled([["m", "x", 100_000, "a", "b"], ["m", "x", 100_000, "b", "a"]], size),
    ),
    "one at a time": lambda size, title: forged(
        title,
        [zone("a", many(size) | {"x": 1}), zone("b", {})],
        filled([["m", "x", 1, "a", "b"], ["m", "x", 1, "b", "a"]], size),
    ),
    "a screen for sixteen": lambda size, title: forged(
        title,
        [zone("a", {"x": 9}, sees="seat.1"), zone("b", {}, sees="seat.2")],
        filled([["m", "x", 1, "a", "b"], ["m", "x", 1, "b", "a"]], size),
        seats=16,
    ),
    "reveals": lambda size, title: forged(
        title, [zone("a", many(size))], filled([["v", "a", "public", "count"], ["v", "a", "count", "public"]], size)
    ),
    "its own table to and fro": lambda size, title: told(title, own_table(title), to_and_fro(title, size)),
    "its own table heaped up": lambda size, title: told(title, heaped(title), to_and_fro(title, size)),
    "its own table beyond all bounds": lambda size, title: told(title, extreme(title), to_and_fro(title, size)),
    "events of nothing": lambda size, title: forged(title, [zone("a", {"x": 9})], ([] for _ in range(size // 450))),
}


def _of(bomb: GameBomb, title: str) -> Bomb:
    return lambda size: bomb(size, load_title(title))


BOMBS: dict[str, Bomb] = OF_NO_GAME | {
    f"{name}, {meta.id}": _of(bomb, meta.id) for name, bomb in OF_A_GAME.items() for meta in list_metas()
}
"""All of them, by a name that says which."""


def damaged(record: bytes, chance: Random) -> bytes:
    """A record with some bits turned, or something cut out, doubled, put elsewhere or put in."""
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
