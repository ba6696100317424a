"""Generate the Python code of every `.proto` into the tree it stands in.

An import path equals a file path (`boardkeeper/v1/games_pb2.py` is `boardkeeper.v1.games_pb2`), so the
output lies beside its source and nothing has to be rewritten. The build hook and `make proto` both come
through here; the output is never committed.
"""

from __future__ import annotations

import argparse
import importlib.resources
import os
import shutil
import sys
from pathlib import Path

PROTO_ROOT = Path(__file__).resolve().parent.parent / "proto"

# Every .proto yields these; `_pb2_grpc.pyi` besides, if it declares a service.
ALWAYS = ("_pb2.py", "_pb2.pyi", "_pb2_grpc.py")
GENERATED = ("*_pb2.py", "*_pb2.pyi", "*_pb2_grpc.py", "*_pb2_grpc.pyi")


def sources(root: Path) -> list[Path]:
    """List the .proto files below `root`, in a stable order."""
    return sorted((root / "boardkeeper").rglob("*.proto"))


def is_current(root: Path) -> bool:
    """Tell whether every output exists, is as new as its source, and no output lacks a source."""
    wanted = {proto: [proto.with_name(proto.stem + suffix) for suffix in ALWAYS] for proto in sources(root)}
    for proto, outputs in wanted.items():
        changed = proto.stat().st_mtime_ns
        if any(not output.exists() or output.stat().st_mtime_ns < changed for output in outputs):
            return False
    return not orphans(root)


def orphans(root: Path) -> list[Path]:
    """List generated files whose .proto has gone."""
    stems = {proto.with_suffix("") for proto in sources(root)}
    return [
        path
        for pattern in GENERATED
        for path in sorted((root / "boardkeeper").rglob(pattern))
        if path.with_name(path.name.split("_pb2", 1)[0]) not in stems
    ]


def _plugin(name: str) -> str:
    # The environment's own scripts first: `make` calls .venv/bin/python without activating it. In pip's
    # isolated build the plugin is on PATH only.
    search = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    found = shutil.which(name, path=search)
    if found is None:
        raise SystemExit(f"generate_protos: {name} is missing; install mypy-protobuf (`make setup` does)")
    return f"--plugin={name}={found}"


def generate(root: Path = PROTO_ROOT, *, force: bool = False) -> int:
    """Bring the generated code below `root` up to date and return the number of .proto files compiled."""
    if not force and is_current(root):
        return 0
    for path in orphans(root):
        path.unlink()
    protos = sources(root)
    if not protos:
        return 0
    print(f"Generating Python code from {len(protos)} .proto files ...", file=sys.stderr, flush=True)

    from grpc_tools import protoc  # noqa: PLC0415 - a check that finds everything current need not load it

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
    """Run as a command."""
    parser = argparse.ArgumentParser(description="Generate Python code from the .proto files if it is out of date.")
    parser.add_argument("--force", action="store_true", help="generate even if everything is up to date")
    generate(force=parser.parse_args().force)


if __name__ == "__main__":
    main()
