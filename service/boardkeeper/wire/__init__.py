"""Conversion between the domain's structs and the messages of the API, for the service and its clients.

:mod:`~boardkeeper.wire.convert` converts any struct to the message of the same name and back,
:mod:`~boardkeeper.wire.messages` does so for commands, boards, effects and events, :mod:`~boardkeeper.wire.schema`
derives the messages of a title from its structs, :mod:`~boardkeeper.wire.proto_json` converts messages to JSON and
back, and :mod:`~boardkeeper.wire.errors` builds and reads the details of errors.
"""
