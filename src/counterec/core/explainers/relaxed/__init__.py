"""The goal *relaxed*: the paper's objective (Eq. 11), solved for all pairs at once; start with ``solver``."""
