"""Who may do what: the keys of platforms, what each rpc needs, and whose the games are. The edge asks here."""
