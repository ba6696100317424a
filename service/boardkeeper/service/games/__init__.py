"""Games in memory and everything done with them: seats, commands, bots, their past, and records that come and go."""
