"""``ports.Embedder`` for ONNX text encoders: the light shell of ``encoder``, which loads when something is embedded."""

from __future__ import annotations

import hashlib
import threading
from functools import cached_property
from typing import TYPE_CHECKING

from tamis.embedders.description import OVERLAP
from tamis.embedders.digest import sha256
from tamis.errors import ConfigError
from tamis.types import Fingerprint

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tamis.embedders.config import EmbedderConfig
    from tamis.embedders.description import ModelDescription
    from tamis.embedders.encoder import Encoder
    from tamis.types import Embedded, Vectors


class OnnxEmbedder:
    """Embeds with the model of ``description``, under the driver's ``key``.

    The fingerprint's revision is a digest of all its files and of how long texts are cut. Files are hashed once and
    then remembered in ``config.cache``, so the fingerprint is cheap; it loads the model only where
    ``description.dimensions`` is ``None``.
    """

    def __init__(self, key: str, description: ModelDescription, config: EmbedderConfig) -> None:
        self._key = key
        self._description = description
        self._config = config
        self._loading = threading.Lock()
        self._loaded: Encoder | None = None

    @property
    def fingerprint(self) -> Fingerprint:
        """Identity of the vectors, without a probe.

        Raises:
            ConfigError: The model's files are not there, or not what they should be.
        """
        return self._fingerprint

    def embed_passages(self, texts: Sequence[str]) -> Embedded:
        """As the port has it.

        Raises:
            ConfigError: The model cannot be loaded.
            EmbedError: It failed.
        """
        return self._encoder().passages(texts)

    def embed_query(self, text: str) -> Vectors:
        """As the port has it; raises as ``embed_passages``."""
        return self._encoder().query(text)

    @cached_property
    def _fingerprint(self) -> Fingerprint:
        about = self._description
        return Fingerprint(
            key=self._key,
            model=about.name,
            revision=self._revision,
            dimensions=about.dimensions or self._encoder().dimensions,
            pooling=about.pooling,
            query_prefix=about.query_prefix,
            passage_prefix=about.passage_prefix,
        )

    @cached_property
    def _revision(self) -> str:
        try:
            digests = {file: sha256(file, self._config.cache) for file in self._description.files}
        except OSError as error:
            raise ConfigError(
                f"a file of the model {self._description.name} cannot be read: {error}"
            ) from error
        for file, expected in self._description.expected.items():
            if digests[file] != expected:
                raise ConfigError(
                    f"{file} is not the file that belongs to {self._description.name}",
                    hint=self._description.remedy,
                )
        # How a long text is cut decides its vector as much as the files do.
        parts = [*digests.values(), str(self._description.max_tokens), str(OVERLAP)]
        return hashlib.sha256(" ".join(parts).encode()).hexdigest()

    def _encoder(self) -> Encoder:
        with self._loading:
            if self._loaded is None:
                from tamis.embedders.encoder import Encoder

                self._loaded = Encoder(self._description, self._revision, self._config)
            return self._loaded
