"""Run a server without its optional packages and print the results as one JSON object.

``python -m tests.service.service_without_extras FOLDER``. An import hook hides the packages of the extras.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Awaitable
from contextlib import redirect_stderr
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

HIDDEN = ("anyio", "h11", "httpcore", "opentelemetry", "psycopg", "psycopg_pool", "standardwebhooks")
"""The packages of the extras webhooks, tracing, web and postgres."""

DATABASE = "postgresql://nobody@127.0.0.1:1/nothing"


class HidingFinder:
    """Finds all modules except the hidden ones."""

    @staticmethod
    def find_spec(name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """Find a module."""
        return None if name.partition(".")[0] in HIDDEN else PathFinder.find_spec(name, path, target)


def hide_extras() -> None:
    """Make the hidden packages impossible to import. None of them may be loaded yet."""
    assert not {name.partition(".")[0] for name in sys.modules} & set(HIDDEN)
    sys.meta_path[sys.meta_path.index(PathFinder)] = HidingFinder


def run_command(*command: str) -> str:
    """Run a command of the CLI and return its exit status and error output."""
    from boardkeeper.terminal.main import main  # only once the extras are hidden

    with TemporaryFile("w+") as file, redirect_stderr(file):
        status = main(list(command))
        file.seek(0)
        return f"{status}: {file.read()}"


async def call_service(folder: Path) -> dict[str, Any]:
    """Call a server whose database has a webhook endpoint. Return the results of the calls."""
    import grpc
    from tests.service import api_server as api

    from boardkeeper.service.storage.database_urls import open_database
    from boardkeeper.service.storage.webhooks import EndpointRow, NewEndpoint
    from boardkeeper.v1 import feed_pb2, webhooks_pb2

    database = open_database(folder / "games.db")
    row = EndpointRow("wh_1", "", "https://a.example", "", (), b"", 1)
    database.log.writer.store([NewEndpoint(row)])
    database.close()

    async def reason(call: Awaitable[Any]) -> str:
        try:
            await call
        except grpc.aio.AioRpcError as error:
            return f"{error.code().name} {api.error_details(error).reason}"
        return "OK"

    async with api.run_server(folder / "games.db") as service:
        hooks = service.webhooks
        game, tokens = await service.create()
        legal = await service.legal(game.game_id, 1, tokens[1])
        await service.submit(game.game_id, 1, tokens[1], "first", legal.commands[0].command)
        feed = service.feed.WatchGames(feed_pb2.WatchGamesRequest())
        while (item := (await feed.read())).WhichOneof("update") != "item":
            pass
        feed.cancel()
        return {
            "create": await reason(hooks.CreateWebhook(webhooks_pb2.CreateWebhookRequest(url="https://a.example"))),
            "test": await reason(hooks.TestWebhook(webhooks_pb2.TestWebhookRequest(webhook_id="wh_1"))),
            "list": len((await hooks.ListWebhooks(webhooks_pb2.ListWebhooksRequest())).webhooks),
            "dead": await reason(hooks.ListDeadLetters(webhooks_pb2.ListDeadLettersRequest(webhook_id="wh_1"))),
            "remove": await reason(hooks.DeleteWebhook(webhooks_pb2.DeleteWebhookRequest(webhook_id="wh_1"))),
            "fed": item.item.game_id == game.game_id,
        }


def run(folder: Path) -> dict[str, Any]:
    """Run everything and return the results."""
    file, key = str(folder / "other.db"), str(folder / "key")
    on_postgres = ["--db", DATABASE, "--key-file", key]
    return {
        "served": asyncio.run(call_service(folder)),
        "tracing": run_command("serve", "--db", file, "--listen", "127.0.0.1:0", "--tracing", "http://127.0.0.1:1"),
        "postgres": {
            command[0]: run_command(*command)
            for command in (
                ["serve", *on_postgres, "--listen", "127.0.0.1:0"],
                ["check", "--db", DATABASE],
                ["backup", str(folder / "a.backup"), *on_postgres],
                ["archive", str(folder / "archive"), "--older-than", "9", *on_postgres],
                ["rebuild", *on_postgres],
                ["migrate", "--db", DATABASE],
                ["move", "--from", str(folder / "games.db"), "--to", DATABASE, "--key-file", key],
            )
        },
    }


if __name__ == "__main__":
    hide_extras()
    print(json.dumps(run(Path(sys.argv[1]))))  # noqa: T201  # the output of the program
