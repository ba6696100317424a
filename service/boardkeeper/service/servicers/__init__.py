"""The rpcs: each checks its request, asks the games and says the answer in messages."""
