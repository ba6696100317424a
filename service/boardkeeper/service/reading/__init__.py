"""Reading from the storage: in threads, in fair turns, with a refusal for every error of the storage."""
