"""The MCP server: the library's verbs as tools, over stdio and streamable HTTP.

``stdio.serve`` and ``http.serve`` run it; each tool is one file in ``tools``.
"""
