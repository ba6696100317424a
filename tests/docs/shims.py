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
        # Several workers share a port that has to be known: browsers would need one that is free for sure.
        without = ["--no-web"] if "--workers" in arguments else []
        return ended([*command, *without], "listening", signal.SIGTERM, (0,))
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
    """Whether the unit is one of ours."""
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


def sudo(arguments: Sequence[str]) -> int:
    """Packages of the system: nothing to look at."""
    return int(list(arguments[:2]) != ["apt-get", "install"])


SHIMS: dict[str, Callable[[Sequence[str]], int]] = {
    each.__name__: each for each in (boardkeeper, make, npm, npx, pip, systemctl, podman, sudo)
}


def lay(folder: Path) -> None:
    """Put the shims into a folder that comes first on the path."""
    folder.mkdir()
    for name in SHIMS:
        shim = folder / name
        shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{Path(__file__)}" {name} "$@"\n')
        shim.chmod(0o755)


if __name__ == "__main__":
    os.environ.pop("PYTHONPATH", None)
    sys.exit(SHIMS[sys.argv[1]](sys.argv[2:]))
