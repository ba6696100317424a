"""Replacements for programs in the commands of pages that would not end, or would change the machine.

``boardkeeper`` runs the real program, ends subcommands that run until the user stops them, and plays the same demo only
once. The others only check that their arguments name existing things.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tomllib
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
BIN = Path(sys.executable).parent
TIMEOUT = 120.0
DIFFERENT = ("demo", "feed", "play", "serve", "watch")
"""Subcommands of ``boardkeeper`` that need the function below. The others start without a second interpreter."""


def boardkeeper(arguments: Sequence[str]) -> int:
    """Run the real program, and end subcommands that would not end."""
    command = [str(BIN / "boardkeeper"), *arguments]
    if arguments[:1] == ["play"] and "--open" in arguments:  # waits for another player
        return run_until(command, "--join", signal.SIGINT, (0, 130))
    if arguments[:1] == ["play"]:
        return subprocess.run(command, input="q\n", text=True, timeout=TIMEOUT, check=False).returncode
    if arguments[:1] == ["demo"]:
        return play_demo(command)
    if arguments[:1] == ["serve"]:
        return run_until(command, "listening", signal.SIGTERM, (0,))
    if arguments[:1] in (["watch"], ["feed"]):
        return run_until(command, "", signal.SIGINT, (0, 130))
    return subprocess.run(command, stdin=subprocess.DEVNULL, timeout=TIMEOUT, check=False).returncode


def play_demo(command: list[str]) -> int:
    """Play a short demo, or copy the record if an earlier page has run the same command."""
    if "--players" not in command:
        command += ["--players", "2"]
    if "--record" not in command:
        return subprocess.run(command, stdin=subprocess.DEVNULL, timeout=TIMEOUT, check=False).returncode
    played = Path(os.environ["DEMOS"]) / f"{zlib.crc32(repr(sorted(command)).encode()):08x}"
    record = Path(command[command.index("--record") + 1])
    if not played.exists():
        done = subprocess.run(command, stdin=subprocess.DEVNULL, timeout=TIMEOUT, check=False)
        if done.returncode == 0:
            complete = played.with_suffix(f".{os.getpid()}")
            shutil.copy(record, complete)
            complete.rename(played)
        return done.returncode
    shutil.copy(played, record)
    return 0


def run_until(command: Sequence[str], output: str, stop: signal.Signals, expected: tuple[int, ...]) -> int:
    """Run a command until a line contains ``output``, and send a signal. Return 0 for an expected exit status."""
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as running:
        assert running.stdout is not None
        for line in running.stdout:
            sys.stdout.write(line)
            if output in line:
                break
        else:
            return running.wait(TIMEOUT)
        running.send_signal(stop)
        rest, _ = running.communicate(timeout=TIMEOUT)
        sys.stdout.write(rest)
    return 0 if running.returncode in expected else running.returncode or 1


def make(arguments: Sequence[str]) -> int:
    """Check that the targets exist, here or in the folder of ``-C``."""
    folder = arguments[arguments.index("-C") + 1] if "-C" in arguments else "."
    targets = [it for it in arguments if "=" not in it and not it.startswith("-") and it != folder]
    known = re.findall(r"^([a-z-]+):", (REPOSITORY / folder / "Makefile").read_text("utf-8"), re.MULTILINE)
    return int(not set(targets) <= set(known))


def pip(arguments: Sequence[str]) -> int:
    """Check that our distribution has the extras, and that requirements files exist."""
    extras = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    wanted = {extra for it in arguments for found in re.findall(r"\[([\w,]+)\]", it) for extra in found.split(",")}
    files = [arguments[at + 1] for at, it in enumerate(arguments) if it == "-r"]
    return int(not wanted <= extras.keys() or not all((REPOSITORY / file).exists() for file in files))


def systemctl(arguments: Sequence[str]) -> int:
    """Check that the unit is one of ours, or the proxy's."""
    if list(arguments) in (["daemon-reload"], ["reload", "nginx"]):
        return 0
    unit = re.sub(r"@.*", "@.service", arguments[-1])
    return int(not (REPOSITORY / "deploy" / unit).exists())


def podman(arguments: Sequence[str]) -> int:
    """Check that the container file exists."""
    files = [arguments[at + 1] for at, it in enumerate(arguments) if it == "-f"]
    return int(not all((REPOSITORY / file).exists() for file in files))


def npm(arguments: Sequence[str]) -> int:
    """Check that our package is installed."""
    package = json.loads((REPOSITORY / "clients" / "typescript" / "package.json").read_text("utf-8"))
    return int(list(arguments) != ["install", package["name"]])


def npx(arguments: Sequence[str]) -> int:
    """Run the program of our package from this checkout."""
    folder = REPOSITORY / "clients" / "typescript"
    package = json.loads((folder / "package.json").read_text("utf-8"))
    _, name, program, *rest = arguments
    if name != package["name"]:
        return 1
    return subprocess.run([BIN / "node", folder / package["bin"][program], *rest], check=False).returncode


def python3(arguments: Sequence[str]) -> int:
    """Run the real Python, but create a new environment only with the shims."""
    if list(arguments[:2]) != ["-m", "venv"]:
        return subprocess.run([sys.executable, *arguments], check=False).returncode
    environment = Path(arguments[2])
    install_shims(environment / "bin")
    (environment / "bin" / "activate").write_text(f'PATH="{environment.absolute()}/bin:$PATH"\n')
    return 0


def apt_get(arguments: Sequence[str]) -> int:
    """Check only the subcommand."""
    return int(arguments[0] not in ("install", "update"))


def certbot(arguments: Sequence[str]) -> int:
    """Check the hook that runs after a renewal."""
    hook = arguments[arguments.index("--deploy-hook") + 1].split()
    return int(arguments[0] != "certonly" or hook[0] != "systemctl" or systemctl(hook[1:]) != 0)


def nginx(arguments: Sequence[str]) -> int:
    """Check the arguments. Other tests check the configuration."""
    return int(list(arguments) != ["-t"])


def sudo(arguments: Sequence[str]) -> int:
    """Check only the program: system packages, and users and databases of PostgreSQL."""
    if list(arguments[:2]) == ["-u", "postgres"]:
        return int(arguments[2] not in ("createuser", "createdb"))
    return int(list(arguments[:2]) != ["apt-get", "install"])


SHIMS: dict[str, Callable[[Sequence[str]], int]] = {
    each.__name__.replace("_", "-"): each
    for each in (boardkeeper, make, npm, npx, pip, python3, systemctl, podman, apt_get, certbot, nginx, sudo)
}


def install_shims(folder: Path) -> None:
    """Write the shims into a folder that comes first on the path."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in SHIMS:
        shim = folder / name
        text = f'exec "{sys.executable}" "{Path(__file__)}" {name} "$@"\n'
        if name == "boardkeeper":
            direct = f'unset PYTHONPATH; exec "{BIN / name}" "$@" < /dev/null'
            text = f'case "$1" in {"|".join(DIFFERENT)}) ;; *) {direct} ;; esac\n{text}'
        shim.write_text(f"#!/bin/sh\n{text}")
        shim.chmod(0o755)


if __name__ == "__main__":
    os.environ.pop("PYTHONPATH", None)
    sys.exit(SHIMS[sys.argv[1]](sys.argv[2:]))
