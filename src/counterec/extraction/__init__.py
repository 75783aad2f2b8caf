"""From review texts to mentions: what an extractor is, the default one, and adapters for others."""
