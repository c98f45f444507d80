"""The command line. ``tamis.cli.main`` runs it; each command is one file in ``commands``, imported when it is invoked."""
