"""Which of a user's own past reviews, had they not been written, would take an item off the list?"""
