"""Mutation testing of the rules: change them on purpose, one small thing at a time, and see whether a test fails.

The mutants are mutmut's. It works in a copy below ``.mutants`` (git-ignored), so the work tree is never touched, and
the copy gathers the sources in one folder ``src``, because mutmut derives module names from paths and knows nothing
of our four source roots. :mod:`mutants_runner` tries them. A whole run takes long, so by default a sample is tried, the
same one for the same code and seed; whole modules can be named, and ``--full`` tries everything.

A survivor is a hole in the tests unless no test could tell it from the rules. Those are listed with the reason in
``tests/justified_mutants.md`` (one line each: the module and the changed lines) and count as justified. mutmut does not
change tables at module level, properties, and code outside of functions.

    make mutants                               a sample of the rules of all titles and families and of the kernel
    make mutants ARGS='--title ID'             a sample of the rules of one title and of the families it stands on
    make mutants ARGS='--family ID'            a sample of the rules of one family, with the tests of all its titles
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
JUSTIFIED = REPOSITORY / "tests" / "justified_mutants.md"

RULES = REPOSITORY / "domain" / "boardkeeper"
TESTS = REPOSITORY / "tests"
TITLES = "titles"
FAMILIES = "families"
"""Below both there is a package for each: its modules below :data:`RULES`, its tests below :data:`TESTS`."""
SETTINGS = "mutants.toml"
"""What a title or family has in its folder of tests to be mutated: a :class:`Settings` as TOML."""

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
"""The modules that hold rules of every title, below :data:`RULES`."""

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
    """Where a title or family has its rules, in paths and patterns below its package."""

    rules: list[str]
    """Which modules hold rules, in the order in which their mutants are tried."""
    kept: list[str]
    """Modules that work on what is worked out once and then kept (``lru_cache``)."""
    slow: list[str]
    """Tests of whole games and statistics: they take longest and kill little that the tests of rules let live."""


@dataclass(frozen=True)
class Scope:
    """What is mutated and what is tested: packages of titles and families, and whether the kernel is mutated too."""

    mutated: tuple[str, ...]
    tested: tuple[str, ...]
    kernel: bool


@lru_cache
def settings_of(package: str) -> Settings:
    """How a title or family is mutated, by its package (``titles/ID``, ``families/ID``)."""
    return Settings(**tomllib.loads((TESTS / package / SETTINGS).read_text("utf-8")))


def known(kind: str) -> list[str]:
    """The titles or the families that say how they are mutated."""
    return sorted(path.parent.name for path in (TESTS / kind).glob(f"*/{SETTINGS}"))


@lru_cache
def families_of(title: str) -> tuple[str, ...]:
    """The families that a title stands on: those whose modules its own import."""
    texts = (path.read_text("utf-8") for path in (RULES / TITLES / title).rglob("*.py"))
    return tuple(sorted({family for text in texts for family in _IMPORTED.findall(text)}))


_IMPORTED = re.compile(r"^\s*(?:from|import) boardkeeper\.families\.(\w+)", re.MULTILINE)


def members(family: str) -> list[str]:
    """The titles that stand on a family."""
    return [title for title in known(TITLES) if family in families_of(title)]


def scope(title: str = "", family: str = "") -> Scope:
    """What belongs to a title, to a family, or to everything: a family is tested by whatever stands on it."""
    if family:
        return Scope((f"{FAMILIES}/{family}",), _packages(members(family), [family]), kernel=False)
    if title:
        packages = _packages([title], families_of(title))
        return Scope(packages, packages, kernel=False)
    packages = _packages(known(TITLES), known(FAMILIES))
    return Scope(packages, packages, kernel=True)


def _packages(titles: Iterable[str], families: Iterable[str]) -> tuple[str, ...]:
    return (*(f"{TITLES}/{title}" for title in titles), *(f"{FAMILIES}/{family}" for family in families))


def rules_modules(scope: Scope) -> list[str]:
    """The paths of the modules to mutate, below :data:`RULES`."""
    patterns = [f"{package}/{pattern}" for package in scope.mutated for pattern in settings_of(package).rules]
    patterns += KERNEL if scope.kernel else ()
    found = (path for pattern in patterns for path in sorted(RULES.glob(pattern)))
    return [path.relative_to(RULES).as_posix() for path in found]


def arguments(packages: Iterable[str]) -> list[str]:
    """What pytest is told: the tests of these titles and families and of the kernel, but for the slow ones."""
    packages = list(packages)
    slow = [name for package in packages for name in settings_of(package).slow]
    ignored = (f"--ignore-glob=*/{name}" for name in (*slow, *KERNEL_SLOW))
    return [*ARGUMENTS, *(f"tests/{package}" for package in packages), *KERNEL_TESTS, *ignored]


def kept(packages: Iterable[str]) -> list[str]:
    """The modules of titles and families that work on what is kept, by the beginning of what stands in them."""
    modules = (f"{package}/{module}" for package in packages for module in settings_of(package).kept)
    return [f"boardkeeper.{module.removesuffix('.py').replace('/', '.')}." for module in modules]


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


def run(names: Sequence[str], packages: Sequence[str], processes: int) -> None:
    """Try mutants with the tests of packages; what became of them is then in mutmut's files."""
    _start({"names": names, "kept": kept(packages), "processes": processes, "arguments": arguments(packages)})


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
    return bool({(module, changed), (module.removeprefix(f"{TITLES}/"), changed)} & justified())


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
        print(f"\n{len(alive)} alive, listed in {SURVIVORS.relative_to(REPOSITORY)}")
    return len(alive)


def _row(title: str, counts: Counter[str]) -> str:
    tried, killed, justified = counts.total(), counts["killed"], counts["justified"]
    score = 100 * killed / (tried - justified) if tried > justified else 100.0
    return f"{title:44} {tried:8} {killed:7} {justified:10} {tried - killed - justified:6} {score:6.1f}%"


def main() -> int:
    """Run as :mod:`mutants` says; 0 if every mutant tried is dead or justified."""
    parser = argparse.ArgumentParser(prog="make mutants", description="Mutation testing of the rules.")
    parser.add_argument(
        "modules", nargs="*", help="parts of paths, for example verbs/deeds: all mutants of these modules"
    )
    only_one = parser.add_mutually_exclusive_group()
    only_one.add_argument(
        "--title",
        choices=known(TITLES),
        default="",
        help="only the rules of this title and its families, with their tests",
    )
    only_one.add_argument(
        "--family",
        choices=known(FAMILIES),
        default="",
        help="only the rules of this family, with the tests of its titles",
    )
    parser.add_argument("--full", action="store_true", help="all mutants of all rules")
    parser.add_argument("--again", action="store_true", help="only the survivors, with today's tests")
    parser.add_argument("--resume", action="store_true", help="continue an interrupted run of the same mutants")
    parser.add_argument(
        "--sample", type=int, default=SAMPLE, help="number of mutants in the sample (default: %(default)s)"
    )
    parser.add_argument("--seed", type=int, default=SEED, help="seed of the sample (default: %(default)s)")
    parser.add_argument(
        "--processes", type=int, choices=(1, 2), default=PROCESSES, help="number of processes (default: %(default)s)"
    )
    options = parser.parse_args()

    wanted = scope(options.title, options.family)
    modules = chosen(rules_modules(wanted), options.modules)
    if not modules:
        print(f"mutants: no module of the rules matches {' or '.join(options.modules)}", file=sys.stderr)
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
        run(only, wanted.tested, options.processes)
    return 1 if report(names) else 0


if __name__ == "__main__":
    sys.exit(main())
