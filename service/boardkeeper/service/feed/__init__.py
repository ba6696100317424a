"""What platforms are told of all their games: items, their order, and who follows them."""
