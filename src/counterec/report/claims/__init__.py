"""The paper's claims, each measured on this data and judged."""
