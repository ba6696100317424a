"""Generate the Python code of every `.proto` file beside the file.

Import paths equal file paths (`boardkeeper/v1/games_pb2.py` is `boardkeeper.v1.games_pb2`). The build hook and
`make proto` use this tool. The generated code is not committed.
"""

from __future__ import annotations

import argparse
import importlib.resources
import os
import shutil
import sys
from pathlib import Path

PROTO_ROOT = Path(__file__).resolve().parent.parent / "proto"

# The suffixes for every .proto file. A file with a service also has `_pb2_grpc.pyi`.
ALWAYS = ("_pb2.py", "_pb2.pyi", "_pb2_grpc.py")
GENERATED = ("*_pb2.py", "*_pb2.pyi", "*_pb2_grpc.py", "*_pb2_grpc.pyi")


def sources(root: Path) -> list[Path]:
    """List the .proto files below `root`, in a stable order."""
    return sorted((root / "boardkeeper").rglob("*.proto"))


def is_current(root: Path) -> bool:
    """Return whether every output exists and is as new as its source, and every output has a source."""
    wanted = {proto: [proto.with_name(proto.stem + suffix) for suffix in ALWAYS] for proto in sources(root)}
    for proto, outputs in wanted.items():
        changed = proto.stat().st_mtime_ns
        if any(not output.exists() or output.stat().st_mtime_ns < changed for output in outputs):
            return False
    return not orphans(root)


def orphans(root: Path) -> list[Path]:
    """List generated files whose .proto file no longer exists."""
    stems = {proto.with_suffix("") for proto in sources(root)}
    return [
        path
        for pattern in GENERATED
        for path in sorted((root / "boardkeeper").rglob(pattern))
        if path.with_name(path.name.split("_pb2", 1)[0]) not in stems
    ]


def _plugin(name: str) -> str:
    # First the scripts of the environment, because `make` does not activate it. In pip's isolated build the
    # plugin is on PATH only.
    search = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    found = shutil.which(name, path=search)
    if found is None:
        raise SystemExit(f"generate_protos: {name} is missing; install mypy-protobuf (`make setup` does)")
    return f"--plugin={name}={found}"


def generate(root: Path = PROTO_ROOT, *, force: bool = False) -> int:
    """Update the generated code below `root`, and return the number of compiled .proto files."""
    if not force and is_current(root):
        return 0
    for path in orphans(root):
        path.unlink()
    protos = sources(root)
    if not protos:
        return 0
    print(f"Generating Python code from {len(protos)} .proto files ...", file=sys.stderr, flush=True)

    from grpc_tools import protoc  # noqa: PLC0415 - slow to import, and not needed if nothing changed

    well_known = importlib.resources.files("grpc_tools") / "_proto"
    code = protoc.main(
        [
            "protoc",
            f"--proto_path={root}",  # google/rpc: its Python comes with googleapis-common-protos
            f"--proto_path={well_known}",
            _plugin("protoc-gen-mypy"),
            _plugin("protoc-gen-mypy_grpc"),
            f"--python_out={root}",
            f"--grpc_python_out={root}",
            f"--mypy_out=quiet:{root}",
            f"--mypy_grpc_out=quiet:{root}",
            *(str(proto.relative_to(root)) for proto in protos),
        ]
    )
    if code != 0:
        raise SystemExit(f"generate_protos: protoc failed with exit code {code}")
    for folder in {proto.parent for proto in protos}:
        (folder / "py.typed").touch()
    return len(protos)


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description="Generate Python code from the .proto files if it is out of date.")
    parser.add_argument("--force", action="store_true", help="generate even if everything is up to date")
    generate(force=parser.parse_args().force)


if __name__ == "__main__":
    main()
