"""Make mutants, or try them one after the other. :mod:`boardkeeper.testkit.mutants` starts this in its working copy.

The tests are collected once, and run once without a mutant to see which test runs which function and how long it
takes. For each mutant a child is forked from there. It runs only the tests of the mutant's function, until one fails:
first those that killed other mutants, of this function above all, then the quickest. Slow tests run last, for the
mutants that survived all others.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import json
import os
import resource
import signal
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TextIO

import pytest
from mutmut.__main__ import create_mutants
from mutmut.mutation import trampoline
from mutmut.utils.file_utils import copy_src_dir, setup_source_paths

LOG = Path("tests.log")
SLOW_SECONDS = 0.2
SPARE_SECONDS = 3
"""A test hangs if it takes ten times its processor time and this many seconds more. Its mutant counts as killed."""
MEMORY = 4 << 30
SAVED_EVERY = 10.0
NO_TESTS = 33
"""The exit code of a mutant without tests, in mutmut's files."""
KIT = "boardkeeper.titlekit."
"""These modules cache the declarations of a title."""


class Trial:
    """A plugin of pytest that runs the tests once for each mutant."""

    def __init__(self, names: list[str], cached: tuple[str, ...], processes: int, out: TextIO) -> None:
        self.names = names
        self.cached = cached
        self.processes = processes
        self.out = out
        self.items: dict[str, pytest.Item] = {}
        self.seconds: dict[str, float] = {}
        self.tests: dict[str, set[str]] = defaultdict(set)
        self.kills: Counter[str] = Counter()
        self.kills_here: dict[str, Counter[str]] = defaultdict(Counter)
        self.caches: list[Any] = []
        self.failed = ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed = report.nodeid

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.items = {item.nodeid: item for item in session.items}
        wrappers = (thing for thing in gc.get_objects() if isinstance(thing, functools._lru_cache_wrapper))
        self.caches = [thing for thing in wrappers if f"{thing.__module__}.".startswith((*self.cached, KIT))]
        self.say(f"running {len(self.items)} tests without a mutant")
        self.survey()
        gc.collect()
        gc.freeze()
        quick = {test for test, seconds in self.seconds.items() if seconds <= SLOW_SECONDS}
        left = self.attempt(self.names, quick.__contains__)
        slow = self.seconds.keys() - quick
        self.say(f"{len(left)} alive; now the {len(slow)} slow tests")
        self.attempt([name for name in left if self.tests[function_of(name)] & slow], slow.__contains__)
        return True

    def survey(self) -> None:
        """Run each test without a mutant, and store its functions and its time."""
        functions: set[str] = set()
        vars(trampoline)["record_trampoline_hit"] = lambda name, **_: functions.add(name)
        for test, item in self.items.items():
            functions.clear()
            before = time.process_time()
            self.run("stats", item)
            self.seconds[test] = time.process_time() - before
            if self.failed:
                pytest.exit(f"{self.failed} fails without a mutant", 1)
            for function in functions:
                self.tests[function].add(test)

    def run(self, mutant: str, item: pytest.Item) -> None:
        """Run one test."""
        under_test(mutant)
        if mutant == "stats" or mutant.startswith(self.cached):
            for cache in self.caches:
                cache.cache_clear()
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)

    def attempt(self, names: Iterable[str], wanted: Callable[[str], bool]) -> list[str]:
        """Try mutants with some of their tests; returns those that survive."""
        left: list[str] = []
        running: dict[int, tuple[str, int]] = {}
        results = Results()
        tried = 0
        saved = time.monotonic()

        def finish() -> None:
            nonlocal tried, saved
            child, status = os.wait()
            name, pipe = running.pop(child)
            with os.fdopen(pipe) as reader:
                killer = reader.read()
            code = os.waitstatus_to_exitcode(status)
            if code == 0:
                left.append(name)
            elif killer:
                self.kills[killer] += 1
                self.kills_here[function_of(name)][killer] += 1
            results.add(name, code)
            tried += 1
            if time.monotonic() - saved > SAVED_EVERY:
                saved = time.monotonic()
                results.save()
                self.say(f"  {tried} tried, {len(left)} alive")

        for name in names:
            tests = [test for test in self.tests[function_of(name)] if wanted(test)]
            if not self.tests[function_of(name)]:
                results.add(name, NO_TESTS)
                continue
            while len(running) == self.processes:
                finish()
            reader, writer = os.pipe()
            child = os.fork()
            if not child:
                os.close(reader)
                self.child(name, sorted(tests, key=functools.partial(self.rank, function_of(name))), writer)
            os.close(writer)
            running[child] = (name, reader)
        while running:
            finish()
        results.save()
        self.say(f"  {tried} tried, {len(left)} alive")
        return left

    def rank(self, function: str, test: str) -> tuple[float, float, float]:
        """Return the sort key of a test: most kills for its time first, here or elsewhere, then the least time."""
        seconds = self.seconds[test] + 0.002
        return -self.kills_here[function][test] / seconds, -self.kills[test] / seconds, seconds

    def child(self, name: str, tests: list[str], writer: int) -> None:
        """Run tests until one fails. The exit code is the result."""
        code = 1
        with contextlib.suppress(BaseException):
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            for test in tests:
                allowed = 10 * self.seconds[test] + SPARE_SECONDS
                limit = int(time.process_time() + allowed) + 1
                resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY))
                signal.alarm(int(20 * allowed))  # for a test that waits
                vars(self.items[test])["repr_failure"] = lambda *_, **__: ""  # the reason of a failure is not needed
                self.run(name, self.items[test])
                if self.failed:
                    os.write(writer, test.encode())
                    break
            else:
                code = 0
        os._exit(code)

    def say(self, text: str) -> None:
        print(text, file=self.out, flush=True)


class Results:
    """Exit codes to be written to mutmut's files."""

    def __init__(self) -> None:
        self.codes: dict[str, int] = {}

    def add(self, name: str, code: int) -> None:
        self.codes[name] = code

    def save(self) -> None:
        modules: dict[str, dict[str, int]] = defaultdict(dict)
        for name, code in self.codes.items():
            modules[name.rpartition(".")[0]][name] = code
        for module, codes in modules.items():
            source = Path("src", *module.split("."))
            path = source / "__init__.py.meta" if source.is_dir() else source.with_suffix(".py.meta")
            meta = json.loads(path.read_text("utf-8"))
            meta["exit_code_by_key"].update(codes)
            new = path.with_suffix(".new")
            new.write_text(json.dumps(meta, indent=1), "utf-8")
            new.replace(path)
        self.codes.clear()


def function_of(mutant: str) -> str:
    """Return the function of a mutant, by its name in mutmut's trampolines."""
    return mutant.partition("__mutmut_")[0]


_current = ""


def under_test(mutant: str) -> None:
    """Let the trampolines call this mutant; with ``stats`` they report which function is called."""
    global _current  # noqa: PLW0603
    _current = mutant


@contextlib.contextmanager
def output_in_log() -> Iterator[TextIO]:
    """Write the output of pytest and the tests to a file; yield the real standard output."""
    out = os.fdopen(os.dup(1), "w")
    with LOG.open("w", encoding="utf-8") as log:
        os.dup2(log.fileno(), 1)
        os.dup2(log.fileno(), 2)
        yield out


def make(processes: int) -> None:
    """Make the mutants of the modules in this folder's settings."""
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere, contextlib.redirect_stdout(nowhere):
        copy_src_dir()
        create_mutants(processes)


def attempt(names: list[str], cached: tuple[str, ...], processes: int, arguments: list[str]) -> int:
    """Try mutants, which are in the folder ``mutants``."""
    setup_source_paths()
    os.chdir("mutants")
    vars(trampoline)["get_mutant_under_test"] = lambda: _current
    with output_in_log() as out:
        return int(pytest.main(arguments, plugins=[Trial(names, cached, processes, out)]))


def main() -> int:
    """Carry out the request in standard input."""
    request = json.load(sys.stdin)
    if request.get("make"):
        make(request["processes"])
        return 0
    return attempt(request["names"], tuple(request["cached"]), request["processes"], request["arguments"])


if __name__ == "__main__":
    sys.exit(main())
