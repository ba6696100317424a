"""Run the commands and programs of the pages for users, from the top to the bottom of each page.

The blocks of a page share a folder and a shell. The test replaces addresses, folders and the ids of games and keys with
those of the test. ``preconditions.py`` creates what a page assumes to exist.
"""

from __future__ import annotations

import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from html.parser import HTMLParser
from pathlib import Path

import pytest
import yaml
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from tests.certificates import Authority, Files
from tests.databases import servers
from tests.docs import shims
from tests.docs.preconditions import OPERATOR, PRECONDITIONS, PROGRAM_PRECONDITIONS
from tests.docs.snippets import EXCERPTS, READ, RUN, Snippet, snippets
from tests.examples import EXAMPLES

import build_web
from boardkeeper import engine
from boardkeeper.service.process.server import Service, running
from boardkeeper.service.storage.service_key import ServiceKey
from build_web import environment, node
from documentation import site

pytestmark = [pytest.mark.socket]

PAGES = sorted(
    {
        page.source
        for section in site.sections()
        if section.readers == site.USERS
        for page in section.pages
        if page.source
    }
    | {"README.md"}
)
ELSEWHERE = {
    "docs/engine.md": "tests/engine/test_page.py",
    "docs/reinforcement-learning.md": "tests/rl/test_page.py",
}
"""Pages with the test that runs their programs."""

WITH_PROGRAMS = [
    page for page in PAGES if page not in ELSEWHERE and {it.language for it in snippets(site.ROOT, page)} & RUN
]  # fmt: skip
"""Pages with commands or programs."""

BUILDS = {"--html": build_web.VIEWING, "--svg": build_web.DRAWING}
"""Build targets that commands with a flag need."""

FOLDERS = (
    "/var/lib/boardkeeper",
    "/etc/boardkeeper",
    "/etc/nginx/sites-available",
    "/etc/nginx/sites-enabled",
    "/etc/systemd/system",
    "/opt/boardkeeper",
    "/backups",
    "/srv/archive",
    "/safe",
    "/run/",
)
"""Folders of an operator's machine."""


def test_the_other_tests_name_their_pages(repository: Path) -> None:
    assert all(page in (repository / test).read_text("utf-8") for page, test in ELSEWHERE.items())


def test_every_language_is_known() -> None:
    unknown = [it for page in PAGES for it in snippets(site.ROOT, page) if it.language not in RUN | READ]
    assert unknown == []


@pytest.mark.parametrize("page", PAGES)
def test_excerpts_are_lines_of_the_examples(page: str) -> None:
    programs = {it.language: (it.folder / it.main).read_text("utf-8") for it in EXAMPLES}
    for snippet in snippets(site.ROOT, page):
        if snippet.language in EXCERPTS:
            assert snippet.text in programs[snippet.language], f"{page}, line {snippet.line}"


@pytest.mark.parametrize("page", PAGES)
def test_data_can_be_parsed(page: str) -> None:
    readers: dict[str, Callable[[str], object]] = {
        "json": json.loads,
        "toml": tomllib.loads,
        "yaml": yaml.safe_load,
        "html": HTMLParser().feed,
    }
    for snippet in snippets(site.ROOT, page):
        if snippet.language in readers:
            try:
                readers[snippet.language](snippet.text)
            except ValueError as problem:
                pytest.fail(f"{page}, line {snippet.line}: {problem}")


@pytest.mark.timeout(300)
@pytest.mark.parametrize("page", WITH_PROGRAMS)
def test_commands_and_programs_run(page: str, service: Service, sdk: Path, demos: Path, tmp_path: Path) -> None:
    shown = list(snippets(site.ROOT, page))
    if any(re.search(r"\bjq ", it.text) for it in shown if it.language == "sh"):
        needs("jq")
    for flag, target in BUILDS.items():
        if any(flag in it.text for it in shown):
            build_web.build(target)
    with ExitStack() as stack:
        replacements = dict.fromkeys(["localhost:8050", "localhost:8051"], service.address)
        replacements |= {folder: str(tmp_path) + folder for folder in FOLDERS}
        replacements |= {"0.0.0.0:8050": "0.0.0.0:0", "127.0.0.1:8050": "127.0.0.1:0", "127.0.0.1:9000": "127.0.0.1:0"}
        variables = {
            **environment(),
            "PYTHONUNBUFFERED": "1",
            "BOARDKEEPER_HOME": str(tmp_path / "home"),
            "BOARDKEEPER_SERVER": service.address,
            "BOARDKEEPER_LISTEN": "127.0.0.1:0",
            "DEMOS": str(demos),
        }
        if any("postgresql://" in it.text for it in shown):
            server = start_postgresql(stack)
            replacements |= {url: stack.enter_context(server.database(empty="owner" in url)) for url in DATABASES}
        if any("games.example" in it.text for it in shown):
            replacements |= start_tls_server(stack, tmp_path, variables)
        for folder in FOLDERS:
            Path(str(tmp_path) + folder).mkdir(parents=True, exist_ok=True)
        (tmp_path / "played.jsonl").write_bytes(played(page))
        work = tmp_path / "work"
        work.mkdir()
        shims.install_shims(tmp_path / "bin")
        variables["SHIMS"] = str(tmp_path / "bin")
        variables["PATH"] = f"{tmp_path / 'bin'}{os.pathsep}{variables['PATH']}"
        # Pages assume a checkout, and snippets in TypeScript import the installed package.
        for name in (".venv", "buf.yaml", "clients", "deploy", "docs", "proto"):
            (work / name).symlink_to(site.ROOT / name)
        (work / "node_modules").symlink_to(sdk.parent / "node_modules")
        (work / "page.sh").write_text("\n".join(script(work, shown, replacements)), "utf-8")
        ran = subprocess.run(
            ["bash", "-eu", "page.sh"],
            cwd=work, env=variables, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=280, check=False,
        )  # fmt: skip
    assert ran.returncode == 0, f"{ran.stdout[-3000:]}\n{ran.stderr[-3000:]}"


def needs(program: str) -> None:
    """Skip the test on a machine without a program that the page needs, but never in CI."""
    if not os.environ.get("CI") and shutil.which(program) is None:
        pytest.skip(f"without {program}")


def played(page: str) -> bytes:
    """Return the record of a game that bots played to its end.

    The game depends on the name of the page only, and a seat has a decision at ``VERSION``.
    """
    for seed in itertools.count(zlib.crc32(page.encode())):
        game = engine.create("orleans", 2, seed=seed)
        decisions = set()
        while not game.is_over:
            decisions.add(game.version)
            game.submit(game.to_move[0], game.suggest(game.to_move[0]))
        if VERSION in decisions:
            break
    return game.record(signer=ServiceKey(Ed25519PrivateKey.from_private_bytes(bytes(32))))


VERSION = 300
"""The version whose position docs/position.md shows."""

DATABASES = (
    "postgresql://boardkeeper@db.example/boardkeeper",
    "postgresql://owner@db.example/boardkeeper",
    "postgresql://db.example/boardkeeper",
)
"""Databases that pages name. A backup is restored into the owner's one."""


def start_postgresql(stack: ExitStack) -> servers.Server:
    """Start a PostgreSQL server. Skip the test if this is impossible, but never in CI."""
    missing = servers.missing_reason()
    if missing and not os.environ.get("CI"):
        pytest.skip(missing)
    server = servers.start_server()
    stack.callback(server.close)
    return server


def start_tls_server(stack: ExitStack, folder: Path, variables: dict[str, str]) -> dict[str, str]:
    """Start a server with TLS, set the variables for its certificate authority, and return replacements of its URLs."""
    trusted = folder / "trusted"
    trusted.mkdir()
    authority = Authority(trusted, "authority")
    installed = Files(f"{folder}/etc/boardkeeper/chain.pem", f"{folder}/etc/boardkeeper/tls-key.pem")
    Path(installed.key).parent.mkdir(parents=True, exist_ok=True)
    files = authority.sign_into(installed, "localhost")
    service = stack.enter_context(
        running(
            folder / "encrypted.db",
            tls_certificate=files.certificate,
            tls_key=files.key,
            operator_token=OPERATOR,
        )
    )
    variables["BOARDKEEPER_CA_FILE"] = variables["CURL_CA_BUNDLE"] = authority.file
    host = f"localhost:{service.address.rpartition(':')[2]}"
    return {"https://games.example:8050": f"https://{host}", "HOST=games.example.org": f"HOST={host}"}


def preconditions(page: str, line: str) -> Iterator[str]:
    """Yield the commands that a page needs before a line."""
    yield from (commands for key, commands in PRECONDITIONS.get(page, {}).items() if key and key in line)


def script(work: Path, shown: list[Snippet], replacements: dict[str, str]) -> Iterator[str]:
    """Yield the shell script of a page, and write its programs and data files."""

    def replace(text: str) -> str:
        for old, new in replacements.items():
            text = text.replace(old, new)
        return text

    yield "shopt -s expand_aliases"
    page = shown[0].page
    yield replace(PRECONDITIONS.get(page, {}).get("", ""))
    for at, snippet in enumerate(shown):
        file = re.match(r"# (/\S+)\n", snippet.text)
        if file and snippet.language not in RUN:  # the first line names the file
            data = re.sub("|".join(map(re.escape, replacements)), lambda it: replacements[it[0]], snippet.text)
            path = work.parent / file[1].removeprefix("/")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(data, "utf-8")
        if snippet.language not in RUN:
            continue
        yield f"echo '--- line {snippet.line}'"
        if snippet.language == "sh":
            lines = snippet.text.splitlines()
            text = replace("\n".join(it for line in lines for it in (*preconditions(page, line), line)))
            text = re.sub(r"\b4f1c\b|(?<![$\w])GAME\b(?![=\w])", "$GAME", text)
            # The environment puts its programs first on the path, but the shims must come before them.
            text = text.replace("source .venv/bin/activate", "source .venv/bin/activate; PATH=$SHIMS:$PATH")
            yield text.replace("1f0c9a3b77de", "$KEY")
            continue
        suffix, command = {"python": (".py", f'"{sys.executable}"'), "ts": (".mjs", f'"{node()}"')}[snippet.language]
        program = work / f"block-{at}{suffix}"
        text = PROGRAM_PRECONDITIONS.get((page, snippet.language), "") + snippet.text
        program.write_text(replace(text), "utf-8")
        yield f"{command} {program.name}"
