"""The message types of titles that come from other packages, which a server may have and this program may not.

Playing needs none of them: the commands of ``legal_commands`` can be sent back as they are, each with a sentence. To
read or print the content of ``outside``, load the types once with :func:`load_types`.
"""

from __future__ import annotations

from google.protobuf.any_pb2 import Any as AnyContent
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.protobuf.descriptor_pool import Default
from google.protobuf.message import Message

from boardkeeper.client.client import Client
from boardkeeper.wire.schema import package_of


def load_types(client: Client, title: str) -> None:
    """Load the message types of a title from the server, so that messages with them can be printed as JSON.

    Does nothing if this program has them already. Raises what :meth:`Client.schema` raises.
    """
    if not is_known(f"{package_of(title)}.Command"):
        add_types(title, client.schema(title))


def add_types(title: str, schema: FileDescriptorSet) -> None:
    """Add the types of a title to those of this program. Files that do not belong to the title are ignored."""
    package = package_of(title)
    folder = package.replace(".", "/")
    for file in schema.file:
        if file.package == package and file.name.startswith(f"{folder}/"):
            Default().Add(file)


def is_known(name: str) -> bool:
    """Whether this program has the message type of that full name."""
    try:
        Default().FindMessageTypeByName(name)
    except KeyError:
        return False
    return True


def clear_unknown(message: Message) -> None:
    """Empty every ``Any`` in a message whose type this program does not have, because it cannot be printed."""
    if isinstance(message, AnyContent):
        if not is_known(message.TypeName()):
            message.Clear()
        return
    for field, value in message.ListFields():
        if field.message_type is None or field.message_type.GetOptions().map_entry:
            continue
        for part in value if field.is_repeated else (value,):
            clear_unknown(part)
