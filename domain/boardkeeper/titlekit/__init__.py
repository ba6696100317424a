"""The kit for authors of titles: the interface of a title, base classes, and readers of its data and texts."""
