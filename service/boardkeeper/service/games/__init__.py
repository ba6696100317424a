"""Everything that is done with games: commands, seats, bots, clocks and game records."""
