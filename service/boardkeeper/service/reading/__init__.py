"""Reading what is stored: in threads, in fair turns, and with a refusal for everything that can go wrong."""
