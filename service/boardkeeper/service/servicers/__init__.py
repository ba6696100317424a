"""The rpcs: each checks its request, asks the hub and says the answer in messages."""
