"""Between the domain's structs and the messages of the API: what the service and its clients share.

:mod:`~boardkeeper.wire.convert` turns any struct into the message of the same name and back,
:mod:`~boardkeeper.wire.messages` does so for all that games are made of, :mod:`~boardkeeper.wire.titles` knows which
messages belong to which title, and :mod:`~boardkeeper.wire.errors` builds and reads the details of errors.
"""
