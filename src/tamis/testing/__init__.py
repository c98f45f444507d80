"""For authors of plug-ins: conformance suites and fakes. Needs no test framework."""

from __future__ import annotations

from tamis.testing.embedders import check_embedder
from tamis.testing.hash_embedder import HashEmbedder
from tamis.testing.rerankers import RerankerConformance, sample_candidates

__all__ = ["HashEmbedder", "RerankerConformance", "check_embedder", "sample_candidates"]
