"""What can go wrong, as one family.

::

    CounterecError
    ├── UsageError            the question is at fault: an option, a threshold, an unknown name
    │   ├── ConfigError       a setting, in a config file or an argument
    │   ├── UnknownIdError    a user, item or aspect that is not there
    │   └── BaselineUnavailableError   a baseline that this data or this installation does not allow; says why
    ├── UndeclaredInputError   a stage reads what it does not declare: a bug, never a user's fault
    ├── ServiceError          a server that cannot be reached, has no time, or fails; says what it answered
    ├── PieceError            pieces of a stage that failed twice; names them, and the others are kept
    └── DataError             the data or a file is at fault
        ├── ReadError         a source that cannot be read; names file, line and value
        ├── EmptyDataError    nothing is left to work on; names the threshold and what would pass
        ├── InvalidValueError a value that breaks the rules of its type
        ├── ModelError        a model of the caller's that raises, cannot be loaded or cannot be reached
        └── StoreError        a run folder that is damaged, incomplete or cannot be written

Every message is one line: it names the offending value and says what to do next.
"""

from __future__ import annotations


class CounterecError(Exception):
    """The root of every error this package raises on purpose."""


class UsageError(CounterecError):
    """The question is at fault, not the data."""


class ConfigError(UsageError):
    """A setting is missing, contradictory or out of range."""


class UnknownIdError(UsageError):
    """A user, item or aspect was named that is not there."""


class BaselineUnavailableError(UsageError):
    """A baseline needs what the data or the installation does not have; the rest goes on without it."""


class UndeclaredInputError(CounterecError):
    """A stage reads a setting or a file that it does not declare, so that its key would not know of it."""


class ServiceError(CounterecError):
    """A server cannot be reached, has no time, or fails."""


class PieceError(CounterecError):
    """Pieces of a stage failed twice; the others are kept."""


class DataError(CounterecError):
    """The data or a file is at fault."""


class ReadError(DataError):
    """A source cannot be read."""


class EmptyDataError(DataError):
    """Nothing is left to work on."""


class InvalidValueError(DataError, ValueError):
    """A value breaks the rules of its type."""


class ModelError(DataError):
    """A model of the caller's raises, cannot be loaded or cannot be reached."""


class StoreError(DataError):
    """A run folder is damaged, incomplete or cannot be written."""
