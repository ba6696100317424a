"""The keys under which commands are stored: clients of different seats may choose the same ids."""

from __future__ import annotations


def command_key(seat: int, command_id: str) -> str:
    """Return the key of a command of a seat, by the id that the client chose."""
    return f"{seat}:{command_id}"


def client_command_id(key: str) -> str:
    """Return the id that the client chose for its command."""
    return key.partition(":")[2]


def seat_of(key: str) -> int:
    """Return the seat that gave a command; -2 if no seat did."""
    seat = key.partition(":")[0]
    return int(seat) if seat.isascii() and seat.isdecimal() else -2
