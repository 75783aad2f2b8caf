"""The audience: one improvement of an item that brings it into the lists of many users; start with ``solver``."""
