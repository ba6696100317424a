"""The file ``wire.binpb`` of a title's package, which fixes the field numbers of its messages."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from google.protobuf.descriptor_pb2 import DescriptorProto, FileDescriptorSet

from boardkeeper.titlekit.title import Title
from boardkeeper.wire.schema import FIXED, fixed_schema, packages, schema_of


class Numbers(NamedTuple):
    """The schema to write to the file, and its differences from the current file."""

    schema: FileDescriptorSet
    changes: list[str]
    """Added and reserved fields, as ``Bid.count = 1`` and ``Bid.value = 2 (reserved)``; empty if nothing changed."""


def numbers_of(title: Title) -> Numbers:
    """Return the numbers of a title; those in its file remain. Raises ``SchemaError`` if a struct contradicts them."""
    fixed = fixed_schema(title) or FileDescriptorSet()
    schema = schema_of(title, fixed)
    before, now = dict.fromkeys(_lines(fixed)), dict.fromkeys(_lines(schema))
    changes = [line for line in now if line not in before]
    if not changes and schema != fixed:
        changes = ["other types or files of the same fields"]
    return Numbers(schema, changes)


def file_of(title: Title) -> Path | None:
    """Return the path of the file, which may not exist; ``None`` for a title that is a single module."""
    for package in packages(title):
        folder = files(package)
        if isinstance(folder, Path):
            return folder / FIXED
    return None


def _lines(schema: FileDescriptorSet) -> Iterator[str]:
    for file in schema.file:
        for message in file.message_type:
            yield from _numbers(message)


def _numbers(message: DescriptorProto) -> Iterator[str]:
    yield from (f"{message.name}.{field.name} = {field.number}" for field in message.field)
    # Both lists contain the removed fields in the same order.
    for name, numbers in zip(message.reserved_name, message.reserved_range, strict=False):
        yield f"{message.name}.{name} = {numbers.start} (reserved)"
