"""Reviews and mentions as checked tables: readers, filtering, splitting, and the built-in world's texts."""
