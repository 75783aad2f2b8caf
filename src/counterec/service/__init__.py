"""A run looked at through a browser: the page; and the server that shows it."""
