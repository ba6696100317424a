"""Stands in for programs that a page has typed, where the real one would not end, or would change the machine.

``boardkeeper`` is the real one; only what goes on until somebody ends it is ended here, after it did what it is for.
Of the others it is looked whether what they are given is there; what they do with it is tested elsewhere.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
BIN = Path(sys.executable).parent
PATIENCE = 120.0


def boardkeeper(arguments: Sequence[str]) -> int:
    """The real program, ended where it would go on."""
    command = [str(BIN / "boardkeeper"), *arguments]
    if arguments[:1] == ["play"] and "--open" in arguments:  # it waits for somebody
        return ended(command, "--join", signal.SIGINT, (0, 130))
    if arguments[:1] == ["play"]:
        return subprocess.run(command, input="q\n", text=True, timeout=PATIENCE, check=False).returncode
    if arguments[:1] == ["demo"] and "--players" not in arguments:  # a short game says as much
        command += ["--players", "2"]
    if arguments[:1] == ["serve"]:
        return ended(command, "listening", signal.SIGTERM, (0,))
    if arguments[:1] in (["watch"], ["feed"]):
        return ended(command, "", signal.SIGINT, (0, 130))
    return subprocess.run(command, stdin=subprocess.DEVNULL, timeout=PATIENCE, check=False).returncode


def ended(command: Sequence[str], said: str, how: signal.Signals, well: tuple[int, ...]) -> int:
    """Run something until it has said that, end it, and look how it ended."""
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as running:
        assert running.stdout is not None
        for line in running.stdout:
            sys.stdout.write(line)
            if said in line:
                break
        else:
            return running.wait(PATIENCE)
        running.send_signal(how)
        rest, _ = running.communicate(timeout=PATIENCE)
        sys.stdout.write(rest)
    return 0 if running.returncode in well else running.returncode or 1


def make(arguments: Sequence[str]) -> int:
    """Whether there are such targets, here or in the folder of ``-C``."""
    folder = arguments[arguments.index("-C") + 1] if "-C" in arguments else "."
    targets = [it for it in arguments if "=" not in it and not it.startswith("-") and it != folder]
    known = re.findall(r"^([a-z-]+):", (REPOSITORY / folder / "Makefile").read_text("utf-8"), re.MULTILINE)
    return int(not set(targets) <= set(known))


def pip(arguments: Sequence[str]) -> int:
    """Whether our distribution has these extras; lock files are there."""
    extras = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    wanted = {extra for it in arguments for found in re.findall(r"\[([\w,]+)\]", it) for extra in found.split(",")}
    files = [arguments[at + 1] for at, it in enumerate(arguments) if it == "-r"]
    return int(not wanted <= extras.keys() or not all((REPOSITORY / file).exists() for file in files))


def systemctl(arguments: Sequence[str]) -> int:
    """Whether the unit is one of ours, or the proxy's."""
    if list(arguments) in (["daemon-reload"], ["reload", "nginx"]):
        return 0
    unit = re.sub(r"@.*", "@.service", arguments[-1])
    return int(not (REPOSITORY / "deploy" / unit).exists())


def podman(arguments: Sequence[str]) -> int:
    """Whether the container file is there."""
    files = [arguments[at + 1] for at, it in enumerate(arguments) if it == "-f"]
    return int(not all((REPOSITORY / file).exists() for file in files))


def npm(arguments: Sequence[str]) -> int:
    """Whether what is installed is our package."""
    package = json.loads((REPOSITORY / "clients" / "typescript" / "package.json").read_text("utf-8"))
    return int(list(arguments) != ["install", package["name"]])


def npx(arguments: Sequence[str]) -> int:
    """The program of our package, as it was built here."""
    folder = REPOSITORY / "clients" / "typescript"
    package = json.loads((folder / "package.json").read_text("utf-8"))
    _, name, program, *rest = arguments
    if name != package["name"]:
        return 1
    return subprocess.run([BIN / "node", folder / package["bin"][program], *rest], check=False).returncode


def python3(arguments: Sequence[str]) -> int:
    """The real Python, but a new environment has the shims, and nothing is installed into it."""
    if list(arguments[:2]) != ["-m", "venv"]:
        return subprocess.run([sys.executable, *arguments], check=False).returncode
    environment = Path(arguments[2])
    lay(environment / "bin")
    (environment / "bin" / "activate").write_text(f'PATH="{environment.absolute()}/bin:$PATH"\n')
    return 0


def apt_get(arguments: Sequence[str]) -> int:
    """Packages of the system: nothing to look at."""
    return int(arguments[0] not in ("install", "update"))


def certbot(arguments: Sequence[str]) -> int:
    """Whether what is done after a renewal can be done."""
    hook = arguments[arguments.index("--deploy-hook") + 1].split()
    return int(arguments[0] != "certonly" or hook[0] != "systemctl" or systemctl(hook[1:]) != 0)


def nginx(arguments: Sequence[str]) -> int:
    """Its configuration is tested elsewhere."""
    return int(list(arguments) != ["-t"])


def sudo(arguments: Sequence[str]) -> int:
    """Packages of the system, and users and databases of PostgreSQL: nothing to look at."""
    if list(arguments[:2]) == ["-u", "postgres"]:
        return int(arguments[2] not in ("createuser", "createdb"))
    return int(list(arguments[:2]) != ["apt-get", "install"])


SHIMS: dict[str, Callable[[Sequence[str]], int]] = {
    each.__name__.replace("_", "-"): each
    for each in (boardkeeper, make, npm, npx, pip, python3, systemctl, podman, apt_get, certbot, nginx, sudo)
}


def lay(folder: Path) -> None:
    """Put the shims into a folder that comes first on the path."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in SHIMS:
        shim = folder / name
        shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{Path(__file__)}" {name} "$@"\n')
        shim.chmod(0o755)


if __name__ == "__main__":
    os.environ.pop("PYTHONPATH", None)
    sys.exit(SHIMS[sys.argv[1]](sys.argv[2:]))
