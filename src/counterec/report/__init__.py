"""The report of an experiment: tables, figures and the paper's claims, each judged by what was measured."""
