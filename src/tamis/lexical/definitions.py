"""Names that code defines, for code in documents that are not source files, whose chunks come with them as headings."""

from __future__ import annotations

import re

# A modifier or more, a keyword, the name, and what no prose has after it.
_DEFINITION = re.compile(
    r"^[ \t]*(?:(?:pub(?:\(\w+\))?|public|private|protected|internal|static|final|abstract|async|export|default|unsafe|const"
    r"|inline|virtual|override|sealed|open|data)[ \t]+)*"
    r"(?:def|class|fn|func|function|fun|struct|enum|trait|interface|impl|type|module|namespace|macro_rules!)[ \t]+"
    r"([A-Za-z_]\w*)[ \t]*[(<\[{:=]",
    re.MULTILINE,
)


def defined_names(text: str) -> str:
    """The names that lines of ``text`` define, each once, joined by spaces."""
    return " ".join(dict.fromkeys(_DEFINITION.findall(text)))
