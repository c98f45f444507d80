"""The forms that the result can be written in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tamis.compress.forms.group import Group
from tamis.compress.forms.json import render_json
from tamis.compress.forms.markdown import render_markdown
from tamis.compress.forms.text import render_text
from tamis.compress.forms.xml import render_xml

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tamis.compress.values import Form

__all__ = ["Group", "render"]

_FORMS = {"text": render_text, "markdown": render_markdown, "json": render_json, "xml": render_xml}


def render(groups: Sequence[Group], form: Form) -> str:
    """The final text; empty where there is nothing to write."""
    return _FORMS[form](groups) if groups else ""
