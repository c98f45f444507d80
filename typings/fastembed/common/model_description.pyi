"""The part of fastembed's descriptions that tamis uses."""

class PoolingType:
    CLS: PoolingType
    MEAN: PoolingType
    LAST_TOKEN: PoolingType

class ModelSource:
    def __init__(self, hf: str | None = None, url: str | None = None) -> None: ...
