"""Reading from the storage: in threads, in fair turns, with an error of the API for every error of the storage."""
