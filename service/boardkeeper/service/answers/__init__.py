"""Games as their viewers get them: redacted, with sentences, cut to size and encoded once."""
