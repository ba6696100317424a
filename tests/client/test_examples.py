"""Each example plays a whole game of any title in its language, despite broken connections."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.examples import EXAMPLES, Example
from tests.relay import Relay, relay

from boardkeeper.client import Client, bot, person
from boardkeeper.service.process.server import running, running_service
from boardkeeper.titles.registry import TITLES
from build_web import environment

pytestmark = [pytest.mark.socket, pytest.mark.timeout(600)]  # the time includes building the examples

GAMES = {
    "python": ("orleans",),
    "typescript": ("paladins",),
    "go": ("orleans", "dlp-8th"),
    "java": ("stories", "settlers"),
    "rust": ("paladins", "schwerkraft-2019", "3"),
    "cpp": ("stories", "england-vs-france", "4"),
}
"""Title, edition and number of players for each example; any others would work, too."""

in_each_language = pytest.mark.parametrize("example", [pytest.param(it, id=it.language) for it in EXAMPLES])


@pytest.fixture(scope="module")
def proxy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Relay]:
    """A proxy to a server with only the games of these tests."""
    with running_service(tmp_path_factory.mktemp("service") / "games.db") as service, relay() as it:
        it.target = service
        yield it


def test_each_title_is_played_by_an_example() -> None:
    assert {GAMES[it.language][0] for it in EXAMPLES} == set(TITLES)


@in_each_language
def test_an_example_is_one_short_file(example: Example) -> None:
    """As README.md and the docs say."""
    assert [path.relative_to(example.folder).as_posix() for path in example.sources] == [example.main]
    assert len((example.folder / example.main).read_text().splitlines()) < 150


@in_each_language
def test_an_example_plays_a_whole_game_despite_broken_connections(example: Example, proxy: Relay) -> None:
    example.build()
    title, *rest = GAMES[example.language]
    lines: list[str] = []
    with Client(proxy.target) as client:
        before = {game.game_id for game in client.games()}
        playing = example.start_game(proxy.address, title, *rest)
        assert playing.stdout is not None
        assert playing.stderr is not None
        with playing:
            for line in playing.stdout:
                lines.append(line.rstrip("\n"))
                if len(lines) % 100 == 50:
                    proxy.cut()
            errors = playing.stderr.read()
        assert playing.returncode == 0, errors
        assert errors == ""
        (game,) = (client.game(it.game_id) for it in client.games() if it.game_id not in before)
    assert (game.title, *rest[:1]) == (title, *([game.edition] if rest else []))
    events = [line for line in lines if not line.startswith("rank ")]
    assert [line.split()[0] for line in events] == [str(version) for version in range(1, game.version + 1)]
    assert lines[len(events) :] == [
        f"rank {it.rank}: {game.seats[it.seat - 1].name}, {it.points} points" for it in game.standings
    ]


@in_each_language
def test_an_example_prints_a_readable_error(example: Example, proxy: Relay) -> None:
    example.build()
    out, errors = example.start_game(proxy.address, "halma").communicate()
    assert out == ""
    first, *details = errors.splitlines()
    assert "TITLE_NOT_FOUND" in first
    assert first.endswith(": There is no title 'halma'.")
    assert details[:2] == ["  title: halma", "  what to do: see docs/errors.md"]


def test_the_python_example_needs_only_stubs() -> None:
    (example,) = (it for it in EXAMPLES if it.language == "python")
    source = Path(example.folder / example.main).read_text()
    imported = {
        name
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([node.module] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names])
    }
    standard = {"collections.abc", "random", "sys", "time", "typing", "uuid"}
    assert imported == standard | {"grpc", "google.rpc", "boardkeeper.v1"}


def test_buf_generates_stubs_in_every_language(repository: Path, tmp_path: Path) -> None:
    template = yaml.safe_load((repository / "buf.gen.yaml").read_text())
    for example in EXAMPLES:
        if not example.missing() or os.environ.get("CI"):
            example.build()  # installs the plugins that are part of its packages
    template["plugins"] = [plugin for plugin in template["plugins"] if _is_installed(repository, plugin)]
    outs = {Path(plugin["out"]).name for plugin in template["plugins"]}
    assert outs >= ({"python", "typescript", "go", "java", "cpp"} if os.environ.get("CI") else {"python"})
    call = ["buf", "generate", "--template", json.dumps(template), "--output", str(tmp_path)]
    done = subprocess.run(call, cwd=repository, env=environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for language in outs:
        files = [path.name.lower() for path in (tmp_path / "build" / "stubs" / language).rglob("*")]
        assert any(name.startswith("games") for name in files), language


def _is_installed(repository: Path, plugin: dict[str, Any]) -> bool:
    program = plugin.get("local") or plugin.get("protoc_path") or "protoc"
    name = program if isinstance(program, str) else program[0]
    return shutil.which(name, path=environment()["PATH"]) is not None or (repository / name).exists()


def test_buf_shows_a_readable_rejection(repository: Path, tmp_path: Path) -> None:
    """With Connect, it decodes the details."""
    with running(tmp_path / "games.db") as service, Client(service.address) as client:
        (anna,) = client.create_game("orleans", [person("Anna"), bot("sensible")]).seats
        command = {"placeFollower": {"follower": "own_farmer", "place": "village", "space": "boatman"}}
        request = {"gameId": anna.game_id, "seat": 1, "commandId": "mine", "commands": [{"orleans": command}]}
        result = subprocess.run(
            ["buf", "curl", "--schema", ".", "-H", f"authorization: Bearer {anna.token}", "-d", json.dumps(request),
             f"{service.web_address}/boardkeeper.v1.Games/SubmitCommands"],
            cwd=repository, env=environment(), capture_output=True, text=True, check=False,
        )  # fmt: skip
    assert result.returncode != 0
    error = json.loads(result.stderr)
    assert error["code"] == "failed_precondition"
    (info,) = (it["debug"] for it in error["details"] if it["type"] == "google.rpc.ErrorInfo")
    assert info["reason"] == "WRONG_CHARACTER"
    assert info["metadata"]["rule"] == "orleans.planning.matching_space"
