"""Bots of Orléans."""
