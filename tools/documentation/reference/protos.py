"""Generate the API reference from the .proto files: calls, messages, comments and API key scopes."""

from __future__ import annotations

import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files as files_of
from pathlib import Path

from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
    FileDescriptorSet,
    ServiceDescriptorProto,
)
from grpc_tools import protoc

from boardkeeper.service.auth.scopes import NO_SCOPE, RPC_SCOPES, SCOPES
from documentation.reference.markdown import code, heading, page, table
from documentation.site import ROOT

PACKAGE = "boardkeeper."
Route = tuple[int, ...]
_SERVICES = FileDescriptorProto.SERVICE_FIELD_NUMBER
_MESSAGES = FileDescriptorProto.MESSAGE_TYPE_FIELD_NUMBER
_ENUMS = FileDescriptorProto.ENUM_TYPE_FIELD_NUMBER


@dataclass(frozen=True)
class Commented:
    """A .proto file and its comments. The keys are paths of elements as in protobuf's ``SourceCodeInfo``."""

    file: FileDescriptorProto
    comments: Mapping[Route, str]

    def comment_at(self, *path: int) -> str:
        """Return the comment of the element at a path, or "" if it has none. Remove the leading space of each line."""
        return "\n".join(line.removeprefix(" ") for line in self.comments.get(path, "").rstrip().splitlines())


def files() -> list[Commented]:
    """Compile the .proto files in ``proto/``, and return them with their comments. Raise ``SystemExit`` on errors."""
    root = ROOT / "proto"
    sources = sorted(str(path.relative_to(root)) for path in root.rglob("*.proto"))
    with tempfile.TemporaryDirectory() as folder:
        image = Path(folder) / "image.binpb"
        well_known = files_of("grpc_tools") / "_proto"
        arguments = [
            "protoc",
            f"-I{root}",
            f"-I{well_known}",
            "--include_source_info",
            f"--descriptor_set_out={image}",
            *sources,
        ]
        if protoc.main(arguments):
            raise SystemExit("The protos do not compile; protoc printed the reason above.")
        known = FileDescriptorSet.FromString(image.read_bytes())
    return [
        Commented(file, {tuple(place.path): place.leading_comments for place in file.source_code_info.location})
        for file in known.file
        if file.package.startswith(PACKAGE)
    ]


def pages() -> Iterator[tuple[str, str]]:
    """Yield the path and the text of each page: the list of services, and one page for each .proto file."""
    known = files()
    by_package: dict[str, list[Commented]] = defaultdict(list)
    for each in known:
        by_package[each.file.package].append(each)
    yield "api", _contents(by_package)
    for each in known:
        yield f"api/{_name(each)}", _page(each)


def _name(each: Commented) -> str:
    return each.file.name.removesuffix(".proto").removeprefix(PACKAGE.replace(".", "/"))


def _contents(packages: Mapping[str, list[Commented]]) -> str:
    services = [
        (f"[{service.name}](#{each.file.package}.{service.name})", each.comment_at(_SERVICES, at).partition("\n\n")[0])
        for found in packages.values()
        for each in found
        for at, service in enumerate(each.file.service)
    ]
    trees = [
        f"```{{toctree}}\n:caption: {package}\n:titlesonly:\n\n"
        + "\n".join(f"api/{_name(it)}" for it in found)
        + "\n```"
        for package, found in packages.items()
    ]
    return page(
        "# API reference",
        "All services, calls and messages of the API. These pages are generated from the comments in `proto/`, the "
        "import root for generated code in every language.",
        "## Services",
        table(["service", "purpose"], services),
        "The server also has the standard gRPC services for health checks and reflection.",
        "## API key scopes",
        "Each call names the scope that an API key needs for it.",
        table(["scope", "allows"], [(code(scope), meaning) for scope, meaning in SCOPES.items()]),
        "## Files",
        *trees,
    )


def _page(each: Commented) -> str:
    file = each.file
    return page(
        f"# {file.name}",
        *(part for at, service in enumerate(file.service) for part in _service(each, at, service)),
        *_types(each, (), file.message_type, file.enum_type, file.package),
    )


def _service(each: Commented, at: int, service: ServiceDescriptorProto) -> Iterator[str]:
    name = f"{each.file.package}.{service.name}"
    yield heading(2, f"Service {service.name}", name)
    yield each.comment_at(_SERVICES, at)
    for number, rpc in enumerate(service.method):
        yield heading(3, rpc.name, f"{name}.{rpc.name}")
        request, response = _link(rpc.input_type), _link(rpc.output_type)
        streams = "stream of "
        yield (
            f"{streams if rpc.client_streaming else ''}{request} → {streams if rpc.server_streaming else ''}{response}"
            f" · {_scope(f'{service.name}.{rpc.name}')}"
        )
        yield each.comment_at(_SERVICES, at, service.METHOD_FIELD_NUMBER, number)


def _scope(rpc: str) -> str:
    scope = RPC_SCOPES[rpc]
    return "no API key needed" if scope == NO_SCOPE else f"API key scope `{scope}`"


def _types(
    each: Commented,
    path: Route,
    messages: Iterable[DescriptorProto],
    enums: Iterable[EnumDescriptorProto],
    package: str,
) -> Iterator[str]:
    within = DescriptorProto.NESTED_TYPE_FIELD_NUMBER, DescriptorProto.ENUM_TYPE_FIELD_NUMBER
    of_messages, of_enums = within if path else (_MESSAGES, _ENUMS)
    for at, message in enumerate(messages):
        if message.options.map_entry:
            continue
        here = (*path, of_messages, at)
        name = f"{package}.{message.name}"
        yield heading(2, name.removeprefix(f"{each.file.package}."), name)
        yield each.comment_at(*here)
        yield table(["field", "type", "number", "meaning"], _fields(each, here, message))
        yield from _types(each, here, message.nested_type, message.enum_type, name)
    for at, enum in enumerate(enums):
        here = (*path, of_enums, at)
        name = f"{package}.{enum.name}"
        yield heading(2, name.removeprefix(f"{each.file.package}."), name)
        yield each.comment_at(*here)
        values = EnumDescriptorProto.VALUE_FIELD_NUMBER
        yield table(
            ["value", "number", "meaning"],
            [
                (code(value.name), str(value.number), each.comment_at(*here, values, number))
                for number, value in enumerate(enum.value)
            ],
        )


def _fields(each: Commented, path: Route, message: DescriptorProto) -> Iterator[tuple[str, str, str, str]]:
    pairs = {nested.name: nested for nested in message.nested_type if nested.options.map_entry}
    for at, field in enumerate(message.field):
        comment = each.comment_at(*path, DescriptorProto.FIELD_FIELD_NUMBER, at)
        if field.HasField("oneof_index") and not field.proto3_optional:
            comment = f"One of `{message.oneof_decl[field.oneof_index].name}`. {comment}"
        yield code(field.name), _type(field, pairs), str(field.number), comment


def _type(field: FieldDescriptorProto, pairs: Mapping[str, DescriptorProto]) -> str:
    pair = pairs.get(field.type_name.rpartition(".")[2])
    if pair is not None:
        key, value = pair.field
        return f"map of {_one(key)} to {_one(value)}"
    one = _one(field)
    if field.label == FieldDescriptorProto.LABEL_REPEATED:
        return f"repeated {one}"
    return f"optional {one}" if field.proto3_optional else one


def _one(field: FieldDescriptorProto) -> str:
    if field.type_name:
        return _link(field.type_name)
    return FieldDescriptorProto.Type.Name(field.type).removeprefix("TYPE_").lower()


def _link(type_name: str) -> str:
    name = type_name.removeprefix(".")
    if not name.startswith(PACKAGE):
        return code(name)
    shown = name.split(".")
    return f"[{'.'.join(part for part in shown if part[:1].isupper())}](#{name})"
