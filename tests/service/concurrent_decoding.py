"""Several threads are the first to meet every kind of event, again and again; run as a program of its own by a test.

What may end here is the process, not only a thread. Prints how many events were read.
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
    """Kinds of details that nothing knows yet, and that share parts, as those of a title do."""
    part = msgspec.defstruct("Part", [("size", int), ("colours", dict[str, tuple[int, ...]]), ("name", str | None)])
    whole = msgspec.defstruct("Whole", [("parts", tuple[part, ...]), ("by_name", dict[str, part])])  # type: ignore[valid-type]
    return {f"Made{at}": msgspec.defstruct(f"Made{at}", [("whole", whole), ("at", int)]) for at in range(KINDS)}


def meet(rows: list[EventRow]) -> int:
    """One round: all threads read all rows at the same time through a mapper that has not met any."""
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
    """All rounds."""
    faulthandler.enable()
    part = {"size": 1, "colours": {"red": [1, 2]}, "name": None}
    detail = {"whole": {"parts": [part], "by_name": {"a": part}}, "at": 1}
    state = msgspec.json.encode([0, "", 1, detail, [["m", "coin", 1, "a", "b"]]])
    rows = [(at + 1, f"any.Made{at}", state) for at in range(KINDS)]
    sys.setswitchinterval(1e-6)
    sys.stdout.write(f"{sum(meet(rows) for _ in range(ROUNDS))}\n")


if __name__ == "__main__":
    main()
