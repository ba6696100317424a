"""docs/adding-a-title.md shows the code of the example titles, and requests that work."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests.docs.snippets import snippets

from boardkeeper.service.process.server import Service

PAGE = "docs/adding-a-title.md"


def test_the_code_of_the_page_is_in_the_example(repository: Path) -> None:
    folder = repository / "examples" / "titles"
    example = "\n".join(path.read_text("utf-8") for path in sorted(folder.glob("*/*.py")))
    shown = [it for it in snippets(repository, PAGE) if it.language == "python" and "rules.allow" not in it.text]
    tutorial = [it for it in shown if "class " in it.text or "def " in it.text]
    assert len(tutorial) > 6
    for block in tutorial:
        if "Paladins" not in block.text:
            assert block.text in example, f"{PAGE}:{block.line} is not in the example"


@pytest.mark.socket
def test_the_curl_requests_of_the_page_work(repository: Path, service: Service) -> None:
    def answer(command: str, **variables: str) -> Any:
        command = command.replace("localhost:8050", service.address)
        done = subprocess.run(
            ["bash", "-euc", command], env={**os.environ, **variables}, capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    create, submit = (it.text for it in snippets(repository, PAGE) if it.text.startswith("curl "))
    created = answer(create)
    done = answer(submit, GAME=created["game"]["gameId"], TOKEN=created["seatTokens"][0]["token"])
    assert [event["sentence"] for event in done["events"]] == ["Anna bids 1 × 5."]


def test_the_example_is_short(repository: Path) -> None:
    folder = repository / "examples" / "titles" / "liars_cards"
    files = [path for path in folder.iterdir() if path.suffix in (".py", ".toml")]
    assert sum(len(path.read_text("utf-8").splitlines()) for path in files) < 250
