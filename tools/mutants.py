"""Mutation testing of the rules: change them on purpose, one small thing at a time, and see whether a test fails.

The mutants are mutmut's. It works in a copy below ``.mutants`` (git-ignored), so the work tree is never touched, and
the copy gathers the sources in one folder ``src``, because mutmut derives module names from paths and knows nothing
of our four source roots. :mod:`mutants_runner` tries them. A whole run takes long, so by default a sample is tried, the
same one for the same code and seed; whole modules can be named, and ``--full`` tries everything.

A survivor is a hole in the tests unless no test could tell it from the rules. Those are listed with the reason in
``docs/mutants.md`` (one line each: the module and the changed lines) and count as justified. What mutmut leaves alone
is not tried: tables at module level, properties, and whatever does not stand in a function.

    make mutants                               a sample of the rules of all titles and of the kernel
    make mutants ARGS='--title ID'             a sample of the rules of one title
    make mutants ARGS='verbs/deeds scoring'    all mutants of some modules
    make mutants ARGS=--again                  its survivors, but for the justified, with today's tests
    make mutants ARGS=--full                   all mutants of the rules
    make mutants ARGS='--full --resume'        those that such a run, broken off, had not yet come to, and those of
                                               functions that were changed since; with --again its survivors as well
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from mutmut.mutation.diff_apply import get_diff_for_mutant

REPOSITORY = Path(__file__).resolve().parent.parent
WORK = REPOSITORY / ".mutants"
SURVIVORS = WORK / "survivors.diff"
JUSTIFIED = REPOSITORY / "docs" / "mutants.md"

TITLES = REPOSITORY / "tests" / "titles"
SETTINGS = "mutants.toml"
"""What a title has in its folder of tests to be mutated: a :class:`Settings` as TOML."""

KERNEL = (
    "table/recorder.py",
    "table/dice.py",
    "table/visibility.py",
    "table/forking.py",
    "table/table.py",
    "table/course.py",
    "table/known_ids.py",
    "table/standings.py",
    "table/positions.py",
)
"""The modules that hold rules of every title, below ``domain/boardkeeper``."""

KERNEL_TESTS = ("tests/table", "tests/game")
KERNEL_SLOW = ("test_undo.py",)

ARGUMENTS = (
    *("-p", "no:cacheprovider", "-n", "0", "-m", "not soak", "--capture=no", "--timeout=0"),
    *("--tb=native", "--assert=plain", "--hypothesis-profile=mutants"),
)
"""What pytest is told. Why a test failed is of no interest, and what hangs is found by :mod:`mutants_runner`."""

SAMPLE = 800
SEED = 1
PROCESSES = 2

KILLED = frozenset({"killed", "timeout", "crashed"})
_STATUS = {0: "survived", 1: "killed", 2: "killed", 3: "killed", 5: "untested", 33: "untested", 36: "timeout"}
"""By pytest's exit code; 2 is a module that could no longer be read. 33 and 36 are mutmut's own."""
_TIMEOUTS = frozenset({-24, 24, 152, 255})


@dataclass(frozen=True)
class Settings:
    """Where a title has its rules, in paths and patterns below its package."""

    rules: list[str]
    """Which modules hold rules, in the order in which their mutants are tried."""
    kept: list[str]
    """Modules that work on what is worked out once and then kept (``lru_cache``)."""
    slow: list[str]
    """Tests of whole games and statistics: they take longest and kill little that the tests of rules let live."""


@lru_cache
def settings_of(title: str) -> Settings:
    """How a title is mutated."""
    return Settings(**tomllib.loads((TITLES / title / SETTINGS).read_text("utf-8")))


def known_titles() -> list[str]:
    """The titles that say how they are mutated."""
    return sorted(path.parent.name for path in TITLES.glob(f"*/{SETTINGS}"))


def rules_modules(titles: Iterable[str], *, kernel: bool) -> list[str]:
    """The paths of the modules to mutate, below ``domain/boardkeeper``."""
    root = REPOSITORY / "domain" / "boardkeeper"
    patterns = [f"titles/{title}/{pattern}" for title in titles for pattern in settings_of(title).rules]
    patterns += KERNEL if kernel else ()
    found = (path for pattern in patterns for path in sorted(root.glob(pattern)))
    return [path.relative_to(root).as_posix() for path in found]


def arguments(titles: Iterable[str]) -> list[str]:
    """What pytest is told: the tests of these titles and of the kernel, but for the slow ones."""
    titles = list(titles)
    slow = [name for title in titles for name in settings_of(title).slow]
    ignored = (f"--ignore-glob=*/{name}" for name in (*slow, *KERNEL_SLOW))
    return [*ARGUMENTS, *(f"tests/titles/{title}" for title in titles), *KERNEL_TESTS, *ignored]


def chosen(modules: Iterable[str], wanted: Iterable[str]) -> list[str]:
    """The modules whose path holds one of the texts; all if there are none."""
    wanted = [text.removesuffix(".py") for text in wanted]
    return [module for module in modules if not wanted or any(text in module for text in wanted)]


def prepare(modules: Iterable[str]) -> None:
    """Copy what the tests need, and tell mutmut what to do with it."""
    stale = ("src", "domain", "tests", "docs", "mutants/domain", "mutants/tests", "mutants/docs")
    for folder in stale:
        shutil.rmtree(WORK / folder, ignore_errors=True)
    for path in (WORK / "mutants" / "src").rglob("*.toml"):  # mutmut copies only what is not there yet
        path.unlink()
    copies = {"domain/boardkeeper": "src/boardkeeper", "domain": "domain", "tests": "tests", "docs": "docs"}
    for source, target in copies.items():  # domain as well: some tests read the rules as text
        shutil.copytree(REPOSITORY / source, WORK / target, ignore=shutil.ignore_patterns("__pycache__"))
    settings = {
        "source_paths": ["src"],
        "only_mutate": [f"src/boardkeeper/{module}" for module in modules],
        "also_copy": ["docs", "domain"],
    }
    table = "".join(f"{key} = {json.dumps(value)}\n" for key, value in settings.items())
    whole = (REPOSITORY / "pyproject.toml").read_text("utf-8")
    (WORK / "pyproject.toml").write_text(f"{whole}\n[tool.mutmut]\n{table}", "utf-8")


def make_mutants(processes: int) -> None:
    """Let mutmut make the mutants; what became of those that are still the same stays known."""
    _start({"make": True, "processes": processes})


def run(names: Sequence[str], titles: Sequence[str], processes: int) -> None:
    """Try mutants; what became of them is then in mutmut's files."""
    modules = [f"titles/{title}/{module}" for title in titles for module in settings_of(title).kept]
    kept = [f"boardkeeper.{module.removesuffix('.py').replace('/', '.')}." for module in modules]
    _start({"names": names, "kept": kept, "processes": processes, "arguments": arguments(titles)})


def _start(asked: dict[str, object]) -> None:
    """Start :mod:`mutants_runner`, a process of its own since it goes on with other modules and working folder."""
    runner = Path(__file__).with_name("mutants_runner.py")
    environment = os.environ | {"CI": "true", "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, str(runner)]
    process = subprocess.run(command, cwd=WORK, env=environment, input=json.dumps(asked).encode(), check=False)
    if process.returncode:
        log = WORK / "mutants" / "tests.log"
        print(log.read_text("utf-8")[-5000:] if log.exists() else "", file=sys.stderr)
        raise SystemExit(f"{runner.name} ended with {process.returncode}")


def results() -> Iterator[tuple[str, str, str]]:
    """Module, mutant and what became of it (empty: not tried) of every mutant that there is."""
    root = WORK / "mutants" / "src" / "boardkeeper"
    for path in sorted(root.rglob("*.meta")):
        try:
            codes = json.loads(path.read_text("utf-8"))["exit_code_by_key"]
        except json.JSONDecodeError:  # being written just now
            continue
        module = path.relative_to(root).as_posix().removesuffix(".meta")
        for name, code in codes.items():
            yield module, name, status_of(code)


def status_of(code: int | None) -> str:
    """What an exit code of the tests means for the mutant."""
    if code is None:
        return ""
    if code in _TIMEOUTS:
        return "timeout"
    return _STATUS.get(code, "crashed")


def difference(module: str, name: str) -> tuple[str, str]:
    """The diff of a mutant, and the changed lines on one line, as :data:`JUSTIFIED` quotes them."""
    diff = get_diff_for_mutant(name, path=Path("src/boardkeeper") / module)
    changed = [line for line in diff.splitlines() if line[:1] in "+-" and line[:3] not in ("+++", "---")]
    added = [line[1:].strip() for line in changed if line.startswith("+")]
    return diff, " ".join(added or ["(nothing)"])


@lru_cache(maxsize=1)
def justified() -> set[tuple[str, str]]:
    """Module and changed lines of the mutants that no test can kill."""
    lines = re.findall(r"^- `(\S+\.py)` ``? ?(.+?) ?``?: \S", JUSTIFIED.read_text("utf-8"), re.MULTILINE)
    return {(module, " ".join(changed.split())) for module, changed in lines}


def is_justified(module: str, name: str) -> bool:
    """Whether no test can kill this mutant, as :data:`JUSTIFIED` says."""
    changed = difference(module, name)[1]
    return bool({(module, changed), (module.removeprefix("titles/"), changed)} & justified())


def report(names: Iterable[str]) -> int:
    """Print the score of each module, keep the survivors' diffs, and count those without a reason."""
    wanted = set(names)
    scores: dict[str, Counter[str]] = {}
    alive: list[tuple[str, str]] = []
    for module, name, status in results():
        if name not in wanted or not status:
            continue
        kind = "killed" if status in KILLED else status
        if kind != "killed":
            if is_justified(module, name):
                kind = "justified"
            else:
                alive.append((f"{module}  {name}  {status}", difference(module, name)[0]))
        scores.setdefault(module, Counter())[kind] += 1
    SURVIVORS.write_text("".join(f"### {title}\n{diff}\n" for title, diff in alive), "utf-8")
    print(f"\n{'module':44} {'mutants':>8} {'killed':>7} {'justified':>10} {'alive':>6} {'score':>7}")
    for module, counts in sorted(scores.items()):
        print(_row(module, counts))
    print(_row("all", sum(scores.values(), Counter())))
    if alive:
        print(f"\n{len(alive)} alive: read them in {SURVIVORS.relative_to(REPOSITORY)}")
    return len(alive)


def _row(title: str, counts: Counter[str]) -> str:
    tried, killed, justified = counts.total(), counts["killed"], counts["justified"]
    score = 100 * killed / (tried - justified) if tried > justified else 100.0
    return f"{title:44} {tried:8} {killed:7} {justified:10} {tried - killed - justified:6} {score:6.1f}%"


def main() -> int:
    """Run as :mod:`mutants` says; 0 if every mutant tried is dead or justified."""
    parser = argparse.ArgumentParser(prog="make mutants", description="Mutation testing of the rules.")
    parser.add_argument("modules", nargs="*", help="parts of paths, such as verbs/deeds: all mutants of these modules")
    parser.add_argument("--title", choices=known_titles(), help="only its rules, with its tests and the kernel's")
    parser.add_argument("--full", action="store_true", help="all mutants of all rules")
    parser.add_argument("--again", action="store_true", help="only the survivors, with today's tests")
    parser.add_argument(
        "--resume", action="store_true", help="go on with a run of the same mutants that was broken off"
    )
    parser.add_argument("--sample", type=int, default=SAMPLE, help="how many to try by default (%(default)s)")
    parser.add_argument("--seed", type=int, default=SEED, help="which ones (%(default)s)")
    parser.add_argument("--processes", type=int, choices=(1, 2), default=PROCESSES, help="(%(default)s)")
    options = parser.parse_args()

    titles = [options.title] if options.title else known_titles()
    modules = chosen(rules_modules(titles, kernel=not options.title), options.modules)
    if not modules:
        print(f"mutants: no module of the rules is called {' or '.join(options.modules)}", file=sys.stderr)
        return 2
    if not options.again and not options.resume:
        shutil.rmtree(WORK, ignore_errors=True)
    prepare(modules)
    os.chdir(WORK)  # where mutmut looks for its settings and files
    make_mutants(options.processes)
    module_of = {name: module for module, name, _ in results() if module in modules}
    became = {name: status for _, name, status in results() if name in module_of}
    print(f"{len(became)} mutants of {len(modules)} modules", flush=True)
    names = sorted(became, key=lambda name: modules.index(module_of[name]))
    if options.again and not options.resume:
        names = [name for name in names if became[name]]
    elif not options.modules and not options.full:
        print(f"a sample of {options.sample}, seed {options.seed}")
        names = sorted(random.Random(options.seed).sample(names, min(options.sample, len(names))), key=names.index)
    only = names
    if options.again or options.resume:
        alive = [name for name in names if options.again and became[name] and became[name] not in KILLED]
        only = [name for name in alive if not is_justified(module_of[name], name)]
        only += [name for name in names if options.resume and not became[name]]
    if only:
        print(f"{len(only)} to try", flush=True)
        run(only, titles, options.processes)
    return 1 if report(names) else 0


if __name__ == "__main__":
    sys.exit(main())
