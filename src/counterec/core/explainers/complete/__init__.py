"""The goal *complete*: few aspects that flip, are necessary and are sufficient; start with ``solver``."""
