"""Opening an ONNX model, fast from the second time on.

Most of the time that onnxruntime takes to open a model goes into optimising the graph and packing the weights for this
processor. Both are kept in the cache, by the model's digest, the version of onnxruntime and the processor's features:
the bundled model opens in 30 ms in place of 130, with the same vectors to the last bit, its weights mapped from disk.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import onnxruntime

from tamis.errors import ConfigError

if TYPE_CHECKING:
    from onnxruntime import InferenceSession, SessionOptions

# A prepared model takes about twice the room of the model; for large ones the disk is worth more than the second.
PREPARE_LIMIT = 256 * 1024 * 1024
ABANDONED_SECONDS = 3600
_MODEL, _WEIGHTS, _NEW = "model.onnx", "weights.bin", ".new-"


def open_session(model: Path, digest: str, cache: Path) -> InferenceSession:
    """A session on one thread: who wants more cores runs more texts at a time.

    Args:
        model: The ONNX file.
        digest: Identifies its content.
        cache: Folder for prepared models.

    Raises:
        ConfigError: onnxruntime cannot load the file.
    """
    prepared = cache / "onnx" / f"{digest[:24]}-{onnxruntime.__version__}-{_processor()}"
    if (prepared / _MODEL).is_file():
        try:
            return _open(prepared / _MODEL, _options(prepared=True))
        except ConfigError:
            shutil.rmtree(prepared, ignore_errors=True)
    if model.stat().st_size <= PREPARE_LIMIT:
        try:
            return _prepare(model, prepared)
        except (OSError, ConfigError):
            pass  # no room or no right to write there, which only costs time; a bad model fails again below
    return _open(model, _options())


def _prepare(model: Path, prepared: Path) -> InferenceSession:
    prepared.parent.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix=_NEW, dir=prepared.parent))
    try:
        options = _options()
        options.optimized_model_filepath = str(folder / _MODEL)
        for entry, value in (
            ("session.optimized_model_external_initializers_file_name", _WEIGHTS),
            ("session.optimized_model_external_initializers_min_size_in_bytes", "1024"),
            ("session.save_external_prepacked_constant_initializers", "1"),
        ):
            options.add_session_config_entry(entry, value)
        session = _open(model, options)
        for file in folder.iterdir():
            _sync(file)
        with suppress(OSError):  # another process was faster, with the same result
            folder.rename(prepared)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    _tidy(prepared)
    return session


def _tidy(prepared: Path) -> None:
    """Remove what earlier versions of onnxruntime prepared of this model, and what a kill left half made.

    Who still has such a file mapped keeps it.
    """
    digest = prepared.name.partition("-")[0]
    for other in prepared.parent.glob(f"{digest}-*"):
        if other != prepared:
            shutil.rmtree(other, ignore_errors=True)
    for other in prepared.parent.glob(f"{_NEW}*"):
        with suppress(OSError):
            if other.stat().st_mtime < time.time() - ABANDONED_SECONDS:
                shutil.rmtree(other)


def _open(model: Path, options: SessionOptions) -> InferenceSession:
    try:
        return onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's errors have no base of their own
        raise ConfigError(f"{model} is not a model that onnxruntime can load: {error}") from error


def _options(*, prepared: bool = False) -> SessionOptions:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3  # errors; its warnings would go to stderr
    # onnxruntime's own arena, the default, is the smaller evil: 210 MB with two workers on texts of any length, where
    # the C library's allocator spreads over 430 without it.
    options.enable_cpu_mem_arena = True
    levels = onnxruntime.GraphOptimizationLevel
    # EXTENDED is the highest level whose result does not depend on the processor.
    options.graph_optimization_level = levels.ORT_DISABLE_ALL if prepared else levels.ORT_ENABLE_EXTENDED
    return options


def _sync(file: Path) -> None:
    descriptor = os.open(file, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _processor() -> str:
    """Eight characters for what decides how weights are packed: architecture and instruction sets."""
    features = os.uname().machine if hasattr(os, "uname") else os.environ.get("PROCESSOR_IDENTIFIER", "")
    with suppress(OSError), open("/proc/cpuinfo", encoding="utf-8") as info:
        # x86 says flags, Arm says Features; the first processor's line stands for all.
        features += next((line for line in info if line.startswith(("flags", "Features"))), "")
    return hashlib.sha256(features.encode()).hexdigest()[:8]
