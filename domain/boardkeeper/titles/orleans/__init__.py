"""Orléans by Reiner Stockhausen: 2 to 5 players, 18 rounds of seven phases."""
