"""The part of fastembed's descriptions that tamis uses."""

from enum import Enum

class PoolingType(str, Enum):
    CLS = "CLS"
    MEAN = "MEAN"
    LAST_TOKEN = "LAST_TOKEN"

class ModelSource:
    def __init__(self, hf: str | None = None, url: str | None = None) -> None: ...
