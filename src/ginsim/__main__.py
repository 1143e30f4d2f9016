"""`python -m ginsim` is the `ginsim` command."""

from ginsim.cli import main

main(prog_name="ginsim")
