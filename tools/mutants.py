"""Mutation testing of the rules: change them on purpose, one small thing at a time, and see whether a test fails.

The mutants are mutmut's. It works in a copy below ``.mutants`` (git-ignored), so the work tree is never touched, and
the copy gathers the sources in one folder ``src``, because mutmut derives module names from paths and knows nothing
of our four source roots. A whole run takes hours of processor time, so by default a sample is tried, the same one for
the same code and seed; whole modules can be named, and ``--full`` tries everything.

A survivor is a hole in the tests unless no test could tell it from the rules. Those are listed with the reason in
``docs/mutants.md`` (one line each: the module and the changed lines) and count as justified. What mutmut leaves alone
is not tried: tables at module level, properties, and whatever does not stand in a function.

    make mutants                               a sample of the rules
    make mutants ARGS='verbs/deeds scoring'    all mutants of some modules
    make mutants ARGS=--again                  the survivors of the last run, with today's tests
    make mutants ARGS=--full                   all mutants of the rules
    make mutants ARGS='--full --resume'        those that such a run, broken off, had not yet come to
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
import time
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from mutmut.mutation.diff_apply import get_diff_for_mutant
from mutmut.mutation.file_mutation import mutate_file_contents
from mutmut.utils.format_utils import get_mutant_name

REPOSITORY = Path(__file__).resolve().parent.parent
WORK = REPOSITORY / ".mutants"
SURVIVORS = WORK / "survivors.diff"
JUSTIFIED = REPOSITORY / "docs" / "mutants.md"

RULES = (
    "titles/orleans/scoring.py",
    "titles/orleans/setup.py",
    "titles/orleans/data.py",
    "titles/orleans/variants.py",
    "titles/orleans/position_*.py",
    "titles/orleans/phases/**/*.py",
    "table/recorder.py",
    "table/dice.py",
    "table/visibility.py",
    "table/table.py",
)
"""Which modules hold rules, below ``domain/boardkeeper``."""

TESTS = ("tests/titles/orleans", "tests/table", "tests/game")
SLOW = ("test_playouts.py", "test_bots.py", "test_distribution.py", "test_position_fuzz.py", "test_undo.py")
"""Whole games and statistics: they take longest and kill little that the tests of single rules let live."""

KEPT = ("titles/orleans/data.py", "titles/orleans/setup.py", "titles/orleans/variants.py")
"""Modules that work on what is worked out once and then kept (``lru_cache``)."""

CONFTEST = '''
"""What :mod:`mutants` adds to every run of the tests.

Forgets before each test what was kept: else a mutant would only be seen by the test that comes first. And tests that
killed something come first, most of all those that killed a mutant of the same function: most mutants die at once.
"""

import functools
import gc
import os
from collections import Counter
from pathlib import Path

KEPT = {kept}
KILLERS = Path(__file__).with_name("killers.txt")
keepers = []


def mutant():
    return os.environ.get("MUTANT_UNDER_TEST", "")


def forgets():
    return mutant() in ("stats", "fail") or mutant().startswith(KEPT)


def pytest_collection_modifyitems(items):
    function, found, _ = mutant().partition("__mutmut_")
    if not found or not KILLERS.exists():
        return
    lines = [line.split(" ", 1) for line in KILLERS.read_text("utf-8").splitlines()]
    killed = Counter(test for _, test in lines)
    here = Counter(test for killed_function, test in lines if killed_function == function)
    items.sort(key=lambda item: (here[item.nodeid], killed[item.nodeid]), reverse=True)


def pytest_collection_finish(session):
    if forgets():
        wrappers = (thing for thing in gc.get_objects() if isinstance(thing, functools._lru_cache_wrapper))
        keepers[:] = [thing for thing in wrappers if f"{{thing.__module__}}.".startswith(KEPT)]


def pytest_runtest_setup(item):
    if forgets():
        for keeper in keepers:
            keeper.cache_clear()


def pytest_runtest_logreport(report):
    function, found, _ = mutant().partition("__mutmut_")
    if found and report.failed:
        with KILLERS.open("a", encoding="utf-8") as killers:
            killers.write(f"{{function}} {{report.nodeid}}\\n")
'''

SAMPLE = 800
SEED = 1
PROCESSES = 2
SECONDS_PER_TEST = 20

KILLED = frozenset({"killed", "timeout", "crashed"})
_STATUS = {0: "survived", 1: "killed", 2: "killed", 3: "killed", 5: "untested", 33: "untested", 36: "timeout"}
"""By pytest's exit code; 2 is a module that could no longer be read. 33 and 36 are mutmut's own."""
_TIMEOUTS = frozenset({-24, 24, 152, 255})


def rules_modules() -> list[str]:
    """The paths of the modules to mutate, below ``domain/boardkeeper``."""
    root = REPOSITORY / "domain" / "boardkeeper"
    found = (path for pattern in RULES for path in sorted(root.glob(pattern)))
    return [path.relative_to(root).as_posix() for path in found]


def chosen(modules: Iterable[str], wanted: Iterable[str]) -> list[str]:
    """The modules whose path holds one of the texts; all if there are none."""
    wanted = [text.removesuffix(".py") for text in wanted]
    return [module for module in modules if not wanted or any(text in module for text in wanted)]


def prepare(modules: Iterable[str]) -> None:
    """Copy what the tests need, and tell mutmut what to do with it."""
    stale = ("src", "domain", "tests", "docs", "mutants/domain", "mutants/tests", "mutants/docs")
    for folder in stale:
        shutil.rmtree(WORK / folder, ignore_errors=True)
    for file in ("conftest.py", "mutmut-stats.json"):  # the latter: which test runs which function
        (WORK / "mutants" / file).unlink(missing_ok=True)
    copies = {"domain/boardkeeper": "src/boardkeeper", "domain": "domain", "tests": "tests", "docs": "docs"}
    for source, target in copies.items():  # domain as well: some tests read the rules as text
        shutil.copytree(REPOSITORY / source, WORK / target, ignore=shutil.ignore_patterns("__pycache__"))
    kept = tuple(f"boardkeeper.{module.removesuffix('.py').replace('/', '.')}." for module in KEPT)
    (WORK / "conftest.py").write_text(CONFTEST.format(kept=kept), "utf-8")
    settings = {
        "source_paths": ["src"],
        "only_mutate": [f"src/boardkeeper/{module}" for module in modules],
        "also_copy": ["docs", "domain", "conftest.py"],
        "pytest_add_cli_args": [
            *("-p", "no:cacheprovider", "-p", "no:unraisableexception", "-n", "0", "-m", "not soak"),
            *("--timeout", str(SECONDS_PER_TEST), "--hypothesis-profile", "mutants"),
        ],
        "pytest_add_cli_args_test_selection": [*TESTS, *(f"--ignore-glob=*/{name}" for name in SLOW)],
        "timeout_multiplier": 3.0,
        "timeout_constant": 10.0,
        "use_git_change_detection": False,
    }
    table = "".join(f"{key} = {json.dumps(value)}\n" for key, value in settings.items())
    whole = (REPOSITORY / "pyproject.toml").read_text("utf-8")
    (WORK / "pyproject.toml").write_text(f"{whole}\n[tool.mutmut]\n{table}", "utf-8")


def all_mutants(modules: Iterable[str]) -> list[str]:
    """The names of all mutants of the modules, in the order of the source."""
    names: list[str] = []
    for module in modules:
        path = Path("src/boardkeeper") / module
        mutated = mutate_file_contents(str(path), (WORK / path).read_text("utf-8"))
        names += [get_mutant_name(path, name) for name in mutated.mutant_names]
    return names


def run(names: Collection[str], processes: int, only: Iterable[str]) -> None:
    """Let mutmut try the mutants, telling now and then how far it has come; without ``only`` it tries all."""
    environment = os.environ | {"CI": "true", "PYTHONDONTWRITEBYTECODE": "1"}
    command = [str(Path(sys.executable).parent / "mutmut"), "run", "--max-children", str(processes), *only]
    process = subprocess.Popen(
        command, cwd=WORK, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8"
    )
    assert process.stdout is not None
    said: list[str] = []
    last = time.monotonic()
    for line in process.stdout:
        said = [*said[-200:], line.rstrip()]
        if time.monotonic() - last > 30:
            last = time.monotonic()
            print(f"  {progress(names)}", flush=True)
    if process.wait():
        print("\n".join(said), file=sys.stderr)
        raise SystemExit(f"mutmut ended with {process.returncode}")


def progress(names: Collection[str]) -> str:
    """How many of the mutants have been tried, and how many of them live."""
    wanted = set(names)
    tried = Counter(status for _, name, status in results() if name in wanted and status)
    if not tried:
        return "making the mutants, and running the tests once without any …"
    living = sum(count for status, count in tried.items() if status not in KILLED)
    return f"{sum(tried.values())} of {len(wanted)} tried, {living} alive"


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


def justified() -> set[tuple[str, str]]:
    """Module and changed lines of the mutants that no test can kill."""
    lines = re.findall(r"^- `(\S+\.py)` ``? ?(.+?) ?``?: \S", JUSTIFIED.read_text("utf-8"), re.MULTILINE)
    return {(module, " ".join(changed.split())) for module, changed in lines}


def report(names: Iterable[str]) -> int:
    """Print the score of each module, keep the survivors' diffs, and count those without a reason."""
    wanted = set(names)
    excused = justified()
    scores: dict[str, Counter[str]] = {}
    alive: list[tuple[str, str]] = []
    for module, name, status in results():
        if name not in wanted or not status:
            continue
        kind = "killed" if status in KILLED else status
        if kind != "killed":
            diff, changed = difference(module, name)
            if (module.removeprefix("titles/"), changed) in excused or (module, changed) in excused:
                kind = "justified"
            else:
                alive.append((f"{module}  {name}  {status}", diff))
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
    parser.add_argument("--full", action="store_true", help="all mutants of all rules: hours")
    parser.add_argument("--again", action="store_true", help="only the survivors of the last run, with today's tests")
    parser.add_argument(
        "--resume", action="store_true", help="go on with a run of the same mutants that was broken off"
    )
    parser.add_argument("--sample", type=int, default=SAMPLE, help="how many to try by default (%(default)s)")
    parser.add_argument("--seed", type=int, default=SEED, help="which ones (%(default)s)")
    parser.add_argument("--processes", type=int, choices=(1, 2), default=PROCESSES, help="(%(default)s)")
    options = parser.parse_args()

    modules = chosen(rules_modules(), options.modules)
    if not modules:
        print(f"mutants: no module of the rules is called {' or '.join(options.modules)}", file=sys.stderr)
        return 2
    tried = {name: status for module, name, status in results() if status and module in modules}
    if not options.again and not options.resume:
        shutil.rmtree(WORK, ignore_errors=True)
    prepare(modules)
    os.chdir(WORK)  # where mutmut looks for its settings and files
    if options.again:
        names = list(tried)
        only = [name for name, status in tried.items() if status not in KILLED]
        if not only:
            print("nothing survived the last run")
            return 0
        print(f"{len(only)} survivors of the last run", flush=True)
        run(only, options.processes, only)
    else:
        names = all_mutants(modules)
        only = []
        if not options.modules and not options.full:
            print(f"a sample of {options.sample} of {len(names)} mutants, seed {options.seed}")
            only = names = sorted(random.Random(options.seed).sample(names, min(options.sample, len(names))))
            if options.resume:
                only = [name for name in names if name not in tried]
        print(f"{len(names)} mutants of {len(modules)} modules", flush=True)
        if only or set(names) - set(tried):
            run(names, options.processes, only)
    return 1 if report(names) else 0


if __name__ == "__main__":
    sys.exit(main())
