"""The dense index against what it is made of, and the bundled encoder against itself run bare."""
