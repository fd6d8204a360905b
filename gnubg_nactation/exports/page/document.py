"""What every page is: one file with its head, its policy, and its colours in light and dark."""

from __future__ import annotations

import binascii
import hashlib
from collections.abc import Mapping

from gnubg_nactation.exports.page.text import safe_text
from gnubg_nactation.writing.spelling import escape

__all__ = ["document", "themed"]

_PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="gnubg-nactation">
<title>{title}</title>
<style>{css}</style>
</head>
<body>
{body}{script}
</body>
</html>
"""


def document(title: str, css: str, body: str, script: str = "") -> str:
    """A page that needs nothing else. `title` is text; the rest is CSS, HTML and JavaScript."""
    return _PAGE.format(
        policy=escape(_policy(css, script)),
        title=safe_text(title),
        css=css,
        body=body,
        script=f"<script>{script}</script>" if script else "",
    )


def themed(pairs: Mapping[str, tuple[str, str]]) -> str:
    """The colours as variables of CSS, each by name in its light and its dark form.

    Dark is for whose system is dark, or who asks for it by `data-theme`; paper is light. The
    function light-dark() would say it in less, but browsers of 2023 show black for what it makes.
    """
    light, dark = (
        "".join(f"--{name}:{pair[at]};" for name, pair in pairs.items()) for at in (0, 1)
    )
    return (
        f":root{{color-scheme:light;{light}}}\n"
        "@media screen and (prefers-color-scheme:dark)"
        f"{{:root:not([data-theme=light]){{color-scheme:dark;{dark}}}}}\n"
        f"@media screen{{:root[data-theme=dark]{{color-scheme:dark;{dark}}}}}\n"
    )


def _policy(css: str, script: str) -> str:
    """Nothing may be loaded or sent; only this style and this script count.

    An image is one that the script has drawn itself, to be copied.
    """
    scripts = f"script-src {_hash(script)}; img-src data:; " if script else ""
    return (
        f"default-src 'none'; style-src-elem {_hash(css)}; style-src-attr 'unsafe-inline'; "
        f"{scripts}base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    digest = binascii.b2a_base64(hashlib.sha256(text.encode()).digest(), newline=False).decode()
    return f"'sha256-{digest}'"
