"""The goal *minimal*: the fewest aspects that flip, then the smallest change of them; start with ``solver``."""
