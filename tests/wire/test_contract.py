"""The protos for clients in other languages compile from one import root without other files."""

from __future__ import annotations

import importlib.resources
import re
from pathlib import Path

from google.protobuf.descriptor_pb2 import FileDescriptorSet
from grpc_tools import protoc

from boardkeeper.wire import errors


def test_all_protos_compile_from_the_folder_proto(repository: Path, tmp_path: Path) -> None:
    root = repository / "proto"
    protos = sorted(path.relative_to(root).as_posix() for path in root.rglob("*.proto"))
    assert {path.rpartition("/")[0] for path in protos} >= {"boardkeeper/v1", "boardkeeper/orleans/v1", "google/rpc"}
    out = tmp_path / "contract.binpb"

    # No other import root: every protoc includes the files of google.protobuf.
    well_known = importlib.resources.files("grpc_tools") / "_proto"
    arguments = ["protoc", f"-I{root}", f"-I{well_known}", "--include_imports", f"--descriptor_set_out={out}", *protos]
    assert protoc.main(arguments) == 0

    compiled = FileDescriptorSet.FromString(out.read_bytes())
    described = {f"{file.package}.{message.name}" for file in compiled.file for message in file.message_type}
    used = set(re.findall(r"\berror_details_pb2\.(\w+)\(", Path(errors.__file__).read_text()))
    assert used >= {"ErrorInfo", "BadRequest", "PreconditionFailure"}
    assert {f"google.rpc.{name}" for name in used} <= described
