"""The numeric core: needs NumPy and PyTorch and nothing else, so that it can be dropped into any system."""
