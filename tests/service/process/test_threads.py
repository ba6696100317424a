"""Several threads create shared objects at the same time."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.service import concurrent_decoding

DECODING = "domain/boardkeeper/table/decoding.py"
SOURCES = ("domain", "service", "clients/python", "clients/terminal")


def test_threads_that_decode_new_types_of_events_do_not_end_the_process(repository: Path) -> None:
    program = [sys.executable, "-m", "tests.service.concurrent_decoding"]
    ran = subprocess.run(program, cwd=repository, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    read = concurrent_decoding.ROUNDS * concurrent_decoding.KINDS * concurrent_decoding.THREADS
    assert ran.stdout.split() == [str(read)]


def test_threads_that_load_a_title_get_the_same_object(repository: Path) -> None:
    program = (
        "import sys, threading\n"
        "from boardkeeper.titles import registry\n"
        "sys.setswitchinterval(1e-6)\n"
        "together, results = threading.Barrier(4), []\n"
        "def work():\n"
        "    together.wait()\n"
        "    title = registry.load_title('orleans')\n"
        "    results.append((id(title), len(title.rules()), title.meta.id, registry.load_meta('orleans').id))\n"
        "threads = [threading.Thread(target=work) for _ in range(4)]\n"
        "[thread.start() for thread in threads]\n"
        "[thread.join() for thread in threads]\n"
        "print(len(results), len(set(results)))\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], cwd=repository, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr, ran.stdout.split()) == (0, "", ["4", "1"])


def test_threads_that_load_the_rules_and_messages_of_a_title_wait_for_each_other(
    repository: Path,
) -> None:
    program = (
        "import sys, threading\n"
        "from boardkeeper.titles import registry\n"
        "from boardkeeper.wire import messages\n"
        "sys.setswitchinterval(1e-6)\n"
        "meet = (registry.load_title, registry.load_meta, lambda id: messages.prepare([id])) * 2\n"
        "together, met = threading.Barrier(len(meet)), []\n"
        "def work(meet):\n"
        "    together.wait()\n"
        "    for id in registry.TITLES:\n"
        "        meet(id)\n"
        "        met.append(id)\n"
        "threads = [threading.Thread(target=work, args=(it,)) for it in meet]\n"
        "[thread.start() for thread in threads]\n"
        "[thread.join() for thread in threads]\n"
        "print(len(met) == len(meet) * len(registry.TITLES), messages._COMMANDS.planned == set(registry.TITLES))\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], cwd=repository, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr, ran.stdout.split()) == (0, "", ["True", "True"])


def find_decoders(source: str) -> Iterator[int]:
    """Yield the lines where functions of a module create decoders or decode into types."""
    tree = ast.parse(source)
    imported = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("msgspec")
        for alias in node.names
    }
    functions = (
        node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
    )
    for call in {node for function in functions for node in ast.walk(function) if isinstance(node, ast.Call)}:
        called = ast.unparse(call.func)
        if not (called.startswith("msgspec.") or called.split(".")[0] in imported):
            continue
        name = called.split(".")[-1]
        is_typed = any(keyword.arg == "type" for keyword in call.keywords)
        if name in {"Decoder", "convert", "defstruct"} or (name == "decode" and is_typed):
            yield call.lineno


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("import msgspec\ndef f(): return msgspec.json.Decoder(int)", [2]),
        ("import msgspec\ndef f(x): return msgspec.json.decode(x, type=int)", [2]),
        ("from msgspec import convert\nf = lambda x: convert(x, int)", [2]),
        ("import msgspec\ndef f(): return msgspec.defstruct('A', [])", [2]),
        ("import msgspec\nd = msgspec.json.Decoder(int)\ndef f(x): return msgspec.json.decode(x)", []),
        ("from boardkeeper.table.decoding import convert\ndef f(x): return convert(x, int)", []),
    ],
)
def test_the_search_for_decoders(source: str, lines: list[int]) -> None:
    assert list(find_decoders(source)) == lines


def test_decoders_are_created_in_one_module_or_at_import(repository: Path) -> None:
    found = [
        f"{path.relative_to(repository)}:{line}"
        for root in SOURCES
        for path in sorted((repository / root).rglob("*.py"))
        if path != repository / DECODING
        for line in find_decoders(path.read_text("utf-8"))
    ]
    assert found == []
