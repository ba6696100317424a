"""The message types of titles that are installed on the server, but not in this program.

Playing does not need them: legal commands have sentences and can be submitted unchanged. To read or print the field
``outside`` of commands, events and boards, load the types with :func:`load_types`.
"""

from __future__ import annotations

from google.protobuf.any_pb2 import Any as AnyContent
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.protobuf.descriptor_pool import Default
from google.protobuf.message import Message

from boardkeeper.client.client import Client
from boardkeeper.wire.schema import package_of


def load_types(client: Client, title: str) -> None:
    """Load the message types of a title from the server if this program does not have them.

    Raises the errors of :meth:`Client.schema`.
    """
    if not is_known(f"{package_of(title)}.Command"):
        add_types(title, client.schema(title))


def add_types(title: str, schema: FileDescriptorSet) -> None:
    """Add the types of a title to this program. Files that do not belong to the title are ignored."""
    package = package_of(title)
    folder = package.replace(".", "/")
    for file in schema.file:
        if file.package == package and file.name.startswith(f"{folder}/"):
            Default().Add(file)


def is_known(name: str) -> bool:
    """Return whether this program has the message type with this full name."""
    try:
        Default().FindMessageTypeByName(name)
    except KeyError:
        return False
    return True


def clear_unknown(message: Message) -> None:
    """Clear every ``Any`` in a message whose type this program does not have, because it cannot be printed."""
    if isinstance(message, AnyContent):
        if not is_known(message.TypeName()):
            message.Clear()
        return
    for field, value in message.ListFields():
        if field.message_type is None or field.message_type.GetOptions().map_entry:
            continue
        for part in value if field.is_repeated else (value,):
            clear_unknown(part)
