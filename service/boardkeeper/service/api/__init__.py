"""The RPCs: each checks its request, calls the games, and encodes the answer for its viewer."""
