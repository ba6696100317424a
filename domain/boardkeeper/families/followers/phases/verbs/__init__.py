"""Actions of places that all titles have, one module per kind of action (:attr:`Place.verb`)."""
