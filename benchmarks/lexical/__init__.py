"""The lexical index alone: how good its rankings are, how fast it is."""
