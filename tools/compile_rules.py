"""Compile the hot path of the rules with mypyc.

The result is a folder below `build/compiled`: a copy of the domain with extension modules beside its Python modules,
which Python prefers. The command prints the folder; put it first on PYTHONPATH, or build a wheel with it
(`BOARDKEEPER_COMPILE=1`, see `hatch_build.py`). The source tree gets no compiled files, because they would hide edited
sources. The folder's name is a hash of the sources, so edited sources get another folder.

`BOARDKEEPER_COMPILE_LEVEL=0` compiles without optimisation in half the time, for tests of mypyc's output.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NAMESPACE = "boardkeeper"
SUFFIXES = (".so", ".pyd")
KEPT = 3
"""Number of compiled trees to keep: running servers still load titles from theirs."""

SHARED = (
    "titlekit/turn_flow.py",
    "titlekit/feature_writer.py",
    "table/dice.py",
    "table/forking.py",
    "titlekit/binding.py",
    "titlekit/redaction.py",
    "table/indexed_mapping.py",
    "table/recorder.py",
    "table/search_dice.py",
    "table/table.py",
    "table/table_key.py",
    "table/table_values.py",
    "table/visibility.py",
    "table/zones.py",
    "families/*/bots.py",
    "families/*/debts.py",
    "families/*/phases/**/*.py",
    "families/*/places.py",
    "families/*/plan_sampling.py",
    "families/*/planner.py",
    "families/*/table.py",
)
"""Modules that all titles share, below the namespace.

Modules with structs that msgspec decodes, and modules that a command does not use, gain nothing.
"""

OF_A_TITLE = ("bots/**/*.py", "material.py", "phases/**/*.py", "scoring.py", "setup.py")
"""Modules of each title, below its package."""

OF_SOME_TITLES = ("control.py", "opponent/**/*.py", "teams.py")
"""Further modules of the titles that have them."""

OPEN_CLASSES: Mapping[str, Sequence[str]] = {
    "titlekit/turn_flow.py": ("TurnFlow", "TurnFlowPlay"),
    "table/dice.py": ("Dice",),
    "titlekit/binding.py": ("Material",),
    "families/followers/table.py": ("FollowersSeat", "FollowersTable"),
}
"""Classes that may have interpreted subclasses; mypyc needs a decorator for each."""


def groups(domain: Path) -> dict[str, list[str]]:
    """Return the modules to compile, as paths below the namespace, for each library: shared rules, and each title.

    Raises ``FileNotFoundError`` for a pattern without files.
    """
    found = {"rules": [path for pattern in SHARED for path in matching(domain, pattern)]}
    for package in sorted(path.parent for path in (domain / NAMESPACE).glob("titles/*/title.py")):
        title = f"titles/{package.name}"
        found[package.name] = [path for pattern in OF_A_TITLE for path in matching(domain, f"{title}/{pattern}")]
        for pattern in OF_SOME_TITLES:
            found[package.name] += matching(domain, f"{title}/{pattern}", optional=True)
    return found


def matching(domain: Path, pattern: str, *, optional: bool = False) -> list[str]:
    """Return the modules that match a pattern, as paths below the namespace."""
    paths = sorted(path for path in (domain / NAMESPACE).glob(pattern) if path.name != "__init__.py")
    if not paths and not optional:
        raise FileNotFoundError(f"there is no {pattern} to compile in {domain / NAMESPACE}")
    return [path.relative_to(domain / NAMESPACE).as_posix() for path in paths]


def allow_subclasses(source: str, classes: Sequence[str]) -> str:
    """Return a module's source with mypyc's decorator for interpreted subclasses; line numbers stay the same."""
    future = "from __future__ import annotations"
    # mypyc skips imports for type checkers, so the compiled module does not need mypy_extensions.
    header = f"{future}; from typing import TYPE_CHECKING\nif TYPE_CHECKING: from mypy_extensions import mypyc_attr\n"
    source, imports = re.subn(f"{future}\n\n", header, source, count=1)
    if not imports:
        raise ValueError("a module of open classes begins with its annotations from the future and an empty line")
    for name in classes:
        open_class = f"\n@mypyc_attr(allow_interpreted_subclasses=True)\nclass {name}"
        source, found = re.subn(rf"\n\nclass {name}\b", open_class, source)
        if found != 1:
            raise ValueError(f"there is no class {name} to open")
    return source


def extensions(folder: Path) -> list[Path]:
    """Return the extension modules and libraries in a folder and its subfolders."""
    return sorted(path for path in folder.rglob("*") if path.suffix in SUFFIXES)


def folders_named_like_modules(domain: Path) -> list[Path]:
    """Return data folders that have the name of a module beside them: mypy would mistake them for the module."""
    beside = [path.with_suffix("") for path in sorted(domain.rglob("*.py"))]
    return [folder for folder in beside if folder.is_dir() and not any(folder.rglob("*.py"))]


def optimisation_level() -> str:
    """Return the optimisation level of the C compiler."""
    return os.environ.get("BOARDKEEPER_COMPILE_LEVEL", "2")


def compiled_tree(root: Path) -> Path:
    """Return the folder for the compiled rules of the present sources; it exists if they have been compiled."""
    digest = hashlib.sha256(repr((sys.version, sys.platform, version("mypy"), optimisation_level())).encode())
    sources = (path for path in (root / "domain").rglob("*") if "__pycache__" not in path.parts and path.is_file())
    for path in (Path(__file__), *sorted(sources)):
        content = path.read_bytes()
        digest.update(f"{path.name if path == Path(__file__) else path.relative_to(root)} {len(content)}\n".encode())
        digest.update(content)
    return root / "build" / "compiled" / digest.hexdigest()[:16]


def compile_rules(root: Path) -> Path:
    """Compile the rules unless that is done, and return the folder.

    Raises ``CalledProcessError`` if mypyc or the C compiler fails.
    """
    with locked(root / "build" / "compiled.lock"):
        result = compiled_tree(root)
        if not result.is_dir():
            work = root / "build" / "mypyc"
            translate(root, work)
            if compiled_tree(root) != result:
                raise RuntimeError("the sources were edited during the compilation: compile again")
            result.parent.mkdir(exist_ok=True)
            os.utime(work / "tree")
            (work / "tree").rename(result)  # at once, so that the folder is never incomplete
            remove_old_trees(result)
        return result


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Let one process at a time compile; the others wait."""
    path.parent.mkdir(exist_ok=True)
    with path.open("w") as file:
        if sys.platform != "win32":
            import fcntl  # noqa: PLC0415 - Windows has none

            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def remove_old_trees(newest: Path) -> None:
    """Remove all but the newest compiled trees."""
    trees = sorted((path for path in newest.parent.iterdir() if path != newest), key=lambda path: path.stat().st_mtime)
    for path in trees[: 1 - KEPT]:
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink()


def translate(root: Path, work: Path) -> None:
    """Compile a copy of the domain in an empty folder, and write the compiled tree there."""
    shutil.rmtree(work, ignore_errors=True)
    copied = work / "domain"
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(root / "domain", copied, ignore=ignored)
    shutil.copytree(copied, work / "tree")
    for folder in folders_named_like_modules(copied):
        shutil.rmtree(folder)
    for module, classes in OPEN_CLASSES.items():
        path = copied / NAMESPACE / module
        path.write_text(allow_subclasses(path.read_text("utf-8"), classes), "utf-8")
    # In a separate process: mypyc changes files in its folder, and ends the process if it finds an error.
    command = [sys.executable, __file__, "--mypyc", str(work)]
    subprocess.run(command, check=True, cwd=work, env=os.environ | {"MYPYPATH": str(copied)}, stdout=sys.stderr)
    shutil.copytree(work / "built", work / "tree", dirs_exist_ok=True)


def run_mypyc(work: Path) -> None:
    """Translate the copied modules into C and compile them into `built`."""
    from mypyc.build import mypycify  # noqa: PLC0415
    from setuptools import Distribution  # noqa: PLC0415
    from setuptools.command.build_ext import build_ext  # noqa: PLC0415

    domain = Path("domain")
    separate: list[tuple[list[str], str | None]] = [
        ([str(domain / NAMESPACE / module) for module in modules], f"{NAMESPACE}_{name}")
        for name, modules in groups(domain).items()
    ]
    paths = [path for group, _ in separate for path in group]
    flags = ["--config-file=", "--explicit-package-bases", "--namespace-packages", "--cache-dir=cache"]
    made = mypycify(
        [*flags, *paths], opt_level=optimisation_level(), debug_level="0", separate=separate, target_dir="c"
    )
    command = build_ext(Distribution({"name": NAMESPACE, "ext_modules": made, "package_dir": {"": str(domain)}}))
    command.build_lib = str(work / "built")
    command.build_temp = str(work / "objects")
    command.parallel = os.cpu_count()
    command.ensure_finalized()
    command.run()


def main(words: Sequence[str] | None = None) -> int:
    """Compile the rules and print their folder; returns 1 if that fails."""
    parser = argparse.ArgumentParser(prog="compile_rules", description="Compile the rules and print their folder.")
    parser.add_argument("--mypyc", type=Path, metavar="FOLDER", help=argparse.SUPPRESS)
    arguments = parser.parse_args(words)
    if arguments.mypyc:
        run_mypyc(arguments.mypyc)
        return 0
    if not compiled_tree(ROOT).is_dir():
        print("Compiling the rules (one to two minutes) ...", file=sys.stderr, flush=True)
    try:
        print(compile_rules(ROOT))
    except (OSError, RuntimeError, subprocess.CalledProcessError) as error:
        print(f"The rules could not be compiled: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
