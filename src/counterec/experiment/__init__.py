"""The experiment: every method, under both protocols, single and multi, masked and not, as stages of a run folder."""
