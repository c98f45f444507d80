"""Texts that more than one test of compression uses."""

from __future__ import annotations

from hypothesis import strategies as st

GUIDE = """---
title: Key handling
tags: [security, keys]
---
# Key handling

[![build](https://img.shields.io/build.svg)](https://ci.example.org)

<!-- reviewed in May -->
Keys live in the [vault](https://vault.example.org/keys "the vault"). **Never** put one into a chat.


## Rotation

Every key is rotated after ninety days. The old key stays valid for a week. Ask the owner before you *revoke* one.

```python
# **not** emphasis, [not](a link)
def rotate(key):
    key.replace(days=90)


    return key
```

| key | owner | days |
|---|---|---|
| mail | Ines | 90 |
| backup | Tomas | 365 |

## Lunch

- Soup is served at noon.
- Coffee costs nothing.
"""

PIECES = (
    "Keys rotate after ninety days. ",
    "Nobody knows why! ",
    "The old key stays valid for a week. ",
    "# Heading\n",
    "## Rotation ##\n",
    "Title\n=====\n",
    "\n",
    "\n\n\n",
    "- an item\n",
    "2. second\n",
    "> quoted\n",
    "```python\nkey = 1\n\n\nkey.rotate()\n```\n",
    "~~~\n**kept**\n~~~\n",
    "```\nnever closed\n",
    "| a | b |\n|---|---|\n| 1 | 2 |\n",
    "[text](http://target.example/a_b) ",
    "![alt](image.png)",
    "[![badge](https://shields.io/x)](https://ci)\n",
    "**bold** and *slanted* and __under__ ",
    "<!-- comment -->\n",
    "<!--",
    "-->",
    "---\n",
    "---\nkey: value\n---\n",
    "    indented code\n",
    "[ref]: http://target.example\n",
    "`code *span*` ",
    "***",
    "[",
    "](",
    "钥匙每九十天更换一次。旧钥匙一周内有效！",
    "วันนี้อากาศดีมาก เราไปเดินเล่นที่สวนสาธารณะ ",
    "ما اسمك؟ اسمي أحمد. ",
    "\r\n",
    "\t",
    "\x0c",
    "\u2028",
    "é😀 ",
    "x" * 60 + " ",
)

markdown_texts = st.lists(
    st.one_of(st.sampled_from(PIECES), st.text(max_size=12)), min_size=0, max_size=24
).map("".join)
"""Markdown of every kind of block and mark, in good order or not."""
