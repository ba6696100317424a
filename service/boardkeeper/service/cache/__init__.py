"""Games in memory: loading and evicting them, their watchers, their past, and changes by other processes."""
