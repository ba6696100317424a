"""The pictures of boards in README and documentation, drawn from golden games as by ``boardkeeper show``.

``PYTHONPATH=tools python -m tests.client.board_pictures`` draws them again into ``docs/pictures``, light and dark.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from tests.golden.games import files

from boardkeeper.game.events import GameEvent
from boardkeeper.game.record import sealer, write_record
from boardkeeper.service.storage.service_key import ServiceKey
from boardkeeper.table.visibility import OPERATOR
from boardkeeper.terminal.pictures.board_pictures import Picture, PictureOptions, RecordPictures
from boardkeeper.testkit.golden import game_id, read, secret_of
from boardkeeper.testkit.packed_files import name_of
from build_web import DRAWING, build

FOLDER = Path(__file__).parent.parent.parent / "docs" / "pictures"
KEY = ServiceKey(Ed25519PrivateKey.generate())


def golden_record(path: Path, events: list[GameEvent], viewer: int = OPERATOR) -> bytes:
    """Return the record of a golden game's events, sealed with the key of these tests."""
    return b"".join(write_record(game_id(path), events, secret_of(events), sealer(KEY), viewer))


@dataclass(frozen=True)
class DocumentedBoard:
    """A picture in the documentation: a version of a golden game as a spectator sees it."""

    name: str
    title: str
    game: str
    version: int
    boards: tuple[str, ...]
    seat: int = 0

    def draw(self) -> Iterator[tuple[Path, Picture]]:
        """Yield file and picture, light, then dark."""
        path = next(path for path in files(self.title) if name_of(path) == self.game)
        with RecordPictures.of(golden_record(path, read(path)), "en", "spectator") as pictures:
            for suffix, dark in (("", False), ("-dark", True)):
                options = PictureOptions(width=900, dark=dark, seat=self.seat, boards=self.boards)
                yield FOLDER / f"{self.name}{suffix}.svg", pictures.draw(self.version, options)


PICTURES = (
    DocumentedBoard("orleans", "orleans", "sensible-03", 780, ("map", "seat.1.mat", "deeds"), 1),
    DocumentedBoard("paladins", "paladins", "sensible-4p", 938, ("regions", "town", "seat.2"), 2),
    DocumentedBoard("paladins-board", "paladins", "sensible-4p", 938, ("regions",)),
    DocumentedBoard("settlers", "stories", "mixed-05", 715, ("map", "seat.1.mat", "deeds"), 1),
    DocumentedBoard("settlers-map", "stories", "mixed-05", 715, ("map",)),
    DocumentedBoard("england-vs-france", "stories", "sensible-evf-11", 365, ("map", "seat.1.mat", "deeds"), 1),
    DocumentedBoard("england-vs-france-map", "stories", "sensible-evf-11", 365, ("map",)),
)

if __name__ == "__main__":
    build(DRAWING)
    FOLDER.mkdir(exist_ok=True)
    for board in PICTURES:
        for file, picture in board.draw():
            file.write_text(picture.svg, "utf-8")
            print(f"{file.name}: {picture.width} × {picture.height}, {len(picture.svg) / 1000:.0f} kB")  # noqa: T201
