"""What client authors in other languages are given: the contract compiles from one import root, with nothing else."""

from __future__ import annotations

import importlib.resources
import re
from pathlib import Path

from google.protobuf.descriptor_pb2 import FileDescriptorSet
from grpc_tools import protoc

from boardkeeper.wire import errors


def test_everything_that_a_client_needs_compiles_from_the_folder_proto_alone(repository: Path, tmp_path: Path) -> None:
    root = repository / "proto"
    protos = sorted(path.relative_to(root).as_posix() for path in root.rglob("*.proto"))
    assert {path.rpartition("/")[0] for path in protos} >= {"boardkeeper/v1", "boardkeeper/orleans/v1", "google/rpc"}
    out = tmp_path / "contract.binpb"

    # Not one import root more; those of google.protobuf come with every protoc.
    well_known = importlib.resources.files("grpc_tools") / "_proto"
    arguments = ["protoc", f"-I{root}", f"-I{well_known}", "--include_imports", f"--descriptor_set_out={out}", *protos]
    assert protoc.main(arguments) == 0

    compiled = FileDescriptorSet.FromString(out.read_bytes())
    described = {f"{file.package}.{message.name}" for file in compiled.file for message in file.message_type}
    used = set(re.findall(r"\berror_details_pb2\.(\w+)\(", Path(errors.__file__).read_text()))
    assert used >= {"ErrorInfo", "BadRequest", "PreconditionFailure"}
    assert {f"google.rpc.{name}" for name in used} <= described
