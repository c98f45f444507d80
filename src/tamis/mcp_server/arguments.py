"""Arguments of tools: one struct is the schema that clients see, the check and the typed value.

Seeds' schemas know no defaults and no null: a property is there with a value or it is left out.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, TypeAlias, TypeVar, cast, get_args

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from tamis.errors import InputError
from tamis.mcp_server.messages import whole_pairs
from tamis.suggestions import SOMEWHAT_ALIKE, suggestion
from tamis.types import MODES

if TYPE_CHECKING:
    from collections.abc import Mapping

Schema: TypeAlias = dict[str, Any]
Args = TypeVar("Args", bound=Struct)
Value = TypeVar("Value")

# ``$`` in a schema is the end of the text; in Python it may stand before a final newline.
END, PYTHONS_END = "$", r"\Z"
NAME_PATTERN = r"^[a-zA-Z0-9_-]+\Z"
DEFAULT_MAX_TOKENS = 10_000
PAGING = frozenset(("max_tokens", "cursor"))

CorpusName = Annotated[str, Meta(min_length=1, pattern=NAME_PATTERN)]
Filled = Annotated[str, Meta(min_length=1)]
ModeName = Annotated[
    Literal["semantic", "lexical", "hybrid", "fact", "title_path"], Meta(extra_json_schema={"type": "string"})
]
ChunkChars = Annotated[
    int, Meta(ge=100, le=8000, description="Characters in a chunk; the corpus's own when left out.")
]
ChunkOverlap = Annotated[
    int,
    Meta(
        ge=0,
        le=4000,
        description="Characters that neighbouring chunks share; the corpus's own when left out.",
    ),
]
MaxTokens = Annotated[
    int,
    Meta(
        ge=500,
        le=100_000,
        description="About how long the reply may be (default 10000); the rest comes with next_cursor.",
    ),
]
CompressTokens = Annotated[
    int, Meta(ge=1, le=20_000, description="Tokens that the text may have (default 2000).")
]
LevelName = Annotated[
    Literal["strip", "truncate", "extract"],
    Meta(
        description="extract (default with a query): what answers the query. truncate: from the beginning. strip: markup out.",
        extra_json_schema={"type": "string"},
    ),
]
OrderName = Annotated[
    Literal["rank", "document", "lost_in_the_middle"],
    Meta(
        description="rank (default): as given. document: in reading order. lost_in_the_middle: the best at both ends.",
        extra_json_schema={"type": "string"},
    ),
]
Cursor = Annotated[str, Meta(description="next_cursor of an earlier reply: brings the rest of it.")]

# Named here too, so that listing the tools does not load the rerankers; msgspec sorts the values of an enum, and clients
# show them in these orders.
RERANK_BY = ("recency", "path_specificity", "lexical_boost")
LEVELS = ("strip", "truncate", "extract")
ORDERS = ("rank", "document", "lost_in_the_middle")
TIERS = ("instant", "workhorse", "deep")
_ORDERS = {frozenset(order): list(order) for order in (MODES, RERANK_BY, LEVELS, ORDERS, TIERS)}
_WRONG = re.compile(r"(?P<what>.*?)(?: - at `\$(?P<where>.*)`)?\Z", re.DOTALL)


class Paged(Struct, kw_only=True):
    """What every tool takes besides its own.

    ``asked_for``: arguments that the schema requires, as the seeds' do, each with one of ours that may stand in for it.
    """

    asked_for: ClassVar[dict[str, str]] = {}

    max_tokens: MaxTokens | UnsetType = UNSET
    cursor: Cursor | UnsetType = UNSET


def given(value: Value | UnsetType, otherwise: Value | None = None) -> Value | None:
    """The value, or the other one when it was left out."""
    return otherwise if value is UNSET else cast("Value", value)


def schema_of(kind: type[Struct], only: frozenset[str] | None = None) -> Schema:
    """The JSON Schema of the arguments, whole, without references.

    Args:
        only: Keep these properties.
    """
    (reference,), definitions = msgspec.json.schema_components([kind], ref_template="{name}")
    schema = _inlined(definitions[reference["$ref"]], definitions)
    schema.pop("description", None)
    parts = schema["properties"]
    schema["properties"] = {name: parts[name] for name in _names(kind) if only is None or name in only}
    asked_for: dict[str, str] = getattr(kind, "asked_for", {})
    if required := {*schema.get("required", ()), *asked_for}:
        schema["required"] = [name for name in schema["properties"] if name in required]
    return schema


def read(kind: type[Args], arguments: Mapping[str, Any], only: frozenset[str] | None = None) -> Args:
    """The arguments as their struct.

    Args:
        only: The names that may be used besides those of paging; all when left out.

    Raises:
        InputError: A name is unknown (the hint has the nearest), or a value is missing or not allowed.
    """
    check_names(kind, arguments, only=only)
    try:
        found = msgspec.convert(_whole_numbers(dict(arguments)), kind)
    except msgspec.ValidationError as error:
        raise _refused(str(error), schema_of(kind)) from None
    for name, instead in getattr(kind, "asked_for", {}).items():
        if name not in arguments and instead not in arguments:
            hint = f"pass {name}, or {instead}" if only is None or instead in only else f"pass {name}"
            raise InputError(f"object missing required field {name}", hint=hint)
    return found


def check_names(
    kind: type[Struct], values: Mapping[str, Any], prefix: str = "", only: frozenset[str] | None = None
) -> None:
    """Refuse a name that the struct does not have, or that is neither among ``only`` nor one of paging's.

    Raises:
        InputError: The hint has the nearest name.
    """
    known = [name for name in _names(kind) if only is None or name in only | PAGING]
    for name in values:
        if name not in known:
            hint = suggestion(name, known, prefix=prefix, alike=SOMEWHAT_ALIKE)
            raise InputError(f"unknown argument {prefix}{name}", hint=hint)
    for name, inner in _inner(kind).items():
        if isinstance(held := values.get(name), dict):
            check_names(inner, cast("dict[str, Any]", held), f"{prefix}{name}.")


@cache
def _names(kind: type[Struct]) -> list[str]:
    """The arguments in the order of the struct, those that every tool has last."""
    names = [field.encode_name for field in msgspec.structs.fields(kind)]
    return sorted(names, key=lambda name: name in ("max_tokens", "cursor"))


@cache
def _inner(kind: type[Struct]) -> dict[str, type[Struct]]:
    """The arguments that are objects themselves."""
    found: dict[str, type[Struct]] = {}
    for field in msgspec.structs.fields(kind):
        for option in get_args(field.type):
            part = getattr(option, "__origin__", option)
            if isinstance(part, type) and issubclass(part, Struct):
                found[field.encode_name] = part
    return found


def _inlined(part: Any, definitions: Mapping[str, Schema]) -> Any:
    if isinstance(part, list):
        return [_inlined(item, definitions) for item in cast("list[Any]", part)]
    if not isinstance(part, dict):
        return part
    node = cast("Schema", part)
    if "$ref" in node:
        rest = {key: value for key, value in node.items() if key != "$ref"}
        return {**_inlined(definitions[node["$ref"]], definitions), **rest}
    plain = {key: _inlined(value, definitions) for key, value in node.items() if _shown(key, value)}
    if "enum" in plain:
        plain["enum"] = _ORDERS.get(frozenset(plain["enum"]), plain["enum"])
    if "pattern" in plain:
        plain["pattern"] = plain["pattern"].replace(PYTHONS_END, END)
    return plain


def _shown(key: str, value: Any) -> bool:
    # A struct's name and docstring are ours; a property called title has a schema, not a string.
    if key in ("title", "description") and isinstance(value, str):
        return key == "description"
    return not (key == "required" and value == [])


def mended(value: Any) -> Any:
    """The value with every text in it as by ``whole_pairs``."""
    if isinstance(value, str):
        return whole_pairs(value)
    if isinstance(value, dict):
        return {mended(key): mended(item) for key, item in cast("dict[str, Any]", value).items()}
    if isinstance(value, list):
        return [mended(item) for item in cast("list[Any]", value)]
    return value


def _whole_numbers(value: Any) -> Any:
    """JSON knows one kind of number: 3.0 is the integer 3."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {key: _whole_numbers(item) for key, item in cast("dict[str, Any]", value).items()}
    if isinstance(value, list):
        return [_whole_numbers(item) for item in cast("list[Any]", value)]
    return value


def _refused(message: str, schema: Schema) -> InputError:
    match = _WRONG.match(message)
    assert match is not None
    where = (match["where"] or "").removeprefix(".")
    what = match["what"].replace("`", "")
    part = schema["properties"].get(where.partition(".")[0].partition("[")[0])
    if part is None:
        return InputError(
            what[:1].lower() + what[1:], hint=f"required: {', '.join(schema.get('required', ()))}"
        )
    inner = re.search(r"[.\[]", where)
    if "got null" in what and inner is None and where not in schema.get("required", ()):
        hint = f"leave {where} out to have its default"
    else:
        hint = _allowed(_within(part, where))
    what = what.replace(r"\\Z", "$").replace(r"\Z", "$")
    return InputError(f"{where}: {what[:1].lower()}{what[1:]}", hint=hint)


def _within(part: Schema, where: str) -> Schema:
    """The schema of ``hits[...].score`` or the like, from that of ``hits``; as deep as it is known."""
    for step in re.findall(r"\[|\.(\w+)", where):
        inner = part.get("properties", {}).get(step) if step else part.get("items")
        if not isinstance(inner, dict):
            break
        part = cast("Schema", inner)
    return part


def _allowed(part: Schema) -> str:
    if "enum" in part:
        return f"one of {', '.join(part['enum'])}"
    limits = {
        key: part[key]
        for key in ("minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "pattern")
        if key in part
    }
    told = ", ".join(f"{key} {value}" for key, value in limits.items())
    return f"{part.get('type', 'a value')} {f'({told})' if told else ''}".strip()
