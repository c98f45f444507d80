"""Long paths in the list of sources."""

from __future__ import annotations

import json

from tamis.compress import CompressItem, compress
from tamis.compress.forms.shown_paths import shown_paths

ROOT = "/home/ines/projects/documentation/handbook/2026/security"


def test_a_long_path_is_shown_by_its_last_parts_and_a_short_one_whole():
    assert shown_paths([f"{ROOT}/keys.md", "notes/keys.md", None]) == {
        f"{ROOT}/keys.md": "…/security/keys.md",
        "notes/keys.md": "notes/keys.md",
    }


def test_paths_that_end_alike_are_told_apart():
    one, other = f"{ROOT}/gate/keys.md", f"{ROOT}/hall/gate/keys.md"
    assert shown_paths([one, other]) == {one: "…/security/gate/keys.md", other: "…/hall/gate/keys.md"}


def test_units_and_json_have_the_whole_path():
    item = CompressItem("Keys rotate after ninety days.", path=f"{ROOT}/keys.md")
    result = compress([item], 100, query="keys")
    assert "[1] …/security/keys.md:1-1" in result.text
    assert ROOT not in result.text
    assert {unit.path for unit in result.units} == {item.path}
    written = json.loads(compress([item], 100, query="keys", form="json").text)
    assert written["sources"][0]["path"] == item.path
