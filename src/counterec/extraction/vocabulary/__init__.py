"""Which of the names that an extractor found are aspects of this corpus, which mean the same, and which carry most."""
