"""The terminal client, and the command ``boardkeeper`` with which it and the operators' commands are started."""
