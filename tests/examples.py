"""The examples in `clients/examples`: their requirements, how to build them, and how to run them."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from build_web import GENERATED_FOR_EXAMPLE, ROOT, NotInstalledError, build, environment

FOLDER = ROOT / "clients" / "examples"
_SUFFIXES = {".py", ".ts", ".go", ".java", ".rs", ".cpp", ".h"}


@dataclass(frozen=True)
class Example:
    """The example in one language."""

    language: str
    main: str
    """The file with the seven steps."""
    built: str
    """A target of `make` that exists once the example is built. Runs do not rebuild it: other runs may be using it."""
    tools: tuple[str, ...] = ()
    """Programs that the build needs."""

    @property
    def folder(self) -> Path:
        return FOLDER / self.language

    @property
    def sources(self) -> list[Path]:
        """The handwritten code that runs, without generated files and build scripts."""
        generated = {"gen", "build", "target"}
        return [
            path
            for path in sorted(self.folder.rglob("*.*"))
            if path.suffix in _SUFFIXES
            and path.name != "build.rs"
            and generated.isdisjoint(path.relative_to(self.folder).parts)
        ]

    def missing(self) -> str:
        """Return which tools this machine lacks, or an empty string."""
        if self.language == "typescript":
            try:
                build(GENERATED_FOR_EXAMPLE)
            except NotInstalledError as missing:
                return str(missing)
        lacking = [tool for tool in self.tools if shutil.which(tool) is None]
        return f"without {', '.join(lacking)}" if lacking else ""

    def build(self) -> None:
        """Build the example unless it is built. Skips the test without the tools, but never in CI."""
        with hold_lock(self.language):
            if missing := self.missing():
                assert not os.environ.get("CI"), missing
                pytest.skip(f"example in {self.language}: {missing}")
            run_make(self.folder)

    def start_game(self, server: str, title: str = "", edition: str = "", players: str = "") -> subprocess.Popen[str]:
        """Start a program that plays a game on a server. The example must be built."""
        settings = {"TITLE": title, "EDITION": edition, "PLAYERS": players}
        arguments = [f"{name}={value}" for name, value in settings.items() if value]
        return _start([*self.command(server), *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def command(self, server: str) -> list[str]:
        """Return the command that plays a game on a server."""
        return [*_make(self.folder), f"--old-file={self.built}", "play", f"SERVER={server}"]


@contextmanager
def hold_lock(name: str) -> Iterator[None]:
    """Hold a lock that all test processes share, so that one of them builds and the others wait."""
    lock = ROOT / "build" / "examples" / f"{name}.lock"
    lock.parent.mkdir(parents=True, exist_ok=True)
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def run_make(folder: Path) -> None:
    """Run `make` in a folder, twice if it fails: downloads occasionally fail."""
    if _start(_make(folder)).wait():
        again = _start(_make(folder), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        output = again.communicate()[0]
        assert again.returncode == 0, output


def _make(folder: Path) -> list[str]:
    return ["make", "--silent", "-j2", "-C", str(folder)]


def clean_environment() -> dict[str, str]:
    """Return an environment without the variables of a `make` that runs these tests."""
    return {name: value for name, value in environment().items() if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}


def _start(
    command: Sequence[str], stdout: int = subprocess.DEVNULL, stderr: int = subprocess.DEVNULL
) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command, env=clean_environment(), stdin=subprocess.DEVNULL,
        stdout=stdout, stderr=stderr, text=True, encoding="utf-8",
    )  # fmt: skip


EXAMPLES = (
    Example("python", "play_with_stubs.py", "all"),
    Example("typescript", "play.ts", "gen/.stamp"),
    Example("go", "main.go", "build/play", ("go",)),
    Example("java", "src/main/java/Play.java", "target/.stamp", ("mvn", "javac")),
    Example("rust", "src/main.rs", "target/debug/play", ("cargo", "protoc")),
    Example("cpp", "play.cpp", "all", ("c++", "pkg-config", "protoc", "grpc_cpp_plugin")),
)
