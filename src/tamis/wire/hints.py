"""What to do about a server that is gone; one wording, whoever asked it."""

from __future__ import annotations

START = "is the server running, and is this its address?"
OLLAMA_START = "start it with: ollama serve; OLLAMA_HOST, or url in its config, says where it is"
BROKE_OFF = "it was there and broke off: try again; if it goes on so, its own log says why"
