"""The examples do what they say."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from boardkeeper.titles.registry import TITLES

pytestmark = pytest.mark.socket


@pytest.mark.parametrize("title", [(), *((title,) for title in TITLES)])
def test_a_client_of_generated_stubs_only_plays_a_whole_game(
    repository: Path, address: str, title: tuple[str, ...]
) -> None:
    example = repository / "clients" / "examples" / "play_with_stubs.py"
    source = example.read_text()
    assert len(source.splitlines()) <= 60
    imported = {
        name
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([node.module] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names])
    }
    assert imported == {"random", "sys", "uuid", "grpc", "boardkeeper.v1"}

    call = [sys.executable, str(example), address, *title]
    done = subprocess.run(call, capture_output=True, text=True, timeout=110, check=False)
    assert done.returncode == 0, done.stderr
    *log, first, second = done.stdout.splitlines()
    assert [int(line.split()[0]) for line in log if line[:5].strip().isdigit()] == list(range(1, len(log) + 1))
    assert first.startswith("rank 1: ")
    assert second.startswith("rank 2: ")
