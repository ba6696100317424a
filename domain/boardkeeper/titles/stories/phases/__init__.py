"""The phases of the stories, besides those that the family implements."""
