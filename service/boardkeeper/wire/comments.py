"""Read the comments of a title's messages from the source of its structs.

* The comment of a message is the docstring of its struct. The comment of its field in the oneof is the first paragraph
  of that docstring.
* The comment of ``Command`` and ``EventDetail`` is the docstring of the module ``commands`` or ``events``.
* The comment of a field is the comment ``#: text`` after or above the field. If there is none, it is the comment of
  the type alias that annotates the field.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import Any, get_args

from google.protobuf.descriptor_pb2 import FileDescriptorSet
from msgspec import Struct
from msgspec.structs import fields

from boardkeeper.titlekit.title import Title
from boardkeeper.wire.plans import field_name
from boardkeeper.wire.schema import COMMAND, EVENT_DETAIL

Comments = Mapping[tuple[str, str], str]
"""Comment texts by message name and field name.

The field name is empty for the message itself, and ``oneof`` for its oneof.
"""

_ONEOF_COMMENTS = {COMMAND: "The command. Exactly one must be set.", EVENT_DETAIL: "The event. Exactly one is set."}
_DEFAULT_COMMENTS = {COMMAND: "A command of {}.", EVENT_DETAIL: "An event of {}."}


def read_comments(title: Title) -> Comments:
    """Return the comments of a title's messages and fields. A text is empty if there is no comment."""
    found: dict[tuple[str, str], str] = {}
    for name, module, structs in (
        (COMMAND, "commands", title.commands.values()),
        (EVENT_DETAIL, "events", title.events.values()),
    ):
        *_, last = structs  # the structs of the title come after the structs of its family
        own = import_module(last.__module__).__doc__ if last.__module__.endswith(f".{module}") else None
        found[name, ""] = inspect.cleandoc(own or _DEFAULT_COMMENTS[name].format(title.meta.text["en"]))
        found[name, "oneof"] = _ONEOF_COMMENTS[name]
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
    comments = read_field_comments(struct)
    for info in fields(struct):
        found[name, info.name] = comments.get(info.name, "")
        for inner in find_structs(info.type):
            if (inner.__name__, "") not in found:
                add_comments(inner, found)


def add_source_info(schema: FileDescriptorSet, comments: Comments) -> None:
    """Add comments to the files of a schema as ``source_code_info``, which protobuf tools read."""
    for file in schema.file:
        for at, message in enumerate(file.message_type):
            # Field numbers in descriptor.proto: message_type = 4, field = 2, oneof_decl = 8.
            places = {"": (4, at), "oneof": (4, at, 8, 0)}
            places |= {field.name: (4, at, 2, number) for number, field in enumerate(message.field)}
            for name, path in places.items():
                text = comments.get((message.name, name), "")
                if text:
                    lines = "".join(f" {line}\n" for line in text.splitlines())
                    file.source_code_info.location.add(path=path, span=(0, 0, 0), leading_comments=lines)


def find_structs(annotation: Any) -> Iterator[type[Struct]]:
    """Yield the structs in the type of a field."""
    if isinstance(annotation, type) and issubclass(annotation, Struct):
        yield annotation
    for argument in get_args(annotation):
        yield from find_structs(argument)


def read_field_comments(struct: type[Struct]) -> Mapping[str, str]:
    """Return the comments of the fields that a struct and its bases declare."""
    kinds = [kind for kind in reversed(struct.__mro__) if issubclass(kind, Struct) and kind is not Struct]
    return {
        field: text or read_alias_comment(kind.__module__, annotation)
        for kind in kinds
        for field, (annotation, text) in read_annotations(kind.__module__).get(kind.__name__, {}).items()
    }


def read_alias_comment(module: str, annotation: ast.expr) -> str:
    """Return the comment of the type alias that annotates a field; empty for other types.

    The alias is ``Alias`` from the same module or ``module.Alias`` from an imported one.
    """
    match annotation:
        case ast.Attribute(value=ast.Name(id=imported), attr=alias):
            module = getattr(getattr(import_module(module), imported, None), "__name__", "")
        case ast.Name(id=alias):
            pass
        case _:
            return ""
    return read_annotations(module).get("", {}).get(alias, (annotation, ""))[1]


@cache
def read_annotations(module: str) -> Mapping[str, Mapping[str, tuple[ast.expr, str]]]:
    """Return the annotation and comment of each annotated name of a module, by class name.

    The class name is empty for names at module level.
    """
    try:
        source = inspect.getsource(import_module(module))
    except (ImportError, OSError, TypeError, ValueError):  # the module does not exist or has no source
        return {}
    lines = source.splitlines()
    tree = ast.parse(source)
    bodies = {"": tree.body} | {node.name: node.body for node in tree.body if isinstance(node, ast.ClassDef)}
    return {
        name: {
            node.target.id: (node.annotation, read_comment(node, lines))
            for node in body
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
        }
        for name, body in bodies.items()
    }


def read_comment(node: ast.AnnAssign, lines: list[str]) -> str:
    """Return the comment ``#: …`` after or above an annotated name."""
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
