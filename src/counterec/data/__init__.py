"""Reviews and mentions as checked tables: readers, filtering and splitting."""
