"""The one tree of errors.

::

    TamisError                  INTERNAL
    ├─ InputError               SCHEMA_INVALID     the caller's input is off; the hint names the fix
    │  ├─ FilterError           FILTER_INVALID
    │  ├─ RerankInputError      RERANK_INPUT_INVALID
    │  ├─ BudgetError           BUDGET_TOO_SMALL
    │  └─ NotDocumentError      DOCUMENT_NOT_FOUND
    ├─ ConfigError              CONFIG_INVALID
    ├─ CorpusError              CORPUS_UNUSABLE    the corpus is there and cannot be used
    │  ├─ CorpusNotFoundError   CORPUS_NOT_FOUND
    │  ├─ CorpusFormatError     SCHEMA_INVALID     written by a newer tamis, or not a corpus
    │  ├─ CorpusBusyError       CORPUS_BUSY        another writer held the lock too long
    │  └─ AmendError            CORPUS_AMEND_FAILED
    ├─ SourceError              SOURCE_PATH_NOT_FOUND
    │  ├─ SymlinkError          SYMLINK_NOT_ALLOWED
    │  ├─ RootError             PATH_NOT_ALLOWED
    │  ├─ UnreadableError       SOURCE_UNREADABLE  no permission, a pipe or a device, a name that is not UTF-8
    │  ├─ TooLargeError         SOURCE_TOO_LARGE
    │  ├─ ChangedError          SOURCE_CHANGED     written to while it was read
    │  ├─ UndecodableError      SOURCE_UNDECODABLE no encoding makes text of it
    │  └─ BinaryError           SOURCE_BINARY      no text at all: skipped and counted, not a failure
    ├─ EmbedError               EMBED_FAILED
    │  ├─ EmbedCountError       EMBED_COUNT_MISMATCH
    │  ├─ EmbedDriftError       EMBED_MODEL_DRIFT  another model answers than the one that made the vectors
    │  └─ EmbedDimensionError   EMBED_DIMENSION_MISMATCH
    ├─ BackendError             BACKEND_FAILED     a model server did not do its part
    │  ├─ UnreachableError      OLLAMA_UNREACHABLE
    │  ├─ ModelMissingError     OLLAMA_MODEL_MISSING
    │  ├─ BackendTimeoutError   OLLAMA_TIMEOUT
    │  └─ TierTimeoutError      TIER_TIMEOUT
    ├─ RerankError              RERANK_FAILED
    └─ MissingExtraError        EXTRA_MISSING      the message ends with the line that installs it

Every error has a ``code`` that programs may switch on, a ``message`` that says what is wrong, a ``hint`` that
says what to do about it, and ``retryable``: whether the same call may succeed later unchanged.
"""

from __future__ import annotations

from typing import ClassVar


class TamisError(Exception):
    """Base of every error that tamis raises on purpose.

    Args:
        message: What is wrong, in one sentence, without secrets.
        hint: What to do about it; empty when there is nothing to add.
        code: Overrides the class's code, for a back end that has its own.
        retryable: Overrides the class's retryable.
    """

    code: str = "INTERNAL"
    retryable: bool = False
    exit_status: ClassVar[int] = 1

    def __init__(
        self, message: str, *, hint: str = "", code: str | None = None, retryable: bool | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        if code is not None:
            self.code = code
        if retryable is not None:
            self.retryable = retryable


class InputError(TamisError):
    code = "SCHEMA_INVALID"
    exit_status = 2


class FilterError(InputError):
    code = "FILTER_INVALID"


class RerankInputError(InputError):
    code = "RERANK_INPUT_INVALID"


class BudgetError(InputError):
    code = "BUDGET_TOO_SMALL"


class NotDocumentError(InputError):
    code = "DOCUMENT_NOT_FOUND"
    exit_status = 1


class ConfigError(TamisError):
    code = "CONFIG_INVALID"
    exit_status = 2


class CorpusError(TamisError):
    code = "CORPUS_UNUSABLE"
    exit_status = 3


class CorpusNotFoundError(CorpusError):
    code = "CORPUS_NOT_FOUND"


class CorpusFormatError(CorpusError):
    code = "SCHEMA_INVALID"


class CorpusBusyError(CorpusError):
    code = "CORPUS_BUSY"
    retryable = True
    exit_status = 1


class AmendError(CorpusError):
    code = "CORPUS_AMEND_FAILED"
    exit_status = 1


class SourceError(TamisError):
    code = "SOURCE_PATH_NOT_FOUND"


class SymlinkError(SourceError):
    code = "SYMLINK_NOT_ALLOWED"


class RootError(SourceError):
    code = "PATH_NOT_ALLOWED"


class UnreadableError(SourceError):
    code = "SOURCE_UNREADABLE"


class NotRegularError(UnreadableError):
    code = "SOURCE_NOT_REGULAR"


class TooLargeError(SourceError):
    code = "SOURCE_TOO_LARGE"


class ChangedError(SourceError):
    code = "SOURCE_CHANGED"
    retryable = True


class UndecodableError(SourceError):
    code = "SOURCE_UNDECODABLE"


class BinaryError(SourceError):
    code = "SOURCE_BINARY"


class EmbedError(TamisError):
    code = "EMBED_FAILED"


class EmbedCountError(EmbedError):
    code = "EMBED_COUNT_MISMATCH"


class EmbedDimensionError(EmbedError):
    code = "EMBED_DIMENSION_MISMATCH"


class EmbedDriftError(EmbedError):
    code = "EMBED_MODEL_DRIFT"
    retryable = True


class BackendError(TamisError):
    code = "BACKEND_FAILED"
    retryable = True


class UnreachableError(BackendError):
    code = "OLLAMA_UNREACHABLE"


class ModelMissingError(BackendError):
    code = "OLLAMA_MODEL_MISSING"
    retryable = False


class BackendTimeoutError(BackendError):
    code = "OLLAMA_TIMEOUT"


class TierTimeoutError(BackendError):
    code = "TIER_TIMEOUT"


class RerankError(TamisError):
    code = "RERANK_FAILED"


class MissingExtraError(TamisError):
    """Something optional is not installed.

    Args:
        feature: What was asked for.
        extra: The name of the extra that brings it.
    """

    code = "EXTRA_MISSING"

    def __init__(self, feature: str, extra: str) -> None:
        super().__init__(f"{feature} is not installed", hint=f"install it with: pip install 'tamis[{extra}]'")
        self.extra = extra
