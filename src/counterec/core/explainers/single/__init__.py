"""The goal *single*: the one aspect that has to change least (Eq. 12); start with ``solver``."""
