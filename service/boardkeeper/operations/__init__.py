"""The commands of ``boardkeeper`` for people who run servers, write clients or write titles."""
