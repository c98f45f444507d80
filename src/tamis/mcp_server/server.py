"""The server: what each request of the protocol is answered with."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import anyio.to_thread
import mcp_types as types
from mcp.server.lowlevel.server import Server
from mcp.shared.exceptions import MCPError

from tamis import __version__
from tamis.errors import TamisError
from tamis.mcp_server import prompts, resources, schemas, tools
from tamis.mcp_server.arguments import schema_of
from tamis.mcp_server.calling import Calls
from tamis.mcp_server.instructions import instructions
from tamis.render import error_data

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp.server.context import CallNext, HandlerResult, ServerRequestContext

    from tamis.library import Library
    from tamis.mcp_server.tool import Tool

Value = TypeVar("Value")
MAX_COMPLETIONS = 100  # the protocol's limit


class TamisServer(Server[dict[str, Any]]):
    """A server over one library.

    Args:
        library: Opens the library; called once, when it is first needed.
        compat: List the tools under the names that they had before tamis as well.
    """

    def __init__(self, library: Callable[[], Library], *, compat: bool = False) -> None:
        self.calls = Calls(library)
        self._compat = compat
        super().__init__(
            "tamis",
            version=__version__,
            title="tamis",
            description="Local retrieval over your own documents",
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=self._list_resources,
            on_list_resource_templates=self._list_templates,
            on_read_resource=self._read_resource,
            on_list_prompts=self._list_prompts,
            on_get_prompt=self._get_prompt,
            on_completion=self._complete,
        )
        self.middleware.append(self._counted)

    @property
    def instructions(self) -> str | None:
        """What can be recalled at this moment; read whenever a client connects."""
        return instructions(self.calls.library)

    @instructions.setter
    def instructions(self, value: str | None) -> None:
        """The base class sets one; it is made anew each time instead."""

    async def _counted(self, ctx: ServerRequestContext[Any], call_next: CallNext) -> HandlerResult:
        with self.calls.answering():
            return await call_next(ctx)

    # -- tools --------------------------------------------------------------------------------------------

    async def _list_tools(
        self, _: ServerRequestContext[Any], __: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=described(compat=self._compat))

    async def _call_tool(
        self, context: ServerRequestContext[Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        tool = tools.find(params.name)
        if tool is None:
            near = tools.like(params.name)
            guess = f"did you mean {near!r}?" if near else "tools/list has the names"
            raise MCPError(code=types.INVALID_PARAMS, message=f"there is no tool {params.name}: {guess}")
        # Under a seed's name a tool has the seed's arguments, besides those that bring the rest of a reply.
        only = tool.seed_arguments if params.name == tool.seed_name else None
        return await self.calls.run(tool, params.arguments or {}, context.session, only)

    # -- resources and prompts ----------------------------------------------------------------------------

    async def _list_resources(
        self, _: ServerRequestContext[Any], __: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        return types.ListResourcesResult(resources=await self._from_library(resources.listed))

    async def _list_templates(
        self, _: ServerRequestContext[Any], __: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        return types.ListResourceTemplatesResult(resource_templates=resources.TEMPLATES)

    async def _read_resource(
        self, _: ServerRequestContext[Any], params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        return await self._from_library(partial(resources.read, uri=str(params.uri)))

    async def _list_prompts(
        self, _: ServerRequestContext[Any], __: types.PaginatedRequestParams | None
    ) -> types.ListPromptsResult:
        return types.ListPromptsResult(prompts=prompts.listed())

    async def _get_prompt(
        self, _: ServerRequestContext[Any], params: types.GetPromptRequestParams
    ) -> types.GetPromptResult:
        try:
            return prompts.get(params.name, params.arguments or {})
        except TamisError as error:
            raise _refused(error) from None

    async def _complete(
        self, _: ServerRequestContext[Any], params: types.CompleteRequestParams
    ) -> types.CompleteResult:
        found: list[str] = []
        if params.argument.name in ("corpus", "name"):
            names = await self._from_library(lambda library: library.names())
            found = [name for name in names if name.startswith(params.argument.value)]
        shown = found[:MAX_COMPLETIONS]
        return types.CompleteResult(
            completion=types.Completion(values=shown, total=len(found), has_more=len(found) > len(shown))
        )

    async def _from_library(self, work: Callable[[Library], Value]) -> Value:
        try:
            return await anyio.to_thread.run_sync(lambda: work(self.calls.library), abandon_on_cancel=True)
        except TamisError as error:
            raise _refused(error) from None


def described(*, compat: bool) -> list[types.Tool]:
    """The tools as clients list them; with ``compat`` those of the seeds' names after ours."""
    own = [_described(tool, tool.name, schema_of(tool.arguments)) for tool in tools.tools().values()]
    if not compat:
        return own
    return own + [
        _described(tool, name, schema_of(tool.arguments, tool.seed_arguments))
        for name, tool in tools.seed_tools().items()
    ]


def _described(tool: Tool, name: str, schema: dict[str, Any]) -> types.Tool:
    return types.Tool(
        name=name,
        title=tool.title,
        description=tool.description,
        input_schema=schema,
        output_schema=schemas.envelope(tool.result),
        annotations=types.ToolAnnotations(
            title=tool.title,
            read_only_hint=not tool.changes,
            destructive_hint=tool.destructive,
            # Twice the same call leaves what one leaves, and nothing outside the corpora is touched.
            idempotent_hint=True,
            open_world_hint=False,
        ),
    )


def _refused(error: TamisError) -> MCPError:
    data = error_data(error)
    return MCPError(
        code=types.INVALID_PARAMS,
        message=f"{data['message']} ({data['hint']})" if data["hint"] else data["message"],
        data=data,
    )
