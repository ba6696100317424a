"""Several threads decode events of new types at the same time, many times.

A test runs this as a separate program, because a failure can end the process. It prints the number of decoded events.
"""

from __future__ import annotations

import faulthandler
import sys
import threading
from collections.abc import Mapping
from uuid import UUID

import msgspec
from msgspec import Struct

from boardkeeper.service.storage.event_log import EventRow
from boardkeeper.service.storage.mapper import GameEventMapper

GAME = UUID(int=1)
THREADS = 4
ROUNDS = 150
KINDS = 8


def new_details() -> Mapping[str, type[Struct]]:
    """Return new types of event details that share parts, like those of a title."""
    part = msgspec.defstruct("Part", [("size", int), ("colours", dict[str, tuple[int, ...]]), ("name", str | None)])
    whole = msgspec.defstruct("Whole", [("parts", tuple[part, ...]), ("by_name", dict[str, part])])  # type: ignore[valid-type]
    return {f"Made{at}": msgspec.defstruct(f"Made{at}", [("whole", whole), ("at", int)]) for at in range(KINDS)}


def decode_concurrently(rows: list[EventRow]) -> int:
    """Decode all rows in all threads at the same time with a new mapper. Return the number of events."""
    details = new_details()
    mapper = GameEventMapper(lambda _title: details)
    together = threading.Barrier(THREADS)
    read: list[int] = []

    def work() -> None:
        together.wait()
        read.append(sum(len(mapper.to_events(GAME, (row,))) for row in rows))

    threads = [threading.Thread(target=work) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(read)


def main() -> None:
    """Run all rounds."""
    faulthandler.enable()
    part = {"size": 1, "colours": {"red": [1, 2]}, "name": None}
    detail = {"whole": {"parts": [part], "by_name": {"a": part}}, "at": 1}
    state = msgspec.json.encode([0, "", 1, detail, [["m", "coin", 1, "a", "b"]]])
    rows = [(at + 1, f"any.Made{at}", state) for at in range(KINDS)]
    sys.setswitchinterval(1e-6)
    sys.stdout.write(f"{sum(decode_concurrently(rows) for _ in range(ROUNDS))}\n")


if __name__ == "__main__":
    main()
