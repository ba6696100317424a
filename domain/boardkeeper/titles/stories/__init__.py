"""Orléans Stories by Reiner Stockhausen: The Settlers for 2 to 4 players, England vs. France for two teams of 2."""
