"""The default extractor: word classes from lexicons, and the constructions that link opinions to nouns."""
