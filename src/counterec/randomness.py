"""One seed in; a generator per purpose, and per user where order must not matter, out.

A generator is derived from the seed, a purpose in words and, where given, a key (a user's id). So the order in which
users are visited, and how they are spread over batches or machines, cannot change what any of them draws.
"""

from __future__ import annotations

import hashlib

import numpy as np


def generator(seed: int, purpose: str, key: str | int = "") -> np.random.Generator:
    """Return the generator for one purpose, and one key within it."""
    return np.random.Generator(np.random.PCG64(entropy(seed, purpose, key)))


def entropy(seed: int, purpose: str, key: str | int = "") -> int:
    """Return 128 bits that depend on the seed, the purpose and the key, and on nothing else."""
    text = f"{seed}\x1f{purpose}\x1f{key}".encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(text, digest_size=16).digest(), "little")
