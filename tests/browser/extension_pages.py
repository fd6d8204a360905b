"""Pages for the extension, in the markup of the places where people post; with what is found."""

from __future__ import annotations

XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
GAME = "54S-63R-31P"

# Name: the body of a page, and the texts of its findings in order.
FORUMS: dict[str, tuple[str, list[str]]] = {
    "threaded forum, preformatted": (
        (
            f"<h3>Re: an opening</h3><pre>Alice wrote:\n&gt; I played {GAME} in our match.\n\n"
            "My line was 43Z-32H-54 then.\n</pre><a href='#1'>Follow up</a>"
        ),
        [GAME, "43Z-32H-54"],
    ),
    "threaded forum, line breaks": (
        f"Posted by: Bob<br><br>A position:<br>{XGID}<br><br>and a game {GAME}<br><hr>",
        [XGID, GAME],
    ),
    "phpBB": (
        (
            '<div class="post"><p class="author">by Carol</p><div class="content">Look at 54S-'
            '<span style="font-weight: bold">63R</span>-31P.<br>\n<blockquote><div><cite>Dan wrote:'
            "</cite>I like 43Z-32H-54</div></blockquote></div></div>"
        ),
        [GAME, "43Z-32H-54"],
    ),
    "Discourse": (
        (
            '<div class="topic-post"><div class="cooked">'
            "<p>Then 31P-44<u>A</u> was <em>right</em>.</p>"
            f'<p>Or <a href="#x">54S-63R</a>-31P?</p><code>{XGID}</code></div></div>'
        ),
        ["31P-44A", GAME, XGID],
    ),
    "old Reddit": (
        (
            '<div class="usertext-body"><div class="md"><p>After <strong>54S-63R</strong>-31P\n'
            "what now?</p></div></div>"
        ),
        [GAME],
    ),
    "new Reddit": (
        (
            '<shreddit-comment><template shadowrootmode="open"><b>Frank</b><slot name="comment">'
            "</slot><p>12 replies</p></template>"
            f'<div slot="comment"><p>After {GAME} what now?</p></div>'
            f"<textarea>{GAME}</textarea></shreddit-comment>"
        ),
        [GAME],
    ),
    "web component": (
        (
            '<faded-post><template shadowrootmode="open"><div><slot></slot></div>'
            f"<p>I answered {GAME}.</p></template>What was best?<template>{GAME}</template>"
            "</faded-post>"
        ),
        [GAME],
    ),
    "mailing list": (
        (
            f"<pre>From: erin\nSubject: reply\n\n&gt; {GAME}\n\n"
            f"Here is the position\n{XGID}\n--\n</pre>"
        ),
        [GAME, XGID],
    ),
    "blog": (
        (
            "<article><h1>My match</h1><p>It began 54S-\n        63R-31P, and I\n won.</p>"
            f'<p contenteditable="true">{GAME}</p></article>'
        ),
        ["54S- 63R-31P"],
    ),
    "chat with emoji": (
        (
            f"<ul><li>12:31 Well \U0001f600\U0001f3b2\U0001f3b2<li>{GAME} \U0001f44d 43Z-32H-54!"
            f"<li>{GAME}<img alt=:)>Thanks</ul>"
        ),
        [GAME, "43Z-32H-54", GAME],
    ),
    "live chat": (
        (
            "<style>div { display: flex } b { font-weight: 400 }</style>"
            f"<div><span>Alice</span><span>{GAME}</span><span>12</span></div>"
            "<div><b><i>Bob</i></b><span>43Z-<b>32H</b>-54</span></div>"
        ),
        [GAME, "43Z-32H-54"],
    ),
    "form of a league": (
        f"<form>{GAME}<input name=matches><input name=closest></form>",
        [GAME],
    ),
}

# Nothing is marked in these.
ORDINARY = {
    "phones": "<p>The 43S, the 55U and the 65A are televisions; a 12B is no phone.</p>",
    "dates": "<p>21-03-2020, 12/31/1999, 2021-12-24 and 11:45 are dates.</p>",
    "prices": "<ul><li>$43.50<li>54 EUR<li>32,- Fr.<li>&pound;21.99</ul>",
    "code": "<pre><code>for (i = 31; i &lt; 54; i++) { a[i] = 0x41B &amp; 0x3f; }</code></pre>",
    "parts": "<table><tr><td>M16-25A<td>B65-21C<tr><td>43-22-11<td>65/R16</table>",
    "roads": "<p>Take the A31, exit 42B, then 52nd street and 21st avenue to seat 14C.</p>",
    "times": "<p>Leg 1 took 43s, leg 2 took 52 s; at 31 m the wind was 12km/h.</p>",
    "hashes": "<p>commit 4f31a2b, sha 9a54d63c31e, build 21H2, id a1B2c3D4e5F6g7</p>",
    "science": "<p>12C, 13C and 14N; a 63x oil lens; primers 23F and 51R.</p>",
    "chess": "<p>1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 and a 45-minute clock, won 31-24.</p>",
}

# Read by the command line as well.
TEXTS = (
    f"I played {GAME}, he 43Z-32H-54, then {XGID} came up and 31P was best.",
    "54S-63R-31 [P H76 @79] and then\nPosition ID: 4HPwATDgc/ABMA, 31P & 42P",
    "After 54S-63R-31, P is 8/5 6/5 and H is 8/4 6/4. My 43S phone; 21-03-2020.",
)
