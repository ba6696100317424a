"""The phases of a game of Paladins, one module each, and what interrupts them."""
