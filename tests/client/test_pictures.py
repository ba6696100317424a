"""Boards as pictures: all that lies on a table is in them, nothing hidden, and nothing that runs or is fetched."""

from __future__ import annotations

import gzip
import json
import re
import struct
import zlib
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from tests.client.board_pictures import FOLDER, PICTURES
from tests.client.conftest import Ran
from tests.golden.games import files

from boardkeeper.client import Client, NewGame
from boardkeeper.game.events import GameEvent
from boardkeeper.game.record import sealer, write_record
from boardkeeper.service.storage.service_key import ServiceKey
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import OPERATOR, SPECTATOR
from boardkeeper.table.visible_table import visible_table
from boardkeeper.terminal.pictures import board_pictures as drawing
from boardkeeper.terminal.pictures import engine as engines
from boardkeeper.terminal.pictures.board_pictures import Picture, PictureOptions, RecordPictures
from boardkeeper.terminal.pictures.board_pictures import _library as library_of
from boardkeeper.terminal.pictures.engine import PictureError
from boardkeeper.terminal.pictures.png import png
from boardkeeper.testkit.golden import created, game_id, read, secret_of
from boardkeeper.titles.registry import TITLES
from boardkeeper.v1 import table_pb2
from boardkeeper.wire.tables import table_to_message
from build_web import DRAWING, build

KEY = ServiceKey(Ed25519PrivateKey.generate())
SVG = "{http://www.w3.org/2000/svg}"
HIDDEN = "?"

UNDRAWN = re.compile(r"\.placed$|\.box$|^starters$|\.moves$|\.moved\.")
"""Zones that no board shows, as ``clients/web/test/skins.ts`` explains."""


@pytest.fixture(scope="session")
def script(sdk: Path) -> None:
    """What draws is built."""
    build(DRAWING)


def record_of(path: Path, events: list[GameEvent], viewer: int = OPERATOR) -> bytes:
    return b"".join(write_record(game_id(path), events, secret_of(events), sealer(KEY), viewer))


@cache
def editions(title: str) -> Mapping[str, Path]:
    """A golden game of each edition, with as many seats as there are."""
    found: dict[str, tuple[int, Path]] = {}
    for path in files(title):
        setup = created(read(path)).setup
        if setup.players > found.get(setup.edition, (0, path))[0]:
            found[setup.edition] = (setup.players, path)
    return {edition: path for edition, (_, path) in found.items()}


EDITIONS = [
    ("orleans", "capstone-2021"), ("orleans", "dlp-2014"), ("orleans", "dlp-8th"), ("paladins", "schwerkraft-2019"),
    ("stories", "settlers"), ("stories", "england-vs-france"),
]  # fmt: skip


def test_every_edition_is_drawn_below() -> None:
    assert {(title, edition) for title in TITLES for edition in editions(title)} == set(EDITIONS)


def table_at(events: list[GameEvent], version: int, viewer: int) -> table_pb2.Table:
    table = Table(created(events).layout)
    for event in events[:version]:
        table.apply_all(event.effects)
    return table_to_message(visible_table(table, viewer))


def lying(table: table_pb2.Table) -> Counter[tuple[str, str]]:
    """How many of what lie in each zone, as far as that is told."""
    found: Counter[tuple[str, str]] = Counter()
    for zone in table.zones:
        if not zone.seen:
            found[zone.id, HIDDEN] += zone.count
        for held in zone.contents:
            found[zone.id, held.component] += held.count
        for component in zone.order:
            found[zone.id, component] += 1
    return +found


def drawn(svg: str) -> Counter[tuple[str, str]]:
    """The same, as it is seen in a picture: pieces one by one, or a badge that says how many."""
    root = ET.fromstring(svg)
    pieces = Counter(
        (zone, component)
        for group in root.iter(f"{SVG}g")
        for kind, zone, component in [(*group.get("data-subject", "").split("|"), "", "")[:3]]
        if kind == "p"
    )
    found = Counter(pieces)
    shared = {group.get("id", ""): group for group in root.iterfind(f"{SVG}defs/{SVG}g")}
    for group in root.iter(f"{SVG}g"):
        if group.get("data-heap") is None:
            continue
        kind, zone, component = (*group.get("data-heap", "").split("|"), "", "")[:3]
        used = group.find(f"{SVG}use")
        badge = group if used is None else shared[used.get("href", "").removeprefix("#")]
        count = int(badge.findtext(f"{SVG}text") or 0)
        if kind == "p":
            found[zone, component] = count
        elif kind == "z":  # all that lies there, whatever it is
            of_zone = {key: number for key, number in pieces.items() if key[0] == zone}
            found = Counter({key: number for key, number in found.items() if key[0] != zone})
            found[zone, "*"] = count
            assert of_zone
    return found


def assert_shows(svg: str, table: table_pb2.Table) -> None:
    """Just what lies on the table as it is told is in the picture."""
    due, seen = lying(table), drawn(svg)
    for zone, sign in list(seen):
        if sign == "*":
            due[zone, "*"] = sum(count for (where, _), count in due.items() if where == zone)
            for key in [key for key in due if key[0] == zone and key[1] != "*"]:
                del due[key]
    due = Counter({key: count for key, count in due.items() if not UNDRAWN.search(key[0])})
    assert (due - seen, seen - due) == (Counter(), Counter())


def assert_harmless(svg: str) -> None:
    """Nothing runs, nothing is fetched, nothing depends on styles: it looks alike wherever it is shown."""
    for element in ET.fromstring(svg).iter():
        assert element.tag.removeprefix(SVG) in {
            "svg", "title", "defs", "g", "use", "rect", "circle", "ellipse", "path", "text",
        }  # fmt: skip
        for name, value in element.attrib.items():
            assert not name.startswith("on")
            assert name not in ("class", "style")
            assert name != "href" or value.startswith("#g")
            assert not re.search(r"var\(|url\(|light-dark|color-mix|NaN|undefined|javascript", value), (name, value)


@pytest.mark.parametrize(("title", "edition"), EDITIONS)
def test_a_picture_shows_what_lies_on_the_table_for_whoever_looks(script: None, title: str, edition: str) -> None:
    path = editions(title)[edition]
    events = read(path)
    record = record_of(path, events)
    laid = next(event.originator_version for event in events if event.topic.startswith(title)) + 1
    for viewer, word, version in (
        (SPECTATOR, "spectator", laid),
        (2, "seat.2", len(events) // 2),
        (OPERATOR, "", len(events)),
    ):
        wish = PictureOptions(seat=max(viewer, 0), dark=viewer == 2)
        with RecordPictures.of(record, "en", word) as pictures:
            picture = pictures.draw(version, wish)
            told = [(it.sentence, it.begins, it.round) for it in pictures.moments]
        assert_shows(picture.svg, table_at(events, version, viewer))
        assert_harmless(picture.svg)
        with RecordPictures.of(record_of(path, events, viewer)) as pictures:
            assert told == [(it.sentence, it.begins, it.round) for it in pictures.moments]


def test_the_record_of_a_seat_is_drawn_as_that_seat_and_as_no_other(script: None) -> None:
    path = editions("orleans")["dlp-8th"]
    events = read(path)
    half = len(events) // 2
    record = record_of(path, events, 2)
    with RecordPictures.of(record) as pictures:
        picture = pictures.draw(half, PictureOptions())
        assert_shows(picture.svg, table_at(events, half, 2))
        pictures.draw(half + 1, PictureOptions())
        assert pictures.draw(half, PictureOptions()) == picture
    with pytest.raises(PictureError, match="the record of seat"):
        RecordPictures.of(record, "en", "seat.1")
    with pytest.raises(PictureError, match="and no seat 9"):
        RecordPictures.of(record_of(path, events), "en", "seat.9")


def test_what_a_record_hides_from_others_is_drawn_for_its_owner_alone(
    script: None, tmp_path: Path, inside: Callable[..., Ran]
) -> None:
    path = editions("orleans")["dlp-8th"]
    events = read(path)
    for viewer, others in ((2, False), (OPERATOR, False), (SPECTATOR, True)):
        record = tmp_path / f"{viewer}.jsonl"
        lines = write_record(game_id(path), events[:40], secret_of(events), sealer(KEY), viewer)
        record.write_bytes(b"".join(lines))
        picture, film = tmp_path / f"{viewer}.svg", tmp_path / f"film-{viewer}"
        drawn = inside("show", str(record), "--svg", str(picture), "--boards", "deeds")
        filmed = inside("film", str(record), "--out", str(film), "--svg", "--every", "round", "--boards", "deeds")
        assert (drawn.status, filmed.status) == (0, 0), drawn.err + filmed.err
        for file in (picture, film / "film.json", film / "frame-0001.svg"):
            assert bool(file.stat().st_mode & 0o044) is others, file.name


def pixels(content: bytes) -> tuple[int, int, set[bytes]]:
    """Width, height, and the colours in it (of rows that are not filtered, any bytes)."""
    width, height = struct.unpack(">II", content[16:24])
    at, data = 8, b""
    while at < len(content):
        (size,) = struct.unpack_from(">I", content, at)
        if content[at + 4 : at + 8] == b"IDAT":
            data += content[at + 8 : at + 8 + size]
        at += size + 12
    raw = zlib.decompress(data)
    return width, height, {raw[at : at + 4] for at in range(0, len(raw) - 4, 401)}


def test_a_png_has_the_size_that_was_asked_for_and_is_full_of_colours(script: None) -> None:
    path = editions("stories")["settlers"]
    with RecordPictures.of(record_of(path, read(path)), "de") as pictures:
        picture = pictures.draw(len(pictures.moments), PictureOptions(width=400, height=300, boards=("map",)))
        assert "Spielplan" in picture.svg or "Norden" in picture.svg
        content = png(picture.svg)
        assert content == png(picture.svg)
        width, height, colours = pixels(content)
        assert (width, height) == (400, 300)
        assert len(colours) > 10
        with pytest.raises(PictureError, match="no board 'moon'; the boards are map"):
            pictures.draw(1, PictureOptions(boards=("moon",)))
        with pytest.raises(PictureError, match="versions 1 to"):
            pictures.draw(100_000, PictureOptions())


def backwards(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: backwards(value[name]) for name in reversed(value)}
    return [backwards(each) for each in value] if isinstance(value, list) else value


def test_it_does_not_matter_in_which_order_a_catalogue_tells_of_things(
    script: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What values have in them comes in any order, another one with each start of a service."""
    path = editions("stories")["settlers"]
    record = record_of(path, read(path))
    found = []
    for library in (library_of, lambda text, language: backwards(library_of(text, language))):
        monkeypatch.setattr(drawing, "_library", library)
        with RecordPictures.of(record) as pictures:
            found.append(pictures.draw(len(pictures.moments), PictureOptions(boards=("deeds", "cards", "map"))))
    assert found[0] == found[1]


def said_by(element: ET.Element) -> tuple[str, str, str]:
    return element.tag, element.text or "", element.get("data-subject", "")


def looks_alike(one: str, other: str) -> bool:
    """Whether pictures show the same shapes, pieces and words in the same order, at about the same places."""
    elements, others = list(ET.fromstring(one).iter()), list(ET.fromstring(other).iter())
    if len(elements) != len(others):
        return False
    for element, its in zip(elements, others, strict=True):
        if said_by(element) != said_by(its):
            return False
        here, there = (re.findall(r"-?[\d.]+", it.get("transform", "")) for it in (element, its))
        if len(here) != len(there) or any(abs(float(a) - float(b)) > 10 for a, b in zip(here, there, strict=True)):
            return False
    return True


def test_the_pictures_of_the_readme_show_boards_as_they_look_today(script: None, repository: Path) -> None:
    linked = set(re.findall(r"docs/pictures/([\w-]+\.svg)", (repository / "README.md").read_text()))
    linked |= set(re.findall(r"\(pictures/([\w-]+\.svg)\)", (repository / "docs" / "pictures.md").read_text()))
    kept = {path.name for path in FOLDER.iterdir()}
    assert linked <= kept
    assert kept == {f"{shown.name}{form}.svg" for shown in PICTURES for form in ("", "-dark")}
    for shown in PICTURES:
        if len(shown.boards) == 1:
            continue  # a part of another one
        file, picture = next(shown.draw())
        assert_harmless(picture.svg)
        assert len(picture.svg) < 150 * 1024
        if not looks_alike(file.read_text("utf-8"), picture.svg):
            pytest.fail(
                f"{file.name} shows an older drawing: run PYTHONPATH=tools python -m tests.client.board_pictures"
            )


@pytest.mark.parametrize("content", [b"", b"{}", b"\xff\xfe", b'{"record":"boardkeeper-record","format":2}\n[]\n'])
def test_what_is_no_record_is_refused(script: None, content: bytes) -> None:
    with pytest.raises(PictureError, match="it is not a record"):
        RecordPictures.of(content)


# --- the command line -----------------------------------------------------------------------------------------------


@pytest.fixture
def record(script: None, tmp_path: Path) -> Path:
    path = editions("paladins")["schwerkraft-2019"]
    file = tmp_path / "game.jsonl"
    file.write_bytes(record_of(path, read(path)))
    return file


def test_a_record_that_a_program_compressed_is_told_as_that(record: Path, inside: Callable[..., Ran]) -> None:
    record.write_bytes(gzip.compress(record.read_bytes()))
    ran = inside("show", record.name, "--svg", "-")
    assert ran.status == 1
    assert f"cannot draw {record.name}: it is not a record: it is compressed with gzip: decompress the file." in ran.err


def test_a_record_is_shown_as_svg_and_as_png(record: Path, tmp_path: Path, inside: Callable[..., Ran]) -> None:
    svg, image = tmp_path / "board.svg", tmp_path / "board.png"
    ran = inside("show", str(record), "--at", "80", "--svg", str(svg), "--png", str(image), "--width", "500", "--json")
    assert (ran.status, [line["width"] for line in ran.records]) == (0, [500, 500])
    assert ran.records[0]["version"] == 80
    assert_harmless(svg.read_text())
    assert pixels(image.read_bytes())[:2] == (500, ran.records[0]["height"])
    ran = inside("show", str(record))
    assert (ran.status, "is a file: draw its board as a picture" in ran.err) == (2, True)


def test_a_game_of_a_service_is_drawn_as_a_record_of_it_is(
    script: None, address: str, client: Client, ended: NewGame, tmp_path: Path, inside: Callable[..., Ran]
) -> None:
    file = tmp_path / "board.svg"
    ran = inside("show", ended.game.game_id, "--at", "60", "--svg", str(file), "--boards", "map", "--server", address)
    assert ran.status == 0, ran.err
    table = client.table(ended.game.game_id, version=60).table
    seen = drawn(file.read_text())
    assert seen
    assert not seen - lying(table)


def test_a_film_has_a_frame_for_each_round_and_tells_what_happened(
    record: Path, tmp_path: Path, inside: Callable[..., Ran]
) -> None:
    folder, film = tmp_path / "film", tmp_path / "film.png"
    asked = ("film", str(record), "--out", str(folder), "--every", "round", "--boards", "town", "--width", "300")
    ran = inside(*asked, "--apng", str(film), "--seat", "1")
    assert ran.status == 0, ran.err
    index = json.loads((folder / "film.json").read_text())
    frames = index["frames"]
    assert [frame["file"] for frame in frames] == sorted(path.name for path in folder.glob("frame-*.png"))
    sizes = {pixels((folder / frame["file"]).read_bytes())[:2] for frame in frames}
    assert sizes == {(index["width"], index["height"])}
    with RecordPictures.of(record.read_bytes(), "en", "seat.1") as pictures:
        last = len(pictures.moments)
        assert sum(len(frame["sentences"]) for frame in frames) == sum(bool(it.sentence) for it in pictures.moments)
    assert (frames[-1]["version"], len(frames)) == (last, 8)  # before the first round, and each of seven
    moving = film.read_bytes()
    assert struct.unpack(">I", moving[moving.index(b"acTL") + 4 :][:4]) == (len(frames),)
    assert moving.count(b"fcTL") == len(frames)

    ran = inside(*asked)
    assert (ran.status, "not empty" in ran.err) == (1, True)


def test_a_disk_that_is_full_ends_a_film_with_one_line(
    record: Path, tmp_path: Path, inside: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    saved: list[str] = []

    def full(content: bytes, file: str, *, private: bool = False) -> None:
        if saved:
            raise CommandError(f"cannot write {file}: No space left on device.")
        saved.append(file)

    from boardkeeper.terminal import record_files
    from boardkeeper.terminal.errors import CommandError

    monkeypatch.setattr(record_files, "save", full)
    ran = inside(
        "film", str(record), "--out", str(tmp_path / "f"), "--from", "100", "--to", "110", "--svg", "--every", "event"
    )
    assert (ran.status, "No space left" in ran.err) == (1, True)
    assert not (tmp_path / "f" / "film.json").exists()


def test_a_film_that_was_interrupted_goes_on_where_it_stopped(
    record: Path, tmp_path: Path, inside: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A frame counts if it is whole, and if it is of the same film."""
    folder, other = tmp_path / "film", tmp_path / "other"
    versions: list[int] = []
    draw = RecordPictures.draw

    def interrupted(self: RecordPictures, version: int, wish: PictureOptions) -> Picture:
        if len(versions) == 4:
            raise KeyboardInterrupt
        versions.append(version)
        return draw(self, version, wish)

    def film(into: Path, *flags: str) -> Ran:
        asked = ("--svg", "--every", "event", "--from", "100", "--width", "300", "--boards", "town")
        return inside("film", str(record), "--out", str(into), *asked, *flags)

    monkeypatch.setattr(RecordPictures, "draw", interrupted)
    ran = film(folder, "--to", "106")
    assert (ran.status, versions) == (130, [106, 100, 101, 102])  # the last one first: they are as high as it is
    assert "Run the same command again" in ran.err
    assert not (folder / "film.json").exists()

    # What a loss of power may leave: a frame of which not all was written, and a note that was not finished.
    frame = folder / "frame-0002.svg"
    frame.write_bytes(frame.read_bytes()[:-10])
    (folder / "frame-0004.svg").write_text("<svg")
    (folder / "frame-0004.svg.12.part").write_text("<svg")
    notes = folder / "film.part"
    notes.write_bytes(notes.read_bytes() + b'\n{"file":"frame-0004.sv')

    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    for flags, differs in ((("--dark",), "dark"), (("--to", "105"), "to"), (("--width", "310"), "width, height")):
        versions.clear()
        ran = film(folder, *flags)
        assert (ran.status, f"(different: {differs})" in ran.err) == (1, True), ran.err
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before

    versions.clear()
    film(folder)  # and it is interrupted again, behind a note that was torn
    assert versions == [106, 101, 103, 104]
    versions.clear()
    ran = film(folder, "--json")
    assert (versions, ran.records[0]["frames"], ran.records[0]["kept"]) == ([106, 105, 106], 7, 5)

    monkeypatch.setattr(RecordPictures, "draw", draw)
    assert film(other, "--to", "106").status == 0
    assert {it.name: it.read_bytes() for it in folder.iterdir()} == {it.name: it.read_bytes() for it in other.iterdir()}
    ran = film(folder)
    assert (ran.status, "not empty" in ran.err) == (1, True)


def test_what_is_missing_is_said_with_how_to_get_it(
    record: Path, tmp_path: Path, inside: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "quickjs", None)
    engines.engine.cache_clear()
    try:
        ran = inside("show", str(record), "--svg", str(tmp_path / "a.svg"))
    finally:
        engines.engine.cache_clear()
    assert (ran.status, "pip install 'boardkeeper[pictures]'" in ran.err) == (1, True)
