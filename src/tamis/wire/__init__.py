"""Talking to model servers over HTTP: where they are, which key goes with it, one request, one chat completion."""
