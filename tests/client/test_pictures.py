"""Boards as pictures: they show all visible components and no hidden ones, and contain no scripts or links."""

from __future__ import annotations

import gzip
import json
import re
import struct
import zlib
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from tests.client.board_pictures import FOLDER, KEY, PICTURES, golden_record
from tests.client.conftest import CommandResult, RunCommand
from tests.golden.games import files

from boardkeeper.client import Client, NewGame
from boardkeeper.game.events import GameEvent
from boardkeeper.game.record import sealer, write_record
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import OPERATOR, SPECTATOR
from boardkeeper.table.visible_table import visible_table
from boardkeeper.terminal.pictures import board_pictures as drawing
from boardkeeper.terminal.pictures import engine as engines
from boardkeeper.terminal.pictures.board_pictures import Picture, PictureOptions, RecordPictures
from boardkeeper.terminal.pictures.board_pictures import _library as library_of
from boardkeeper.terminal.pictures.engine import PictureError
from boardkeeper.terminal.pictures.png import png
from boardkeeper.testkit.golden import creation_of, game_id, read, secret_of
from boardkeeper.titles.registry import TITLES
from boardkeeper.v1 import table_pb2
from boardkeeper.wire.tables import table_to_message
from build_web import DRAWING, build

SVG = "{http://www.w3.org/2000/svg}"
HIDDEN = "?"

UNDRAWN = re.compile(r"\.placed$|\.box$|^starters$|\.moves$|\.moved\.")
"""Zones that no board shows, as ``clients/web/test/skins.ts`` explains."""


@pytest.fixture(scope="session")
def script(sdk: Path) -> None:
    """The picture engine, built from the current sources."""
    build(DRAWING)


@cache
def editions(title: str) -> Mapping[str, Path]:
    """Return a golden game of each edition, with the most seats."""
    found: dict[str, tuple[int, Path]] = {}
    for path in files(title):
        setup = creation_of(read(path)).setup
        if setup.players > found.get(setup.edition, (0, path))[0]:
            found[setup.edition] = (setup.players, path)
    return {edition: path for edition, (_, path) in found.items()}


EDITIONS = [
    ("orleans", "capstone-2021"), ("orleans", "dlp-2014"), ("orleans", "dlp-8th"), ("paladins", "schwerkraft-2019"),
    ("stories", "settlers"), ("stories", "england-vs-france"),
]  # fmt: skip


def test_every_edition_is_tested() -> None:
    assert {(title, edition) for title in TITLES for edition in editions(title)} == set(EDITIONS)


def table_at(events: list[GameEvent], version: int, viewer: int) -> table_pb2.Table:
    table = Table(creation_of(events).layout)
    for event in events[:version]:
        table.apply_all(event.effects)
    return table_to_message(visible_table(table, viewer))


def visible_components(table: table_pb2.Table) -> Counter[tuple[str, str]]:
    """Return the visible number of each component in each zone."""
    found: Counter[tuple[str, str]] = Counter()
    for zone in table.zones:
        if not zone.seen:
            found[zone.id, HIDDEN] += zone.count
        for held in zone.contents:
            found[zone.id, held.component] += held.count
        for component in zone.order:
            found[zone.id, component] += 1
    return +found


def drawn_components(svg: str) -> Counter[tuple[str, str]]:
    """Return the drawn number of each component in each zone: single pieces, or the number on a badge."""
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
        elif kind == "z":  # the number of all components in the zone
            of_zone = {key: number for key, number in pieces.items() if key[0] == zone}
            found = Counter({key: number for key, number in found.items() if key[0] != zone})
            found[zone, "*"] = count
            assert of_zone
    return found


def assert_shows(svg: str, table: table_pb2.Table) -> None:
    """Check that a picture shows exactly the visible components of a table."""
    expected, shown = visible_components(table), drawn_components(svg)
    for zone, component in list(shown):
        if component == "*":
            expected[zone, "*"] = sum(count for (where, _), count in expected.items() if where == zone)
            for key in [key for key in expected if key[0] == zone and key[1] != "*"]:
                del expected[key]
    expected = Counter({key: count for key, count in expected.items() if not UNDRAWN.search(key[0])})
    assert (expected - shown, shown - expected) == (Counter(), Counter())


def assert_harmless(svg: str) -> None:
    """Check that a picture has no scripts, links or styles, so that it looks the same everywhere."""
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
def test_a_picture_shows_the_table_as_its_viewer_sees_it(script: None, title: str, edition: str) -> None:
    path = editions(title)[edition]
    events = read(path)
    record = golden_record(path, events)
    after_set_up = next(event.originator_version for event in events if event.topic.startswith(title)) + 1
    for viewer, viewer_name, version in (
        (SPECTATOR, "spectator", after_set_up),
        (2, "seat.2", len(events) // 2),
        (OPERATOR, "", len(events)),
    ):
        options = PictureOptions(seat=max(viewer, 0), dark=viewer == 2)
        with RecordPictures.of(record, "en", viewer_name) as pictures:
            picture = pictures.draw(version, options)
            moments = [(it.sentence, it.begins, it.round) for it in pictures.moments]
        assert_shows(picture.svg, table_at(events, version, viewer))
        assert_harmless(picture.svg)
        with RecordPictures.of(golden_record(path, events, viewer)) as pictures:
            assert moments == [(it.sentence, it.begins, it.round) for it in pictures.moments]


def test_the_record_of_a_seat_can_only_be_drawn_for_that_seat(script: None) -> None:
    path = editions("orleans")["dlp-8th"]
    events = read(path)
    half = len(events) // 2
    record = golden_record(path, events, 2)
    with RecordPictures.of(record) as pictures:
        picture = pictures.draw(half, PictureOptions())
        assert_shows(picture.svg, table_at(events, half, 2))
        pictures.draw(half + 1, PictureOptions())
        assert pictures.draw(half, PictureOptions()) == picture
    with pytest.raises(PictureError, match="the record of seat"):
        RecordPictures.of(record, "en", "seat.1")
    with pytest.raises(PictureError, match="and no seat 9"):
        RecordPictures.of(golden_record(path, events), "en", "seat.9")


def test_pictures_with_hidden_information_are_private_files(
    script: None, tmp_path: Path, run_in_process: RunCommand
) -> None:
    path = editions("orleans")["dlp-8th"]
    events = read(path)
    for viewer, is_public in ((2, False), (OPERATOR, False), (SPECTATOR, True)):
        record = tmp_path / f"{viewer}.jsonl"
        lines = write_record(game_id(path), events[:40], secret_of(events), sealer(KEY), viewer)
        record.write_bytes(b"".join(lines))
        picture, film = tmp_path / f"{viewer}.svg", tmp_path / f"film-{viewer}"
        shown = run_in_process("show", str(record), "--svg", str(picture), "--boards", "deeds")
        filmed = run_in_process(
            "film", str(record), "--out", str(film), "--svg", "--every", "round", "--boards", "deeds"
        )
        assert (shown.status, filmed.status) == (0, 0), shown.err + filmed.err
        for file in (picture, film / "film.json", film / "frame-0001.svg"):
            assert bool(file.stat().st_mode & 0o044) is is_public, file.name


def pixels(content: bytes) -> tuple[int, int, set[bytes]]:
    """Return width, height and a sample of the colours (arbitrary bytes for filtered rows)."""
    width, height = struct.unpack(">II", content[16:24])
    at, data = 8, b""
    while at < len(content):
        (size,) = struct.unpack_from(">I", content, at)
        if content[at + 4 : at + 8] == b"IDAT":
            data += content[at + 8 : at + 8 + size]
        at += size + 12
    raw = zlib.decompress(data)
    return width, height, {raw[at : at + 4] for at in range(0, len(raw) - 4, 401)}


def test_a_png_has_the_requested_size_and_colours(script: None) -> None:
    path = editions("stories")["settlers"]
    with RecordPictures.of(golden_record(path, read(path)), "de") as pictures:
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


def reverse_keys(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: reverse_keys(value[name]) for name in reversed(value)}
    return [reverse_keys(each) for each in value] if isinstance(value, list) else value


def test_pictures_do_not_depend_on_the_order_of_the_catalogue(script: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The order of values changes with each start of the server."""
    path = editions("stories")["settlers"]
    record = golden_record(path, read(path))
    found = []
    for library in (library_of, lambda text, language: reverse_keys(library_of(text, language))):
        monkeypatch.setattr(drawing, "_library", library)
        with RecordPictures.of(record) as pictures:
            found.append(pictures.draw(len(pictures.moments), PictureOptions(boards=("deeds", "cards", "map"))))
    assert found[0] == found[1]


def describe(element: ET.Element) -> tuple[str, str, str]:
    return element.tag, element.text or "", element.get("data-subject", "")


def looks_alike(one: str, other: str) -> bool:
    """Return whether pictures have the same shapes, pieces and words in the same order, at about the same places."""
    elements, other_elements = list(ET.fromstring(one).iter()), list(ET.fromstring(other).iter())
    if len(elements) != len(other_elements):
        return False
    for element, other_element in zip(elements, other_elements, strict=True):
        if describe(element) != describe(other_element):
            return False
        here, there = (re.findall(r"-?[\d.]+", it.get("transform", "")) for it in (element, other_element))
        if len(here) != len(there) or any(abs(float(a) - float(b)) > 10 for a, b in zip(here, there, strict=True)):
            return False
    return True


def test_the_pictures_of_the_documentation_are_current(script: None, repository: Path) -> None:
    linked = set(re.findall(r"docs/pictures/([\w-]+\.svg)", (repository / "README.md").read_text()))
    linked |= set(re.findall(r"\(pictures/([\w-]+\.svg)\)", (repository / "docs" / "pictures.md").read_text()))
    files_in_folder = {path.name for path in FOLDER.iterdir()}
    assert linked <= files_in_folder
    assert files_in_folder == {f"{board.name}{form}.svg" for board in PICTURES for form in ("", "-dark")}
    for board in PICTURES:
        if len(board.boards) == 1:
            continue  # a part of another picture
        file, picture = next(board.draw())
        assert_harmless(picture.svg)
        assert len(picture.svg) < 150 * 1024
        if not looks_alike(file.read_text("utf-8"), picture.svg):
            pytest.fail(
                f"{file.name} shows an older drawing: run PYTHONPATH=tools python -m tests.client.board_pictures"
            )


@pytest.mark.parametrize("content", [b"", b"{}", b"\xff\xfe", b'{"record":"boardkeeper-record","format":2}\n[]\n'])
def test_a_file_that_is_not_a_record_is_rejected(script: None, content: bytes) -> None:
    with pytest.raises(PictureError, match="it is not a record"):
        RecordPictures.of(content)


# --- the command line -----------------------------------------------------------------------------------------------


@pytest.fixture
def record(script: None, tmp_path: Path) -> Path:
    path = editions("paladins")["schwerkraft-2019"]
    file = tmp_path / "game.jsonl"
    file.write_bytes(golden_record(path, read(path)))
    return file


def test_an_error_names_the_compression_of_a_record(record: Path, run_in_process: RunCommand) -> None:
    record.write_bytes(gzip.compress(record.read_bytes()))
    result = run_in_process("show", record.name, "--svg", "-")
    assert result.status == 1
    assert (
        f"cannot draw {record.name}: it is not a record: it is compressed with gzip: decompress the file." in result.err
    )


def test_a_record_is_shown_as_svg_and_as_png(record: Path, tmp_path: Path, run_in_process: RunCommand) -> None:
    svg, image = tmp_path / "board.svg", tmp_path / "board.png"
    result = run_in_process(
        "show", str(record), "--at", "80", "--svg", str(svg), "--png", str(image), "--width", "500", "--json"
    )
    assert (result.status, [line["width"] for line in result.records]) == (0, [500, 500])
    assert result.records[0]["version"] == 80
    assert_harmless(svg.read_text())
    assert pixels(image.read_bytes())[:2] == (500, result.records[0]["height"])
    result = run_in_process("show", str(record))
    assert (result.status, "is a file: draw its board as a picture" in result.err) == (2, True)


def test_a_game_of_a_server_is_drawn(
    script: None, address: str, client: Client, finished_game: NewGame, tmp_path: Path, run_in_process: RunCommand
) -> None:
    file = tmp_path / "board.svg"
    result = run_in_process(
        "show", finished_game.game.game_id, "--at", "60", "--svg", str(file), "--boards", "map", "--server", address
    )
    assert result.status == 0, result.err
    table = client.table(finished_game.game.game_id, version=60).table
    shown = drawn_components(file.read_text())
    assert shown
    assert not shown - visible_components(table)


def test_a_film_has_a_frame_for_each_round_and_sentences(
    record: Path, tmp_path: Path, run_in_process: RunCommand
) -> None:
    folder, film = tmp_path / "film", tmp_path / "film.png"
    arguments = ("film", str(record), "--out", str(folder), "--every", "round", "--boards", "town", "--width", "300")
    result = run_in_process(*arguments, "--apng", str(film), "--seat", "1")
    assert result.status == 0, result.err
    index = json.loads((folder / "film.json").read_text())
    frames = index["frames"]
    assert [frame["file"] for frame in frames] == sorted(path.name for path in folder.glob("frame-*.png"))
    sizes = {pixels((folder / frame["file"]).read_bytes())[:2] for frame in frames}
    assert sizes == {(index["width"], index["height"])}
    with RecordPictures.of(record.read_bytes(), "en", "seat.1") as pictures:
        last = len(pictures.moments)
        assert sum(len(frame["sentences"]) for frame in frames) == sum(bool(it.sentence) for it in pictures.moments)
    assert (frames[-1]["version"], len(frames)) == (last, 8)  # one before the first round, and seven rounds
    moving = film.read_bytes()
    assert struct.unpack(">I", moving[moving.index(b"acTL") + 4 :][:4]) == (len(frames),)
    assert moving.count(b"fcTL") == len(frames)

    result = run_in_process(*arguments)
    assert (result.status, "not empty" in result.err) == (1, True)


def test_a_full_disk_ends_a_film_with_one_line(
    record: Path, tmp_path: Path, run_in_process: RunCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved: list[str] = []

    def full(content: bytes, file: str, *, private: bool = False) -> None:
        if saved:
            raise CommandError(f"cannot write {file}: No space left on device.")
        saved.append(file)

    from boardkeeper.terminal import record_files
    from boardkeeper.terminal.errors import CommandError

    monkeypatch.setattr(record_files, "save", full)
    result = run_in_process(
        "film", str(record), "--out", str(tmp_path / "f"), "--from", "100", "--to", "110", "--svg", "--every", "event"
    )
    assert (result.status, "No space left" in result.err) == (1, True)
    assert not (tmp_path / "f" / "film.json").exists()


def test_an_interrupted_film_is_continued(
    record: Path, tmp_path: Path, run_in_process: RunCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only complete frames of the same film are reused."""
    folder, other = tmp_path / "film", tmp_path / "other"
    versions: list[int] = []
    draw = RecordPictures.draw

    def interrupted_draw(self: RecordPictures, version: int, options: PictureOptions) -> Picture:
        if len(versions) == 4:
            raise KeyboardInterrupt
        versions.append(version)
        return draw(self, version, options)

    def film(into: Path, *flags: str) -> CommandResult:
        arguments = ("--svg", "--every", "event", "--from", "100", "--width", "300", "--boards", "town")
        return run_in_process("film", str(record), "--out", str(into), *arguments, *flags)

    monkeypatch.setattr(RecordPictures, "draw", interrupted_draw)
    result = film(folder, "--to", "106")
    # The last frame is first, because it defines the height.
    assert (result.status, versions) == (130, [106, 100, 101, 102])
    assert "Run the same command again" in result.err
    assert not (folder / "film.json").exists()

    # After a loss of power, a frame and the notes can be incomplete.
    frame = folder / "frame-0002.svg"
    frame.write_bytes(frame.read_bytes()[:-10])
    (folder / "frame-0004.svg").write_text("<svg")
    (folder / "frame-0004.svg.12.part").write_text("<svg")
    notes = folder / "film.part"
    notes.write_bytes(notes.read_bytes() + b'\n{"file":"frame-0004.sv')

    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    for flags, differs in ((("--dark",), "dark"), (("--to", "105"), "to"), (("--width", "310"), "width, height")):
        versions.clear()
        result = film(folder, *flags)
        assert (result.status, f"(different: {differs})" in result.err) == (1, True), result.err
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before

    versions.clear()
    film(folder)  # interrupted again, after an incomplete note
    assert versions == [106, 101, 103, 104]
    versions.clear()
    result = film(folder, "--json")
    assert (versions, result.records[0]["frames"], result.records[0]["kept"]) == ([106, 105, 106], 7, 5)

    monkeypatch.setattr(RecordPictures, "draw", draw)
    assert film(other, "--to", "106").status == 0
    assert {it.name: it.read_bytes() for it in folder.iterdir()} == {it.name: it.read_bytes() for it in other.iterdir()}
    result = film(folder)
    assert (result.status, "not empty" in result.err) == (1, True)


def test_an_error_names_the_missing_extra(
    record: Path, tmp_path: Path, run_in_process: RunCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "quickjs", None)
    engines.engine.cache_clear()
    try:
        result = run_in_process("show", str(record), "--svg", str(tmp_path / "a.svg"))
    finally:
        engines.engine.cache_clear()
    assert (result.status, "pip install 'boardkeeper[pictures]'" in result.err) == (1, True)
