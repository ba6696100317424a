"""The speed gate: instructions that a random legal decision costs, compared with a committed baseline.

``make bench-gate`` plays games with fixed seeds under callgrind and counts instructions, which do not depend on how
busy the machine is. Imports and a warm-up game are not counted. The gate fails where a case needs more than 3 % more
instructions a decision than ``gate_baseline.json`` says; ``--write`` stores the figures of this run there instead.
Commit a new baseline separately, with the reason in the message.

A baseline is valid for one interpreter. With another one, the gate prints the figures without a comparison. It needs
valgrind with its headers and a C compiler. Instruction counts do not show cache misses.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from bench.bench_decisions import play

from boardkeeper.titles.registry import TITLES, load_meta

HERE = Path(__file__).resolve().parent
BASELINE = HERE / "gate_baseline.json"
TOLERANCE = 0.03
DECISIONS = 1_500
"""A case plays games until it has this number of decisions."""

_PLAYERS = 4
_WARM_UP_SEED = 10_000


class Case(NamedTuple):
    """An edition with a number of players; its games have the seeds 0, 1, 2 and so on."""

    title: str
    edition: str
    players: int

    @property
    def name(self) -> str:
        """The key of the case in the baseline."""
        return f"{self.title}/{self.edition}/{self.players}"


def cases() -> list[Case]:
    """Return every edition of every title with four players or its most, and alone where that is possible."""
    found: list[Case] = []
    for id in TITLES:
        meta = load_meta(id)
        for edition in meta.editions:
            fewest, most = edition.players
            found.append(Case(id, edition.id, min(most, _PLAYERS)))
            if meta.alone and fewest > 1:
                found.append(Case(id, edition.id, 1))
    return found


class Count(NamedTuple):
    """The decisions of all games of a case, and the instructions per decision."""

    decisions: int
    instructions: int


class GateError(Exception):
    """The gate cannot count; the message says what is missing or what failed."""


def interpreter() -> str:
    """Return the key of a baseline: implementation, version, compiler and processor architecture."""
    return (
        f"{platform.python_implementation()} {platform.python_version()}, "
        f"{platform.python_compiler()}, {platform.machine()}"
    )


def play_counted(case: Case, library: str) -> None:
    """Play the games of a case. Runs inside callgrind, which writes the count to a file."""
    switch = ctypes.CDLL(library)
    if not switch.is_counting_possible():
        raise GateError("this is a part of the gate that runs inside valgrind: start it with `make bench-gate`")
    play(case.title, case.players, _WARM_UP_SEED, case.edition)
    gc.collect()
    switch.start()
    decisions = seed = 0
    while decisions < DECISIONS:
        decisions += play(case.title, case.players, seed, case.edition)[1]
        seed += 1
    switch.stop(f"decisions={decisions}".encode())


def compile_switch(folder: Path) -> Path:
    """Compile the library that starts and stops the counting. Raises :class:`GateError`."""
    if shutil.which("valgrind") is None:
        raise GateError("valgrind is missing: apt-get install valgrind")
    compiler = shutil.which("cc")
    if compiler is None:
        raise GateError("a C compiler is missing: apt-get install gcc libc6-dev")
    library = folder / "instruction_count.so"
    command = [compiler, "-O2", "-shared", "-fPIC", "-o", str(library), str(HERE / "instruction_count.c")]
    compiled = subprocess.run(command, capture_output=True, text=True, check=False)
    if compiled.returncode:
        raise GateError(f"instruction_count.c does not compile (valgrind's headers?):\n{compiled.stderr}")
    return library


def count(case: Case, library: Path, folder: Path) -> Count:
    """Count a case in a separate process. Raises :class:`GateError`."""
    output = folder / case.name.replace("/", "_")
    environment = os.environ | {"PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}
    command = ["valgrind", "--quiet", "--tool=callgrind", "--instr-atstart=no", f"--callgrind-out-file={output}"]
    inside = [sys.executable, "-m", "bench.gate", "--inside", case.name, str(library)]
    run = subprocess.run(
        [*command, *inside], cwd=HERE.parent, env=environment, capture_output=True, text=True, check=False
    )
    if run.returncode:
        raise GateError(f"{case.name}: valgrind ended with status {run.returncode}:\n{run.stdout}{run.stderr}")
    for file in folder.glob(f"{output.name}*"):
        text = file.read_text()
        decisions = re.search(r"^desc: Trigger: Client Request: decisions=(\d+)$", text, re.MULTILINE)
        total = re.search(r"^(?:totals|summary): (\d+)", text, re.MULTILINE)
        if decisions and total:
            return Count(int(decisions[1]), round(int(total[1]) / int(decisions[1])))
    raise GateError(f"{case.name}: callgrind wrote no count")


def count_all() -> dict[str, Count]:
    """Count every case, as many at once as there are processors. Raises :class:`GateError`."""
    with tempfile.TemporaryDirectory() as temporary, ThreadPoolExecutor(os.cpu_count()) as pool:
        folder = Path(temporary)
        library = compile_switch(folder)
        every = cases()
        counts = pool.map(lambda case: count(case, library, folder), every)
        return {case.name: found for case, found in zip(every, counts, strict=True)}


def compare(counts: Mapping[str, Count], baseline: Mapping[str, Any]) -> list[str]:
    """Print each case and its baseline, and return the names of the cases that are too slow or have no baseline."""
    failed: list[str] = []
    for name, found in counts.items():
        line = f"{name:<32} {found.instructions:>10,} instructions a decision"
        if name not in baseline:
            print(f"{line}, no baseline")
            failed.append(name)
            continue
        before = Count(**baseline[name])
        change = found.instructions / before.instructions - 1
        line += f", {change:+.2%}"
        if found.decisions != before.decisions:
            line += f" (other games: {found.decisions} decisions, {before.decisions} in the baseline)"
        if change > TOLERANCE:
            line += f": more than {TOLERANCE:.0%} slower"
            failed.append(name)
        elif change < -TOLERANCE:
            line += ": faster; store it with `make bench-gate ARGS=--write`"
        print(line)
    return failed


def main() -> int:
    """Count, then compare with the baseline or write it. Returns 1 for a slower case, 2 if nothing can be counted."""
    parser = argparse.ArgumentParser(
        prog="bench.gate", description="Compare instructions a decision with the baseline."
    )
    parser.add_argument("--write", action="store_true", help="store the figures as this interpreter's baseline")
    parser.add_argument("--inside", nargs=2, metavar=("CASE", "LIBRARY"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    try:
        if arguments.inside:
            name, library = arguments.inside
            play_counted(next(case for case in cases() if case.name == name), library)
            return 0
        counts = count_all()
    except GateError as error:
        print(f"bench-gate: {error}", file=sys.stderr)
        return 2
    baselines = json.loads(BASELINE.read_text()) if BASELINE.exists() else {}
    own = interpreter()
    if arguments.write:
        baselines[own] = {name: found._asdict() for name, found in counts.items()}
        BASELINE.write_text(json.dumps(baselines, indent=2) + "\n")
    elif own not in baselines:
        print(f"bench-gate: NOT COMPARED, because {BASELINE.name} has no baseline for {own}. Write one with --write.")
        for name, found in counts.items():
            print(f"{name:<32} {found.instructions:>10,} instructions a decision")
        return 0
    failed = compare(counts, baselines[own])
    if failed:
        print(
            f"bench-gate: too slow: {', '.join(failed)}. If the cost is wanted, commit a new baseline with the reason."
        )
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
