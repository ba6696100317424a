"""Preconditions of pages: the games, seats, keys and variables that their commands and programs need."""

from __future__ import annotations

_SEATED = """
GAME=$(python - <<'PY'
import os
from pathlib import Path
from boardkeeper.client import Client, bot, person
from boardkeeper.terminal.saved_seats import SavedSeat, SeatFile

with Client(os.environ["BOARDKEEPER_SERVER"]) as client:
    seat = client.create_game("orleans", [person("Anna"), bot("sensible"), bot("sensible")]).seats[0]
    PLAYS
    Path(os.environ["BOARDKEEPER_HOME"]).mkdir(exist_ok=True)
    saved = SavedSeat(seat.game_id, seat.number, seat.token, os.environ["BOARDKEEPER_SERVER"], "")
    SeatFile(Path(os.environ["BOARDKEEPER_HOME"])).add(saved)
    print(seat.game_id, seat.token)
PY
)
TOKEN=$(cut -d " " -f 2 <<< $GAME) GAME=$(cut -d " " -f 1 <<< $GAME)
"""

FRESH = _SEATED.replace("PLAYS", "")
"""Create a game with a seat for the reader and two bots: $GAME, $TOKEN."""

SEATED = _SEATED.replace(
    "PLAYS",
    """seat.submit(seat.legal_commands().commands[0])
    for event in seat.watch():
        if event.version == 9:
            break""",
)
"""The same, after a few commands of the reader and the bots."""

PLAYED = """
cp ../played.jsonl played.jsonl
boardkeeper import played.jsonl --json > imported.json
GAME=$(head -1 played.jsonl | python -c 'import json; print(json.loads(input())["game"])')
"""
"""Import an ended game: $GAME."""

OPERATOR = "the operator of a service for tests"

RECORDED = "cp ../played.jsonl game.jsonl"
"""Store the record of an ended game in game.jsonl."""

KEYED = """
KEY=$(boardkeeper access create granted --scopes create --db games.db --json 2> /dev/null |
    python -c 'import json; print(json.loads(input())["key_id"])')
"""
"""Create an API key in games.db: $KEY is its id."""

FILE = "/var/lib/boardkeeper/games.db"
"""The database of a server in production."""

POSTGRESQL = "postgresql://boardkeeper@db.example/boardkeeper"
"""The same on PostgreSQL."""

BACKUP = f"boardkeeper backup /backups/monday.backup --db {FILE}"

LOST = f"mv {FILE}.key /safe/games.db.key && rm {FILE}"
"""Lose the database, with its key in a safe place."""

RUNNING = f"""
{PLAYED}
boardkeeper serve --db {FILE}
boardkeeper import played.jsonl --db {FILE} > imported.json
cp {FILE}.key /etc/boardkeeper/key.pem
"""
"""Create a database with a game. All databases have the same key."""

TOKEN_FILE = "/etc/boardkeeper/operator-token"

SECRET = f"(umask 077; echo 'the operator of this machine alone' > {TOKEN_FILE})"
"""Store the operator token in its file."""

KEY_OF_THE_HOST = """
unset BOARDKEEPER_KEY
BOARDKEEPER_KEY=$(boardkeeper access create granted --scopes create,watch --server https://$HOST --json |
    python -c 'import json; print(json.loads(input())["key"])')
"""
"""Create an API key of the server with the host name: $BOARDKEEPER_KEY."""

PRECONDITIONS: dict[str, dict[str, str]] = {
    "README.md": {"": SEATED},
    "clients/typescript/README.md": {"": f"{PLAYED}\nexport GAME"},
    "clients/typescript/src/verifier/README.md": {"": RECORDED},
    "docs/access.md": {"": KEYED},
    "docs/clients.md": {"": FRESH},
    "docs/deploy.md": {
        "export BOARDKEEPER_OPERATOR_TOKEN": f"echo '{OPERATOR}' > {TOKEN_FILE}",
        "curl --fail": KEY_OF_THE_HOST,
        "backup /backups/monday.backup --db": f"unset BOARDKEEPER_KEY\n{PLAYED}\nboardkeeper serve --db {FILE}",
    },
    "docs/embedding.md": {"": PLAYED},
    "docs/limits.md": {"": KEYED},
    "docs/operations.md": {
        "": RUNNING,
        "backup /backups/tuesday.backup": f"boardkeeper serve --db {POSTGRESQL} --key-file /etc/boardkeeper/key.pem",
        "monday.backup --verify": BACKUP,
        "monday.backup --db /var": LOST,
        "unarchive": f"boardkeeper archive /srv/archive --older-than 0 --db {FILE}",
    },
    "docs/play.md": {"": SEATED},
    "docs/position.md": {"": f"export BOARDKEEPER_OPERATOR_TOKEN='{OPERATOR}'\n{PLAYED}"},
    "docs/running.md": {"boardkeeper config": SECRET},
    "docs/web.md": {"": FRESH},
}
"""Shell commands to run at the top of a page (empty key), or before the line that contains the key."""

PROGRAM_PRECONDITIONS: dict[tuple[str, str], str] = {
    ("docs/clocks.md", "python"): """
from boardkeeper.client import Client, bot, person

client = Client("localhost:8050")
seat = client.create_game("orleans", [person("Anna"), bot("sensible")]).seats[0]
seat.resign()
show = print
""",
    ("clients/typescript/README.md", "ts"): """
import * as granted from "@boardkeeper/client";
const granting = granted.connect({ baseUrl: "http://localhost:8050" });
const both = [granted.person("Anna"), granted.bot("sensible")];
globalThis.seat = (await granting.createGame({ title: "orleans", seats: both })).seats[0];
globalThis.command = (await seat.legalCommands()).commands[0];
globalThis.viewer = granting.viewer(process.env.GAME);
globalThis.Rejected = granted.Rejected;
globalThis.show = () => undefined;
await seat.submit(command);
await seat.resign();
""",
    ("clients/typescript/src/verifier/README.md", "ts"): """
import { readFileSync } from "node:fs";
globalThis.bytes = readFileSync("game.jsonl");
globalThis.show = () => undefined;
""",
    ("docs/feed.md", "python"): """
from boardkeeper.client import Client, bot, person

Client("localhost:8050").create_game("orleans", [person("Anna"), bot("sensible")])
kept, deal_with = "", print

def keep(cursor):
    raise SystemExit(0)
""",
}
"""Code to run before the programs of a page, by page and language."""
