"""What a tool answered, held to its output schema."""

from __future__ import annotations

from typing import Any

import jsonschema

from tamis.mcp_server.server import described

OUTPUTS = {tool.name: tool.output_schema for tool in described(compat=True)}
ENVELOPE = {
    "result",
    "tier_used",
    "model",
    "tokens_in",
    "tokens_out",
    "elapsed_ms",
    "backend",
    "warnings",
    "run_id",
}


def result_of(name: str, answer: Any) -> Any:
    """The result in an answer that holds to the tool's output schema."""
    assert not answer.is_error, answer.content[0].text
    jsonschema.validate(answer.structured_content, OUTPUTS[name])
    assert set(answer.structured_content) >= ENVELOPE
    assert answer.content[0].text
    return answer.structured_content["result"]


def error_of(answer: Any) -> dict[str, Any]:
    assert answer.is_error
    assert set(answer.structured_content) == {"error", "code", "message", "hint", "retryable"}
    assert "Traceback" not in answer.content[0].text
    jsonschema.validate(answer.structured_content, OUTPUTS["corpus_search"])
    return answer.structured_content
