"""Titles that pip installs into an environment of their own: served, played over a socket, recorded and verified.

One is the example of ``examples/titles``, the other the skeleton that ``boardkeeper new-title`` writes.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import venv
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest
from tests.service.api_server import Api
from tests.waiting import until

from boardkeeper.terminal.main import main
from boardkeeper.v1 import catalog_pb2, game_pb2, games_pb2

pytestmark = pytest.mark.socket

EXAMPLE, SKELETON = "liars_cards", "lost_gold"
IDS = (EXAMPLE, SKELETON)

IN_PROCESS = """
import random, sys
from boardkeeper import engine
engine.allow(sys.argv[1])
game, chance = engine.create(sys.argv[1], 3, seed=1), random.Random(1)
while not game.is_over:
    game.submit(game.to_move[0], chance.choice(game.legal(game.to_move[0])))
assert engine.load(game.save()).digest() == game.digest()
print([(it.seat, it.rank) for it in game.standings])
"""


class Environment:
    """A virtual environment that has the packages of this one, and titles."""

    def __init__(self, folder: Path) -> None:
        venv.create(folder, with_pip=False)
        self.folder = folder
        self.python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
        (packages,) = folder.rglob("site-packages")
        here = next(path for path in sys.path if path.endswith("site-packages"))
        (packages / "host.pth").write_text(f"import site; site.addsitedir({here!r})\n", "utf-8")

    def install(self, package: Path) -> None:
        """Install a package as an author does, without a network."""
        options = ["--quiet", "--no-index", "--no-build-isolation", "--no-deps", "--disable-pip-version-check"]
        command = [sys.executable, "-m", "pip", "--python", str(self.python), "install", *options, "-e", str(package)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode and not os.environ.get("CI"):
            pytest.skip(f"pip cannot install without a network here: {done.stderr.strip()[-300:]}")
        assert done.returncode == 0, done.stderr

    def run(self, *arguments: str, titles: str = "built-in") -> str:
        """Run Python there; it has to succeed. Returns what it printed."""
        environment = os.environ | {"BOARDKEEPER_TITLES": titles, "BOARDKEEPER_HOME": str(self.folder / "home")}
        done = subprocess.run(
            [self.python, *arguments], capture_output=True, text=True, check=False, env=environment, cwd=self.folder
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory, repository: Path) -> Environment:
    """An environment with both titles."""
    folder = tmp_path_factory.mktemp("titles")
    made = Environment(folder / "environment")
    assert main(["new-title", SKELETON, "--folder", str(folder)]) == 0
    for package in (repository / "examples" / "titles" / EXAMPLE, folder / SKELETON):
        made.install(package)
    return made


@pytest.fixture(scope="module")
def server(environment: Environment) -> Iterator[Path]:
    """The log of a server of both titles."""
    log = environment.folder / "server.log"
    command = [str(environment.python), "-m", "boardkeeper", "serve", "--titles", ",".join(IDS)]
    flags = ["--db", str(environment.folder / "games.db"), "--listen", "127.0.0.1:0", "--log-format", "json"]
    with log.open("w") as stream, subprocess.Popen([*command, *flags], stderr=stream, stdout=stream) as process:
        yield log
        process.kill()


async def address(log: Path) -> str:
    """Return the address of the server as soon as it listens."""

    def listening() -> list[str]:
        lines = [json.loads(line) for line in log.read_text().splitlines() if line.startswith("{") and line[-1] == "}"]
        return [line["address"] for line in lines if line["event"] == "listening"]

    await until(listening)
    return listening()[-1]


@pytest.mark.parametrize("id", IDS)
async def test_an_installed_title_is_played_over_a_socket_and_its_record_is_verified(
    id: str, environment: Environment, server: Path, tmp_path: Path
) -> None:
    where = await address(server)
    async with grpc.aio.insecure_channel(where) as channel:
        api, chance = Api(channel, where), random.Random(id)
        listed = await api.catalog.ListTitles(catalog_pb2.ListTitlesRequest())
        assert [title.id for title in listed.titles] == sorted(IDS)
        seats = [
            games_pb2.SeatRequest(name="Ada"),
            games_pb2.SeatRequest(name="Bob"),
            games_pb2.SeatRequest(bot="random"),
        ]
        created = await api.games.CreateGame(games_pb2.CreateGameRequest(title=id, seats=seats))
        game_id, tokens = created.game.game_id, {it.seat: it.token for it in created.seat_tokens}
        while (now := await api.game(game_id)).status != game_pb2.GAME_STATUS_ENDED:
            if set(now.deciding) & tokens.keys():
                await api.play_turn(game_id, tokens, chance)
        assert len(now.standings) == 3
    record = str(tmp_path / "game.jsonl")
    environment.run("-m", "boardkeeper", "export", game_id, "--server", where, "--out", record)
    said = environment.run("-m", "boardkeeper", "verify", record, titles=id)
    assert "the record passes every check" in said


@pytest.mark.parametrize("id", IDS)
def test_an_installed_title_is_played_by_the_rules_library_and_in_the_terminal(
    id: str, environment: Environment
) -> None:
    assert environment.run("-c", IN_PROCESS, id).startswith("[(")
    said = environment.run("-m", "boardkeeper", "demo", "--title", id, "--seed", "1", "--language", "de", titles=id)
    assert "gewinnt" in said or "gewinnen" in said
