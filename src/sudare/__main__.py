"""`python -m sudare` is the command `sudare`."""

from sudare.cli.app import main

main()
