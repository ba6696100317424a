"""Write the .proto files of our titles from their structs.

Also write the fields of the three envelopes: messages of ``boardkeeper/v1`` with one field for each title.

``python tools/derive_protos.py`` writes, ``--check`` fails if a file is out of date. The messages are those of
``boardkeeper/wire/schema.py``, with the numbers that the committed .proto files have. Comments come from the structs
(``boardkeeper/wire/comments.py``).
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from difflib import unified_diff
from itertools import count
from pathlib import Path

from google.protobuf.descriptor_pb2 import DescriptorProto, FieldDescriptorProto, FileDescriptorProto, FileDescriptorSet
from grpc_tools import protoc

from boardkeeper.titles.registry import load_title
from boardkeeper.wire.comments import Comments, read_comments
from boardkeeper.wire.schema import BOARD, COMMAND, EVENT_DETAIL, package_of, schema_of

ROOT = Path(__file__).resolve().parent.parent
PROTO_ROOT = ROOT / "proto"
WIDTH = 120

NOTE = "// Derived from the structs of the title by tools/derive_protos.py. Do not edit."

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


def titles() -> list[str]:
    """Return the ids of the titles in this repository."""
    return sorted(path.parent.name for path in (ROOT / "domain/boardkeeper/titles").glob("*/title.py"))


def main(arguments: list[str] | None = None) -> int:
    """Run as a command and return the exit code."""
    parser = argparse.ArgumentParser(description="Write the .proto files of our titles from their structs.")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a file is out of date")
    check = parser.parse_args(arguments).check
    outdated = 0
    for path, text in derive():
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


def derive() -> Iterator[tuple[Path, str]]:
    """Yield each file and the text that it should have."""
    names = {}
    for id in titles():
        title = load_title(id)
        names[id] = title.meta.text["en"]
        schema = schema_of(title, read_committed(id))
        comments = read_comments(title)
        for (message, field), text in comments.items():
            if not text:
                raise SystemExit(f"derive_protos: {message}.{field} of {id} needs a comment: `#: …`")
        for file in schema.file:
            yield PROTO_ROOT / file.name, render(file, comments)
    for message, (name, prefix) in ENVELOPES.items():
        path = PROTO_ROOT / f"boardkeeper/v1/{name}.proto"
        yield path, add_title_fields(path.read_text("utf-8"), message, prefix, names)


def read_committed(id: str) -> FileDescriptorSet:
    """Return the descriptors of a title's .proto files; raises ``SystemExit`` if they do not compile."""
    sources = sorted((PROTO_ROOT / package_of(id).replace(".", "/")).glob("*.proto"))
    with tempfile.TemporaryDirectory() as folder:
        image = Path(folder) / "image.binpb"
        image.touch()
        if sources and protoc.main(["", f"-I{PROTO_ROOT}", f"--descriptor_set_out={image}", *map(str, sources)]):
            raise SystemExit(f"derive_protos: the protos of {id} do not compile")
        return FileDescriptorSet.FromString(image.read_bytes())


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


def add_title_fields(text: str, message: str, prefix: str, names: Mapping[str, str]) -> str:
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
    return add_imports(text, (f"boardkeeper/{id}/v1/{FILES[message]}.proto" for id in numbers))


def add_imports(text: str, paths: Iterable[str]) -> str:
    """Return the text of a file with imports of more files."""
    imported = re.compile(r'import "(.*)";\n')
    wanted = sorted({*imported.findall(text), *paths})
    first = imported.search(text)
    assert first is not None
    lines = "".join(f'import "{path}";\n' for path in wanted)
    return text[: first.start()] + lines + imported.sub("", text[first.start() :])


if __name__ == "__main__":
    sys.exit(main())
