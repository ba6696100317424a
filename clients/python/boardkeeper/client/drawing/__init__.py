"""Boards as text for a terminal: a package for each title that has a drawing, a plain listing for others."""
