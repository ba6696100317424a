"""A module for each title, by its id: which of its structs go over as which messages.

Each has a ``WIRE``, a :class:`boardkeeper.wire.title.TitleWire`. None is imported before its title is met.
"""
