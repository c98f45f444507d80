"""Which servers are on this machine: text that goes to them stays here."""

from __future__ import annotations

import socket
from ipaddress import ip_address
from urllib.parse import urlsplit


def is_loopback(url: str) -> bool:
    """Whether the URL's host is a loopback address or ``localhost``; no name is looked up."""
    host = _host(url)
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def is_here(url: str) -> bool:
    """Whether every address of the URL's host is one of this machine's. A host that cannot be looked up is elsewhere."""
    if is_loopback(url):
        return True
    try:
        found = socket.getaddrinfo(_host(url) or "invalid.", None, type=socket.SOCK_DGRAM)
    except (OSError, UnicodeError):
        return False
    return all(_is_own(family, address) for family, _, _, _, address in found)


def _host(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def _is_own(family: int, address: tuple[object, ...]) -> bool:
    """Only a machine's own addresses can be listened on."""
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as listener:
            listener.bind((address[0], 0, *address[2:]))
    except OSError:
        return False
    return True
