"""The event feed: items about all games of a platform in one order, cursors, and live streams."""
