"""What stands before the page and the API alike: who is asking, how much, from where; plain ASGI, one idea per file."""
