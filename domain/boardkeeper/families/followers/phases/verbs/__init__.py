"""What places of every title do: one module a kind of action, each with its listing and its carrying out."""
