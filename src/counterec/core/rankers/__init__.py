"""Rules after the score: what makes a list of scored candidates; start with ``protocol``."""
