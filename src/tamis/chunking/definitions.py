"""Lines of source code that define something with a name: enough of many languages' grammar to find it."""

from __future__ import annotations

import re

from tamis.chunking.blocks import MAX_TITLE_CHARS

_MODIFIERS = (
    r"(?:(?:pub(?:\([\w: ]*\))?|public|private|protected|internal|fileprivate|static|final|abstract|async|export"
    r"|default|unsafe|const|override|virtual|inline|sealed|partial|open|data|companion|suspend|local|declare|extern"
    r"|case|implicit|constexpr|@\w+)[ \t]+)*+"
)
_TYPE = (
    r"(?:class|struct|enum(?:[ \t]+(?:class|struct))?|union|interface|trait|protocol|extension|object|record|namespace"
    r"|module|mod|defmodule|actor|type)[ \t]+(?P<type>[A-Za-z_$][\w$.:]*)(?<!:)"
    r"(?=[ \t]*(?:[:({<\[=]|$)|[ \t]+(?:extends|implements|with|where|is|do|struct)\b)"
)
_FUNCTION = (
    r"\(?(?:def|defp|defn-?|defun|defmacro|define|fn|func|function\*?|fun|sub|proc|procedure|macro_rules!)[ \t]+"
    r"(?:\([^()]{0,100}\)[ \t]*)?(?P<function>[A-Za-z_$][\w$.:?!-]*)(?<!:)"
    r"(?=[ \t]*(?:[(<\[{:=|]|$)|[ \t]+(?:do|is|returns?)\b)"
)
_IMPLEMENTATION = r"impl\b[ \t]*(?:<[^{};]{0,100}>[ \t]+)?(?P<implementation>[A-Za-z_][^{};]{0,150})"
_ASSIGNED = (
    r"(?:let|var)?[ \t]*(?P<assigned>[\w$]+)[ \t]*(?::[^=]{1,100})?=[ \t]*(?:async[ \t]*)?"
    r"(?:function\b|\([^()]{0,200}\)[ \t]*(?::[^=]{1,80})?=>|[\w$]+[ \t]*=>)"
)
# Return type, name, parameters and an opening brace; where the brace may stand on the next line the name needs a type.
_METHOD = (
    r"(?!(?:return|else|new|throw|await|yield|case|delete)\b)(?:[\w:<>,*&\[\]~.?]+[ \t]+[*&]*){0,6}(?P<method>~?[A-Za-z_][\w:~]*)[ \t]*"
    r"\([^(){};\"']{0,300}\)[^(){};\"']{0,80}\{$"
)
_PROTOTYPE = (
    r"(?:[A-Za-z_][\w:<>,*&\[\]~]*[ \t]+[*&]*){1,6}(?P<prototype>~?[A-Za-z_][\w:~]*)"
    r"\([^(){};=\"']{0,300}(?:\)[ \t]*(?:const|noexcept)?|,)$"
)
_KEYWORD = re.compile(rf"{_MODIFIERS}(?:{_TYPE}|{_FUNCTION}|{_IMPLEMENTATION}|{_ASSIGNED})")
_BRACED = re.compile(_METHOD)
_UNBRACED = re.compile(_PROTOTYPE)
_MAX_LINE = 500  # a longer one is data or machine-made
_NO_NAME = re.compile(
    r"if|for|while|switch|return|else|catch|do|try|case|new|throw|delete|with|match|foreach|until|unless|elif|lock|using"
    r"|synchronized|function|sizeof|assert|print|yield|await|not|and|or|in|when|guard|defer|go|select"
)


def defined_name(line: str, *, outermost: bool) -> str | None:
    """The name that a line, given without the whitespace around it, defines; ``None`` when it defines nothing.

    ``outermost``: it is not indented, so that a call need not be told from a definition without a brace.
    """
    if len(line) > _MAX_LINE:
        return None
    match = _KEYWORD.match(line)
    if not match and line.endswith("{"):
        match = _BRACED.match(line)
    elif not match and outermost and line.endswith((")", ",", "const", "noexcept")):
        match = _UNBRACED.match(line)
    if not match or not match.lastgroup:
        return None
    name = " ".join(match[match.lastgroup].split())
    if match.lastgroup == "implementation":
        name = name.split(" where ")[0]
    return None if _NO_NAME.fullmatch(name) else name[:MAX_TITLE_CHARS]
