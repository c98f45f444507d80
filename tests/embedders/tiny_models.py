"""Encoders small enough to be worked out by hand: a table of token vectors, looked up."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

WORDS = (
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    *(f"w{i}" for i in range(40)),
    "nan",
    "zero",
    "query",
    "passage",
    ":",
)
IDS = {word: i for i, word in enumerate(WORDS)}
DIMENSIONS = 8


def table() -> np.ndarray:
    """A vector for each word; those of ``nan`` and ``zero`` spoil what they are in."""
    rows = np.random.default_rng(7).standard_normal((len(WORDS), DIMENSIONS)).astype(np.float32)
    rows[IDS["nan"]] = np.nan
    rows[IDS["zero"]] = 0
    return rows


def write_tokenizer(path: Path, *, special: bool = True) -> None:
    tokenizer = Tokenizer(WordLevel(IDS, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    if special:
        tokens = [(name, IDS[name]) for name in ("[CLS]", "[SEP]")]
        tokenizer.post_processor = TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=tokens)
    # As exporters leave them; both must be without effect.
    tokenizer.enable_padding(length=16)
    tokenizer.enable_truncation(max_length=4)
    tokenizer.save(str(path))


def write_model(
    path: Path,
    *,
    inputs: Sequence[str] = ("input_ids", "attention_mask"),
    output: str = "last_hidden_state",
    kind: int = TensorProto.INT64,
) -> None:
    """``output`` is the table's row of each token, plus its position where ``position_ids`` is among the inputs.

    For ``sentence_embedding`` it is the sum of the rows.
    """
    nodes = [helper.make_node("Gather", ["table", "input_ids"], ["rows"])]
    last = "rows"
    if "position_ids" in inputs:
        nodes += [
            helper.make_node("Cast", ["position_ids"], ["places"], to=TensorProto.FLOAT),
            helper.make_node("Unsqueeze", ["places", "minus_one"], ["column"]),
            helper.make_node("Add", [last, "column"], ["placed"]),
        ]
        last = "placed"
    if output == "sentence_embedding":
        nodes.append(helper.make_node("ReduceSum", [last, "one"], [output], keepdims=0))
        shape: list[str | int] = ["batch", DIMENSIONS]
    else:
        nodes.append(helper.make_node("Identity", [last], [output]))
        shape = ["batch", "sequence", DIMENSIONS]
    graph = helper.make_graph(
        nodes,
        "table",
        [helper.make_tensor_value_info(name, kind, ["batch", "sequence"]) for name in inputs],
        [helper.make_tensor_value_info(output, TensorProto.FLOAT, shape)],
        [
            numpy_helper.from_array(table(), "table"),
            numpy_helper.from_array(np.array([1], np.int64), "one"),
            numpy_helper.from_array(np.array([-1], np.int64), "minus_one"),
        ],
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), str(path))
