"""The public face: ``open`` a library, index and search its corpora."""

from tamis.library.corpus import Corpus
from tamis.library.library import Library, open

__all__ = ["Corpus", "Library", "open"]
