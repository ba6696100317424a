"""The client programs: how to build and run them."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.examples import EXAMPLES, Example, clean_environment, hold_lock, run_make

FOLDER = Path(__file__).parent
_JAVA = FOLDER.parent.parent / "clients" / "examples" / "java" / "target"
_RUST = FOLDER.parent.parent / "clients" / "examples" / "rust" / "target"


@dataclass(frozen=True)
class Program:
    """The program of one language. It uses the stubs, and mostly the build, of the example in this language."""

    language: str
    command: tuple[str | Path, ...]

    @property
    def example(self) -> Example:
        return next(it for it in EXAMPLES if it.language == self.language)

    def build(self) -> None:
        """Build the program if necessary. Skips the test if tools are missing, but never in CI."""
        self.example.build()
        if (FOLDER / self.language / "Makefile").exists():
            with hold_lock(f"foreign-{self.language}"):
                run_make(FOLDER / self.language)

    def run(self, *arguments: str) -> dict[str, dict[str, Any]]:
        """Run the program and return its lines by scenario."""
        lines = [json.loads(line) for line in run(*self.command, *arguments).splitlines()]
        return {line["scenario"]: line for line in lines}


def run(*command: str | Path) -> str:
    """Run a program that must succeed, and return its output."""
    done = subprocess.run(
        command, env=clean_environment(), stdin=subprocess.DEVNULL,
        capture_output=True, text=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode == 0, (command, done.stdout, done.stderr)
    return done.stdout


_JVM_OPTIONS = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Dfile.encoding=UTF-8", "-Dstdout.encoding=UTF-8")

PROGRAMS = (
    Program("python", (sys.executable, FOLDER / "python" / "scenarios.py")),
    Program("typescript", ("node", FOLDER / "typescript" / "scenarios.mts")),
    Program("go", (FOLDER / "go" / "build" / "foreign",)),
    Program("java", ("java", *_JVM_OPTIONS, "-cp", f"{_JAVA}/classes:{_JAVA}/lib/*:{FOLDER}/java/build", "Scenarios")),
    Program("rust", (_RUST / "debug" / "foreign",)),
    Program("cpp", (FOLDER / "cpp" / "build" / "foreign",)),
)


def program_of(language: str) -> Program:
    """Return the program of a language."""
    return next(it for it in PROGRAMS if it.language == language)
