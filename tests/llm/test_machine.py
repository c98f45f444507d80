"""Which servers are on this machine."""

from __future__ import annotations

import socket

import pytest

from tamis.wire.machine import is_here, is_loopback


@pytest.fixture
def addresses(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[str]]:
    """What names stand for; others are not known."""
    known: dict[str, list[str]] = {}

    def lookup(host: str, port: object, **_: object) -> list[tuple[int, int, int, str, tuple[str, int]]]:
        if host not in known and not host[0].isdigit():
            raise socket.gaierror(socket.EAI_NONAME, "not known")
        found = known.get(host, [host])
        return [(socket.AF_INET, socket.SOCK_DGRAM, 0, "", (address, 0)) for address in found]

    monkeypatch.setattr(socket, "getaddrinfo", lookup)
    return known


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.9.10", "localhost", "LOCALHOST", "[::1]"])
def test_loopback_is_here_without_a_lookup(monkeypatch: pytest.MonkeyPatch, host: str) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", None)
    assert is_loopback(f"http://{host}:11434/v1")
    assert is_here(f"http://{host}:11434/v1")


def test_a_name_of_this_machine_is_here(addresses: dict[str, list[str]]) -> None:
    addresses["den"] = ["127.0.1.1"]
    assert is_here("http://den:11434")
    assert not is_loopback("http://den:11434")


@pytest.mark.parametrize(
    "url",
    [
        "http://ollama.example.org:11434",  # 203.0.113.0/24 is for documentation: nobody's address
        "http://half.example.org:11434",
        "http://203.0.113.7:11434",
        "http://nowhere.invalid",
        "http://localhost.example.org",
        "http://127.0.0.1.example.org",
        "http://127.0.0.1@ollama.example.org",
        "ollama.example.org:11434",
        "http://[",
        "",
    ],
)
def test_another_machine_is_not_here(addresses: dict[str, list[str]], url: str) -> None:
    addresses["ollama.example.org"] = ["203.0.113.7"]
    addresses["half.example.org"] = ["127.0.0.1", "203.0.113.7"]
    assert not is_here(url)
