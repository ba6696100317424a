"""The files of a title of owls and moles, for tests of what reads them; it has no rules."""
