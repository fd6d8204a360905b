"""A page as one file: its head, its security policy, its colours in light and dark, its data."""

from __future__ import annotations

import binascii
import hashlib
import json
import zlib
from collections.abc import Iterable, Mapping

from gnubg_nactation.exports.page.text import clean, safe_text
from gnubg_nactation.system.resources import package_text
from gnubg_nactation.values import TYPE_CHECKING, Any
from gnubg_nactation.writing.spelling import escape

if TYPE_CHECKING:
    pass

_MAX_DATA = 50_000_000  # characters of unpacked data, as a page may come from anyone
# In light and in dark, for `themed`.
COLOURS = {
    "ground": ("#f7f5f0", "#16181c"),
    "panel": ("#ffffff", "#1f2329"),
    "ink": ("#1d2126", "#e8e6e1"),
    "soft": ("#5a6068", "#a7adb5"),
    "line": ("#d9d4c8", "#363c45"),
    "accent": ("#1a5c4b", "#7fd4b8"),
    "chosen": ("#d9ece5", "#1d463a"),
    "bad": ("#a11b1b", "#ff9b93"),
    "wrong": ("#8f4400", "#f4b06a"),
    "doubtful": ("#655500", "#d9c765"),
    "good": ("#17653a", "#7fd99a"),
}

# Spacing, type and shapes of all pages, which read as pages of one program.
_TOKENS = """\
:root{--control:2.5rem;--control-small:2rem;--gap-small:.2rem;--gap:.4rem;--gap-large:.8rem;
--text-small:.8rem;--text-label:.875rem;--text-large:1.15rem;
--round-small:.3rem;--round:.5rem;--round-large:.6rem;--shadow:0 6px 24px rgb(0 0 0/.28);
--sans:system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;
--serif:Georgia,"Noto Serif","DejaVu Serif",serif;
--mono:ui-monospace,"DejaVu Sans Mono",Menlo,monospace}
@media(max-width:40rem){:root{--control:2.75rem;--control-small:2.75rem}} /* 44 px for a finger */
@media(prefers-contrast:more){:root:root:root{--soft:var(--ink);--line:var(--ink)}}
"""

# Pages without a script, to read or print: leaks, statistics, the matches of a folder.
REPORT_CSS = """\
body{max-width:80rem;padding:1rem}
header{display:flex;align-items:center;gap:var(--gap-large);margin-bottom:.5rem}
h1{font-size:1.35rem;margin:0}
h2{font-size:1.15rem;margin:1.5rem 0 .5rem}
main>p{margin:.1rem 0}
@media print{body{padding:0;max-width:none;font-size:10pt}}
"""

_PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="gnubg-nactation">
{meta}<title>{title}</title>
<style>{css}</style>
</head>
<body>
{body}{script}
</body>
</html>
"""


def document(title: str, css: str, body: str, script: str = "", matches: str = "") -> str:
    """A complete page. `title` is plain text; the rest is CSS, HTML and JavaScript.

    `matches` is an `island` for the contents page of a folder.
    """
    return _PAGE.format(
        policy=escape(_policy(css, script)),
        meta=f'<script type="text/plain" id="matches">{matches}</script>\n' if matches else "",
        title=safe_text(title),
        css=css,
        body=body,
        script=f"<script>{script}</script>" if script else "",
    )


def logo() -> str:
    """The icon of the program, next to the title of a page."""
    return (
        package_text("web/icon.svg").strip().replace("<svg", '<svg class="logo" aria-hidden="true"')
    )


def design() -> str:
    """The style that all pages begin with: tokens as CSS variables, and the rules they share."""
    return themed(COLOURS) + _TOKENS + package_text("exports/page/base.css")


def themed(pairs: Mapping[str, tuple[str, str]]) -> str:
    """CSS variables for colours, each with a light and a dark value.

    Dark applies if the system is dark or `data-theme` asks for it; paper is light. The function
    light-dark() would be shorter, but browsers of 2023 show its colours as black.
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
    """Forbid loading and sending anything; allow only this style and this script.

    `img-src data:` lets the script draw the picture that it copies.
    """
    scripts = f"script-src {_hash(script)}; img-src data:; " if script else ""
    return (
        f"default-src 'none'; style-src-elem {_hash(css)}; style-src-attr 'unsafe-inline'; "
        f"{scripts}base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    digest = binascii.b2a_base64(hashlib.sha256(text.encode()).digest(), newline=False).decode()
    return f"'sha256-{digest}'"


def island(value: Any) -> str:
    """A value as JSON, deflated and in base64, for a script element."""
    text = clean(json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False))
    # Little memory makes small blocks, each with codes that suit its column: 4 % smaller.
    packer = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS, 4)
    data = packer.compress(text.encode()) + packer.flush()
    return binascii.b2a_base64(data, newline=False).decode()


def island_text(text: str) -> str:
    """The JSON of a script element, not packed in earlier versions. Raises ValueError."""
    if text.startswith("{"):
        return text
    unpacker = zlib.decompressobj()
    try:
        data = unpacker.decompress(binascii.a2b_base64(text), _MAX_DATA)
    except zlib.error as error:
        raise ValueError(str(error)) from None
    return data.decode()


def columns(rows: Iterable[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """A table of rows by columns, which deflates better; None for missing and empty values."""
    full = [{name: value for name, value in row.items() if value or value == 0} for row in rows]
    names = dict.fromkeys(name for row in full for name in row)
    return {name: [row.get(name) for row in full] for name in names}
