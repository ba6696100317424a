"""One game as an aggregate of immutable events, independent of its title."""
