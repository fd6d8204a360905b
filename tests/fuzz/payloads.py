"""Texts of strangers that try to be more than text, each named after what it aims at."""

from __future__ import annotations

__all__ = ["PAYLOADS"]

PAYLOADS = {
    "script": "<script>alert(1)</script>",
    "end of script": "</script><script>alert(1)//",
    "end of style": "</style></title></textarea><img src=x onerror=alert(1)>",
    "comment": "<!--<script>",
    "end of comment": "--><b>",
    "cdata": "]]><svg onload=alert(1)>",
    "double quote": '" onmouseover="alert(1)',
    "single quote": "' onfocus='alert(1)",
    "plaintext": "<plaintext><base href=//evil.example>",
    "entities": "&lt;i&gt;&amp;lt;&#60;script&#62;",
    "link": '<a href="javascript:alert(1)">x</a>',
    "bare link": "javascript:alert(1) https://evil.example/",
    "markdown link": "[x](javascript:alert(1)) <https://evil.example/>",
    "markdown image": "![x](https://evil.example/x.png)",
    "markdown": "**b** __u__ ~~s~~ ||s|| >!s!< ^up _i_",
    "heading": "# heading",
    "fence": "```js ~~~ `x`",
    "table": "a | b |---|",
    "bbcode": "[/code][/font][url=javascript:alert(1)]x[/url][img]x[/img]",
    "mention": "@everyone @here <@&123> <#1> :smile:",
    "formula": '=HYPERLINK("https://evil.example","x")',
    "plus": "+1+cmd|' /C calc'!A0",
    "minus": "-2+3",
    "at": "@SUM(1+1)",
    "escape codes": "\x1b[31mred\x1b]0;title\x07\x9b31m",
    "direction": "\u202egnp.\u2066exe\u200f\u061c",
    "controls": "\x01\x08\x0b\x7f\x85",
    "null": "\0null",
    "line ends": "\u2028alert(1)\u2029",
    "lines": "\r\n Game 2\n# x\n\t=1",
    "sgf": "](;W[31mjfe])PB[x\\",
    "sql": "'; DROP TABLE turns; --%_",
    "rtf": '{\\rtf1{\\field{\\*\\fldinst{HYPERLINK "javascript:alert(1)"}}{\\fldrslt x}}',
}
