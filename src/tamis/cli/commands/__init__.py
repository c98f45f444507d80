"""One file for each command; ``tamis.cli.registry`` says which there are."""
