"""Several processes that serve the same database at the same address, and the one that looks after them."""
