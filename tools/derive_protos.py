"""Write the .proto files of our titles from their structs, and the titles' fields of the three envelopes.

``python tools/derive_protos.py`` writes, ``--check`` fails if a file is out of date. The messages are those of
``boardkeeper/wire/schema.py``, with the numbers that the committed .proto files have. Comments come from the structs:

* of a message, and of its field in the oneof: the docstring of the struct;
* of ``Command`` and ``EventDetail``: the docstring of the module with the structs;
* of a field: the comment ``#: text`` after the field or above it, otherwise that of the alias which is its type.
"""

from __future__ import annotations

import argparse
import ast
import inspect
import re
import sys
import tempfile
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from difflib import unified_diff
from functools import cache
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any, get_args

from google.protobuf.descriptor_pb2 import DescriptorProto, FieldDescriptorProto, FileDescriptorProto, FileDescriptorSet
from grpc_tools import protoc
from msgspec import Struct
from msgspec.structs import fields

from boardkeeper.table.title import Title
from boardkeeper.titles.registry import load_title
from boardkeeper.wire.plans import field_name
from boardkeeper.wire.schema import BOARD, COMMAND, EVENT_DETAIL, package_of, schema_of

ROOT = Path(__file__).resolve().parent.parent
PROTO_ROOT = ROOT / "proto"
WIDTH = 120

NOTE = "// Derived from the structs of the title by tools/derive_protos.py. Do not edit."

ONEOFS = {COMMAND: "The command. Exactly one must be set.", EVENT_DETAIL: "The event. Exactly one is set."}
"""The comment of the oneof in each message that is a union."""

ENVELOPES = {
    COMMAND: ("command", "A command of"),
    BOARD: ("board", "A board of"),
    EVENT_DETAIL: ("event", "An event of"),
}
"""The file of each envelope in ``boardkeeper/v1``, and the comment of a title's field."""

FILES = {COMMAND: "commands", EVENT_DETAIL: "events", BOARD: "board"}
"""The file of a title that has the message."""

TYPES = {
    FieldDescriptorProto.TYPE_STRING: "string",
    FieldDescriptorProto.TYPE_BOOL: "bool",
    FieldDescriptorProto.TYPE_INT32: "int32",
}

Comments = Mapping[tuple[str, str], str]
"""Texts by the names of message and field; without a field the text of the message."""


def titles() -> list[str]:
    """Return the ids of the titles in this repository."""
    return sorted(path.parent.name for path in (ROOT / "domain/boardkeeper/titles").glob("*/title.py"))


def main(arguments: list[str] | None = None) -> int:
    """Run as a command and return the exit code."""
    parser = argparse.ArgumentParser(description="Write the .proto files of our titles from their structs.")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a file is out of date")
    check = parser.parse_args(arguments).check
    outdated = 0
    for path, text in derived():
        old = path.read_text("utf-8") if path.exists() else ""
        if old == text:
            continue
        outdated += 1
        name = str(path.relative_to(ROOT))
        if check:
            sys.stderr.writelines(unified_diff(old.splitlines(True), text.splitlines(True), name, f"{name} (derived)"))
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
            print("wrote", name)
    if check and outdated:
        print(f"derive_protos: {outdated} files are out of date; run tools/derive_protos.py", file=sys.stderr)
    return 1 if check and outdated else 0


def derived() -> Iterator[tuple[Path, str]]:
    """Yield each file and the text that it should have."""
    names = {}
    for id in titles():
        title = load_title(id)
        names[id] = title.meta.text["en"]
        schema = schema_of(title, committed(id))
        comments = comments_of(title)
        for file in schema.file:
            yield PROTO_ROOT / file.name, render(file, comments)
    for message, (name, prefix) in ENVELOPES.items():
        path = PROTO_ROOT / f"boardkeeper/v1/{name}.proto"
        yield path, with_fields(path.read_text("utf-8"), message, prefix, names)


def committed(id: str) -> FileDescriptorSet:
    """Return the descriptors of a title's .proto files; raises ``SystemExit`` if they do not compile."""
    sources = sorted((PROTO_ROOT / package_of(id).replace(".", "/")).glob("*.proto"))
    with tempfile.TemporaryDirectory() as folder:
        image = Path(folder) / "image.binpb"
        image.touch()
        if sources and protoc.main(["", f"-I{PROTO_ROOT}", f"--descriptor_set_out={image}", *map(str, sources)]):
            raise SystemExit(f"derive_protos: the protos of {id} do not compile")
        return FileDescriptorSet.FromString(image.read_bytes())


# --- comments --------------------------------------------------------------------------------------------------


def comments_of(title: Title) -> Comments:
    """Return the comments of a title's messages and fields; raises ``SystemExit`` for a field without one."""
    package = type(title).__module__.rpartition(".")[0]
    found: dict[tuple[str, str], str] = {}
    for name, module, structs in (
        (COMMAND, "commands", title.commands.values()),
        (EVENT_DETAIL, "events", title.events.values()),
    ):
        found[name, ""] = inspect.cleandoc(import_module(f"{package}.{module}").__doc__ or "")
        found[name, "oneof"] = ONEOFS[name]
        for struct in structs:
            add_comments(struct, found)
            found[name, field_name(struct)] = found[struct.__name__, ""].partition("\n\n")[0]
    if title.board_type is not None:
        add_comments(title.board_type, found)
    return {place: re.sub(r"``(.+?)``", r"`\1`", text) for place, text in found.items()}


def add_comments(struct: type[Struct], found: dict[tuple[str, str], str]) -> None:
    """Add the comments of a struct, its fields and the structs within it."""
    name = struct.__name__
    found[name, ""] = inspect.cleandoc(struct.__doc__ or "")
    comments = field_comments(struct)
    for info in fields(struct):
        if not comments.get(info.name):
            raise SystemExit(f"derive_protos: {struct.__module__}.{name}.{info.name} needs a comment: `#: …`")
        found[name, info.name] = comments[info.name]
        for inner in structs_in(info.type):
            if (inner.__name__, "") not in found:
                add_comments(inner, found)


def structs_in(annotation: Any) -> Iterator[type[Struct]]:
    """Yield the structs in the type of a field."""
    if isinstance(annotation, type) and issubclass(annotation, Struct):
        yield annotation
    for argument in get_args(annotation):
        yield from structs_in(argument)


def field_comments(struct: type[Struct]) -> Mapping[str, str]:
    """Return the comments of the fields that a struct and its bases declare."""
    kinds = [kind for kind in reversed(struct.__mro__) if issubclass(kind, Struct) and kind is not Struct]
    return {
        field: text or comment_of_type(kind.__module__, annotation)
        for kind in kinds
        for field, (annotation, text) in comments_in(kind.__module__)[kind.__name__].items()
    }


def comment_of_type(module: str, annotation: ast.expr) -> str:
    """Return the comment of the alias that is a field's type: of the same module, or of one that it imports."""
    match annotation:
        case ast.Attribute(value=ast.Name(id=imported), attr=alias):
            module = getattr(import_module(module), imported).__name__
        case ast.Name(id=alias):
            pass
        case _:
            return ""
    return comments_in(module)[""].get(alias, (annotation, ""))[1]


@cache
def comments_in(module: str) -> Mapping[str, Mapping[str, tuple[ast.expr, str]]]:
    """Return types and comments of annotated names, by class; those outside of classes are by an empty name."""
    source = inspect.getsource(import_module(module))
    lines = source.splitlines()
    tree = ast.parse(source)
    bodies = {"": tree.body} | {node.name: node.body for node in tree.body if isinstance(node, ast.ClassDef)}
    return {
        name: {
            node.target.id: (node.annotation, comment_at(node, lines))
            for node in body
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
        }
        for name, body in bodies.items()
    }


def comment_at(node: ast.AnnAssign, lines: list[str]) -> str:
    """Return the comment ``#: …`` after an annotated name, or above it."""
    end = (node.end_lineno or node.lineno) - 1
    after = lines[end].encode()[node.end_col_offset :].decode().strip()
    if after.startswith("#:"):
        return after[2:].strip()
    above: list[str] = []
    for line in reversed(lines[: node.lineno - 1]):
        if not line.strip().startswith("#:"):
            break
        above.insert(0, line.strip()[2:].strip())
    return " ".join(above)


# --- .proto files ----------------------------------------------------------------------------------------------


def render(file: FileDescriptorProto, comments: Comments) -> str:
    """Return the text of a .proto file, formatted as ``buf format`` does."""
    imports = [f'import "{path}";' for path in sorted(file.dependency)]
    head = [NOTE, "", 'syntax = "proto3";', "", f"package {file.package};", "", *imports, *([""] if imports else [])]
    blocks = ["\n".join(render_message(message, comments)) for message in file.message_type]
    return "\n".join(head) + "\n" + "\n\n".join(blocks) + "\n"


def render_message(message: DescriptorProto, comments: Comments) -> Iterator[str]:
    """Yield the lines of a message."""
    yield from comment(comments.get((message.name, ""), ""), 0)
    body = list(render_body(message, comments))
    if not body:
        yield f"message {message.name} {{}}"
        return
    yield f"message {message.name} {{"
    yield from body
    yield "}"


def render_body(message: DescriptorProto, comments: Comments) -> Iterator[str]:
    """Yield the lines between the braces of a message."""
    for it in message.reserved_range:
        yield f"  reserved {it.start};" if it.end == it.start + 1 else f"  reserved {it.start} to {it.end - 1};"
    for name in message.reserved_name:
        yield f'  reserved "{name}";'
    entries = {f".{entry.name}": entry for entry in message.nested_type}
    indent = 2
    if message.oneof_decl and not message.oneof_decl[0].name.startswith("_"):
        yield from comment(comments.get((message.name, "oneof"), "The value. Exactly one is set."), 2)
        yield f"  oneof {message.oneof_decl[0].name} {{"
        indent = 4
    for field in message.field:
        yield from comment(comments.get((message.name, field.name), ""), indent)
        yield f"{' ' * indent}{type_name(field, entries)} {field.name} = {field.number};"
    if indent == 4:
        yield "  }"


def type_name(field: FieldDescriptorProto, entries: Mapping[str, DescriptorProto]) -> str:
    """Return the type of a field with its label."""
    short = field.type_name.rpartition(".")[2]
    entry = entries.get(f".{short}")
    if entry is not None:
        return f"map<{', '.join(TYPES[it.type] for it in entry.field)}>"
    name = TYPES.get(field.type, short)
    if field.label == FieldDescriptorProto.LABEL_REPEATED:
        return f"repeated {name}"
    return f"optional {name}" if field.proto3_optional else name


def comment(text: str, indent: int) -> Iterator[str]:
    """Yield the lines of a comment."""
    for number, paragraph in enumerate(filter(None, re.split(r"\n\s*\n", text))):
        if number:
            yield f"{' ' * indent}//"
        for line in textwrap.wrap(paragraph, WIDTH - indent - 3, break_long_words=False, break_on_hyphens=False):
            yield f"{' ' * indent}// {line}"


# --- envelopes -------------------------------------------------------------------------------------------------


def with_fields(text: str, message: str, prefix: str, names: Mapping[str, str]) -> str:
    """Return the text of an envelope's file with a field for each title, given by id and name.

    A field keeps its number. A new one gets the next that is free, after those of the other titles.
    """
    field = re.compile(rf"    // {prefix} .*\n    boardkeeper\.(\w+)\.v1\.{message} \1 = (\d+);\n")
    numbers = {found[1]: int(found[2]) for found in field.finditer(text)}
    used = {int(number) for number in re.findall(r" = (\d+);", text)}
    for id in sorted(names.keys() - numbers.keys()):
        numbers[id] = next(number for number in count(max(numbers.values()) + 1) if number not in used)
    lines = [
        f"    // {prefix} {names[id]}.\n    {package_of(id)}.{message} {id} = {number};\n"
        for id, number in sorted(numbers.items(), key=lambda each: each[1])
    ]
    start = next(field.finditer(text)).start()
    text = text[:start] + "".join(lines) + field.sub("", text[start:])
    return with_imports(text, (f"boardkeeper/{id}/v1/{FILES[message]}.proto" for id in numbers))


def with_imports(text: str, paths: Iterable[str]) -> str:
    """Return the text of a file that imports these files too."""
    imported = re.compile(r'import "(.*)";\n')
    wanted = sorted({*imported.findall(text), *paths})
    first = imported.search(text)
    assert first is not None
    lines = "".join(f'import "{path}";\n' for path in wanted)
    return text[: first.start()] + lines + imported.sub("", text[first.start() :])


if __name__ == "__main__":
    sys.exit(main())
