"""The aggregate: one game as a list of immutable events, of whatever title."""
