"""Run measurements: `python -m bench [NAME ...]`; one with options: `python -m bench NAME --option`.

Every `bench_NAME.py` runs in its own process, so that none warms up or fills the memory of another.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def main() -> int:
    """Run the chosen measurements one after another and return 1 if any failed."""
    programs = {path.stem.removeprefix("bench_"): f"bench.{path.stem}" for path in sorted(HERE.glob("bench_*.py"))}
    parser = argparse.ArgumentParser(prog="bench", description="Run Boardkeeper's measurements.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"default: all of {', '.join(programs) or 'none yet'}")
    arguments, options = parser.parse_known_args()
    chosen = arguments.names or list(programs)
    if options and len(chosen) != 1:
        parser.error("options need exactly one NAME")
    if unknown := [name for name in chosen if name not in programs]:
        parser.error(f"no such measurement: {', '.join(unknown)}")
    failed = False
    for name in chosen:
        print(f"== {name}", flush=True)
        command = [sys.executable, "-m", programs[name], *options]
        failed |= subprocess.run(command, cwd=HERE.parent, check=False).returncode != 0
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
