"""The solo opponent. The rules play its turn in the same batch as the command before it."""
