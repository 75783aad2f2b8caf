"""The paper's experiment as tables, figures and verdicts, from rows of measurements."""
