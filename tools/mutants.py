"""Mutation tests of this repository's rules: its titles and families, and the kernel.

``boardkeeper.testkit.mutants`` makes and tries the mutants. This tool selects the modules to change and the tests to
run. The justified survivors are in ``tests/justified_mutants.md``.

    make mutants                               a sample of the rules of all titles and families and of the kernel
    make mutants ARGS='--title ID'             a sample of the rules of one title and of its families
    make mutants ARGS='--family ID'            a sample of the rules of one family, with the tests of all its titles
    make mutants ARGS='verbs/deeds scoring'    all mutants of some modules
    make mutants ARGS=--again                  the last run's survivors that are not justified, with the current tests
    make mutants ARGS=--full                   all mutants of the rules
    make mutants ARGS='--full --resume'        the rest of an interrupted --full run, and the mutants of functions that
                                               have changed since; with --again also its survivors
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from boardkeeper.testkit.mutants import (
    SETTINGS,
    MutantsError,
    Project,
    Settings,
    add_options,
    dotted,
    pytest_arguments,
    read_settings,
    try_mutants,
)

REPOSITORY = Path(__file__).resolve().parent.parent
RULES = REPOSITORY / "domain" / "boardkeeper"
TESTS = REPOSITORY / "tests"
TITLES = "titles"
FAMILIES = "families"
"""Folders with one package for each title or family: modules below :data:`RULES`, tests below :data:`TESTS`."""

KERNEL = (
    "table/recorder.py",
    "table/dice.py",
    "table/visibility.py",
    "table/forking.py",
    "table/table.py",
    "titlekit/turn_flow.py",
    "titlekit/known_ids.py",
    "titlekit/standings.py",
    "titlekit/positions.py",
    "titlekit/table_json.py",
    "table/zones.py",
    "titlekit/alternatives.py",
    "titlekit/bound_title.py",
    "titlekit/choices.py",
    "titlekit/material.py",
    "titlekit/simple.py",
    "titlekit/soundness.py",
)
"""Modules with rules of every title, below :data:`RULES`."""

KERNEL_TESTS = ("tests/table", "tests/game", "tests/titlekit", "tests/titles/test_positions.py")
KERNEL_SLOW = ("test_undo.py",)

ARGUMENTS = ("-m", "not soak", "--hypothesis-profile=mutants")
SAMPLE = 800


@dataclass(frozen=True)
class Scope:
    """Packages of titles and families to mutate and to test, and whether to mutate the kernel."""

    mutated: tuple[str, ...]
    tested: tuple[str, ...]
    kernel: bool


@lru_cache
def settings_of(package: str) -> Settings:
    """Return the settings of a title or family by its package (``titles/ID``, ``families/ID``)."""
    return read_settings(TESTS / package)


def known(kind: str) -> list[str]:
    """Return the titles or the families that have settings."""
    return sorted(path.parent.name for path in (TESTS / kind).glob(f"*/{SETTINGS}"))


@lru_cache
def families_of(title: str) -> tuple[str, ...]:
    """Return the families of a title: those that its modules import."""
    texts = (path.read_text("utf-8") for path in (RULES / TITLES / title).rglob("*.py"))
    return tuple(sorted({family for text in texts for family in _IMPORTED.findall(text)}))


_IMPORTED = re.compile(r"^\s*(?:from|import) boardkeeper\.families\.(\w+)", re.MULTILINE)


def members(family: str) -> list[str]:
    """Return the titles of a family."""
    return [title for title in known(TITLES) if family in families_of(title)]


def scope(title: str = "", family: str = "") -> Scope:
    """Return the scope of a title, of a family (with the tests of all its titles), or of everything."""
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
    """Return the paths of the modules to mutate, below :data:`RULES`."""
    patterns = [f"{package}/{pattern}" for package in scope.mutated for pattern in settings_of(package).rules]
    patterns += KERNEL if scope.kernel else ()
    found = (path for pattern in patterns for path in sorted(RULES.glob(pattern)))
    return [path.relative_to(RULES).as_posix() for path in found]


def arguments(packages: Iterable[str]) -> list[str]:
    """Return pytest's arguments: the tests of these titles and families and of the kernel, except for the slow ones."""
    packages = list(packages)
    slow = [name for package in packages for name in settings_of(package).slow]
    ignored = (f"--ignore-glob=*/{name}" for name in (*slow, *KERNEL_SLOW))
    tests = (*(f"tests/{package}" for package in packages), *KERNEL_TESTS)
    return [*pytest_arguments(), *ARGUMENTS, *tests, *ignored]


def cached(packages: Iterable[str]) -> list[str]:
    """Return the prefixes of the dotted names of modules whose results are cached."""
    modules = (f"{package}/{module}" for package in packages for module in settings_of(package).cached)
    return [dotted(f"boardkeeper/{module}") for module in modules]


def project(scope: Scope) -> Project:
    """Return the description of this repository for :mod:`boardkeeper.testkit.mutants`."""
    copies = {"domain/boardkeeper": "src/boardkeeper", "pyproject.toml": "mutants/pyproject.toml"}
    copies |= {folder: f"mutants/{folder}" for folder in ("domain", "tests", "tools", "docs", "examples")}
    return Project(
        root=REPOSITORY,
        copies={REPOSITORY / source: target for source, target in copies.items()},
        modules=rules_modules(scope),
        arguments=arguments(scope.tested),
        cached=cached(scope.tested),
        sample=SAMPLE,
        prefix="boardkeeper/",
        justified_in="tests/justified_mutants.md",
    )


def main() -> int:
    """Run the command; returns 0 if every tried mutant is killed or justified."""
    parser = argparse.ArgumentParser(prog="make mutants", description="Mutation tests of the rules.")
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
    add_options(parser)
    options = parser.parse_args()
    try:
        return try_mutants(project(scope(options.title, options.family)), options.modules, options)
    except MutantsError as error:
        print(f"mutants: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
