"""The opponent of who plays alone: a seat that the rules play, in the middle of the batch of the command before."""
