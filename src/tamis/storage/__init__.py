"""The truth: SQLite, its migrations, the writers' lock, and where corpora live on disk."""

from tamis.storage.derived import Derived
from tamis.storage.home import Home
from tamis.storage.lock import CorpusLock
from tamis.storage.snapshot import Snapshot
from tamis.storage.truth import Truth
from tamis.storage.write import Write

__all__ = ["CorpusLock", "Derived", "Home", "Snapshot", "Truth", "Write"]
