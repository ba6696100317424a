"""The solo opponent. The rules play its turn immediately after the command of the player, in the same submission."""
