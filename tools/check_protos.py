"""Check the .proto files: equal to the structs, lint, format, and no breaking change since the last release.

The baseline is `proto/baseline.binpb`, a buf image that `make proto-baseline` writes at a release. A committed file
exists in every clone, unlike a git ref, which a shallow clone may lack.
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


def buf(*arguments: str) -> bool:
    """Run buf at the repository's root and return whether it succeeded."""
    print("buf", *arguments, flush=True)
    return subprocess.run([BUF, *arguments], cwd=REPOSITORY, check=False).returncode == 0


def main() -> int:
    """Run every check, also after one has failed, and return the exit code."""
    if not sources(PROTO_ROOT):
        print("check_protos: there are no .proto files below proto/boardkeeper", file=sys.stderr)
        return 1
    fine = derive_protos.main(["--check"]) == 0
    fine &= buf("lint")
    fine &= buf("format", "--diff", "--exit-code")
    if BASELINE.exists():
        fine &= buf("breaking", "--against", str(BASELINE.relative_to(REPOSITORY)))
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
