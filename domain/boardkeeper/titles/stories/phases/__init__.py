"""The phases of the stories that the family does not implement, and the actions of places."""
