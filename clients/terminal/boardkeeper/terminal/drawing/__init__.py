"""The table as text for a terminal, for every title, from the table and the catalogue."""
