"""Check that the .proto files match the structs, pass buf's lint and format, and break no client of the last release.

The last release is `proto/baseline.binpb`, a buf image that `make proto-baseline` writes. It is a committed file,
because a shallow clone may not contain the git tag of the release.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import derive_protos
from generate_protos import PROTO_ROOT, sources

REPOSITORY = PROTO_ROOT.parent
BASELINE = PROTO_ROOT / "baseline.binpb"
BUF = Path(sys.executable).parent / "buf"


def run_buf(*arguments: str) -> bool:
    """Run buf in the repository's root directory, and return whether it succeeded."""
    print("buf", *arguments, flush=True)
    return subprocess.run([BUF, *arguments], cwd=REPOSITORY, check=False).returncode == 0


def main() -> int:
    """Run all checks, even if one fails. Return 0 if all succeeded, else 1."""
    if not sources(PROTO_ROOT):
        print("check_protos: there are no .proto files below proto/boardkeeper", file=sys.stderr)
        return 1
    fine = derive_protos.main(["--check"]) == 0
    fine &= run_buf("lint")
    fine &= run_buf("format", "--diff", "--exit-code")
    if BASELINE.exists():
        fine &= run_buf("breaking", "--against", str(BASELINE.relative_to(REPOSITORY)))
    else:
        print(
            "check_protos: proto/baseline.binpb is missing, so breaking changes cannot be detected; "
            "create it with `make proto-baseline` and commit it",
            file=sys.stderr,
        )
        fine = False
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
