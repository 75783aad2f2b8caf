"""The tables of a report: the paper's Tables 1 to 4 for this data, and what we measure beyond them."""
