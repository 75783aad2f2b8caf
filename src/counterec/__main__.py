"""``python -m counterec``: the command line."""

from counterec.cli.main import main

main()
