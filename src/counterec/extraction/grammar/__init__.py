"""The default extractor: word classes from lexicons, settled by their neighbours, and the constructions of opinion."""
