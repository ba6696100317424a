"""Mutation tests of rules: change them in one small place (a mutant), run the tests, and report mutants that survive.

In the folder of a title, with its tests beside it or below it::

    python -m boardkeeper.testkit mutants my_game                a sample of the mutants of a module or package
    python -m boardkeeper.testkit mutants my_game scoring        all mutants of the modules with this in their path
    python -m boardkeeper.testkit mutants my_game --full         all mutants
    python -m boardkeeper.testkit mutants my_game --again        the survivors of the last run, with today's tests
    python -m boardkeeper.testkit mutants my_game --full --resume    the rest of an interrupted run

The exit status is 0 if no mutant survives, 1 if some do, and 2 if nothing was tried. The same code, seed and size give
the same sample. Two files in the folder are optional: ``mutants.toml`` (:class:`Settings`), and
``justified_mutants.md``. The latter lists survivors that behave like the original rules, one a line::

    - `my_game/scoring.py` `the changed line`: the reason

mutmut makes the mutants (``pip install 'boardkeeper[mutants]'``), and :mod:`boardkeeper.testkit.mutants_runner` tries
them. Both work in a copy below ``.mutants``, so the sources are never touched. mutmut does not change code outside
functions, properties, and functions with the comment ``# pragma: no mutate block``, such as bots.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path

import msgspec

from boardkeeper.table.decoding import convert

WORK = ".mutants"
SETTINGS = "mutants.toml"
JUSTIFIED = "justified_mutants.md"
KILLED = frozenset({"killed", "timeout", "crashed"})
SEED = 1
PROCESSES = 2
PRINTED = 10
"""The largest number of survivors that are printed. The file has all."""

_NOT_RULES = ("test_*.py", "*_test.py", "conftest.py")
_NOT_COPIED = shutil.ignore_patterns("__pycache__", "node_modules", "*.egg-info", ".*")
_STATUS = {0: "survived", 1: "killed", 2: "killed", 3: "killed", 5: "untested", 33: "untested", 36: "timeout"}
"""By pytest's exit code. 2 is a module that can no longer be imported. 33 and 36 are mutmut's own."""
_NAME = re.compile(r"""\b(?:en|de)=(?:"[^"]*"|None)|,\s*(?=[,)])""")
_TIMEOUTS = frozenset({-24, 24, 152, 255})


class MutantsError(Exception):
    """Why mutants cannot be made or tried."""


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file ``mutants.toml``: paths and patterns relative to the package, or names of test files."""

    rules: tuple[str, ...] = ()
    """The modules with rules, in the order in which their mutants are tried. Default: all modules except tests."""
    cached: tuple[str, ...] = ()
    """The modules whose results are cached, such as the data of an edition. Default: all."""
    slow: tuple[str, ...] = ()
    """Test files to leave out: they take long and kill few mutants that the other tests do not."""


def read_settings(folder: Path) -> Settings:
    """Return the settings in a folder, or the defaults if it has none."""
    path = folder / SETTINGS
    if not path.exists():
        return Settings()
    try:
        return convert(tomllib.loads(path.read_text("utf-8")), Settings)
    except ValueError as error:  # also those of msgspec, TOML and UTF-8
        raise MutantsError(f"{path}: {error}") from error


@dataclass(frozen=True)
class Project:
    """The modules to mutate, and how to test them."""

    root: Path
    """The folder that gets the working copy."""
    copies: Mapping[Path, str]
    """Files and folders to copy, with their places below the working copy. Sources are copied to ``src``."""
    modules: Sequence[str]
    """The modules to mutate, as paths relative to ``prefix``."""
    arguments: Sequence[str]
    """Arguments for pytest."""
    cached: Sequence[str]
    """Modules whose caches are cleared for their mutants: beginnings of dotted names."""
    sample: int
    prefix: str = ""
    """The folder below ``src`` that paths of modules begin in, such as ``boardkeeper/``."""
    justified_in: str = JUSTIFIED

    @property
    def work(self) -> Path:
        """The working copy."""
        return self.root / WORK

    @property
    def survivors(self) -> Path:
        """The file with the diffs of all survivors."""
        return self.work / "survivors.diff"

    @cached_property
    def justified(self) -> set[tuple[str, str]]:
        """Module and changed lines of the mutants that no test can kill."""
        path = self.root / self.justified_in
        text = path.read_text("utf-8") if path.exists() else ""
        lines = re.findall(r"^- `(\S+\.py)` ``? ?(.+?) ?``?: \S", text, re.MULTILINE)
        return {(module, " ".join(changed.split())) for module, changed in lines}


def project_of(name: str, folder: Path) -> Project:
    """Return the project of a title: a module or package that is in a folder or its ``src``, and the tests there."""
    spec = find_spec(name) if name.isidentifier() else None
    if spec is None or spec.origin is None:
        raise MutantsError(f"there is no module or package {name!r} here: name one that can be imported in this folder")
    origin = Path(spec.origin).resolve()
    source = origin.parent if spec.submodule_search_locations else origin
    if not source.is_relative_to(folder) or source == folder:
        raise MutantsError(f"{name} is at {source}: run this command in the folder that has {name} and its tests")
    settings = read_settings(folder)
    if source.is_dir():
        found = [path for pattern in settings.rules or ("**/*.py",) for path in sorted(source.glob(pattern))]
        rules = [path for path in found if settings.rules or not any(map(path.match, _NOT_RULES))]
        modules = list(dict.fromkeys(path.relative_to(source.parent).as_posix() for path in rules))
    else:
        modules = [source.name]
    others = {path: f"mutants/{path.name}" for path in folder.iterdir() if path not in (source, folder / WORK)}
    config = next((it for it in ("pytest.toml", "pytest.ini") if (folder / it).exists()), "pyproject.toml")
    ignored = (f"--ignore-glob=*/{test}" for test in settings.slow)
    return Project(
        root=folder,
        copies=others | {source: f"src/{source.name}"},
        modules=modules,
        arguments=(*pytest_arguments(), "-c", config, "--rootdir", ".", *ignored),
        cached=[dotted(f"{name}/{module}") for module in settings.cached] or [f"{name}."],
        sample=100,
    )


def dotted(module: str) -> str:
    """Return the beginning of the dotted names in a module, by its path."""
    return f"{module.removesuffix('.py').removesuffix('/__init__').replace('/', '.')}."


def pytest_arguments() -> list[str]:
    """Return what pytest needs to try mutants in one process, with timeouts of the runner and short failures."""
    parallel = ("-n", "0") if find_spec("xdist") else ()
    timeout = ("--timeout=0",) if find_spec("pytest_timeout") else ()
    return ["-p", "no:cacheprovider", "--capture=no", "--tb=native", "--assert=plain", *parallel, *timeout]


# --- make and try mutants ----------------------------------------------------------------------------------------


def prepare(project: Project) -> None:
    """Copy the sources and tests, and configure mutmut. Mutants of an earlier run stay for ``--again``."""
    made = project.work / "mutants" / "src"
    for path in (*project.work.glob("*"), *(project.work / "mutants").glob("*")):
        if path not in (made, made.parent):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    for path in made.rglob("*"):  # mutmut copies data only if it does not exist
        if path.is_file() and path.suffix not in (".py", ".meta", ".spans"):
            path.unlink()
    made.mkdir(parents=True, exist_ok=True)
    (project.work / ".gitignore").write_text("*\n", "utf-8")
    for source, target in project.copies.items():
        _copy(source, project.work / target)
    (made.parent / "pyproject.toml").touch()
    settings = {
        "source_paths": ["src"],
        "only_mutate": [f"src/{project.prefix}{module}" for module in project.modules],
    }
    table = "".join(f"{key} = {json.dumps(value)}\n" for key, value in settings.items())
    (project.work / "pyproject.toml").write_text(f"[tool.mutmut]\n{table}", "utf-8")


def _copy(source: Path, target: Path) -> None:
    if source.is_dir():
        if source.name not in _NOT_COPIED("", [source.name]) and not (source / "pyvenv.cfg").exists():
            shutil.copytree(source, target, ignore=_NOT_COPIED, dirs_exist_ok=True)
    elif source.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, target)


def _start(project: Project, request: dict[str, object]) -> None:
    """Run :mod:`mutants_runner` in a separate process, because it imports the mutated modules.

    It is started by path, without this folder on the import path, so that it loads no module of a mutated package
    too early.
    """
    runner = Path(__file__).with_name("mutants_runner.py")
    environment = os.environ | {"CI": "true", "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-P", str(runner)]
    process = subprocess.run(
        command, cwd=project.work, env=environment, input=json.dumps(request).encode(), check=False
    )
    if process.returncode:
        log = project.work / "mutants" / "tests.log"
        text = log.read_text("utf-8")[-5000:] if log.exists() else ""
        raise MutantsError(f"{text}\nthe run ended with status {process.returncode}")


def results(project: Project) -> Iterator[tuple[str, str, str]]:
    """Return module, mutant and result (empty: not tried) of every mutant that exists."""
    root = project.work / "mutants" / "src" / project.prefix
    for path in sorted(root.rglob("*.meta")):
        try:
            codes = json.loads(path.read_text("utf-8"))["exit_code_by_key"]
        except json.JSONDecodeError:  # it is just being written
            continue
        module = path.relative_to(root).as_posix().removesuffix(".meta")
        for name, code in codes.items():
            yield module, name, status_of(code)


def status_of(code: int | None) -> str:
    """Return the result of a mutant by the exit code of its tests."""
    if code is None:
        return ""
    if code in _TIMEOUTS:
        return "timeout"
    return _STATUS.get(code, "crashed")


def difference(project: Project, module: str, name: str) -> tuple[str, str]:
    """Return the diff of a mutant, and the changed lines on one line, as the list of justified mutants quotes them."""
    from mutmut.mutation.diff_apply import get_diff_for_mutant  # noqa: PLC0415

    with contextlib.chdir(project.work):
        diff = get_diff_for_mutant(name, path=Path("src") / project.prefix / module)
    changed = [line for line in diff.splitlines() if line[:1] in "+-" and line[:3] not in ("+++", "---")]
    added = [line[1:].strip() for line in changed if line.startswith("+")]
    return diff, " ".join(added or ["(nothing)"])


def changes_a_name(project: Project, module: str, name: str) -> bool:
    """Return whether a mutant only changes the name of a zone or marker (``en=``, ``de=``), which is not a rule."""
    diff = difference(project, module, name)[0].splitlines()[2:]
    sides = ("".join(line[1:].strip() for line in diff if line[0] in kept) for kept in ("- ", "+ "))
    before, after = (_NAME.sub("", _NAME.sub("", side)) for side in sides)  # first the names, then their commas
    return before == after


def is_justified(project: Project, module: str, name: str) -> bool:
    """Return whether the list of justified mutants has this mutant."""
    return (module, difference(project, module, name)[1]) in project.justified


def report(project: Project, names: Iterable[str]) -> int:
    """Print the score of each module, write the diffs of the survivors, and return their number."""
    wanted = set(names)
    scores: dict[str, Counter[str]] = {}
    alive: list[str] = []
    for module, name, status in results(project):
        if name not in wanted or not status:
            continue
        kind = "killed" if status in KILLED else status
        if kind != "killed":
            if is_justified(project, module, name):
                kind = "justified"
            else:
                alive.append(f"### {module}  {name}  {status}\n{difference(project, module, name)[0]}\n")
        scores.setdefault(module, Counter())[kind] += 1
    project.survivors.write_text("".join(alive), "utf-8")
    print("\n" + "\n".join(alive[:PRINTED]))
    print(f"{'module':44} {'mutants':>8} {'killed':>7} {'justified':>10} {'alive':>6} {'score':>7}")
    for module, counts in sorted(scores.items()):
        print(_row(module, counts))
    print(_row("all", sum(scores.values(), Counter())))
    if alive:
        print(f"\n{len(alive)} survived or met no test: see {project.survivors.relative_to(project.root)}")
    return len(alive)


def _row(title: str, counts: Counter[str]) -> str:
    tried, killed, justified = counts.total(), counts["killed"], counts["justified"]
    score = 100 * killed / (tried - justified) if tried > justified else 100.0
    return f"{title:44} {tried:8} {killed:7} {justified:10} {tried - killed - justified:6} {score:6.1f}%"


# --- the command -------------------------------------------------------------------------------------------------


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that select mutants."""
    parser.add_argument("--full", action="store_true", help="try all mutants")
    parser.add_argument("--again", action="store_true", help="try only the survivors of the last run")
    parser.add_argument("--resume", action="store_true", help="continue an interrupted run of the same mutants")
    parser.add_argument("--sample", type=int, metavar="N", help="the number of mutants in a sample")
    parser.add_argument("--seed", type=int, default=SEED, help="the seed of a sample (default: %(default)s)")
    parser.add_argument(
        "--processes",
        type=int,
        choices=(1, 2),
        default=PROCESSES,
        help="the number of processes (default: %(default)s)",
    )


def chosen(modules: Iterable[str], wanted: Iterable[str]) -> list[str]:
    """Return the modules whose path contains one of the texts, or all without any text."""
    wanted = list(wanted)
    return [module for module in modules if not wanted or any(text in module for text in wanted)]


def try_mutants(project: Project, parts: Sequence[str], options: argparse.Namespace) -> int:
    """Make and try the mutants of the modules that contain one of the parts; returns the exit status."""
    if find_spec("mutmut") is None:
        raise MutantsError("mutmut is not installed. Install it with: pip install 'boardkeeper[mutants]'")
    project = replace(project, modules=chosen(project.modules, parts))
    if not project.modules:
        raise MutantsError(f"no module of the rules matches {' or '.join(parts)}")
    if not options.again and not options.resume:
        shutil.rmtree(project.work, ignore_errors=True)
    prepare(project)
    _start(project, {"make": True, "processes": options.processes})
    names, only = _select(project, parts, options)
    if only:
        print(f"{len(only)} to try", flush=True)
        request = {"names": only, "cached": project.cached, "arguments": project.arguments}
        _start(project, request | {"processes": options.processes})
    return 1 if report(project, names) else 0


def _select(project: Project, parts: Sequence[str], options: argparse.Namespace) -> tuple[list[str], list[str]]:
    """Return the mutants to report, and those of them to try."""
    found = [(module, name) for module, name, _ in results(project) if module in project.modules]
    module_of = {name: module for module, name in found if not changes_a_name(project, module, name)}
    result_of = {name: status for _, name, status in results(project) if name in module_of}
    print(f"{len(result_of)} mutants of {len(project.modules)} modules", flush=True)
    names = sorted(result_of, key=lambda name: project.modules.index(module_of[name]))
    if options.again and not options.resume:
        names = [name for name in names if result_of[name]]
    elif not parts and not options.full:
        size = min(options.sample or project.sample, len(names))
        print(f"a sample of {size}, seed {options.seed}; --full tries all")
        names = sorted(random.Random(options.seed).sample(names, size), key=names.index)
    only = names
    if options.again or options.resume:
        alive = [name for name in names if options.again and result_of[name] and result_of[name] not in KILLED]
        only = [name for name in alive if not is_justified(project, module_of[name], name)]
        only += [name for name in names if options.resume and not result_of[name]]
    return names, only


def main(arguments: Sequence[str]) -> int:
    """Run ``python -m boardkeeper.testkit mutants``; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m boardkeeper.testkit mutants", description="Mutation tests of a title's rules."
    )
    parser.add_argument("module", help="the module or package of the title")
    parser.add_argument("parts", nargs="*", help="parts of paths, such as scoring: all mutants of these modules")
    add_options(parser)
    options = parser.parse_args(arguments)
    try:
        return try_mutants(project_of(options.module, Path.cwd()), options.parts, options)
    except MutantsError as error:
        print(f"mutants: {error}", file=sys.stderr)
        return 2
