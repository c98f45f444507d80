"""Talking to model servers over HTTP."""
